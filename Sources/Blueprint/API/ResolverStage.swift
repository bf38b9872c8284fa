import GraphQL

/// The arguments of fields that something else computes: those of `@http` are regrouped, those of `@predictions` made.
extension APIGenerator {
    mutating func addHTTPInputs() {
        for type in blueprint.types {
            for field in type.fields {
                if let call = field.resolver?.httpCall { addHTTPInputs(for: call, field, of: type.name) }
            }
        }
        for model in models {
            for field in model.fields {
                if let call = field.resolver?.httpCall { addHTTPInputs(for: call, field, of: model.name) }
            }
        }
    }

    private mutating func addHTTPInputs(for call: HTTPCall, _ field: ModelField, of type: String) {
        let start = Names.upper(type) + Names.upper(field.name)
        let parameters = call.pathParameters
        var arguments: [InputValueDefinition] = []
        var others = field.arguments
        if !parameters.isEmpty {
            // With parameters in the path, arguments that are no scalars have no place to go.
            others = others.filter { ScalarKind.isScalar($0.type.name.text) && !parameters.contains($0.name.text) }
            let name = Names.cleaned(start + "ParamsInput")
            var seen: Set<String> = []
            let unique = parameters.filter { seen.insert($0).inserted }
            draft.addInput(name, unique.map { InputValueDefinition($0, required: "String") })
            arguments.append(InputValueDefinition("params", required: name))
        }
        if !others.isEmpty {
            let isGet = call.method == .get
            let inputs =
                isGet
                ? others
                : others.map { argument in
                    var argument = argument
                    argument.type = argument.type.optional
                    return argument
                }
            let query = Names.cleaned(start + "QueryInput")
            draft.addInput(query, inputs)
            let isRequired = inputs.contains { $0.type.wrapping.isNonNull }
            arguments.append(
                isRequired ? InputValueDefinition("query", required: query) : InputValueDefinition("query", query))
            if call.method.hasBody {
                let body = Names.cleaned(start + "BodyInput")
                draft.addInput(body, inputs)
                arguments.append(InputValueDefinition("body", body))
            }
        }
        guard !arguments.isEmpty else { return }
        draft.updateField(field.name, of: type) { $0.arguments = arguments }
    }

    mutating func addPredictionInputs() {
        for field in blueprint.customOperations(.query) {
            guard case .predictions(let actions)? = field.resolver?.inner else { continue }
            let start = Names.upper(field.name)
            var isList = false
            for (number, action) in actions.enumerated() {
                if action == "identifyLabels" { isList = true }
                if action == "convertTextToSpeech" { isList = false }
                draft.addInput(
                    "\(start)\(Names.upper(action))Input", Self.predictionFields(action, isFirst: number == 0))
            }
            let input = "\(start)Input"
            draft.addInput(
                input, actions.map { InputValueDefinition($0, required: "\(start)\(Names.upper($0))Input") })
            let text = TypeReference(named: "String")
            let type = isList ? text.list : text
            draft.updateField(field.name, of: blueprint.roots.query) { field in
                field.arguments = [InputValueDefinition("input", required: input)]
                field.type = type
            }
        }
    }

    private static func predictionFields(_ action: String, isFirst: Bool) -> [InputValueDefinition] {
        let names: [String] =
            switch action {
            case "translateText": ["sourceLanguage", "targetLanguage"] + (isFirst ? ["text"] : [])
            case "convertTextToSpeech": ["voiceID"] + (isFirst ? ["text"] : [])
            default: ["key"]
            }
        return names.map { InputValueDefinition($0, required: "String") }
    }
}
