import JSON

/// `extensions`: what a handler asks of the API around it. All of it is kept in the outcome of its run.
enum ExtensionFunctions {
    static let all = [
        LibraryFunction("extensions.setSubscriptionFilter") { call throws(ResolverError) in
            call.outcome.subscriptionFilter = try SubscriptionFilterCheck.checked(&call)
            return .null
        },
        LibraryFunction("extensions.setSubscriptionInvalidationFilter") { call throws(ResolverError) in
            call.outcome.invalidationFilter = try SubscriptionFilterCheck.checked(&call)
            return .null
        },
        LibraryFunction("extensions.invalidateSubscriptions") { call throws(ResolverError) in
            try invalidate(&call)
            return .null
        },
        LibraryFunction("extensions.evictFromApiCache") { call throws(ResolverError) in
            try evict(&call)
            return .null
        },
    ]

    /// `({ subscriptionField, payload })`
    private static func invalidate(_ call: inout LibraryCall) throws(ResolverError) {
        let given = try call.object(0)
        guard let field = given["subscriptionField"]?.string, !field.isEmpty else {
            throw .fault("\(call.function) expects the name of a subscription as 'subscriptionField'.")
        }
        let payload = given["payload"] ?? .null
        guard payload.object != nil || payload.isNull else {
            throw .fault("\(call.function) expects an object as 'payload', but it is \(payload.kind).")
        }
        let invalidation: JSONValue = ["subscriptionField": .string(field), "payload": payload]
        // The same once more changes nothing.
        guard !call.outcome.invalidations.contains(invalidation) else { return }
        guard call.outcome.invalidations.count < LibraryLimits.invalidationsMax else {
            throw .fault("\(call.function) takes at most \(LibraryLimits.invalidationsMax) invalidations a request.")
        }
        call.outcome.invalidations.append(invalidation)
    }

    /// `(typeName, fieldName, keyValuePair)`
    private static func evict(_ call: inout LibraryCall) throws(ResolverError) {
        let pairs = try call.optionalObject(2)
        guard call.outcome.evictions.count < LibraryLimits.evictionsMax else {
            throw .fault("\(call.function) takes at most \(LibraryLimits.evictionsMax) evictions a request.")
        }
        call.outcome.evictions.append([
            "typeName": .string(try call.text(0)), "fieldName": .string(try call.text(1)),
            "keyValuePair": .object(pairs ?? JSONObject()),
        ])
    }
}
