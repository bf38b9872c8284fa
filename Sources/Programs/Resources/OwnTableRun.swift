import Blueprint
import GraphQL
import Project
import Script

/// The tables of its own that a run of a project's programs finds, which belong to no model:
///
///     new Table(scope, 'id', { partitionKey: { name: 'id', type: AttributeType.STRING } })
///     new CfnTable(scope, 'id', { keySchema: [...], attributeDefinitions: [...] })
final class OwnTableRun {
    /// The tables that it makes, whether resolvers work on them or not.
    private(set) var tables: [TableResource] = []
    /// The parts of them that are not taken over, and where they are said.
    private(set) var notes: [(message: String, position: Position)] = []
    private static let notesMax = 100
    /// How many tables, and how many indexes of one.
    private static let countMax = 1_000
    private var objects: [(object: ScriptObject, place: Int)] = []

    func forgetObjects() { objects = [] }

    /// `new Table(scope, id, { tableName, partitionKey, sortKey, timeToLiveAttribute, stream })`, or `new TableV2(scope, id,
    /// { partitionKey, dynamoStream, globalSecondaryIndexes, localSecondaryIndexes })`
    func take(table construct: NewConstruct, _ options: ScriptObject) -> Bool {
        guard let partition = TableOptions(options).part("partitionKey"), var table = named(construct) else {
            return false
        }
        let made = construct.made
        let reader = TableOptions(options)
        table.partition = partition
        table.sort = reader.part("sortKey")
        table.expiry = reader.text("timeToLiveAttribute")
        table.stream = reader.view("stream") ?? reader.view("dynamoStream")
        let position = Self.position(made)
        if table.stream == nil, reader.has("stream") || reader.has("dynamoStream") {
            note("the table \(table.name) has no stream here, since what it shows cannot be read", at: position)
        }
        noteUnserved(reader, of: table, at: position)
        let place = append(table, made)
        for (name, isLocal) in [("globalSecondaryIndexes", false), ("localSecondaryIndexes", true)] {
            for index in reader.list(name) { addIndex(index, isLocal: isLocal, to: place, at: position) }
        }
        for (method, isLocal) in [("addGlobalSecondaryIndex", false), ("addLocalSecondaryIndex", true)] {
            made.put(
                method,
                .object(
                    made.realm.function(method, length: 1) { call throws(Thrown) in
                        let run = try ProgramRun.of(call.realm)
                        run.signIn?.dataSources.tables.addIndex(
                            TableOptions(call[0]), isLocal: isLocal, to: place,
                            at: run.files.position(call.realm.callPlace))
                        return .undefined
                    }))
        }
        return true
    }

    /// `new CfnTable(scope, id, { tableName, keySchema, attributeDefinitions, … })`
    func take(plainTable construct: NewConstruct, _ options: ScriptObject) -> Bool {
        guard var table = named(construct) else { return false }
        let made = construct.made
        let reader = PlainTableOptions(options)
        guard let key = reader.key(of: reader.options) else { return false }
        (table.partition, table.sort) = (key.partition, key.sort)
        table.expiry = reader.expiry
        table.stream = reader.stream
        let position = Self.position(made)
        noteUnserved(reader.options, of: table, at: position)
        let place = append(table, made)
        made.put("ref", made.realm.value(table.name))
        for isLocal in [false, true] {
            for (name, index) in reader.indexes(isLocal: isLocal) {
                append(index, name, to: place, at: position)
            }
        }
        return true
    }

    /// A table by the name that it is given, or by that of its place: what is made twice there are two.
    private func named(_ construct: NewConstruct) -> TableResource? {
        guard tables.count < Self.countMax else { return nil }
        if let name = construct.options.flatMap({ DataSourceRun.text($0, "tableName") }) {
            return tables.contains { $0.name == name } ? nil : TableResource(name)
        }
        guard construct.arguments.count > 1, let id = DataSourceRun.text(construct.arguments[1]) else { return nil }
        return TableResource(ResourceName.unused(TableResource.name(ofPlace: id), among: tables.map(\.name)))
    }

    private func append(_ table: TableResource, _ made: OpaqueObject) -> Int {
        tables.append(table)
        objects.append((made, tables.count - 1))
        made.put("tableName", made.realm.value(table.name))
        return tables.count - 1
    }

    /// The name of a table that is made here; nil: it is none.
    func name(of object: ScriptObject) -> String? {
        objects.first { $0.object === object }.map { tables[$0.place].name }
    }

    /// The table of a stream, given as itself or by the stream's ARN; nil: it is none that is made here.
    func streamed(_ object: ScriptObject, at position: Position) -> String? {
        var table = object
        if case .member(let owner, let name)? = (object as? OpaqueObject)?.making, Self.streamNames.contains(name) {
            table = owner
        }
        guard let place = objects.first(where: { $0.object === table })?.place else { return nil }
        if tables[place].stream == nil {
            note("nobody is told of changes of the table \(tables[place].name), which has no stream", at: position)
        }
        return tables[place].name
    }

    /// Where the name of its stream is known, once it is there; nil: it is none of one that is made here.
    func streamOrigin(_ name: String, of object: ScriptObject) -> String? {
        guard Self.streamNames.contains(name),
            let place = objects.first(where: { $0.object === object })?.place, tables[place].stream != nil
        else { return nil }
        return "\(FunctionVariable.tableOrigin)\(tables[place].name).tableStreamArn"
    }

    private static let streamNames = ["tableStreamArn", "attrStreamArn"]

    private func addIndex(_ options: TableOptions?, isLocal: Bool, to place: Int, at position: Position) {
        guard tables.indices.contains(place), let options else {
            return note("an index of a table is left out, since it cannot be read", at: position)
        }
        let name = options.text("indexName")
        append(name.flatMap { options.index($0, isLocal: isLocal, of: tables[place]) }, name, to: place, at: position)
    }

    private func append(_ index: TableResource.Index?, _ name: String?, to place: Int, at position: Position) {
        let table = tables[place]
        let what = "the index \(name ?? "") of the table \(table.name)"
        guard let index else { return note("\(what) is left out, since it cannot be read", at: position) }
        guard !index.isLocal || table.sort != nil && index.sort != nil else {
            return note("\(what) is left out: local indexes have a sort key, and so have their tables", at: position)
        }
        guard table.indexes.count < Self.countMax, !table.indexes.contains(where: { $0.name == index.name }) else {
            return note("\(what) is left out: there is one of that name", at: position)
        }
        tables[place].indexes.append(index)
    }

    /// Options that change what a table does, and that nothing here stands for.
    private static let unservedOptions = [
        "replicas", "replicationRegions", "kinesisStream", "kinesisStreamSpecification", "importSource",
        "importSourceSpecification", "resourcePolicy",
    ]

    private func noteUnserved(_ options: TableOptions, of table: TableResource, at position: Position) {
        for option in Self.unservedOptions where options.has(option) {
            note("the table \(table.name) is made without its `\(option)`, which is not served here", at: position)
        }
    }

    func note(_ message: String, at position: Position) {
        guard notes.count < Self.notesMax else { return }
        notes.append((message, position))
    }

    static func position(_ made: OpaqueObject) -> Position {
        (made.realm.host as? ProgramRun)?.files.position(made.realm.callPlace) ?? Position.none
    }
}
