import JSON

/// `util.xml`.
enum XMLFunctions {
    static let all = [
        LibraryFunction("util.xml.toMap") { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            return try XMLDocumentReader.value(of: text, &call)
        },
        LibraryFunction("util.xml.toJsonString") { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            let json = JSONWriter.text(of: try XMLDocumentReader.value(of: text, &call))
            // As a text within JSON, if asked for.
            return .string(call[1].bool == true ? JSONWriter.text(of: .string(json)) : json)
        },
    ]
}
