import JSON
import Store

extension ItemRun {
    // MARK: Reading

    /// The keys of one table.
    private struct BatchKeys: Sendable {
        let table: any ItemTable
        let keys: [(item: Item, place: ItemPlace)]
        let projection: RequestedParts?
        let isConsistent: Bool
        /// What was said of the table, for the keys that are not come to.
        let said: JSONObject
    }

    private struct BatchFound: Sendable {
        var items: [Item] = []
        var left: [Item] = []
        var reads = 0.0
        var bytes = 0
    }

    func batchGetItem() async throws(ItemFailure) -> ItemAnswer {
        let (requests, detail) = try refusing { () throws(ItemError) in
            guard let requests = try fields.fields("RequestItems")?.object, !requests.isEmpty else {
                throw .validation("BatchGetItem must have some requests set")
            }
            return (requests, try ConsumedCapacity.detail(fields))
        }
        var count = 0
        for request in requests {
            _ = try checked(request.key)
            count += try refusing { () throws(ItemError) in
                guard let keys = try RequestFields(request.value, isStrict: fields.isStrict).list("Keys"), !keys.isEmpty
                else {
                    throw .validation(
                        "The list of keys in RequestItems for BatchGetItem is required: \(request.key) has empty list")
                }
                guard keys.count <= TableLimits.batchKeysMax else {
                    throw .parameter(
                        "Value at 'requestItems.\(request.key).member.keys' failed to satisfy constraint: Member must have "
                            + "length less than or equal to \(TableLimits.batchKeysMax)")
                }
                return keys.count
            }
        }
        guard count <= TableLimits.batchKeysMax else {
            throw .refused(.validation("Too many items requested for the BatchGetItem call"))
        }
        var batches: [BatchKeys] = []
        for request in requests { try batches.append(batch(try checked(request.key), request.value)) }
        return try await service.read(on: shard, until: end) { [batches, wanted] reader, budget throws(ItemFailure) in
            let answer = ItemAnswer(
                try Self.answer(batches, named: requests.keys, detail, in: reader, within: budget))
            return wanted == .text ? answer.written : answer
        }
    }

    private static func answer(
        _ batches: [BatchKeys], named names: [String], _ detail: ConsumedCapacity.Detail, in reader: Reader,
        within budget: CallBudget
    ) throws(ItemFailure) -> JSONObject {
        let found = try found(batches, in: reader, within: budget)
        try budget.spend(CallBudget.steps(writing: found.reduce(0) { $0 + $1.bytes }))
        var (responses, left, capacities) = (JSONObject(), JSONObject(), [JSONValue]())
        // They are told as they were asked for: by name or by ARN.
        for ((batch, found), key) in zip(zip(batches, found), names) {
            responses.set(key, to: .array(found.items.map { (batch.projection?.project($0) ?? $0).json }))
            if !found.left.isEmpty {
                var said = batch.said
                said.set("Keys", to: .array(found.left.map(\.json)))
                left.set(key, to: .object(said))
            }
            var capacity = ConsumedCapacity(batch.table.shape.name)
            capacity.reads = found.reads
            capacities.append(capacity.json(detail))
        }
        var answer = JSONObject([("Responses", .object(responses)), ("UnprocessedKeys", .object(left))])
        if detail != .none { answer.set("ConsumedCapacity", to: .array(capacities)) }
        return answer
    }

    private func batch(_ name: String, _ said: JSONValue) throws(ItemFailure) -> BatchKeys {
        let fields = try refusing { () throws(ItemError) in try RequestFields(said, isStrict: self.fields.isStrict) }
        let (projection, list) = try refusing { () throws(ItemError) in
            (try RequestExpressions.projection(of: fields), try fields.list("Keys") ?? [])
        }
        let table = try table(named: name)
        return try refusing { () throws(ItemError) in
            var keys: [(item: Item, place: ItemPlace)] = []
            var places: Set<ItemPlace> = []
            for json in list {
                let key = try fields.item(of: json)
                let place = try table.shape.key.place(named: key)
                guard places.insert(place).inserted else {
                    throw .validation("Provided list of item keys contains duplicates")
                }
                keys.append((key, place))
            }
            return BatchKeys(
                table: table, keys: keys, projection: projection,
                isConsistent: try fields.bool("ConsistentRead") ?? false, said: fields.object)
        }
    }

    /// All items, up to what an answer may weigh.
    private static func found(
        _ batches: [BatchKeys], in reader: Reader, within budget: CallBudget
    ) throws(ItemFailure) -> [BatchFound] {
        var bytes = 0
        var all: [BatchFound] = []
        for batch in batches {
            var found = BatchFound()
            for (key, place) in batch.keys {
                guard bytes < TableLimits.batchBytesMax - ItemLimits.itemBytesMax else {
                    found.left.append(key)
                    continue
                }
                let item = try batch.table.item(at: place, named: key, in: reader, within: budget)
                let size = item?.size ?? 0
                found.reads += ConsumedCapacity.reading(size, isConsistent: batch.isConsistent)
                guard let item else { continue }
                bytes += size
                found.bytes += size
                found.items.append(item)
            }
            all.append(found)
        }
        return all
    }

    // MARK: Writing

    func batchWriteItem() async throws(ItemFailure) -> ItemAnswer {
        let (requests, detail, metrics) = try refusing { () throws(ItemError) in
            guard let requests = try fields.fields("RequestItems")?.object, !requests.isEmpty else {
                throw .validation("BatchWriteItem cannot have a null or no requests set")
            }
            return (requests, try ConsumedCapacity.detail(fields), try Self.wantsMetrics(fields))
        }
        var count = 0
        for request in requests {
            _ = try checked(request.key)
            count += try refusing { () throws(ItemError) in
                guard let list = request.value.array else { throw RequestFields.unexpected(request.value) }
                guard !list.isEmpty else {
                    throw .validation(
                        "The batch write request list for a table cannot be null or empty: \(request.key)")
                }
                guard list.count <= TableLimits.batchWritesMax else {
                    throw .parameter(
                        "Value at 'requestItems.\(request.key).member' failed to satisfy constraint: Member must have length "
                            + "less than or equal to \(TableLimits.batchWritesMax)")
                }
                return list.count
            }
        }
        guard count <= TableLimits.batchWritesMax else {
            throw .refused(.validation("Too many items requested for the BatchWriteItem call"))
        }
        var writes: [ItemWrite] = []
        for request in requests {
            let table = try table(named: try checked(request.key))
            try refusing { () throws(ItemError) in
                var places: Set<ItemPlace> = []
                for json in request.value.array ?? [] {
                    let write = try Self.write(RequestFields(json, isStrict: fields.isStrict), into: table)
                    guard places.insert(write.place).inserted else {
                        throw .validation("Provided list of item keys contains duplicates")
                    }
                    writes.append(write)
                }
            }
        }
        // Each is made by itself, as with DynamoDB: others write between the large ones.
        var outcomes: [ItemWrite.Outcome] = []
        for group in Self.groups(of: writes) {
            outcomes += try await service.write(group, until: end, Self.made)
        }
        var answer = JSONObject([("UnprocessedItems", .object(JSONObject()))])
        if detail != .none { answer.set("ConsumedCapacity", to: Self.capacities(writes, outcomes, detail)) }
        if metrics { answer.set("ItemCollectionMetrics", to: Self.metrics(of: writes)) }
        return ItemAnswer(answer)
    }

    /// The same writes, as many together as one transaction puts.
    private static func groups(of writes: [ItemWrite]) -> [[ItemWrite]] {
        var groups: [[ItemWrite]] = []
        var bytes = 0
        for write in writes {
            let size = write.size(behind: nil)
            if !groups.isEmpty, bytes + size <= TableLimits.writtenAtOnceBytesMax {
                groups[groups.count - 1].append(write)
                bytes += size
            } else {
                groups.append([write])
                bytes = size
            }
        }
        return groups
    }

    private static func write(_ fields: RequestFields, into table: any ItemTable) throws(ItemError) -> ItemWrite {
        switch (try fields.fields("PutRequest"), try fields.fields("DeleteRequest")) {
        case (let put?, nil):
            let item = try ItemWrite.newItem(put)
            // In a batch the service says the same of an item as of a key.
            guard table.shape.key.attributes.allSatisfy({ item[$0.name] != nil }) else { throw KeySchema.mismatch }
            return try .put(item, into: table)
        case (nil, let delete?):
            guard let key = try delete.item("Key") else { throw ItemWrite.noKey }
            return ItemWrite(
                table: table, place: try table.shape.key.place(named: key), key: key, condition: nil, change: .delete)
        default:
            throw .validation(
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
            )
        }
    }

    // MARK: What it has cost

    /// What writes have cost, by table.
    static func capacities(
        _ writes: [ItemWrite], _ outcomes: [ItemWrite.Outcome], _ detail: ConsumedCapacity.Detail,
        isOfTransaction: Bool = false
    ) -> JSONValue {
        var capacities: [ConsumedCapacity] = []
        for (write, outcome) in zip(writes, outcomes) {
            let shape = write.table.shape
            let place = capacities.firstIndex { $0.table == shape.name } ?? capacities.count
            if place == capacities.count { capacities.append(ConsumedCapacity(shape.name)) }
            capacities[place].addWrite(outcome.old, outcome.new, of: shape, times: isOfTransaction ? 2 : 1)
        }
        return .array(capacities.map { $0.json(detail, isOfTransaction: isOfTransaction) })
    }

    static func metrics(of writes: [ItemWrite]) -> JSONValue {
        var metrics = JSONObject()
        for write in writes {
            guard let one = Self.metrics(of: write) else { continue }
            let before = metrics[write.table.shape.name]?.array ?? []
            if !before.contains(one) { metrics.set(write.table.shape.name, to: .array(before + [one])) }
        }
        return .object(metrics)
    }
}
