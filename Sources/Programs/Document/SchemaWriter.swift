import Blueprint
import GraphQL
import Project

/// Turns one schema into the definitions of Amplify's SDL that stand for it, each with its place in the TypeScript.
///
/// Entries come in their order, custom types behind everything else; then what fields and operations declare on the
/// way; then inputs, and the three root types.
struct SchemaWriter {
    let schema: SchemaBuilder
    let entries: SchemaEntries
    let limits: TypeScriptLimits
    /// Where the schema is named.
    let place: Position
    /// Rules of the schema that are for callers, and not for functions.
    let schemaRules: [RuleBuilder]

    /// Types that are declared where they are used, until their turn comes.
    struct Implicit {
        let name: String
        let position: Position
        let builder: Builder
    }

    var definitions: [Definition] = []
    var implicit: [Implicit] = []
    var inputs: [Definition] = []
    var inputNames: Set<String> = []
    var fields: [OperationBuilder.Kind: [FieldDefinition]] = [:]
    /// The rules of the operations that return a custom type, by its name.
    var typeRules: [String: [RuleBuilder]] = [:]
    /// The rules of the operations that only start something.
    var eventRules: (rules: [RuleBuilder], position: Position)?
    var functions: [String: FunctionReference] = [:]
    var handlers: [CustomHandler] = []
    /// The files of SQL statements.
    var statementFiles: [PlacedText] = []
    var hasConversations = false
    private var names: [String: Position] = [:]

    init(_ schema: SchemaBuilder, at place: Position, entries: SchemaEntries, limits: TypeScriptLimits) {
        self.schema = schema
        self.place = place
        self.entries = entries
        self.limits = limits
        schemaRules = schema.rules.filter { $0.strategy != .resource }
    }

    static let eventType = "EventInvocationResponse"

    mutating func write() throws(TypeScriptError) {
        let parts = schema.entries
        guard !parts.isEmpty else {
            throw TypeScriptError(
                SyntaxMessage.empty, at: place, hint: "A schema has at least one entry, such as a model.")
        }
        var types: [SchemaBuilder.Entry] = []
        for entry in parts { try collectRules(of: entry.part) }
        for entry in parts {
            let builder = try self.builder(of: entry.part, expected: "a model, type, enum or operation")
            if builder is TypeBuilder { types.append(entry) } else { try write(entry, builder) }
        }
        for entry in types {
            guard let builder = entry.part.builder else { continue }
            try write(entry, builder)
        }
        try writeEventType()
        var number = 0
        while number < implicit.count {
            guard number < limits.elementsMax else {
                throw TypeScriptError(
                    "the schema has more than \(limits.elementsMax) types", at: implicit[number].position)
            }
            let part = implicit[number]
            try writeType(part.name, part.builder, at: part.position)
            number += 1
        }
        definitions += inputs
        for kind in [OperationBuilder.Kind.mutation, .query, .subscription] {
            guard let fields = fields[kind], let first = fields.first else { continue }
            definitions.append(
                .type(
                    .object(
                        ObjectTypeDefinition(
                            name: Name(kind.rawValue, at: first.position), fields: fields, position: first.position))))
        }
    }

    private mutating func write(_ entry: SchemaBuilder.Entry, _ builder: Builder) throws(TypeScriptError) {
        let part = entry.part
        switch builder {
        case let model as ModelBuilder: try writeModel(part, model, storedName: entry.storedName)
        case is TypeBuilder, is EnumBuilder: try writeType(part.name, builder, at: part.position)
        case let operation as OperationBuilder: try writeOperation(part, operation)
        case let conversation as ConversationBuilder: try writeConversation(part, conversation)
        default:
            throw TypeScriptError(
                "\"\(part.name)\" is \(builder.label): a schema has models, types, enums and operations",
                at: part.value.position)
        }
    }

    /// What stands behind a name, when it is a builder at all.
    func builder(of part: NamedPart, expected: String) throws(TypeScriptError) -> Builder {
        switch part.value.value {
        case .refused(let error): throw error
        case .builder(let builder): return builder
        case .text, .number, .other:
            throw TypeScriptError(
                "\"\(part.name)\" is \(part.value.value.description), and not \(expected)", at: part.value.position)
        }
    }

    /// A name that GraphQL can have.
    func checkName(_ name: String, at place: Position) throws(TypeScriptError) {
        guard Names.isName(name) else {
            throw TypeScriptError("\"\(name)\" is no name in GraphQL: letters, digits and _, no digit first", at: place)
        }
    }

    /// Nothing between the braces is no GraphQL, which is what Amplify says of it.
    func checkIsFilled(_ count: Int, _ name: String, _ hint: String, at place: Position) throws(TypeScriptError) {
        guard count == 0 else { return }
        throw TypeScriptError(
            "Syntax Error: Expected Name, found \"}\".", at: place, hint: "\(name) has nothing in it: \(hint)")
    }

    mutating func define(_ type: TypeDefinition) throws(TypeScriptError) {
        try checkName(type.name.text, at: type.position)
        guard names.updateValue(type.position, forKey: type.name.text) == nil else {
            throw TypeScriptError("There can be only one type named \"\(type.name.text)\".", at: type.position)
        }
        definitions.append(.type(type))
    }

    // MARK: Types

    private mutating func writeType(_ name: String, _ builder: Builder, at place: Position) throws(TypeScriptError) {
        if let list = builder as? EnumBuilder {
            return try writeEnum(name, list, at: place)
        }
        guard let type = builder as? TypeBuilder else { return }
        try checkReferences(type.fields, of: name, noun: "custom type")
        try checkIsFilled(type.fields.count, name, "give it a field.", at: place)
        var fields: [FieldDefinition] = []
        for part in type.fields {
            let builder = try self.builder(of: part, expected: "a field of a type")
            fields.append(try field(part, builder, of: name))
        }
        let directives = try RuleDirectives.native(typeRules[name] ?? [], isHandler: false, at: place)
        try define(
            .object(
                ObjectTypeDefinition(
                    name: Name(name, at: place), directives: directives, fields: fields, position: place)))
    }

    /// Words that are values themselves where the values of enums stand.
    private static let literals: Set = ["true", "false", "null"]

    private mutating func writeEnum(_ name: String, _ list: EnumBuilder, at place: Position) throws(TypeScriptError) {
        try checkIsFilled(list.values.count, name, "give it a value.", at: place)
        var values: [EnumValueDefinition] = []
        for value in list.values {
            guard !value.text.contains(where: \.isWhitespace) else {
                throw TypeScriptError(
                    "Values of the enum type \(name) should not contain any whitespace.", at: value.position)
            }
            try checkName(value.text, at: value.position)
            guard !Self.literals.contains(value.text) else {
                throw TypeScriptError("\"\(value.text)\" is no name of a value of an enum", at: value.position)
            }
            values.append(EnumValueDefinition(name: Name(value.text, at: value.position)))
        }
        try define(.enum(EnumTypeDefinition(name: Name(name, at: place), values: values, position: place)))
    }

    private mutating func writeEventType() throws(TypeScriptError) {
        let isStarted = schema.entries.contains { entry in
            (entry.part.builder as? OperationBuilder)?.handlers.last?.isAsynchronous == true
        }
        guard let event = eventRules ?? (isStarted ? ([], place) : nil) else { return }
        let success = FieldDefinition(
            name: Name("success", at: event.position),
            type: TypeReference(Name("Boolean", at: event.position)).nonNull)
        try define(
            .object(
                ObjectTypeDefinition(
                    name: Name(Self.eventType, at: event.position),
                    directives: RuleDirectives.native(event.rules, isHandler: false, at: event.position),
                    fields: [success], position: event.position)))
    }

    // MARK: Fields

    /// A field of a type, without keys and rules.
    mutating func field(
        _ part: NamedPart, _ builder: Builder, of owner: String
    ) throws(TypeScriptError) -> FieldDefinition {
        try checkName(part.name, at: part.position)
        let place = part.position
        let name = Name(part.name, at: place)
        switch builder {
        case let scalar as FieldBuilder:
            return FieldDefinition(
                name: name, type: type(of: scalar, at: place), directives: try values(of: scalar))
        case let reference as ReferenceBuilder:
            return FieldDefinition(name: name, type: type(of: reference, named: reference.target, at: place))
        case is EnumBuilder, is TypeBuilder:
            let typeName = SchemaSyntax.upper(owner) + SchemaSyntax.upper(part.name)
            implicit.append(Implicit(name: typeName, position: place, builder: builder))
            return FieldDefinition(name: name, type: TypeReference(Name(typeName, at: place)))
        default:
            throw TypeScriptError(
                "\"\(part.name)\" is \(builder.label), and not a field", at: part.value.position)
        }
    }

    func type(of field: FieldBuilder, at place: Position) -> TypeReference {
        SchemaSyntax.type(
            field.typeName, place, isRequired: field.isElementRequired, isList: field.isList,
            isListRequired: field.isListRequired)
    }

    func type(of reference: ReferenceBuilder, named name: String, at place: Position) -> TypeReference {
        SchemaSyntax.type(
            name, place, isRequired: reference.isElementRequired, isList: reference.isList,
            isListRequired: reference.isListRequired)
    }

    func values(of field: FieldBuilder) throws(TypeScriptError) -> [Directive] {
        try defaults(of: field) + validations(of: field)
    }

    func defaults(of field: FieldBuilder) throws(TypeScriptError) -> [Directive] {
        switch field.standard {
        case nil: return []
        case (.refused(let error), _)?: throw error
        case (.generated, let place)?: return [SchemaSyntax.directive("default", place)]
        case (.text(let text), let place)?:
            return [SchemaSyntax.directive("default", [("value", SchemaSyntax.string(text, place))], place)]
        }
    }

    func validations(of field: FieldBuilder) -> [Directive] {
        field.validations.map { validation in
            let place = validation.position
            var parts = [
                ("type", SchemaSyntax.word(validation.rule, place)),
                ("value", SchemaSyntax.string(validation.value, place)),
            ]
            if let message = validation.message { parts.append(("errorMessage", SchemaSyntax.string(message, place))) }
            return SchemaSyntax.directive("validate", parts, place)
        }
    }

    /// Fields refer to types and enums; records of other models are reached by relations.
    func checkReferences(_ fields: [NamedPart], of owner: String, noun: String) throws(TypeScriptError) {
        for part in fields {
            guard let reference = part.builder as? ReferenceBuilder else { continue }
            let target = try entries.target(reference.target, from: owner, at: reference.position)
            if target.kind == .model {
                throw TypeScriptError(
                    "Cannot use `.ref()` to refer a model from a `\(noun)`. Field `\(part.name)` of `\(owner)` refers to model `\(reference.target)`",
                    at: part.position)
            }
        }
    }
}
