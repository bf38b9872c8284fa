import JSON
import Store

/// A page of a query or a scan: what is read, what of it is shown, and where the next one begins.
struct PageReading: ItemReading {
    let table: any ItemTable
    var plan: PagePlan
    var limit: Int64?
    var filter: Condition?
    var projection: RequestedParts?
    var isCount = false
    /// Whether an index shows all of an item, whatever it has of it.
    var isWhole = false
    var detail = ConsumedCapacity.Detail.none
    var isConsistent = false

    /// What was gone through.
    private struct Counts {
        var found = 0
        var scanned = 0
        var weight = 0
        var last: Item?
    }

    func answer(in reader: Reader, within budget: CallBudget) throws(ItemFailure) -> ItemAnswer {
        var bytes = [UInt8(ascii: "{")]
        var counts = Counts()
        if isCount {
            var unseen = WeighedItems()
            counts = try read(in: reader, to: &unseen, within: budget)
        } else {
            JSONWriter.writeKey("Items", to: &bytes)
            bytes.append(UInt8(ascii: "["))
            var items = WrittenItems(behind: bytes, atMost: limit)
            bytes = []
            counts = try read(in: reader, to: &items, within: budget)
            bytes = items.taken()
            bytes += [UInt8(ascii: "]"), UInt8(ascii: ",")]
        }
        JSONWriter.writeKey("Count", to: &bytes)
        JSONWriter.writeInteger(Int64(counts.found), to: &bytes)
        bytes.append(UInt8(ascii: ","))
        JSONWriter.writeKey("ScannedCount", to: &bytes)
        JSONWriter.writeInteger(Int64(counts.scanned), to: &bytes)
        if let last = counts.last {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.writeKey("LastEvaluatedKey", to: &bytes)
            last.write(to: &bytes)
        }
        if detail != .none {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.writeKey("ConsumedCapacity", to: &bytes)
            JSONWriter.write(capacity(counts.weight), to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return ItemAnswer(body: bytes)
    }

    func values(in reader: Reader, isPlain: Bool, within budget: CallBudget) throws(ItemFailure) -> JSONObject {
        var answer = JSONObject()
        var items = ListedItems(arePlain: isPlain)
        let counts: Counts
        if isCount {
            var unseen = WeighedItems()
            counts = try read(in: reader, to: &unseen, within: budget)
        } else {
            counts = try read(in: reader, to: &items, within: budget)
            answer.set("Items", to: .array(items.list))
        }
        answer.set("Count", to: .integer(Int64(counts.found)))
        answer.set("ScannedCount", to: .integer(Int64(counts.scanned)))
        if let last = counts.last { answer.set("LastEvaluatedKey", to: last.json) }
        if detail != .none { answer.set("ConsumedCapacity", to: capacity(counts.weight)) }
        return answer
    }

    /// Goes through the items, and hands on those that are shown.
    private func read(
        in reader: Reader, to items: inout some ShownItems, within budget: CallBudget
    ) throws(ItemFailure) -> Counts {
        let key = table.shape.key
        // The index has less of its items than the table.
        let index = isWhole || plan.index?.hasAll ?? true ? nil : plan.index
        let isPlain = filter == nil && projection == nil && index == nil
        var counts = Counts()
        try table.items(of: plan, in: reader) { row throws(ItemFailure) in
            counts.scanned += 1
            if isPlain {
                counts.weight += try items.show(row, within: budget)
                counts.found += 1
            } else {
                let item = try row.item(within: budget)
                let seen = index?.projected(item, of: key) ?? item
                counts.weight += seen.size
                if try filter?.holds(for: seen, within: budget) ?? true {
                    counts.found += 1
                    try items.show(projection?.project(seen) ?? seen, within: budget)
                }
            }
            guard Int64(counts.scanned) != limit, counts.weight < TableLimits.pageBytesMax else {
                counts.last = try row.item(only: (plan.index?.key.attributes ?? []) + key.attributes)
                return false
            }
            return true
        }
        return counts
    }

    private func capacity(_ weight: Int) -> JSONValue {
        let units = ConsumedCapacity.reading(weight, isConsistent: isConsistent)
        var capacity = ConsumedCapacity(table.shape.name)
        switch plan.index {
        case let index? where index.isLocal: capacity.locals = [(index.name, units)]
        case let index?: capacity.globals = [(index.name, units)]
        case nil: capacity.reads = units
        }
        return capacity.json(detail)
    }
}
