import JSON
import Store

/// A write of one item, as it was asked for: where, under which condition, and what comes of the item that is there.
struct ItemWrite: Sendable {
    let table: any ItemTable
    let place: ItemPlace
    let key: Item
    let condition: Condition?
    let change: Change
    /// Whether the item that does not fulfil the condition is told.
    var tellsFailure = false
    /// True if it is one of PartiQL that must be the first of its key.
    var isInsertion = false
    /// What comes of an item that was looked at before; nil: none was.
    var foreseen: Foreseen?

    /// A decision that was made beside the writer. It holds as long as the item is the same.
    struct Foreseen: Sendable {
        let old: Item?
        let result: Result<Outcome, ItemError>
    }

    enum Change: Sendable {
        case put(Item)
        case update(Update)
        case delete
        /// Only looks whether the condition holds.
        case check
    }

    /// What came of it.
    struct Outcome: Sendable {
        let old: Item?
        let new: Item?
    }

    private var isCheck: Bool { if case .check = change { true } else { false } }

    // MARK: What a request says

    static func newItem(_ fields: RequestFields) throws(ItemError) -> Item {
        guard let item = try fields.item("Item") else { throw .absent("item") }
        return item
    }

    static func put(_ item: Item, into table: any ItemTable) throws(ItemError) -> ItemWrite {
        let place = try table.shape.place(of: item)
        guard item.size <= ItemLimits.itemBytesMax else {
            throw .validation("Item size has exceeded the maximum allowed size")
        }
        return ItemWrite(
            table: table, place: place, key: table.shape.key.key(of: item), condition: nil, change: .put(item))
    }

    static let noKey = ItemError.absent("key")

    func with(_ condition: Condition?, tellsFailure: Bool) -> ItemWrite {
        ItemWrite(
            table: table, place: place, key: key, condition: condition, change: change, tellsFailure: tellsFailure)
    }

    // MARK: Within the transaction

    /// The item, where the write changes nothing else than it.
    var changeKey: ChangeKey? { table.changeKey(at: place) }

    /// Says which item is looked at soon: a server is asked for it together with the table.
    func expect(in session: WriteSession) { table.expect(at: place, in: session) }

    /// Decides and makes the change.
    func run(in session: WriteSession, now: Int64, within budget: CallBudget) throws(ItemFailure) -> Outcome {
        let old = try table.item(at: place, named: key, in: session)
        let outcome = try decided(old, within: budget)
        try apply(outcome, in: session, now: now)
        guard table.changesWhatIsWritten, outcome.new != nil, !isCheck else { return outcome }
        return Outcome(old: outcome.old, new: try table.item(at: place, named: key, in: session))
    }

    /// What is to come of an item, as it was foreseen or as it is decided now.
    func decided(_ old: Item?, within budget: CallBudget) throws(ItemFailure) -> Outcome {
        if let foreseen, foreseen.old == old {
            return try refusing { () throws(ItemError) in try foreseen.result.get() }
        }
        if let condition, try !condition.holds(for: old, within: budget) {
            throw .refused(isInsertion ? .duplicate : .conditionFailed(tellsFailure ? old : nil))
        }
        switch change {
        case .put(let item): return Outcome(old: old, new: item)
        case .delete: return Outcome(old: old, new: nil)
        case .check: return Outcome(old: old, new: old)
        case .update(let update):
            do throws(ItemError) { return try updated(old, by: update, within: budget) } catch {
                // What was cut short is no reason to refuse anything.
                throw budget.isSpent ? CallBudget.isOver : .refused(error)
            }
        }
    }

    /// The most that the item may be which is there afterwards, where that is known before it is decided.
    func size(behind old: Item?) -> Int {
        switch change {
        case .put(let item): item.size
        case .check: old?.size ?? 0
        case .delete, .update: 0
        }
    }

    private func updated(
        _ old: Item?, by update: Update, within budget: CallBudget
    ) throws(ItemError) -> Outcome {
        guard let new = try update.apply(to: old, key: key, within: budget) else { return Outcome(old: old, new: nil) }
        try table.shape.checkIndexes(new, isUpdated: true)
        guard new.size <= ItemLimits.itemBytesMax else {
            throw .validation("Item size to update has exceeded the maximum allowed size")
        }
        return Outcome(old: old, new: new)
    }

    func apply(_ outcome: Outcome, in session: WriteSession, now: Int64) throws(ItemFailure) {
        if isCheck { return }
        try table.replace(outcome.old, by: outcome.new, at: place, in: session, now: now, byExpiry: false)
    }
}
