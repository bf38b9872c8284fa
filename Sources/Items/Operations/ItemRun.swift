import JSON
import Store

/// What clients call.
enum ItemOperation: String {
    case getItem = "GetItem"
    case putItem = "PutItem"
    case updateItem = "UpdateItem"
    case deleteItem = "DeleteItem"
    case query = "Query"
    case scan = "Scan"
    case batchGetItem = "BatchGetItem"
    case batchWriteItem = "BatchWriteItem"
    case transactGetItems = "TransactGetItems"
    case transactWriteItems = "TransactWriteItems"
    case createTable = "CreateTable"
    case describeTable = "DescribeTable"
    case listTables = "ListTables"
    case updateTable = "UpdateTable"
    case deleteTable = "DeleteTable"
    case updateTimeToLive = "UpdateTimeToLive"
    case describeTimeToLive = "DescribeTimeToLive"
    case tagResource = "TagResource"
    case untagResource = "UntagResource"
    case listTagsOfResource = "ListTagsOfResource"
    case describeLimits = "DescribeLimits"
    case describeEndpoints = "DescribeEndpoints"
    case describeContinuousBackups = "DescribeContinuousBackups"
    case executeStatement = "ExecuteStatement"
    case batchExecuteStatement = "BatchExecuteStatement"
    case executeTransaction = "ExecuteTransaction"
    case describeStream = "DescribeStream"
    case getShardIterator = "GetShardIterator"
    case getRecords = "GetRecords"
    case listStreams = "ListStreams"

    /// Nil: the service has none of that name.
    init?(_ call: ItemCall) {
        guard let operation = Self.named[ByteText(call.operation)], operation.isOfStreams == call.isOfStreams else {
            return nil
        }
        self = operation
    }

    private static let named = Dictionary(
        texts: all.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    static let all: [ItemOperation] = [
        .getItem, .putItem, .updateItem, .deleteItem, .query, .scan, .batchGetItem, .batchWriteItem, .transactGetItems,
        .transactWriteItems, .createTable, .describeTable, .listTables, .updateTable, .deleteTable, .updateTimeToLive,
        .describeTimeToLive, .tagResource, .untagResource, .listTagsOfResource, .describeLimits, .describeEndpoints,
        .describeContinuousBackups, .executeStatement, .batchExecuteStatement, .executeTransaction, .describeStream,
        .getShardIterator, .getRecords, .listStreams,
    ]

    var isOfStreams: Bool {
        switch self {
        case .describeStream, .getShardIterator, .getRecords, .listStreams: true
        default: false
        }
    }
}

extension ItemCall {
    /// Whether it is read beside the loop.
    var isLong: Bool {
        switch ItemOperation(self) {
        case .transactGetItems, .transactWriteItems, .batchExecuteStatement, .executeTransaction:
            body.count > TableLimits.transactionBytesAtOnce
        default: body.count > TableLimits.bodyBytesAtOnce
        }
    }
}

/// One run of an operation: its request, and where it looks and writes. The operations are extensions.
struct ItemRun: Sendable {
    let service: ItemService
    let shard: ItemShard
    let fields: RequestFields
    /// How whoever asks wants what is read.
    enum Wanted {
        case text
        /// As values: `{"S": "a"}`.
        case typed
        /// As values, items without the types of theirs: `"a"`.
        case plain
    }

    let wanted: Wanted
    /// When whoever asks gives up, in milliseconds of the monotonic clock.
    let end: Int64
    /// How many readings of the tables had begun before this run.
    let readings: Int

    init(
        _ service: ItemService, _ shard: ItemShard, _ fields: RequestFields, _ wanted: Wanted = .text,
        until end: Int64 = .max
    ) {
        self.wanted = wanted
        self.end = end
        self.service = service
        self.shard = shard
        self.fields = fields
        readings = service.tableReadings
    }

    /// The same once more.
    ///
    /// - Parameter shard: where it reads.
    func again(on shard: ItemShard) -> ItemRun { ItemRun(service, shard, fields, wanted, until: end) }

    /// The table of a name; nil: there is none.
    func knownTable(_ name: String) throws(ItemFailure) -> (any ItemTable)? {
        try service.table(name, on: shard, since: readings)
    }

    func answer(_ operation: ItemOperation) async throws(ItemFailure) -> ItemAnswer {
        switch operation {
        case .getItem: try await answer(try getItem())
        case .query: try await answer(try query())
        case .scan: try await answer(try scan())
        case .putItem, .updateItem, .deleteItem: try await answer(try write(operation))
        case .batchGetItem: try await batchGetItem()
        case .batchWriteItem: try await batchWriteItem()
        case .transactGetItems: try await transactGetItems()
        case .transactWriteItems: try await transactWriteItems()
        case .createTable: try await createTable()
        case .describeTable: try await describeTable()
        case .listTables: try await listTables()
        case .updateTable: try await updateTable()
        case .deleteTable: try await deleteTable()
        case .updateTimeToLive: try await updateTimeToLive()
        case .describeTimeToLive: try await describeTimeToLive()
        case .tagResource: try await tagResource()
        case .untagResource: try await untagResource()
        case .listTagsOfResource: try await listTagsOfResource()
        case .describeLimits: describeLimits()
        case .describeEndpoints: describeEndpoints()
        case .describeContinuousBackups: try await describeContinuousBackups()
        case .executeStatement: try await executeStatement()
        case .batchExecuteStatement: try await batchExecuteStatement()
        case .executeTransaction: try await executeTransaction()
        case .describeStream: try await describeStream()
        case .getShardIterator: try await getShardIterator()
        case .getRecords: try await getRecords()
        case .listStreams: try await listStreams()
        }
    }

    private func answer(_ reading: some ItemReading) async throws(ItemFailure) -> ItemAnswer {
        try await service.read(on: shard, ofTurn: true, until: end) { [wanted] reader, budget throws(ItemFailure) in
            wanted == .text
                ? try reading.answer(in: reader, within: budget)
                : ItemAnswer(try reading.values(in: reader, isPlain: wanted == .plain, within: budget))
        }
    }

    private func answer(_ writing: ItemWriting) async throws(ItemFailure) -> ItemAnswer {
        let outcomes = try await service.write([writing.write], until: end, Self.made)
        return outcomes.first.map { writing.answer($0) } ?? ItemAnswer(JSONObject())
    }

    /// Makes writes of items, each by itself.
    static func made(
        _ writes: [ItemWrite], in session: WriteSession, now: Int64, within budget: CallBudget
    ) throws(ItemFailure) -> [ItemWrite.Outcome] {
        var outcomes: [ItemWrite.Outcome] = []
        for write in writes {
            write.expect(in: session)
            try write.table.check(in: session)
            outcomes.append(try write.run(in: session, now: now, within: budget))
        }
        return outcomes
    }

    // MARK: Tables

    /// The name of the table that a request is for.
    func tableName(_ fields: RequestFields? = nil) throws(ItemFailure) -> String {
        let name = try refusing { () throws(ItemError) in try (fields ?? self.fields).text("TableName") }
        return try checked(name)
    }

    /// The name of the table that a request names, by itself or by its ARN.
    func checked(_ text: String?) throws(ItemFailure) -> String {
        guard let name = text.map(service.settings.tableName), Self.isName(name) else { throw .refused(.wrongName) }
        return name
    }

    static func isName(_ name: String) -> Bool {
        TableLimits.nameBytes.contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    /// The table that a request is for.
    func table() throws(ItemFailure) -> any ItemTable { try table(named: try tableName()) }

    func table(named name: String) throws(ItemFailure) -> any ItemTable {
        guard let table = try knownTable(name) else { throw .refused(.noTable) }
        return table
    }
}
