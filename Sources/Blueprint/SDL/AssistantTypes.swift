import GraphQL

/// The types that Amplify tells a language model of, as a JSON schema: what a generation is to give, and what a tool takes.
extension SDLReading {
    mutating func checkAssistantTypes() {
        guard schema.uses["generation"] != nil || schema.uses["conversation"] != nil else { return }
        let types = AssistantTypes(schema.definitions)
        for use in schema.uses["generation"] ?? [] {
            guard let field = use.field,
                case .generation? = resolvers[FieldPath(type: use.typeName, field: field.name.text)],
                let message = types.refusal(of: [field.type], models: models, isResult: true)
            else { continue }
            log.error(message, at: field.position, step: .resolvers(.generation), hint: AssistantTypes.hint)
        }
        for use in schema.uses["conversation"] ?? [] {
            for tool in Self.tools(use.directive) {
                guard let query = tool.value("queryName")?.text, let field = declaredQuery(query),
                    let message = types.refusal(of: field.arguments.map(\.type), models: models, isResult: false)
                else { continue }
                log.error(message, at: use.position, step: .resolvers(.conversation), hint: AssistantTypes.hint)
            }
        }
    }

    private func declaredQuery(_ name: String) -> FieldDefinition? {
        let root = schema.roots.query
        return schema.objects[root]?.fields.first { $0.name.text == name }
            ?? schema.extensionFields[root]?.first { $0.name.text == name }
    }
}

/// Looks through types for those that have no place in a JSON schema.
private struct AssistantTypes {
    static let hint = "Let the field be nullable, or a String."

    private static let disallowed: Set<String> = [
        "AWSEmail", "AWSDate", "AWSTime", "AWSDateTime", "AWSTimestamp", "AWSPhone", "AWSURL", "AWSIPAddress",
    ]
    private var unsupported: [String: String] = [:]
    private var fields: [String: [TypeReference]] = [:]
    private var inputFields: [String: [TypeReference]] = [:]

    init(_ definitions: [Definition]) {
        for definition in definitions {
            switch definition {
            case .type(.object(let type)), .typeExtension(.object(let type)):
                fields[type.name.text, default: []] += type.fields.map(\.type)
            case .type(.inputObject(let type)), .typeExtension(.inputObject(let type)):
                inputFields[type.name.text, default: []] += type.fields.map(\.type)
            case .type(.union(let type)): unsupported[type.name.text] = "UnionTypeDefinition"
            case .type(.interface(let type)): unsupported[type.name.text] = "InterfaceTypeDefinition"
            case .type(.scalar(let type)): unsupported[type.name.text] = "ScalarTypeDefinition"
            default: break
            }
        }
    }

    /// What Amplify says of the first type that it cannot tell a model of.
    func refusal(of types: [TypeReference], models: [String: ModelDraft], isResult: Bool) -> String? {
        var seen: Set<String> = []
        var open: [TypeReference] = types.reversed()
        while let type = open.popLast() {
            let name = type.name.text
            if type.wrapping.hasNonNull, Self.disallowed.contains(name) { return Self.disallowed(name, isResult) }
            if let kind = unsupported[name] { return "Unsupported type definition: \(kind)" }
            guard seen.insert(name).inserted else { continue }
            // The times that a model adds are never null.
            if isResult, let model = models[name], model.timestamps.names.contains(where: { model.field($0) == nil }) {
                open.append(TypeReference(Name("AWSDateTime"), wrapping: .none.nonNull))
            }
            open += (isResult ? fields[name] : inputFields[name])?.reversed() ?? []
        }
        return nil
    }

    private static func disallowed(_ type: String, _ isResult: Bool) -> String {
        let allowed = "Boolean, Int, Float, String, ID, AWSJSON"
        return "Disallowed required field type \(type)\(isResult ? " without a default value" : "").\n"
            + "Use one of the supported scalar types for generation routes: [\(allowed)]"
    }
}
