import JSON

/// `util.xml`.
enum XMLFunctions {
    static let all = [
        LibraryFunction("util.xml.toMap") { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            return try value(of: text, &call)
        },
        LibraryFunction("util.xml.toJsonString") { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            let json = JSONWriter.text(of: try value(of: text, &call))
            // As a text within JSON, if asked for.
            return .string(call[1].bool == true ? JSONWriter.text(of: .string(json)) : json)
        },
    ]

    /// The same as the answer of `@http` has.
    private static func value(of text: String, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        try call.count(bytes: text.utf8.count)
        let tooDeep = call.depthFault
        return .object(
            try XMLObject.value(
                of: Array(text.utf8), depthMax: call.limits.nestingMax,
                failing: { $0.kind == .tooDeep ? tooDeep : .fault("The text is no XML: \($0).") },
                counting: { () throws(ResolverError) in try call.count(1) }))
    }
}
