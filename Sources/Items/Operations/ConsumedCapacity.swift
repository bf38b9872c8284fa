import JSON

/// What an operation has cost, in DynamoDB's units: told where it is asked for, and charged to nobody.
struct ConsumedCapacity {
    enum Detail {
        case none, total, indexes
    }

    let table: String
    var reads = 0.0
    var writes = 0.0
    /// What indexes have cost, beside the table.
    var locals: [(name: String, units: Double)] = []
    var globals: [(name: String, units: Double)] = []

    init(_ table: String) { self.table = table }

    static func detail(_ fields: RequestFields) throws(ItemError) -> Detail {
        switch try fields.text("ReturnConsumedCapacity") {
        case nil, "NONE"?: return .none
        case "TOTAL"?: return .total
        case "INDEXES"?: return .indexes
        case let other?:
            throw .validation(
                "1 validation error detected: Value '\(other)' at 'returnConsumedCapacity' failed to satisfy constraint: "
                    + "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]")
        }
    }

    // MARK: Units

    /// What reading so many bytes costs: a unit for each four kilobytes, or half of one where the read need not be consistent.
    static func reading(_ bytes: Int, isConsistent: Bool) -> Double {
        let units = Double(max(1, (bytes + 4_095) / 4_096))
        return isConsistent ? units : units / 2
    }

    /// What writing an item costs: a unit for each kilobyte of what was there or is.
    static func writing(_ old: Item?, _ new: Item?) -> Double {
        Double(max(1, (max(old?.size ?? 0, new?.size ?? 0) + 1_023) / 1_024))
    }

    /// Adds what a change costs in the indexes that it reaches.
    mutating func addWrite(_ old: Item?, _ new: Item?, of shape: TableShape, times: Double = 1) {
        writes += Self.writing(old, new) * times
        for index in shape.indexes {
            let before = old.flatMap { index.key.placeIfAny(of: $0) }
            let behind = new.flatMap { index.key.placeIfAny(of: $0) }
            guard before != nil || behind != nil else { continue }
            let (one, other) = (
                before == nil ? nil : old.map { index.projected($0, of: shape.key) },
                behind == nil ? nil : new.map { index.projected($0, of: shape.key) }
            )
            if before == behind, one == other { continue }
            var units = Self.writing(one, other) * times
            // An item that moves is taken out and put in.
            if before != nil, behind != nil, before != behind { units *= 2 }
            if index.isLocal { locals.append((index.name, units)) } else { globals.append((index.name, units)) }
        }
    }

    // MARK: Told

    var total: Double { reads + writes + (locals + globals).reduce(0) { $0 + $1.units } }

    /// - Parameter isOfTransaction: whether reads and writes are told apart.
    func json(_ detail: Detail, isOfTransaction: Bool = false) -> JSONValue {
        var object = JSONObject([("TableName", .string(table)), ("CapacityUnits", .double(total))])
        func split(_ object: inout JSONObject, _ reads: Double, _ writes: Double) {
            guard isOfTransaction else { return }
            if reads > 0 { object.set("ReadCapacityUnits", to: .double(reads)) }
            if writes > 0 { object.set("WriteCapacityUnits", to: .double(writes)) }
        }
        split(&object, reads, total - reads)
        guard detail == .indexes else { return .object(object) }
        var own = JSONObject([("CapacityUnits", .double(reads + writes))])
        split(&own, reads, writes)
        object.set("Table", to: .object(own))
        for (name, list) in [("LocalSecondaryIndexes", locals), ("GlobalSecondaryIndexes", globals)] where !list.isEmpty
        {
            var members = JSONObject()
            for (index, units) in list {
                let before = members[index]?["CapacityUnits"]?.number ?? 0
                members.set(index, to: ["CapacityUnits": .double(before + units)])
            }
            object.set(name, to: .object(members))
        }
        return .object(object)
    }
}
