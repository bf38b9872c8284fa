import JSON
import Store

extension ItemService {
    /// Answers a call whose caller may do everything here. Called on a loop.
    package func answer(_ call: ItemCall, on shard: ItemShard) async -> ItemAnswer {
        guard let json = try? JSONReader.value(of: call.body, limits: Self.limits) else {
            return ItemAnswer(.serialization("The body of the request is no JSON, or is nested too deeply"))
        }
        do throws(ItemFailure) {
            guard let operation = ItemOperation(call) else { throw .refused(.unknownOperation) }
            let fields = try refusing { () throws(ItemError) in try RequestFields(json) }
            for _ in 1..<TableLimits.triesMax {
                do throws(ItemFailure) {
                    return try await ItemRun(self, shard, fields).answer(operation)
                } catch .outdated {
                    forgetTables()
                }
            }
            return try await ItemRun(self, shard, fields).answer(operation)
        } catch {
            return answer(error)
        }
    }

    private func answer(_ failure: ItemFailure) -> ItemAnswer {
        switch failure {
        case .refused(let error): return ItemAnswer(error)
        case .outdated:
            return ItemAnswer(
                ItemError(type: "ResourceInUseException", message: "The table is being changed. Try again"))
        case .store(let error) where error.kind == .overloaded:
            return ItemAnswer(ItemError(type: "ThrottlingException", message: "Rate of requests exceeds the allowed"))
        case .store(let error): return .internalError(error.message)
        }
    }

    private static let limits = JSONLimits(
        bytesMax: TableLimits.bodyBytesMax, nestingMax: 2 * ItemLimits.readNestingMax)
}

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

    private static let all: [ItemOperation] = [
        .getItem, .putItem, .updateItem, .deleteItem, .query, .scan, .batchGetItem, .batchWriteItem, .transactGetItems,
        .transactWriteItems, .createTable, .describeTable, .listTables, .updateTable, .deleteTable, .updateTimeToLive,
        .describeTimeToLive, .tagResource, .untagResource, .listTagsOfResource, .describeLimits, .describeEndpoints,
        .describeContinuousBackups, .executeStatement, .batchExecuteStatement, .executeTransaction, .describeStream,
        .getShardIterator, .getRecords, .listStreams,
    ]

    private var isOfStreams: Bool {
        switch self {
        case .describeStream, .getShardIterator, .getRecords, .listStreams: true
        default: false
        }
    }
}

/// One run of an operation: its request, and where it looks and writes. The operations are extensions.
struct ItemRun: Sendable {
    let service: ItemService
    let shard: ItemShard
    let fields: RequestFields

    init(_ service: ItemService, _ shard: ItemShard, _ fields: RequestFields) {
        self.service = service
        self.shard = shard
        self.fields = fields
    }

    func answer(_ operation: ItemOperation) async throws(ItemFailure) -> ItemAnswer {
        switch operation {
        case .getItem: try await getItem()
        case .putItem: try await putItem()
        case .updateItem: try await updateItem()
        case .deleteItem: try await deleteItem()
        case .query: try await query()
        case .scan: try await scan()
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
        case .executeStatement, .batchExecuteStatement, .executeTransaction:
            throw .refused(.validation("PartiQL is not supported here. Use GetItem, Query, UpdateItem and the like"))
        case .describeStream: try await describeStream()
        case .getShardIterator: try await getShardIterator()
        case .getRecords: try await getRecords()
        case .listStreams: try await listStreams()
        }
    }

    // MARK: Tables

    /// The name of the table that a request is for.
    func tableName(_ fields: RequestFields? = nil) throws(ItemFailure) -> String {
        let name = try refusing { () throws(ItemError) in try (fields ?? self.fields).text("TableName") }
        return try Self.checked(name)
    }

    static func checked(_ name: String?) throws(ItemFailure) -> String {
        guard let name, isName(name) else { throw .refused(.wrongName) }
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
        guard let table = try service.table(name, on: shard) else { throw .refused(.noTable) }
        return table
    }
}
