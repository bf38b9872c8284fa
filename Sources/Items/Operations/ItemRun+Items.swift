import JSON
import Store

extension ItemRun {
    // MARK: One item

    func getItem() async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        let (detail, key, projection, isConsistent) = try refusing { () throws(ItemError) in
            let detail = try ConsumedCapacity.detail(fields)
            guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
            return (
                detail, key, try RequestExpressions.projection(of: fields),
                try fields.bool("ConsistentRead") ?? false
            )
        }
        let table = try table(named: name)
        let place = try refusing { () throws(ItemError) in try table.shape.key.place(named: key) }
        let found = try await service.read(on: shard) { reader throws(ItemFailure) in
            try table.item(at: place, named: key, in: reader)
        }
        var answer = JSONObject()
        if let found { answer.set("Item", to: (projection?.project(found) ?? found).json) }
        if detail != .none {
            var capacity = ConsumedCapacity(name)
            capacity.reads = ConsumedCapacity.reading(found?.size ?? 0, isConsistent: isConsistent)
            answer.set("ConsumedCapacity", to: capacity.json(detail))
        }
        return ItemAnswer(answer)
    }

    func putItem() async throws(ItemFailure) -> ItemAnswer {
        try await writeItem(isOfUpdate: false) { fields, table throws(ItemError) in
            let condition = try RequestExpressions.condition(of: fields)
            return try ItemWrite.put(fields, into: try table()).with(
                condition, tellsFailure: try ReturnedValues.comesWithFailure(fields))
        }
    }

    func deleteItem() async throws(ItemFailure) -> ItemAnswer {
        try await writeItem(isOfUpdate: false) { fields, table throws(ItemError) in
            guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
            let condition = try RequestExpressions.condition(of: fields)
            let tellsFailure = try ReturnedValues.comesWithFailure(fields)
            let table = try table()
            return ItemWrite(
                table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                change: .delete, tellsFailure: tellsFailure)
        }
    }

    func updateItem() async throws(ItemFailure) -> ItemAnswer {
        try await writeItem(isOfUpdate: true) { fields, table throws(ItemError) in
            guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
            let (update, condition) = try RequestExpressions.update(of: fields)
            let tellsFailure = try ReturnedValues.comesWithFailure(fields)
            let table = try table()
            try RequestExpressions.check(update, keys: table.shape.key)
            return ItemWrite(
                table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                change: .update(update), tellsFailure: tellsFailure)
        }
    }

    /// Makes the one write that a request asks for. Its reading asks for the table where DynamoDB looks for it.
    private func writeItem(
        isOfUpdate: Bool,
        _ reading: (RequestFields, () throws(ItemError) -> any ItemTable) throws(ItemError) -> ItemWrite
    ) async throws(ItemFailure) -> ItemAnswer {
        let name = try tableName()
        // What is no refusal goes around the reading.
        var failure: ItemFailure?
        let (detail, metrics, wanted) = try refusing { () throws(ItemError) in
            (
                try ConsumedCapacity.detail(fields), try Self.wantsMetrics(fields),
                try ReturnedValues.wanted(fields, isOfUpdate: isOfUpdate)
            )
        }
        let write: ItemWrite
        do throws(ItemError) {
            write = try reading(fields) { () throws(ItemError) in
                do throws(ItemFailure) { return try table(named: name) } catch {
                    failure = error
                    throw .noTable
                }
            }
        } catch {
            throw failure ?? .refused(error)
        }
        let outcome = try await service.write { session, now throws(ItemFailure) in
            try write.table.check(in: session)
            return try write.run(in: session, now: now)
        }
        var answer = JSONObject()
        if let attributes = Self.attributes(wanted, outcome) { answer.set("Attributes", to: attributes.json) }
        // A deletion of what is not there tells what it has cost, whoever asks: so does the engine that developers run.
        let isInVain = if case .delete = write.change { outcome.old == nil } else { false }
        if detail != .none || isInVain {
            var capacity = ConsumedCapacity(name)
            capacity.addWrite(outcome.old, outcome.new, of: write.table.shape)
            answer.set("ConsumedCapacity", to: capacity.json(detail))
        }
        if metrics, let collection = Self.metrics(of: write) { answer.set("ItemCollectionMetrics", to: collection) }
        return ItemAnswer(answer)
    }

    private static func attributes(_ wanted: ReturnedValues, _ outcome: ItemWrite.Outcome) -> Item? {
        switch wanted {
        case .none: nil
        case .allOld: outcome.old
        case .allNew: outcome.new
        case .updatedOld: outcome.old == nil || outcome.touchedOld.isEmpty ? nil : outcome.touchedOld
        case .updatedNew: outcome.touchedNew.isEmpty ? nil : outcome.touchedNew
        }
    }

    // MARK: Collections

    static func wantsMetrics(_ fields: RequestFields) throws(ItemError) -> Bool {
        switch try fields.text("ReturnItemCollectionMetrics") {
        case nil, "NONE"?: return false
        case "SIZE"?: return true
        case let other?:
            throw .validation(
                "1 validation error detected: Value '\(other)' at 'returnItemCollectionMetrics' failed to satisfy "
                    + "constraint: Member must satisfy enum value set: [SIZE, NONE]")
        }
    }

    /// What is told of the partition that a write has changed: only those with local indexes are collections.
    static func metrics(of write: ItemWrite) -> JSONValue? {
        let shape = write.table.shape
        guard !shape.locals.isEmpty, let partition = write.key[shape.key.partition.name] else { return nil }
        return [
            "ItemCollectionKey": Item([(shape.key.partition.name, partition)]).json,
            "SizeEstimateRangeGB": .array([.double(0), .double(1)]),
        ]
    }
}
