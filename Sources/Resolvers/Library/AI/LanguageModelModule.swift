import JSON

/// The module `@aws-appsync/utils/ai`: requests to models of language, as Bedrock takes them.
enum LanguageModelModule {
    /// Each function, its operation, and the members that the request has. Null is as good as missing.
    private static let requests: [(name: String, operation: String, required: [String], optional: [String])] = [
        (
            "invokeModel", "InvokeModel", ["modelId", "body"],
            ["guardrailIdentifier", "guardrailVersion", "guardrailTrace"]
        ),
        (
            "converse", "Converse", ["modelId", "messages"],
            [
                "system", "inferenceConfig", "toolConfig", "guardrailConfig", "additionalModelRequestFields",
                "additionalModelResponseFieldPaths", "promptVariables", "requestMetadata", "performanceConfig",
            ]
        ),
    ]

    static let all = requests.map { request in
        LibraryFunction("ai." + request.name, in: .javaScript) { call throws(ResolverError) in
            let given = try call.object(0)
            var object = JSONObject([("operation", .string(request.operation))])
            for name in request.required {
                guard let value = given[name], !value.isNull else {
                    throw .fault("\(call.function) expects '\(name)'.")
                }
                object.set(name, to: value)
            }
            for name in request.optional {
                guard let value = given[name], !value.isNull else { continue }
                object.set(name, to: value)
            }
            return .object(object)
        }
    }
}
