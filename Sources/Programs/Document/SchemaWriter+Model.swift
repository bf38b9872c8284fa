import Blueprint
import GraphQL
import Project

/// Models: `type X @model @auth`.
extension SchemaWriter {
    mutating func writeModel(
        _ part: NamedPart, _ model: ModelBuilder, storedName: String?
    ) throws(TypeScriptError) {
        let name = part.name
        let rules = model.rules.isEmpty ? schemaRules : model.rules
        for field in model.fields { _ = try builder(of: field, expected: "a field of a model") }
        try checkReferences(model.fields, of: name, noun: "model")
        let checks = ModelChecks(name: name, position: part.position, model: model, schema: schema, entries: entries)
        try checks.check(rules)
        try checkIsFilled(model.fields.count, name, "give it a field.", at: part.position)

        var fields: [FieldDefinition] = []
        for field in model.fields {
            let builder = try builder(of: field, expected: "a field of a model")
            fields.append(try modelField(field, builder, of: name, model))
        }
        try checks.checkNames()
        var directives = [SchemaSyntax.directive("model", modelArguments(model, at: part.position), part.position)]
        directives += RuleDirectives.auth(rules, at: part.position).map { [$0] } ?? []
        if let storedName {
            directives.append(
                SchemaSyntax.directive(
                    "refersTo", [("name", SchemaSyntax.string(storedName, part.position))], part.position))
        }
        try define(
            .object(
                ObjectTypeDefinition(
                    name: Name(name, at: part.position), directives: directives, fields: fields,
                    position: part.position)))
    }

    private static let coarse = ["queries", "mutations", "subscriptions"]
    private static let groups: [String: String] = [
        "create": "mutations", "update": "mutations", "delete": "mutations", "list": "queries", "get": "queries",
        "onCreate": "subscriptions", "onUpdate": "subscriptions", "onDelete": "subscriptions",
    ]

    private func modelArguments(_ model: ModelBuilder, at place: Position) -> [(String, Value)] {
        var arguments: [(String, Value)] = schema.isSQL ? [("timestamps", SchemaSyntax.null(place))] : []
        var groups: [(name: String, operations: [String]?)] = []
        for name in model.disabled where Self.coarse.contains(name) && !groups.contains(where: { $0.name == name }) {
            groups.append((name, nil))
        }
        for name in model.disabled {
            guard let group = Self.groups[name] else { continue }
            if let number = groups.firstIndex(where: { $0.name == group }) {
                guard let operations = groups[number].operations, !operations.contains(name) else { continue }
                groups[number].operations = operations + [name]
            } else {
                groups.append((group, [name]))
            }
        }
        for group in groups {
            let value = group.operations.map { names in
                SchemaSyntax.object(names.map { ($0, SchemaSyntax.null(place)) }, place)
            }
            arguments.append((group.name, value ?? SchemaSyntax.null(place)))
        }
        return arguments
    }

    private mutating func modelField(
        _ part: NamedPart, _ builder: Builder, of name: String, _ model: ModelBuilder
    ) throws(TypeScriptError) -> FieldDefinition {
        try checkName(part.name, at: part.position)
        let place = part.position
        switch builder {
        case let scalar as FieldBuilder:
            let rules = RuleDirectives.auth(scalar.rules, at: place).map { [$0] } ?? []
            let indexes = indexes(on: part.name, of: name, model)
            guard part.name == model.keyNames.first else {
                return FieldDefinition(
                    name: Name(part.name, at: place), type: type(of: scalar, at: place),
                    directives: try defaults(of: scalar) + indexes + validations(of: scalar) + rules)
            }
            let sortFields = Array(model.keyNames.dropFirst())
            let arguments = sortFields.isEmpty ? [] : [("sortKeyFields", SchemaSyntax.strings(sortFields, place))]
            var directives = [SchemaSyntax.directive("primaryKey", arguments, place)] + indexes
            if case (.generated, let at)? = scalar.standard { directives.append(SchemaSyntax.directive("default", at)) }
            return FieldDefinition(
                name: Name(part.name, at: place), type: TypeReference(Name(scalar.typeName, at: place)).nonNull,
                directives: directives + rules)
        case let reference as ReferenceBuilder:
            let rules = RuleDirectives.auth(reference.rules, at: place).map { [$0] } ?? []
            return FieldDefinition(
                name: Name(part.name, at: place), type: type(of: reference, named: reference.target, at: place),
                directives: indexes(on: part.name, of: name, model) + rules)
        case let relation as RelationBuilder:
            let references = SchemaSyntax.strings(relation.references, place)
            let directive = SchemaSyntax.directive(relation.kind.rawValue, [("references", references)], place)
            let type = SchemaSyntax.type(
                relation.target, place, isRequired: relation.isRequired, isList: relation.kind == .hasMany,
                isListRequired: false)
            return FieldDefinition(
                name: Name(part.name, at: place), type: type,
                directives: [directive] + (RuleDirectives.auth(relation.rules, at: place).map { [$0] } ?? []))
        default:
            var made = try field(part, builder, of: name)
            if builder is EnumBuilder { made.directives = indexes(on: part.name, of: name, model) }
            return made
        }
    }

    private func indexes(on field: String, of name: String, _ model: ModelBuilder) -> [Directive] {
        model.indexes.filter { $0.field.text == field }.map { index in
            let place = index.field.position
            let sortFields = index.sortFields.map(\.text)
            var arguments: [(String, Value)] = []
            if let name = index.name { arguments.append(("name", SchemaSyntax.string(name, place))) }
            if !sortFields.isEmpty { arguments.append(("sortKeyFields", SchemaSyntax.strings(sortFields, place))) }
            switch index.queryField {
            case .none: arguments.append(("queryField", SchemaSyntax.null(place)))
            case .named(let query): arguments.append(("queryField", SchemaSyntax.string(query, place)))
            case .standard:
                let names = ([field] + sortFields).map(SchemaSyntax.upper).joined(separator: "And")
                arguments.append(
                    ("queryField", SchemaSyntax.string("list\(SchemaSyntax.upper(name))By\(names)", place)))
            }
            switch index.projection {
            case nil: break
            case .keysOnly:
                arguments.append(
                    ("projection", SchemaSyntax.object([("type", SchemaSyntax.word("KEYS_ONLY", place))], place)))
            case .include(let names) where !names.isEmpty:
                let parts = [
                    ("type", SchemaSyntax.word("INCLUDE", place)),
                    ("nonKeyAttributes", SchemaSyntax.strings(names, place)),
                ]
                arguments.append(("projection", SchemaSyntax.object(parts, place)))
            case .include: break
            }
            return SchemaSyntax.directive("index", arguments, place)
        }
    }
}
