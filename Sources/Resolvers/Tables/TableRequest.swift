import JSON

/// What a handler asks of tables, as DynamoDB's API has it.
///
///     {operation: "GetItem", key: {…}} ─▶ TableRequest ─▶ call of DynamoDB's API ─▶ its answer ─▶ `ctx.result`
package struct TableRequest: Sendable {
    /// The table of the data source, and what is to be known of it.
    package struct Source: Sendable {
        /// As DynamoDB's API knows it.
        package let table: String
        /// Whether its items have versions, as those of models with conflict detection.
        package let isVersioned: Bool
        /// Of which table the cursors of lists are, and of which field.
        package let scope: String

        package init(table: String, isVersioned: Bool = false, scope: String = "") {
            self.table = table
            self.isVersioned = isVersioned
            self.scope = scope
        }
    }

    /// Makes the ends of pages into tokens that say nothing, and back.
    package struct Cursors: Sendable {
        package let token: @Sendable (_ position: [UInt8], _ scope: [UInt8]) -> String
        package let position: @Sendable (_ token: String, _ scope: [UInt8]) -> [UInt8]?

        package init(
            token: @escaping @Sendable ([UInt8], [UInt8]) -> String,
            position: @escaping @Sendable (String, [UInt8]) -> [UInt8]?
        ) {
            self.token = token
            self.position = position
        }

        /// Makes none, and knows none.
        package static let none = Cursors(token: { _, _ in "" }, position: { _, _ in nil })
    }

    /// What comes of it for the handler.
    package struct Answer: Sendable {
        package var result: JSONValue
        package var error: ResolverError?

        package init(_ result: JSONValue, error: ResolverError? = nil) {
            self.result = result
            self.error = error
        }
    }

    enum Kind: String {
        case getItem = "GetItem"
        case putItem = "PutItem"
        case updateItem = "UpdateItem"
        case deleteItem = "DeleteItem"
        case query = "Query"
        case scan = "Scan"
        case sync = "Sync"
        case batchGetItem = "BatchGetItem"
        case batchPutItem = "BatchPutItem"
        case batchDeleteItem = "BatchDeleteItem"
        case transactGetItems = "TransactGetItems"
        case transactWriteItems = "TransactWriteItems"

        /// Whether data sources with conflict detection have it: what writes several items knows nothing of their versions.
        fileprivate var keepsVersions: Bool {
            switch self {
            case .batchPutItem, .batchDeleteItem, .transactWriteItems: false
            default: true
            }
        }

        /// As AppSync names the others.
        fileprivate static let versionedOnly = """
            Datasource Versioning only supports the following operations \
            (TransactGetItems,PutItem,BatchGetItem,Scan,Query,GetItem,DeleteItem,UpdateItem,Sync)
            """
    }

    /// The operation of DynamoDB's API.
    package let operation: String
    package let body: JSONObject
    let kind: Kind
    let source: Source
    let cursors: Cursors
    /// What the request says, for what its answer has to be compared with.
    let fields: RequestMembers
    /// The item that a put wants to be there.
    var wanted: JSONObject?
    /// Of the tables of a batch, the attributes that are read beside what the projection asks for.
    let unasked: [ByteText: [String]]
    /// When a sync began, in milliseconds since 1970.
    var startedAt: Int64 = 0

    /// Reads what a handler has returned. Throws what is wrong with it.
    package init(
        _ value: JSONValue, to source: Source, _ cursors: Cursors, now: Int64
    ) throws(ResolverError) {
        let fields = try RequestMembers(value)
        let name = try fields.text("operation", isRequired: true) ?? ""
        guard let kind = Kind(rawValue: name) else { throw .template("Unsupported operation '\(name)'.") }
        guard !source.isVersioned || kind.keepsVersions else {
            throw .template("Unsupported operation '\(name)'. \(Kind.versionedOnly)")
        }
        self.kind = kind
        self.source = source
        self.cursors = cursors
        self.fields = fields
        var builder = TableRequestBuilder(fields, source, cursors)
        switch kind {
        case .getItem: try builder.get()
        case .putItem: wanted = try builder.put()
        case .updateItem: try builder.update()
        case .deleteItem: try builder.delete()
        case .query: try builder.query()
        case .scan: try builder.scan()
        case .sync:
            startedAt = now
            try builder.sync()
        case .batchGetItem: try builder.batchGet()
        case .batchPutItem: try builder.batchWrite(isPut: true)
        case .batchDeleteItem: try builder.batchWrite(isPut: false)
        case .transactGetItems: try builder.transactGet()
        case .transactWriteItems: try builder.transactWrite()
        }
        operation =
            switch kind {
            case .batchPutItem, .batchDeleteItem: "BatchWriteItem"
            case .sync: "Scan"
            case .deleteItem where source.isVersioned: "UpdateItem"
            default: kind.rawValue
            }
        body = builder.body
        unasked = builder.unasked
    }

    /// The read whose item is the result of a write that was done; nil: the answer of the write says all. What a put has written is
    /// known, but for the version that it has got.
    package var readBack: (operation: String, body: JSONObject)? {
        guard kind == .putItem, source.isVersioned, let key = fields.value("key")?.object,
            let typed = try? TypedValues.typed(key)
        else { return nil }
        return (
            Kind.getItem.rawValue,
            JSONObject([
                ("TableName", .string(source.table)), ("Key", .object(typed)), ("ConsistentRead", true),
            ])
        )
    }
}

extension ResolverError {
    /// What a handler returned is nothing that the data source understands.
    static func template(_ message: String) -> ResolverError { ResolverError(message, type: "MappingTemplate") }

    static func missing(_ path: String) -> ResolverError { template("Value for field '$[\(path)]' not found.") }
}
