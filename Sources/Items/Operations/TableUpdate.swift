import JSON
import Store

/// A change of a table, within its transaction.
struct TableUpdate {
    let table: PlainTable
    var shape: TableShape
    let now: Int64
    let label: String

    init(_ table: PlainTable, now: Int64, label: String) {
        self.table = table
        shape = table.shape
        self.now = now
        self.label = label
    }

    mutating func apply(_ fields: RequestFields, in session: WriteSession) throws(ItemFailure) {
        var hasChange = try changeBilling(fields)
        if try changeStream(fields, in: session) { hasChange = true }
        if try changeIndexes(fields, in: session) { hasChange = true }
        if let isProtected = try refusing({ () throws(ItemError) in try fields.bool("DeletionProtectionEnabled") }) {
            shape.isProtected = isProtected
            hasChange = true
        }
        if let tableClass = try refusing({ () throws(ItemError) in try TableShape.tableClass(fields) }) {
            shape.tableClass = tableClass
            hasChange = true
        }
        if fields.has("SSESpecification") { hasChange = true }
        guard hasChange else { throw .refused(.validation("Nothing to update")) }
    }

    private mutating func changeBilling(_ fields: RequestFields) throws(ItemFailure) -> Bool {
        let (mode, told) = try refusing { () throws(ItemError) in
            (try fields.text("BillingMode"), try Throughput(fields.fields("ProvisionedThroughput")))
        }
        guard mode != nil || told != nil else { return false }
        if let told, told.reads < 1 || told.writes < 1 {
            throw .refused(.validation("Table read and write throughput must be at least 1, and cannot be null"))
        }
        if mode != nil {
            let isOnDemand = try refusing { () throws(ItemError) in try TableShape.isOnDemand(fields, told) }
            guard isOnDemand || told != nil || shape.throughput != nil else {
                throw .refused(.validation("No provisioned throughput specified for the table"))
            }
            shape.throughput = isOnDemand ? nil : told ?? shape.throughput
            shape.tellsBilling = true
            for place in shape.globals.indices where isOnDemand { shape.globals[place].throughput = nil }
        } else {
            guard shape.throughput != nil else {
                throw .refused(
                    .invalidValues(
                        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                            + "PAY_PER_REQUEST"))
            }
            guard shape.throughput != told else {
                throw .refused(
                    .validation(
                        "The provisioned throughput for the table will not change. The requested value equals the current "
                            + "value. Current ReadCapacityUnits provisioned for the table: \(told?.reads ?? 0). Requested "
                            + "ReadCapacityUnits: \(told?.reads ?? 0). Current WriteCapacityUnits provisioned for the table: "
                            + "\(told?.writes ?? 0). Requested WriteCapacityUnits: \(told?.writes ?? 0). Refer to the Amazon "
                            + "DynamoDB Developer Guide for current limits and how to request higher limits."))
            }
            shape.throughput = told
        }
        return true
    }

    private mutating func changeStream(_ fields: RequestFields, in session: WriteSession) throws(ItemFailure) -> Bool {
        let wanted = try refusing { () throws(ItemError) in
            try fields.fields("StreamSpecification").map { fields throws(ItemError) in try StreamView.wanted(fields) }
        }
        guard let wanted else { return false }
        switch (wanted, shape.stream) {
        case (_?, _?): throw .refused(.validation("Table already has an enabled stream"))
        case (nil, nil): throw .refused(.validation("Table does not have a stream to disable"))
        default: try set(wanted, in: session)
        }
        return true
    }

    /// Ends the stream that there is, and begins another one; nil: there is none from now on.
    private mutating func set(_ view: StreamView?, in session: WriteSession) throws(ItemFailure) {
        if let stream = shape.stream { try StreamRows.end(stream, now: now, in: session) }
        shape.stream = nil
        guard let view else { return }
        let stream = try StreamRows.begin(view, label, of: table.number, shape, now: now, in: session)
        shape.stream = stream
        shape.latestStream = stream.label
    }

    // MARK: Indexes

    private mutating func changeIndexes(_ fields: RequestFields, in session: WriteSession) throws(ItemFailure) -> Bool {
        let (updates, definitions) = try refusing { () throws(ItemError) in
            (try fields.objects("GlobalSecondaryIndexUpdates") ?? [], try TableShape.definitions(fields))
        }
        guard !updates.isEmpty else { return false }
        guard updates.count(where: { $0.has("Create") || $0.has("Delete") }) <= 1 else {
            throw .refused(
                ItemError(
                    type: "LimitExceededException",
                    message:
                        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
                ))
        }
        try define(definitions)
        for update in updates { try changeIndex(update, definitions, in: session) }
        // DescribeTable lists the attributes of keys alone: one that no key has any more goes.
        let used = Set(texts: (shape.key.attributes + shape.indexes.flatMap(\.key.attributes)).map(\.name))
        shape.definitions.removeAll { !used.contains($0.name) }
        try refusing { () throws(ItemError) in try shape.checkProjections() }
        return true
    }

    private mutating func define(_ definitions: [KeyAttribute]) throws(ItemFailure) {
        for definition in definitions {
            guard let present = shape.definitions.first(where: { $0.name == definition.name }) else {
                shape.definitions.append(definition)
                continue
            }
            guard present.kind == definition.kind else {
                func shown(_ kind: ItemValue.Kind) -> String {
                    "Schema:[SchemaElement: key{\(definition.name):\(kind.rawValue):HASH}]"
                }
                throw .refused(
                    .invalidValues(
                        "Attributes cannot be redefined. Please check that your attribute has the same type as previously "
                            + "defined. Existing schema: \(shown(present.kind)) New schema: \(shown(definition.kind))"))
            }
        }
    }

    private mutating func changeIndex(
        _ update: RequestFields, _ definitions: [KeyAttribute], in session: WriteSession
    ) throws(ItemFailure) {
        let (create, change, delete) = try refusing { () throws(ItemError) in
            (try update.fields("Create"), try update.fields("Update"), try update.fields("Delete"))
        }
        switch [create, change, delete].count(where: { $0 != nil }) {
        case 0:
            throw .refused(
                .invalidValues("One of GlobalSecondaryIndexUpdate's Update, Create or Delete must be specified"))
        case 1: break
        default:
            throw .refused(
                .invalidValues(
                    "Only one of GlobalSecondaryIndexUpdate's Update, Create or Delete may be specified at once"))
        }
        if let create {
            try refusing { () throws(ItemError) in
                if let name = try create.text("IndexName"), shape.index(name) != nil {
                    throw .validation("Attempting to create an index which already exists")
                }
                try TableShape.demandGlobals(shape.globals.count + 1)
                try shape.addGlobal(create)
                // Also those that the table knows already: the service asks for each in the call itself.
                try shape.globals.last?.key.demand(in: definitions)
            }
            return try fillLast(in: session)
        }
        let name = try refusing { () throws(ItemError) in try (change ?? delete)?.text("IndexName") ?? "" }
        guard let place = shape.globals.firstIndex(where: { $0.name == name }) else { throw .refused(.noTable) }
        if let change {
            let told = try refusing { () throws(ItemError) in
                try Throughput(change.fields("ProvisionedThroughput"))
            }
            shape.globals[place].throughput = shape.throughput == nil ? nil : told
        } else {
            let number = shape.globals[place].number
            shape.globals.remove(at: place)
            try TableChores.note(.dropIndex, table: table.number, index: number, in: session)
        }
    }

    /// Has the items that are there taken into the newest index.
    private mutating func fillLast(in session: WriteSession) throws(ItemFailure) {
        guard let last = shape.globals.indices.last else { return }
        shape.globals[last].isFilled = false
        try TableChores.note(.fillIndex, table: table.number, index: shape.globals[last].number, in: session)
    }

    // MARK: Tables of the project

    /// Gives the table what a program has come to want of it. What it has beside that stays.
    ///
    /// - Returns: the parts that no table can come to have, for a person.
    mutating func keep(
        _ wanted: TableShape, _ view: StreamView?, in session: WriteSession
    ) throws(ItemFailure) -> [String] {
        if let expiry = wanted.expiry, shape.expiry != expiry {
            shape.expiry = expiry
            try TableChores.note(.fillExpiry, table: table.number, in: session)
        }
        guard shape.key.isSame(as: wanted.key) else { return ["another key"] }
        var stays: [String] = []
        for index in wanted.locals where !shape.locals.contains(where: index.isSame) {
            stays.append("no such local index as \(index.name)")
        }
        for index in wanted.globals where !shape.globals.contains(where: index.isSame) {
            guard shape.index(index.name) == nil else {
                stays.append("another index \(index.name)")
                continue
            }
            try define(index.key.attributes)
            try refusing { () throws(ItemError) in
                try TableShape.demandGlobals(shape.globals.count + 1)
                shape.add(global: index)
                try shape.checkProjections()
            }
            try fillLast(in: session)
        }
        if let view, shape.stream?.view != view { try set(view, in: session) }
        return stays
    }
}
