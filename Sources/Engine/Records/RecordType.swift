import Access
import Blueprint
import GraphQL
import JSON
import Patterns
import Store
import Threads

/// A model as plans work with it: its table, its type in the API, and what each of its fields is.
final class RecordType: Sendable {
    /// Its number among the types of an API.
    let number: Int
    let model: Model
    let table: TableLayout
    let typeID: TypeID
    private let lazyAccess: LazyModelAccess
    private let lateRules = MadeOnce<InputRules>()
    /// The values that `sourceFields` of relations and payloads of functions are taken from, in the table's order.
    let storedFields: [String]
    /// The fields that rules compare with the caller.
    let comparedFields: [String]

    /// The patterns of `@validate` by their text.
    let patterns: [ByteText: Pattern]
    /// Where its changes are noted; nil where it has no versions.
    let changeLog: ChangeLog?
    /// What becomes of a change that is about another version.
    let conflictStrategy: ConflictStrategy

    /// What a field is.
    enum Field {
        /// A value of the record.
        case column(TableLayout.Column)
        case relation(Relation)
        /// A value that something outside computes.
        case computed(ModelField)
        /// A relation that the app's own steps stand around, or in the place of.
        case changed(Relation, ModelField)
        /// In the API, but nothing gives it a value.
        case nothing
    }

    init(
        _ model: Model, number: Int, table: TableLayout, typeID: TypeID, _ access: LazyModelAccess,
        conflictStrategy: ConflictStrategy
    ) {
        changeLog = ChangeLog(of: table)
        self.conflictStrategy = conflictStrategy
        lazyAccess = access
        self.model = model
        self.number = number
        self.table = table
        self.typeID = typeID
        storedFields = table.columns.map(\.field)
        let compared = model.matrix?.roles.filter { !$0.isStatic }.compactMap(\.entity) ?? []
        comparedFields = compared.filter { table.column(of: $0) != nil }
        let texts = model.fields.flatMap(\.validations).filter { $0.kind == .matches }.map(\.value)
        patterns = Dictionary(
            texts: texts.compactMap { text in (try? Pattern(text)).map { (text, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    var name: String { model.name }

    /// Who may do what with it.
    var access: ModelAccess { lazyAccess.access }

    /// Its rules for the values of a mutation.
    var inputRules: InputRules { lateRules.object { InputRules(model, in: table) } }

    /// Where the function is called that decides about conflicts; nil where none does.
    var conflictURL: String? {
        guard changeLog != nil, case .lambda(let url) = conflictStrategy else { return nil }
        return url
    }

    func field(named name: String) -> Field {
        let field = model.field(named: name)
        let relation = model.relation(named: name)
        if let field, case .scripts(let handlers)? = field.resolver {
            if let relation, handlers.contains(where: \.changesOperation) { return .changed(relation, field) }
            return .computed(field)
        }
        if let relation { return .relation(relation) }
        if let field, field.resolver != nil { return .computed(field) }
        if let column = table.column(of: name) { return .column(column) }
        return .nothing
    }

    /// The key of that index, or the primary one.
    func key(for lookup: Relation.Lookup) -> KeyLayout? {
        switch lookup {
        case .primaryKey: table.primaryKey
        case .index(let name): table.index(named: name)
        }
    }
}

/// All record types of an API, and what each of its root fields does.
struct RecordTypes: Sendable {
    private let types: [RecordType]
    private let byModel: [ByteText: RecordType]
    private let byType: [TypeID: RecordType]
    private let operations: [OperationType: [ByteText: RootOperation]]
    private let blueprint: Blueprint
    let functions: FunctionDirectory
    let policy: AccessPolicy

    init(
        of blueprint: Blueprint, in layout: DatabaseLayout, _ schema: Schema, _ policy: AccessPolicy,
        functions: FunctionDirectory
    ) {
        self.policy = policy
        self.blueprint = blueprint
        self.functions = functions
        var types: [RecordType] = []
        for model in blueprint.models {
            // A model without a table, a type or rules cannot be asked for anything.
            guard let table = layout.table(of: model), let id = schema.id(named: model.name),
                let access = policy.lazyModel(model.name)
            else { continue }
            let settings = blueprint.settings
            // A join model has what is said of the project, if nothing is said of it by name.
            let strategy =
                model.conflictStrategy ?? settings.conflictStrategies[model.name] ?? settings.conflictStrategy
            types.append(
                RecordType(
                    model, number: types.count, table: table, typeID: id, access,
                    conflictStrategy: strategy ?? .automerge))
        }
        self.types = types
        byModel = Dictionary(texts: types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byType = Dictionary(types.map { ($0.typeID, $0) }, uniquingKeysWith: { first, _ in first })
        operations = [
            .query: RootOperation.queries(of: types, in: blueprint),
            .mutation: RootOperation.mutations(of: types, in: blueprint),
        ]
    }

    func type(ofModel name: String) -> RecordType? { byModel[name] }

    func type(_ id: TypeID) -> RecordType? { byType[id] }

    /// What computes a field of a custom type, if it is not stored.
    func field(_ field: String, on type: String) -> ModelField? {
        blueprint.type(named: type)?.fields.first { $0.name == field }
    }

    /// What computes a field that has a resolver; nil for one that has none.
    func program(of field: ModelField, on typeName: String, in schema: Schema) -> FieldProgram? {
        FieldProgram(field, of: typeName, functions, in: (schema, blueprint))
    }

    /// How the messages of a conversation are found without being told the key: by a filter. Nil for other types.
    func conversationKey(of type: RecordType) -> KeyLayout? {
        guard let conversation = blueprint.conversation(ofModel: type.name), conversation.messageName == type.name,
            let relation = blueprint.model(named: conversation.modelName)?.relation(named: "messages")
        else { return nil }
        return type.key(for: relation.lookup)
    }

    /// What a root field does; nil when nothing gives it a value.
    func operation(_ field: String, of kind: OperationType) -> RootOperation? { operations[kind]?[field] }
}

/// What a field of a root type does.
enum RootOperation: Sendable {
    case get(RecordType)
    case list(RecordType)
    case index(RecordType, ModelIndex)
    case sync(RecordType)
    case search(RecordType)
    case create(RecordType)
    case update(RecordType)
    case delete(RecordType)
    /// What the schema declares itself.
    case custom(ModelField)
    /// One of those above, with steps of the app's own around it or in its place.
    indirect case changed(RootOperation, ModelField)

    static func queries(of types: [RecordType], in blueprint: Blueprint) -> [ByteText: RootOperation] {
        var operations = custom(.query, blueprint)
        for type in types {
            let names = type.model.operations
            if let name = names.get { operations[name] = .get(type) }
            if let name = names.list { operations[name] = .list(type) }
            if let name = names.sync { operations[name] = .sync(type) }
            if let search = type.model.search { operations[search.name] = .search(type) }
            for index in type.model.indexes {
                if let name = index.query { operations[name] = .index(type, index) }
            }
        }
        override(&operations, .query, blueprint)
        return operations
    }

    static func mutations(of types: [RecordType], in blueprint: Blueprint) -> [ByteText: RootOperation] {
        var operations = custom(.mutation, blueprint)
        for conversation in blueprint.conversations {
            for (name, step) in conversation.mutations {
                let type = step == .answer ? conversation.messageName : Conversation.streamPart
                let field = ModelField(
                    name: name, type: TypeReference(Name(type)), resolver: .conversation(conversation, step))
                operations[name] = .custom(field)
            }
        }
        for type in types {
            let names = type.model.operations
            if let name = names.create { operations[name] = .create(type) }
            if let name = names.update { operations[name] = .update(type) }
            if let name = names.delete { operations[name] = .delete(type) }
        }
        override(&operations, .mutation, blueprint)
        return operations
    }

    /// What the project changes does more, or something else, than the schema says.
    private static func override(
        _ operations: inout [ByteText: RootOperation], _ kind: OperationType, _ blueprint: Blueprint
    ) {
        for field in blueprint.overriddenOperations[kind] ?? [] {
            let base = operations[field.name]
            guard let base, case .scripts(let handlers)? = field.resolver,
                handlers.contains(where: \.changesOperation)
            else {
                operations[field.name] = .custom(field)
                continue
            }
            operations[field.name] = .changed(base, field)
        }
    }

    private static func custom(_ kind: OperationType, _ blueprint: Blueprint) -> [ByteText: RootOperation] {
        Dictionary(
            texts: blueprint.customOperations(kind).map { ($0.name, .custom($0)) },
            uniquingKeysWith: { first, _ in first })
    }
}
