import GraphQL

extension APISchema {
    /// The schema as a text that stands by itself, for tools that know nothing of AppSync: it defines the scalars and directives
    /// that it uses, and says its root types where they have other names than a reader would expect.
    ///
    /// Amplify's own tools add the scalars themselves, and refuse a text that has them.
    package func printedStandalone(authDirectives: Bool) -> String {
        let api = authDirectives ? documentWithRoots : documentWithRoots.withoutServiceDirectives
        let used = UsedNames(api)
        var schema: [Definition] = []
        var types: [Definition] = []
        for definition in api.definitions {
            if case .schema = definition { schema.append(definition) } else { types.append(definition) }
        }
        let standard = UsedNames.Declared(SchemaPrelude.standard)
        let added = SchemaPrelude.appSync.definitions.filter { definition in
            switch definition {
            case .directive(let directive):
                used.needsDirective(directive.name.text) && !standard.directives.contains(directive.name.text)
            case .type(let type): used.needsType(type.name.text) && !standard.types.contains(type.name.text)
            default: false
            }
        }
        return Document(definitions: schema + added + types).printed
    }
}

/// The types and directives that a schema mentions.
private struct UsedNames {
    /// Those that a document defines.
    struct Declared {
        private(set) var types: Set<String> = []
        private(set) var directives: Set<String> = []

        init(_ document: Document) {
            for definition in document.definitions {
                switch definition {
                case .type(let type): types.insert(type.name.text)
                case .directive(let directive): directives.insert(directive.name.text)
                default: break
                }
            }
        }
    }

    private let declared: Declared
    private var types: Set<String> = []
    private var directives: Set<String> = []

    init(_ document: Document) {
        declared = Declared(document)
        for definition in document.definitions {
            switch definition {
            case .schema(let schema), .schemaExtension(let schema): add(schema.directives)
            case .type(let type), .typeExtension(let type): add(type)
            case .directive(let directive): directive.arguments.forEach { add($0) }
            case .operation, .fragment: break
            }
        }
    }

    /// Returns whether a type is mentioned that the document does not define.
    func needsType(_ name: String) -> Bool { types.contains(name) && !declared.types.contains(name) }

    func needsDirective(_ name: String) -> Bool { directives.contains(name) && !declared.directives.contains(name) }

    private mutating func add(_ type: TypeDefinition) {
        add(type.directives)
        switch type {
        case .object(let object): object.fields.forEach { add($0) }
        case .interface(let interface): interface.fields.forEach { add($0) }
        case .inputObject(let input): input.fields.forEach { add($0) }
        case .enum(let enumeration): enumeration.values.forEach { add($0.directives) }
        case .scalar, .union: break
        }
    }

    private mutating func add(_ field: FieldDefinition) {
        types.insert(field.type.name.text)
        add(field.directives)
        field.arguments.forEach { add($0) }
    }

    private mutating func add(_ value: InputValueDefinition) {
        types.insert(value.type.name.text)
        add(value.directives)
    }

    private mutating func add(_ uses: [Directive]) { directives.formUnion(uses.map(\.name.text)) }
}
