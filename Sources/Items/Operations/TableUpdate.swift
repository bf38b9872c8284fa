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
        case (nil, let stream?):
            try StreamRows.end(stream, now: now, in: session)
            shape.stream = nil
        case (let view?, nil):
            let stream = try StreamRows.begin(view, label, of: table.number, shape, now: now, in: session)
            shape.stream = stream
            shape.latestStream = stream.label
        }
        return true
    }

    // MARK: Indexes

    private mutating func changeIndexes(_ fields: RequestFields, in session: WriteSession) throws(ItemFailure) -> Bool {
        let (updates, definitions) = try refusing { () throws(ItemError) in
            (try fields.objects("GlobalSecondaryIndexUpdates") ?? [], try TableShape.definitions(fields))
        }
        guard !updates.isEmpty else { return false }
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
        for update in updates { try changeIndex(update, in: session) }
        // What no key is made of any more is told of no longer.
        let used = Set(texts: (shape.key.attributes + shape.indexes.flatMap(\.key.attributes)).map(\.name))
        shape.definitions.removeAll { !used.contains($0.name) }
        try refusing { () throws(ItemError) in try shape.checkProjections() }
        return true
    }

    private mutating func changeIndex(_ update: RequestFields, in session: WriteSession) throws(ItemFailure) {
        let (create, change, delete) = try refusing { () throws(ItemError) in
            (try update.fields("Create"), try update.fields("Update"), try update.fields("Delete"))
        }
        guard [create, change, delete].count(where: { $0 != nil }) == 1 else {
            throw .refused(
                .invalidValues("One of GlobalSecondaryIndexUpdate's Update, Create or Delete must be specified"))
        }
        if let create {
            try refusing { () throws(ItemError) in
                if let name = try create.text("IndexName"), shape.index(name) != nil {
                    throw .validation("Attempting to create an index which already exists")
                }
                guard shape.globals.count < TableLimits.globalIndexesMax else {
                    throw .validation("GlobalSecondaryIndex count exceeds the per-table limit")
                }
                try shape.addGlobal(create)
            }
            guard let last = shape.globals.indices.last else { return }
            shape.globals[last].isFilled = false
            try TableChores.note(.fillIndex, table: table.number, index: shape.globals[last].number, in: session)
            return
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
}
