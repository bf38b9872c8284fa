import GraphQL

/// What `extend` may do: add to a type that the author wrote what that type does not have yet. The types that Amplify makes
/// are not there when it folds extensions in, which it does before it looks at anything else.
struct ExtensionRules {
    /// What extensions of a type add.
    private enum Members {
        case fields, values, types, none
    }

    private struct Base {
        let isObject: Bool
        let members: Members
        var names: Set<String>
        var interfaces: Set<String> = []
    }

    private var bases: [String: Base] = [:]
    private var names: [String] = []
    private(set) var log: DiagnosticLog

    /// Checks the extensions of a schema, and returns the log with what is wrong added.
    static func check(_ definitions: [Definition], log: DiagnosticLog) -> DiagnosticLog {
        let extensions = definitions.compactMap { definition in
            if case .typeExtension(let type) = definition { type } else { nil }
        }
        guard !extensions.isEmpty else { return log }
        var rules = ExtensionRules(definitions, log: log)
        for type in extensions { rules.check(type) }
        return rules.log
    }

    private init(_ definitions: [Definition], log: DiagnosticLog) {
        self.log = log
        for case .type(let type) in definitions {
            let name = type.name.text
            guard bases[name] == nil, name != Sandbox.inputName else { continue }
            names.append(name)
            var base = Base(
                isObject: type.kindName == "object", members: Self.members(of: type),
                names: Set(Self.memberNames(of: type).map(\.text)))
            if case .object(let object) = type { base.interfaces = Set(object.interfaces.map(\.text)) }
            bases[name] = base
        }
    }

    private mutating func error(_ message: String, at position: Position, hint: String? = nil) {
        log.error(message, at: position, step: .extensions, hint: hint)
    }

    private mutating func check(_ type: TypeDefinition) {
        // Scalars are left to the rules of the language.
        if case .scalar = type { return }
        let name = type.name
        guard var base = bases.removeValue(forKey: name.text) else {
            error(
                "Cannot extend nonexistent \(type.keyword) '\(name)'.", at: name.position,
                hint: hint(forMissing: type))
            return
        }
        defer { bases[name.text] = base }
        if case .object(let object) = type {
            guard base.isObject else {
                error(
                    "Failure adding object extension", at: name.position,
                    hint: "\(name) is no object type: extend it as what it is.")
                return
            }
            for interface in object.interfaces where !base.interfaces.insert(interface.text).inserted {
                error(
                    "Object type extension '\(name)' cannot redeclare interface \(interface)", at: interface.position,
                    hint: "Remove it here.")
            }
        }
        guard base.members == Self.members(of: type) else { return }
        let added = Self.memberNames(of: type)
        for member in added where base.names.contains(member.text) {
            error(
                "\(type.extensionName) '\(name)' cannot redeclare \(type.memberName) \(member)", at: member.position,
                hint: "Remove it here, or there.")
        }
        base.names.formUnion(added.map(\.text))
    }

    private func hint(forMissing type: TypeDefinition) -> String {
        let suggestion = Suggestions.didYouMean(type.name.text, among: names)
        guard suggestion.isEmpty else { return String(suggestion.dropFirst()) }
        return "Write \(type.keyword) \(type.name) without extend: only what the schema itself defines can be extended."
    }

    private static func members(of type: TypeDefinition) -> Members {
        switch type {
        case .object, .interface, .inputObject: .fields
        case .enum: .values
        case .union: .types
        case .scalar: .none
        }
    }

    private static func memberNames(of type: TypeDefinition) -> [Name] {
        switch type {
        case .object(let object): object.fields.map(\.name)
        case .interface(let interface): interface.fields.map(\.name)
        case .inputObject(let input): input.fields.map(\.name)
        case .enum(let enumeration): enumeration.values.map(\.name)
        case .union(let union): union.members
        case .scalar: []
        }
    }
}

extension TypeDefinition {
    /// The word that begins its definition.
    fileprivate var keyword: String {
        switch self {
        case .scalar: "scalar"
        case .object: "type"
        case .interface: "interface"
        case .union: "union"
        case .enum: "enum"
        case .inputObject: "input"
        }
    }

    /// What a message calls an extension of it.
    fileprivate var extensionName: String {
        switch self {
        case .scalar: "Scalar type extension"
        case .object: "Object type extension"
        case .interface: "Interface type extension"
        case .union: "Union type extension"
        case .enum: "Enum type extension"
        case .inputObject: "Input object type extension"
        }
    }

    /// What a message calls a part of it.
    fileprivate var memberName: String {
        switch self {
        case .enum: "value"
        case .union: "type"
        default: "field"
        }
    }
}
