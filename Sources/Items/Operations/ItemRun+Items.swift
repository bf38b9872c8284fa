import JSON
import Store

extension ItemRun {
    // MARK: One item

    func getItem() throws(ItemFailure) -> SingleReading {
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
        return SingleReading(
            table: table, name: name, place: place, key: key, projection: projection, detail: detail,
            isConsistent: isConsistent)
    }

    /// The one write that a request asks for.
    func write(_ operation: ItemOperation) throws(ItemFailure) -> ItemWriting {
        switch operation {
        case .deleteItem:
            try writing(isOfUpdate: false) { fields, table throws(ItemError) in
                guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
                let condition = try RequestExpressions.condition(of: fields)
                let tellsFailure = try ReturnedValues.comesWithFailure(fields)
                let table = try table()
                return ItemWrite(
                    table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                    change: .delete, tellsFailure: tellsFailure)
            }
        case .updateItem:
            try writing(isOfUpdate: true) { fields, table throws(ItemError) in
                guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
                let (update, condition) = try RequestExpressions.update(of: fields)
                let tellsFailure = try ReturnedValues.comesWithFailure(fields)
                let table = try table()
                try RequestExpressions.check(update, keys: table.shape.key)
                return ItemWrite(
                    table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                    change: .update(update), tellsFailure: tellsFailure)
            }
        default:
            try writing(isOfUpdate: false) { fields, table throws(ItemError) in
                let condition = try RequestExpressions.condition(of: fields)
                return try ItemWrite.put(fields, into: try table()).with(
                    condition, tellsFailure: try ReturnedValues.comesWithFailure(fields))
            }
        }
    }

    /// Reads what a write is to be. It asks for the table where DynamoDB looks for it.
    private func writing(
        isOfUpdate: Bool,
        _ reading: (RequestFields, () throws(ItemError) -> any ItemTable) throws(ItemError) -> ItemWrite
    ) throws(ItemFailure) -> ItemWriting {
        let name = try tableName()
        // What is no refusal goes around the reading.
        var failure: ItemFailure?
        let (detail, metrics, wanted) = try refusing { () throws(ItemError) in
            (
                try ConsumedCapacity.detail(fields), try Self.wantsMetrics(fields),
                try ReturnedValues.wanted(fields, isOfUpdate: isOfUpdate)
            )
        }
        do throws(ItemError) {
            let write = try reading(fields) { () throws(ItemError) in
                do throws(ItemFailure) { return try table(named: name) } catch {
                    failure = error
                    throw .noTable
                }
            }
            return ItemWriting(write: write, name: name, detail: detail, tellsCollection: metrics, wanted: wanted)
        } catch {
            throw failure ?? .refused(error)
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
