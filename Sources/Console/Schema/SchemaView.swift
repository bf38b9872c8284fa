import Access
import Blueprint
import Engine
import GraphQL
import JSON
import Store

/// The schema as the page shows it: models with their fields, relations and rules, and where each stands. Made once for an API.
final class SchemaView: Sendable {
    let blueprint: Blueprint
    let schema: Schema
    let layout: DatabaseLayout
    let rules: RuleBook
    let places: SchemaPlaces
    let version: String
    let names: ModelNames
    private let sources: [Source]

    init(_ engine: Engine, _ sources: [Source], version: String) {
        blueprint = engine.blueprint
        schema = engine.schema
        layout = engine.store.layout
        places = SchemaPlaces(sources)
        rules = RuleBook(engine.blueprint, places)
        names = ModelNames(engine.blueprint)
        self.sources = sources
        self.version = version
    }

    /// The models that people see: those that a relation makes come last.
    var models: [Model] { blueprint.models }

    func json(api: String) -> JSONValue {
        [
            "version": .string(version),
            "sources": .array(
                sources.map { source in
                    [
                        "file": .string(source.name ?? ""),
                        "text": .string(String(decoding: source.bytes, as: UTF8.self)),
                        "language": .string((source.name ?? "").hasSuffix(".graphql") ? "graphql" : "typescript"),
                    ]
                }),
            "api": .string(api), "models": .array(models.map(json)),
            "enums": .array(
                blueprint.types.filter { $0.kind == .enumeration }.map { type in
                    [
                        "name": .string(type.name), "values": .texts(type.values.map(\.name.text)),
                        "place": places.place(type.position), "description": .text(type.description),
                    ]
                }),
            "types": .array(
                blueprint.types.filter { type in
                    [.object, .interface].contains(type.kind) && !blueprint.roots.contains(type.name)
                }.map { type in
                    [
                        "name": .string(type.name), "place": places.place(type.position),
                        "description": .text(type.description),
                        "fields": .array(type.fields.map { json($0, depth: 0) }),
                    ]
                }),
            "operations": .array(
                [OperationType.query, .mutation, .subscription].flatMap { type in
                    blueprint.customOperations(type).map { json($0, type) }
                }),
        ]
    }

    private func json(_ model: Model) -> JSONValue {
        let operations = model.operations
        return .members([
            "name": .string(model.name), "place": places.place(model.position), "table": .string(model.storedName),
            "description": .text(model.description), "key": .texts(model.key.fields), "synced": .bool(model.isSynced),
            "isJoin": .bool(model.isJoin), "searchable": .bool(model.search != nil),
            "joins": model.isJoin ? .texts(model.relations.map(\.target)) : nil,
            "operations": [
                "get": .text(operations.get), "list": .text(operations.list), "sync": .text(operations.sync),
                "search": .text(model.search?.name), "create": .text(operations.create),
                "update": .text(operations.update), "delete": .text(operations.delete),
                "onCreate": .texts(operations.onCreate), "onUpdate": .texts(operations.onUpdate),
                "onDelete": .texts(operations.onDelete),
            ],
            "indexes": .array(
                model.indexes.map { index in
                    [
                        "name": .string(index.name), "fields": .texts(index.parts.map(\.field)),
                        "query": .text(index.query),
                    ]
                }),
            "fields": .array(fields(of: model)),
            "rules": .array(rules(of: model)),
        ])
    }

    private func rules(of model: Model) -> [JSONValue] {
        let owners = [model.name] + model.fields.map { "\(model.name).\($0.name)" }
        return owners.flatMap { rules.entries(of: $0).map(rules.json) }
    }

    // MARK: Fields

    /// What the API has of a model, in its order: declared fields, then those that were added.
    private func fields(of model: Model) -> [JSONValue] {
        let owners = Set(
            (model.matrix?.roles.filter { $0.strategy == .owner }.compactMap(\.entity) ?? []).map { ByteText($0) })
        let writable = Set(
            (schema.inputFields(of: "Create\(model.name)Input") + schema.inputFields(of: "Update\(model.name)Input"))
                .map { ByteText($0) })
        return schema.outputFields(of: model.name).map { name, type in
            let declared = model.field(named: name)
            let relation = model.relation(named: name)
            let isColumn = layout.table(of: model)?.column(of: name) != nil && relation == nil
            return .members([
                "name": .string(name), "type": .string(type.text), "description": .text(declared?.description),
                "kind": .string(kind(of: type.base, isRelation: relation != nil)), "base": .string(type.base),
                "isList": .bool(type.isList), "isRequired": .bool(type.isRequired),
                "isRequiredInList": .bool(type.isRequiredInList),
                "values": values(of: type.base), "fields": nested(in: type.base, isRelation: relation != nil, depth: 0),
                "isKey": .bool(model.key.fields.contains { ByteText($0) == ByteText(name) }),
                "isOwner": .bool(owners.contains(ByteText(name))),
                "isTimestamp": .bool(model.timestamps.contains(name)),
                "isWritable": .bool(writable.contains(ByteText(name))),
                "default": .text(declared?.defaultValue),
                "validations": .array((declared?.validations ?? []).map(Self.json)),
                "relation": relation.map(json), "column": .bool(isColumn),
                "isComputed": .bool(declared?.resolver != nil),
                "place": declared.map { places.place($0.position) } ?? .null,
            ])
        }
    }

    private func json(_ field: ModelField, depth: Int) -> JSONValue {
        let type = ShownType(field.type)
        return .members([
            "name": .string(field.name), "type": .string(type.text), "base": .string(type.base),
            "kind": .string(kind(of: type.base, isRelation: false)), "isList": .bool(type.isList),
            "isRequired": .bool(type.isRequired), "isRequiredInList": .bool(type.isRequiredInList),
            "values": values(of: type.base), "fields": nested(in: type.base, isRelation: false, depth: depth + 1),
            "description": .text(field.description),
        ])
    }

    private func kind(of type: String, isRelation: Bool) -> String {
        if isRelation || blueprint.hasModel(named: type) { return "relation" }
        if blueprint.isEnum(type) { return "enum" }
        return blueprint.type(named: type) != nil ? "custom" : "scalar"
    }

    private func values(of type: String) -> JSONValue? {
        guard let found = blueprint.type(named: type), found.kind == .enumeration else { return nil }
        return .texts(found.values.map(\.name.text))
    }

    /// Types may hold each other for ever.
    private static let depthMax = 4

    private func nested(in type: String, isRelation: Bool, depth: Int) -> JSONValue? {
        guard !isRelation, depth < Self.depthMax, let found = blueprint.type(named: type),
            [.object, .interface].contains(found.kind)
        else { return nil }
        return .array(found.fields.map { json($0, depth: depth) })
    }

    private static func json(_ validation: FieldValidation) -> JSONValue {
        [
            "type": .string(validation.kind.rawValue), "value": .string(validation.value),
            "message": .text(validation.errorMessage),
        ]
    }

    private func json(_ relation: Relation) -> JSONValue {
        let target = blueprint.target(of: relation)
        let isThrough = target?.isJoin ?? false
        let other = target?.relations.first { $0.target != relation.model } ?? target?.relations.last
        return .members([
            "kind": .string(relation.kind.rawValue),
            "model": .string(isThrough ? other?.target ?? relation.target : relation.target),
            "through": .text(isThrough ? relation.target : nil),
            "fields": .texts(relation.sourceFields), "targetFields": .texts(relation.targetFields),
        ])
    }

    // MARK: Operations

    private func json(_ field: ModelField, _ type: OperationType) -> JSONValue {
        let owner = "\(blueprint.roots.name(of: type)).\(field.name)"
        var function: String?
        if case .functions(let calls)? = field.resolver?.inner { function = calls.first?.name }
        for handler in field.resolver?.handlers ?? [] {
            if case .function(let name)? = handler.directiveSource { function = function ?? name }
        }
        return .members([
            "type": .string(type.rawValue), "name": .string(field.name), "place": places.place(field.position),
            "rules": .array(rules.entries(of: owner).map(rules.json)), "function": .text(function),
            "returns": .string(ShownType(field.type).text),
        ])
    }
}
