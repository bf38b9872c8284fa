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
            try writing(isOfUpdate: false) { fields throws(ItemError) in
                guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
                let condition = try RequestExpressions.condition(of: fields)
                let tellsFailure = try ReturnedValues.comesWithFailure(fields)
                return { table throws(ItemError) in
                    ItemWrite(
                        table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                        change: .delete, tellsFailure: tellsFailure)
                }
            }
        case .updateItem:
            try writing(isOfUpdate: true) { fields throws(ItemError) in
                guard let key = try fields.item("Key") else { throw ItemWrite.noKey }
                let (update, condition) = try RequestExpressions.update(of: fields)
                let tellsFailure = try ReturnedValues.comesWithFailure(fields)
                return { table throws(ItemError) in
                    try RequestExpressions.check(update, keys: table.shape.key)
                    return ItemWrite(
                        table: table, place: try table.shape.key.place(named: key), key: key, condition: condition,
                        change: .update(update), tellsFailure: tellsFailure)
                }
            }
        default:
            try writing(isOfUpdate: false) { fields throws(ItemError) in
                let condition = try RequestExpressions.condition(of: fields)
                let item = try ItemWrite.newItem(fields)
                let tellsFailure = try ReturnedValues.comesWithFailure(fields)
                return { table throws(ItemError) in
                    try ItemWrite.put(item, into: table).with(condition, tellsFailure: tellsFailure)
                }
            }
        }
    }

    /// What is left to be asked of the table once the parameters are read.
    private typealias WriteOfTable = (any ItemTable) throws(ItemError) -> ItemWrite

    /// Reads the parameters of a write before it looks for the table, as DynamoDB does.
    private func writing(
        isOfUpdate: Bool, _ reading: (RequestFields) throws(ItemError) -> WriteOfTable
    ) throws(ItemFailure) -> ItemWriting {
        let name = try tableName()
        let (detail, metrics, wanted, write): (ConsumedCapacity.Detail, Bool, ReturnedValues, WriteOfTable)
        do throws(ItemError) {
            var fields = fields
            fields.isOfSingleWrite = true
            detail = try ConsumedCapacity.detail(fields)
            metrics = try Self.wantsMetrics(fields)
            wanted = try ReturnedValues.wanted(fields, isOfUpdate: isOfUpdate)
            write = try reading(fields)
        } catch {
            throw .refused(error.ofParameters)
        }
        let table = try table(named: name)
        return try refusing { () throws(ItemError) in
            ItemWriting(write: try write(table), name: name, detail: detail, tellsCollection: metrics, wanted: wanted)
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
