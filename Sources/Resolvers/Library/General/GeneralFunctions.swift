import JSON

/// What `util` has by itself: errors, who is calling.
enum GeneralFunctions {
    static let all = [
        LibraryFunction("util.error") { call throws(ResolverError) in throw try error(&call) },
        LibraryFunction("util.appendError") { call throws(ResolverError) in
            try call.append(try error(&call))
            return .null
        },
        LibraryFunction("util.unauthorized") { _ throws(ResolverError) in
            throw ResolverError("Unauthorized", type: "Unauthorized", isUnauthorized: true)
        },
        LibraryFunction("util.authType") { call in
            .string(call.caller.authType ?? AuthorizationType(of: call.caller.identity).rawValue)
        },
    ]

    /// `(message, errorType?, data?, errorInfo?)`
    private static func error(_ call: inout LibraryCall) throws(ResolverError) -> ResolverError {
        // Null is as good as missing. A bare `nil` would be the value null here.
        func given(_ index: Int) -> JSONValue? { call[index].isNull ? JSONValue?.none : call[index] }
        func text(_ index: Int) -> String? {
            given(index).map { $0.string ?? JSONWriter.text(of: $0) }
        }
        return ResolverError(text(0) ?? "", type: text(1), data: given(2), info: given(3))
    }
}
