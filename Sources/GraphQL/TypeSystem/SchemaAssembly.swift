import Synchronization

extension Schema {
    /// Builds a schema from the document that describes it, or says everything that is wrong with it.
    ///
    /// The prelude holds what the service adds without being asked. `scalars` says how each custom scalar reads and
    /// writes its values; one that has no entry takes any value as it is.
    package convenience init(
        _ document: Document, prelude: Document = SchemaPrelude.appSync,
        scalars: [String: ScalarCoercion] = Scalars.all,
        allowsIntrospection: Bool = true
    ) throws(SchemaErrors) {
        let whole = SchemaDocument(document, prelude: prelude)
        let errors = SchemaValidation.errors(in: whole)
        guard errors.isEmpty else { throw SchemaErrors(errors: errors) }
        self.init(trusting: whole, scalars: scalars, allowsIntrospection: allowsIntrospection)
    }

    /// Builds a schema from a document that is valid. Of one that is not, it gives one that may not be used: whoever
    /// validates meanwhile, on another thread, throws it away.
    package convenience init(
        trusting document: SchemaDocument, scalars: [String: ScalarCoercion] = Scalars.all,
        allowsIntrospection: Bool = true
    ) {
        let builder = SchemaAssembly(document, scalars: scalars)
        self.init(builder.parts(of: document, allowsIntrospection: allowsIntrospection))
    }
}

/// Turns valid definitions into types that refer to each other by number. It stays with them, and makes the fields of each
/// when they are asked for.
final class SchemaAssembly: Sendable {
    private let definitions: [TypeDefinition]
    private let ids: NameTable
    private let scalars: [String: ScalarCoercion]
    private let pool = Mutex(InputPool())

    init(_ document: SchemaDocument, scalars: [String: ScalarCoercion]) {
        self.scalars = scalars
        definitions = document.types + document.preludeTypes + SchemaPrelude.introspection.types
        var ids = document.typeNumbers
        for type in SchemaPrelude.introspection.types { ids.append(type.name.text) }
        self.ids = ids
    }

    func parts(of document: SchemaDocument, allowsIntrospection: Bool) -> SchemaParts {
        let typeArgument = InputValue(
            name: "name", description: nil, type: use(TypeReference("String").nonNull), defaultValue: nil,
            deprecationReason: nil, directives: [])
        var parts = SchemaParts(
            description: document.description?.value,
            metaFields: (
                typename: metaField("__typename", TypeReference("String").nonNull),
                schema: metaField("__schema", TypeReference("__Schema").nonNull),
                type: metaField("__type", TypeReference("__Type"), [typeArgument])
            ),
            typeNumbers: ids, allowsIntrospection: allowsIntrospection)
        parts.types = definitions.enumerated().map { type($1, id: TypeID($0)) }
        parts.directives = (document.preludeDirectives + document.directives).map(directive)
        parts.rootTypes = document.rootTypes.compactMapValues(identifier)
        return parts
    }

    private func metaField(_ name: String, _ type: TypeReference, _ arguments: [InputValue] = []) -> SchemaField {
        SchemaField(
            name: name, description: nil, arguments: InputTable(arguments), type: use(type), deprecationReason: nil,
            directives: [])
    }

    private func type(_ definition: TypeDefinition, id: TypeID) -> NamedType {
        let name = definition.name.text
        let description = definition.description?.value
        let directives = definition.directives
        switch definition {
        case .scalar:
            return .scalar(
                ScalarType(
                    id: id, name: name, description: description, specifiedByURL: url(directives),
                    coercion: scalars[name] ?? Scalars.anything, directives: directives))
        case .object(let object):
            return .object(
                ObjectType(
                    id: id, name: name, description: description, interfaces: object.interfaces.compactMap(identifier),
                    directives: directives, names: { object.fields.map(\.name.text) },
                    fields: { self.fields(object.fields) }))
        case .interface(let interface):
            return .interface(
                InterfaceType(
                    id: id, name: name, description: description,
                    interfaces: interface.interfaces.compactMap(identifier),
                    directives: directives, fields: { self.fields(interface.fields) }))
        case .union(let union):
            return .union(
                UnionType(
                    id: id, name: name, description: description, members: union.members.compactMap(identifier),
                    directives: directives))
        case .enum(let type):
            let values = type.values.map {
                EnumValue(
                    name: $0.name.text, description: $0.description?.value,
                    deprecationReason: deprecationReason($0.directives), directives: $0.directives)
            }
            return .enum(
                EnumType(id: id, name: name, description: description, values: values, directives: directives))
        case .inputObject(let input):
            return .inputObject(
                InputObjectType(
                    id: id, name: name, description: description, directives: directives,
                    fields: { self.inputs(input.fields) }))
        }
    }

    private func identifier(_ name: Name) -> TypeID? { ids[name.text].map(TypeID.init) }

    private func fields(_ definitions: [FieldDefinition]) -> FieldTable {
        FieldTable(
            definitions.map {
                SchemaField(
                    name: $0.name.text, description: $0.description?.value, arguments: inputs($0.arguments),
                    type: use($0.type), deprecationReason: deprecationReason($0.directives), directives: $0.directives)
            })
    }

    private func inputs(_ definitions: [InputValueDefinition]) -> InputTable {
        guard !definitions.isEmpty else { return .empty }
        return pool.withLock { pool in InputTable(definitions.map { input($0, &pool) }) }
    }

    /// Those that say nothing but a name and a type are shared.
    private func input(_ definition: InputValueDefinition, _ pool: inout InputPool) -> InputValue {
        let type = use(definition.type)
        if definition.isPlain, let known = pool.known(definition.name.text, type) { return known }
        let value = InputValue(
            name: definition.name.text, description: definition.description?.value, type: type,
            defaultValue: definition.defaultValue, deprecationReason: deprecationReason(definition.directives),
            directives: definition.directives)
        if definition.isPlain { pool.add(value) }
        return value
    }

    private func directive(_ definition: DirectiveDefinition) -> SchemaDirective {
        SchemaDirective(
            name: definition.name.text, description: definition.description?.value,
            arguments: inputs(definition.arguments), isRepeatable: definition.isRepeatable,
            locations: definition.locations)
    }

    /// Validation makes sure that every name is known; a schema where one is not gets the first type, and is thrown away.
    private func use(_ reference: TypeReference) -> TypeUse {
        TypeUse(named: TypeID(ids[reference.name.text] ?? 0), wrapping: reference.wrapping)
    }

    private func deprecationReason(_ directives: [Directive]) -> String? {
        guard !directives.isEmpty, let directive = directives.first(named: "deprecated") else { return nil }
        if case .string(let reason)? = directive.argument("reason") { return reason.value }
        return "No longer supported"
    }

    private func url(_ directives: [Directive]) -> String? {
        if case .string(let url)? = directives.first(named: "specifiedBy")?.argument("url") { url.value } else { nil }
    }
}
