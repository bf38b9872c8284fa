import JSON
import Store

/// A read as it was asked for, which may be begun anew beside the loop.
protocol ItemReading: Sendable {
    func answer(in reader: Reader, within budget: CallBudget) throws(ItemFailure) -> ItemAnswer

    /// The same as values.
    ///
    /// - Parameter isPlain: whether items are wanted without the types of their values.
    func values(in reader: Reader, isPlain: Bool, within budget: CallBudget) throws(ItemFailure) -> JSONObject
}

/// A read of one item.
struct SingleReading: ItemReading {
    let table: any ItemTable
    let name: String
    let place: ItemPlace
    let key: Item
    let projection: RequestedParts?
    let detail: ConsumedCapacity.Detail
    let isConsistent: Bool

    func answer(in reader: Reader, within budget: CallBudget) throws(ItemFailure) -> ItemAnswer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualBytes)
        bytes.append(UInt8(ascii: "{"))
        var weight = 0
        try table.find(at: place, named: key, in: reader) { row throws(ItemFailure) in
            JSONWriter.writeKey("Item", to: &bytes)
            if let projection {
                let item = try row.item(within: budget)
                weight = item.size
                projection.project(item).write(to: &bytes)
            } else {
                weight = try row.write(to: &bytes)
            }
            try budget.spend(CallBudget.steps(writing: bytes.count))
        }
        if detail != .none {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.writeKey("ConsumedCapacity", to: &bytes)
            JSONWriter.write(capacity(weight), to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return ItemAnswer(body: bytes)
    }

    func values(in reader: Reader, isPlain: Bool, within budget: CallBudget) throws(ItemFailure) -> JSONObject {
        var answer = JSONObject()
        var weight = 0
        try table.find(at: place, named: key, in: reader) { row throws(ItemFailure) in
            // Hot path: what handlers read is nearly always all of an item, and nobody asks what that weighs.
            if isPlain, projection == nil, detail == .none {
                return answer.set("Item", to: .object(try row.plain(within: budget)))
            }
            let item = try row.item(within: budget)
            weight = item.size
            let shown = projection?.project(item) ?? item
            answer.set("Item", to: isPlain ? .object(shown.plain()) : shown.json)
        }
        if detail != .none { answer.set("ConsumedCapacity", to: capacity(weight)) }
        return answer
    }

    private func capacity(_ weight: Int) -> JSONValue {
        var capacity = ConsumedCapacity(name)
        capacity.reads = ConsumedCapacity.reading(weight, isConsistent: isConsistent)
        return capacity.json(detail)
    }

    /// What an answer usually takes.
    private static let usualBytes = 512
}
