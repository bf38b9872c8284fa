import GraphQL

/// The names that a schema may use: those of its own types and directives, and those that it is given.
struct KnownNames {
    static let languageScalars = ["String", "Int", "Float", "Boolean", "ID"]

    /// What each type of the schema is, in the words of an error message.
    private(set) var kinds: [String: String] = [:]
    /// All types but the scalars of the language, in the order in which they are offered for misspelt names.
    private(set) var declaredTypes: [String] = []
    /// The types that Amplify itself declares.
    private(set) var reservedTypes: Set<String> = []
    private(set) var directives: [String: DirectiveDefinition] = [:]
    /// The inputs and enums that arguments of directives can have.
    private(set) var inputs: [String: InputObjectTypeDefinition] = [:]
    private(set) var enums: [String: EnumTypeDefinition] = [:]

    /// The directives of the transformer's version.
    let set: DirectiveSet

    init(_ definitions: [Definition], directives set: DirectiveSet) {
        self.set = set
        for definition in definitions { add(definition) }
        let declared = Set(declaredTypes)
        for definition in set.document.definitions {
            add(definition)
            if case .type(let type) = definition { reservedTypes.insert(type.name.text) }
        }
        reservedTypes.formUnion(ScalarKind.appSyncScalars)
        for scalar in ScalarKind.appSyncScalars where !declared.contains(scalar) {
            kinds[scalar] = "scalar"
            declaredTypes.append(scalar)
        }
        addQuery(definitions)
        directives.merge(AmplifyDirectives.definitions(AmplifyDirectives.service)) { first, _ in first }
    }

    /// A schema without the type that queries start at is checked as if it had one named Query: models make one.
    private mutating func addQuery(_ definitions: [Definition]) {
        var query = RootTypes().query
        for case .schema(let schema) in definitions {
            query = schema.operationTypes.first { $0.operation == .query }?.type.text ?? query
            break
        }
        let usual = RootTypes().query
        guard kinds[query] == nil, kinds[usual] == nil else { return }
        kinds[usual] = "object"
        declaredTypes.append(usual)
    }

    private mutating func add(_ definition: Definition) {
        switch definition {
        case .type(let type):
            let name = type.name.text
            guard kinds[name] == nil else { return }
            kinds[name] = type.kindName
            declaredTypes.append(name)
            switch type {
            case .inputObject(let input): inputs[name] = input
            case .enum(let enumeration): enums[name] = enumeration
            default: break
            }
        case .directive(let directive):
            if directives[directive.name.text] == nil { directives[directive.name.text] = directive }
        default: break
        }
    }

    func hasType(_ name: String) -> Bool {
        // Most fields are scalars, all of which are known.
        ScalarKind.isScalar(name) || kinds[name] != nil
    }
}

extension TypeDefinition {
    /// What it is, in the words of an error message.
    var kindName: String {
        switch self {
        case .scalar: "scalar"
        case .object: "object"
        case .interface: "interface"
        case .union: "union"
        case .enum: "enum"
        case .inputObject: "input object"
        }
    }
}
