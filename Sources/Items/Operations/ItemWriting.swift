import JSON

/// The one write of a request, and what its answer is to tell.
struct ItemWriting: Sendable {
    let write: ItemWrite
    let name: String
    let detail: ConsumedCapacity.Detail
    let tellsCollection: Bool
    let wanted: ReturnedValues

    func answer(_ outcome: ItemWrite.Outcome) -> ItemAnswer {
        var answer = JSONObject()
        if let attributes = attributes(outcome) { answer.set("Attributes", to: attributes.json) }
        // A deletion of what is not there tells what it has cost, whoever asks: so does the engine that developers run.
        let isInVain = if case .delete = write.change { outcome.old == nil } else { false }
        if detail != .none || isInVain {
            var capacity = ConsumedCapacity(name)
            capacity.addWrite(outcome.old, outcome.new, of: write.table.shape)
            answer.set("ConsumedCapacity", to: capacity.json(detail))
        }
        if tellsCollection, let collection = ItemRun.metrics(of: write) {
            answer.set("ItemCollectionMetrics", to: collection)
        }
        return ItemAnswer(answer)
    }

    private func attributes(_ outcome: ItemWrite.Outcome) -> Item? {
        switch wanted {
        case .none: nil
        case .allOld: outcome.old
        case .allNew: outcome.new
        case .updatedOld: touched(of: outcome.old)
        case .updatedNew: touched(of: outcome.new)
        }
    }

    private func touched(of item: Item?) -> Item? {
        guard case .update(let update) = write.change else { return nil }
        let touched = update.touched(of: item)
        return touched.isEmpty ? nil : touched
    }
}
