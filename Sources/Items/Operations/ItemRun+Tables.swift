import Crypto
import JSON
import Store

extension ItemRun {
    // MARK: Looking

    func describeTable() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        guard let table = try knownTable(name) else { throw .refused(.noTable(name)) }
        return ItemAnswer(JSONObject([("Table", await description(of: table))]))
    }

    private func description(of table: any ItemTable) async -> JSONValue {
        let count: ItemService.TableCount =
            if let table = table as? PlainTable {
                await service.count(of: table)
            } else if let table = table as? ModelTable {
                await service.count(of: table)
            } else {
                ItemService.TableCount()
            }
        return table.shape.description(service.settings, count)
    }

    func listTables() async throws(ItemFailure) -> ItemAnswer {
        let (limit, start) = try refusing { () throws(ItemError) in
            (try fields.integer("Limit"), try fields.text("ExclusiveStartTableName"))
        }
        if let limit, limit < 1 {
            throw .refused(.validation("Limit must be greater than or equal to 1"))
        }
        if let limit, limit > TableLimits.listTablesMax {
            throw .refused(
                .validation(
                    "1 validation error detected: Value '\(limit)' at 'limit' failed to satisfy constraint: "
                        + "Member must have value less than or equal to \(TableLimits.listTablesMax)"))
        }
        if let start, !Self.isName(start) { throw .refused(.wrongName) }
        var names = try service.tableNames(on: shard)
        if let start { names.removeAll { !(start < $0) } }
        let page = names.prefix(Int(limit ?? TableLimits.listTablesMax))
        var answer = JSONObject([("TableNames", .array(page.map { .string($0) }))])
        if page.count < names.count, let last = page.last { answer.set("LastEvaluatedTableName", to: .string(last)) }
        return ItemAnswer(answer)
    }

    // MARK: Making and removing

    func createTable() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        let (wanted, view) = try refusing { () throws(ItemError) in
            let view = try fields.fields("StreamSpecification").flatMap { fields throws(ItemError) in
                try StreamView.wanted(fields)
            }
            return (try TableShape(fields, name: name), view)
        }
        guard try knownTable(name) == nil else {
            throw .refused(.tableExists(name))
        }
        let identifier = Identifier.text(of: RandomBytes.make(count: 16))
        let steadyLabel = service.steadyLabel(ofStreamOf: name)
        let shape = try await service.write { session, now throws(ItemFailure) in
            try storing { () throws(StoreError) in try session.bring(TableRows.all) }
            guard try PlainTable.named(name, in: session) == nil else { throw .refused(.tableExists(name)) }
            var shape = wanted
            shape.created = now
            shape.identifier = identifier
            session.wake(.tables)
            return try PlainTable.make(shape, view, steadyLabel ?? Self.label(now), in: session)
        }
        service.forgetTables()
        return ItemAnswer(JSONObject([("TableDescription", shape.description(service.settings))]))
    }

    func deleteTable() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        try demandOwn(name)
        let table = try await service.write { session, now throws(ItemFailure) in
            guard let table = try PlainTable.named(name, in: session) else { throw .refused(.noTable(name)) }
            guard !table.shape.isProtected else {
                throw .refused(
                    .validation(
                        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection "
                            + "first."))
            }
            try session.changing(TableRows.tableDeletion, [.integer(table.number)])
            session.wake(.tables)
            if let stream = table.shape.stream { try StreamRows.end(stream, now: now, in: session) }
            try TableChores.note(.dropTable, table: table.number, in: session)
            return table
        }
        service.forgetTables()
        service.forgetCount(of: table.number)
        service.chores.begin()
        return ItemAnswer(
            JSONObject([("TableDescription", table.shape.lastDescription(service.settings))]))
    }

    // MARK: Changing

    /// Refuses to change what the schema says.
    private func demandOwn(_ name: String) throws(ItemFailure) {
        guard service.isOfModel(name) else { return }
        throw .refused(.ofModel(name))
    }

    func updateTable() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        try demandOwn(name)
        let (fields, label) = (fields, service.steadyLabel(ofStreamOf: name) ?? Self.label(service.now))
        let shape = try await service.write { session, now throws(ItemFailure) in
            guard let table = try PlainTable.named(name, in: session) else { throw .refused(.noTable(name)) }
            var change = TableUpdate(table, now: now, label: label)
            try change.apply(fields, in: session)
            try session.changing(TableRows.tableUpdate, [.utf8(change.shape.stored), .integer(table.number)])
            session.wake(.tables)
            return change.shape
        }
        service.forgetTables()
        service.chores.begin()
        return ItemAnswer(
            JSONObject([
                ("TableDescription", shape.description(service.settings, status: "UPDATING", isBeginning: true))
            ]))
    }

    func updateTimeToLive() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        try demandOwn(name)
        let (attribute, isEnabled) = try refusing { () throws(ItemError) in
            guard let specification = try fields.fields("TimeToLiveSpecification") else {
                throw .validation("TimeToLiveSpecification cannot be null")
            }
            guard let isEnabled = try specification.bool("Enabled"),
                let attribute = try specification.text("AttributeName")
            else { throw .validation("AttributeName cannot be null when time to live is being enabled") }
            guard (1...255).contains(attribute.utf8.count) else {
                throw .parameter(
                    "Value '\(attribute.utf8.count > 255 ? "" : attribute)' at 'timeToLiveSpecification.attributeName' failed to "
                        + "satisfy constraint: Member must have length from 1 to 255")
            }
            return (attribute, isEnabled)
        }
        try await service.write { session, _ throws(ItemFailure) in
            guard let table = try PlainTable.named(name, in: session) else { throw .refused(.noTable) }
            var shape = table.shape
            switch (shape.expiry, isEnabled) {
            case (_?, true): throw .refused(.validation("TimeToLive is already enabled"))
            case (nil, false): throw .refused(.validation("TimeToLive is already disabled"))
            case (let present?, false):
                guard present == attribute else {
                    throw .refused(.validation("TimeToLive is active on a different AttributeName"))
                }
                shape.expiry = nil
            case (nil, true): shape.expiry = attribute
            }
            try session.changing(TableRows.tableUpdate, [.utf8(shape.stored), .integer(table.number)])
            session.wake(.tables)
            try TableChores.note(.fillExpiry, table: table.number, in: session)
        }
        service.forgetTables()
        service.chores.begin()
        let specification: JSONValue = ["Enabled": .bool(isEnabled), "AttributeName": .string(attribute)]
        return ItemAnswer(JSONObject([("TimeToLiveSpecification", specification)]))
    }

    func describeTimeToLive() async throws(ItemFailure) -> ItemAnswer {
        let table = try table()
        var description = JSONObject([
            ("TimeToLiveStatus", table.shape.expiry == nil ? "DISABLED" : "ENABLED")
        ])
        if let expiry = table.shape.expiry { description.set("AttributeName", to: .string(expiry)) }
        return ItemAnswer(JSONObject([("TimeToLiveDescription", .object(description))]))
    }

    func describeContinuousBackups() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        // The one operation with a name of its own for that.
        guard try knownTable(name) != nil else {
            throw .refused(ItemError(type: "TableNotFoundException", message: "Table not found: \(name)"))
        }
        let description: JSONValue = [
            // As of every table of the service: what can be switched is the recovery of a moment.
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": ["PointInTimeRecoveryStatus": "DISABLED"],
        ]
        return ItemAnswer(JSONObject([("ContinuousBackupsDescription", description)]))
    }

    // MARK: Tags

    private func resource() throws(ItemFailure) -> String {
        let text = try refusing { () throws(ItemError) in try fields.text("ResourceArn") ?? "" }
        guard text.hasPrefix("arn:") else {
            throw .refused(.validation("ARNs must start with 'arn:': \(text)"))
        }
        guard let name = service.settings.table(ofARN: text), Self.isName(name) else {
            throw .refused(.validation("Invalid TableArn: Invalid ResourceArn provided as input \(text)"))
        }
        return name
    }

    private func changeTags(
        _ change: @escaping @Sendable (inout [TableShape.Tag]) -> Void
    ) async throws(ItemFailure) -> ItemAnswer {
        let name = try resource()
        try await service.write { session, _ throws(ItemFailure) in
            guard let table = try PlainTable.named(name, in: session) else { throw .refused(.noTable) }
            var shape = table.shape
            change(&shape.tags)
            guard shape.tags.count <= TableLimits.tagsMax else {
                throw .refused(.invalidValues("Too many tags: at most \(TableLimits.tagsMax)"))
            }
            try session.changing(TableRows.tableUpdate, [.utf8(shape.stored), .integer(table.number)])
            session.wake(.tables)
        }
        service.forgetTables()
        return ItemAnswer(body: [])
    }

    func tagResource() async throws(ItemFailure) -> ItemAnswer {
        let tags = try refusing { () throws(ItemError) in try TableShape.tags(fields) }
        guard !tags.isEmpty else { throw .refused(.validation("Atleast one Tag needs to be provided as Input.")) }
        return try await changeTags { present in
            for tag in tags {
                present.removeAll { $0.key == tag.key }
                present.append(tag)
            }
        }
    }

    func untagResource() async throws(ItemFailure) -> ItemAnswer {
        let keys = try refusing { () throws(ItemError) in try fields.texts("TagKeys") ?? [] }
        guard !keys.isEmpty else {
            throw .refused(.validation("Atleast one Tag Key needs to be provided as Input."))
        }
        let all = Set(texts: keys)
        return try await changeTags { present in present.removeAll { all.contains($0.key) } }
    }

    func listTagsOfResource() async throws(ItemFailure) -> ItemAnswer {
        let table = try table(named: try resource())
        let tags = table.shape.tags.map { tag -> JSONValue in ["Key": .string(tag.key), "Value": .string(tag.value)] }
        return ItemAnswer(JSONObject([("Tags", .array(tags))]))
    }

    // MARK: The service

    func describeLimits() -> ItemAnswer {
        ItemAnswer(
            JSONObject([
                ("AccountMaxReadCapacityUnits", 80_000), ("AccountMaxWriteCapacityUnits", 80_000),
                ("TableMaxReadCapacityUnits", 40_000), ("TableMaxWriteCapacityUnits", 40_000),
            ]))
    }

    /// A server here has one address, whatever is asked for: discovery of endpoints is an operation it does not have.
    func describeEndpoints() -> ItemAnswer { ItemAnswer(.unknownOperation) }

    // MARK: Names

    /// The name of a stream that begins at a moment.
    static func label(_ now: Int64) -> String {
        // Without the mark of the time zone, as streams are called.
        let text = Timestamp(seconds: now / 1_000, milliseconds: Int(now % 1_000)).text
        return text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}

extension PlainTable {
    /// Makes a table, with the stream that is to show that of its changes.
    static func make(
        _ wanted: TableShape, _ view: StreamView?, _ label: String, in session: WriteSession
    ) throws(ItemFailure) -> TableShape {
        var count: Int64 = 0
        try session.rows(TableRows.tableCount, []) { row throws(ItemFailure) in
            count = row.integer(0)
            return false
        }
        guard count < Int64(TableLimits.tablesMax) else {
            throw .refused(
                ItemError(
                    type: "LimitExceededException",
                    message: "Subscriber limit exceeded: There is a limit of \(TableLimits.tablesMax) tables"))
        }
        var shape = wanted
        try session.changing(TableRows.tableInsertion, [.text(shape.name), .utf8(shape.stored)])
        guard let view else { return shape }
        let number = try session.lastNumber()
        let stream = try StreamRows.begin(view, label, of: number, shape, now: shape.created, in: session)
        shape.stream = stream
        shape.latestStream = stream.label
        try session.changing(TableRows.tableUpdate, [.utf8(shape.stored), .integer(number)])
        return shape
    }

    /// The table of that name as it is now; nil: there is none.
    static func named(_ name: String, in rows: some RoomReading) throws(ItemFailure) -> PlainTable? {
        guard try storing({ () throws(StoreError) in try rows.has(TableRows.all) }) else { return nil }
        var table: PlainTable?
        try rows.rows(TableRows.table, [.text(name)]) { row throws(ItemFailure) in
            table = try PlainTable(row)
            return false
        }
        return table
    }
}

extension ItemError {
    static func ofModel(_ name: String) -> ItemError {
        .validation("\(name) is the table of a model: the schema says what it is")
    }

    static func tableExists(_ name: String) -> ItemError {
        ItemError(type: "ResourceInUseException", message: "Table already exists: \(name)")
    }
}
