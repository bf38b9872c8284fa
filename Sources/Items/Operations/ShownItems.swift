import JSON

/// Where the items of a page go.
protocol ShownItems {
    /// All of an item as it lies there. Gives what it weighs.
    mutating func show(_ row: borrowing ItemRow, within budget: CallBudget) throws(ItemFailure) -> Int

    mutating func show(_ item: Item, within budget: CallBudget) throws(ItemFailure)
}

/// Items as the text of an answer holds them. Hot path: a page is mostly this.
struct WrittenItems: ShownItems {
    private var bytes: [UInt8]
    private let start: Int
    private let countMax: Int

    /// - Parameter countMax: how many there are at most; nil: nobody knows.
    init(behind bytes: [UInt8], atMost countMax: Int64?) {
        self.bytes = bytes
        start = bytes.count
        self.countMax = Int(clamping: countMax ?? 1)
    }

    /// Hands over what was written. Two holders of it would make a copy.
    mutating func taken() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func begin() {
        if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
    }

    mutating func show(_ row: borrowing ItemRow, within budget: CallBudget) throws(ItemFailure) -> Int {
        begin()
        let before = bytes.count
        let weight = try row.write(to: &bytes)
        try budget.spend(CallBudget.steps(writing: bytes.count - before))
        makeRoom(behind: bytes.count - before)
        return weight
    }

    /// Makes room for the next item when there is none for one of that size: behind the first one for as many as may come, since
    /// they are usually alike, and later for as much as there is. An array that grows with each text is copied again and again.
    private mutating func makeRoom(behind size: Int) {
        guard bytes.capacity - bytes.count < 2 * size else { return }
        let isFirst = bytes.count - size == start
        let count = isFirst ? min(countMax, TableLimits.pageBytesMax / max(1, size)) : 0
        let room = max(bytes.count, (size + size / 8) * count)
        bytes.reserveCapacity(bytes.count + room)
    }

    mutating func show(_ item: Item, within budget: CallBudget) throws(ItemFailure) {
        begin()
        let before = bytes.count
        item.write(to: &bytes)
        try budget.spend(CallBudget.steps(writing: bytes.count - before))
        makeRoom(behind: bytes.count - before)
    }
}

/// Items as values, for who asks from within the server.
struct ListedItems: ShownItems {
    private(set) var list: [JSONValue] = []
    private let arePlain: Bool

    init(arePlain: Bool) { self.arePlain = arePlain }

    mutating func show(_ row: borrowing ItemRow, within budget: CallBudget) throws(ItemFailure) -> Int {
        let item = try row.item(within: budget)
        try show(item, within: budget)
        return item.size
    }

    mutating func show(_ item: Item, within budget: CallBudget) throws(ItemFailure) {
        list.append(arePlain ? .object(item.plain()) : item.json)
    }
}

/// Items that are not shown. They are weighed all the same.
struct WeighedItems: ShownItems {
    private var unseen: [UInt8] = []

    mutating func show(_ row: borrowing ItemRow, within budget: CallBudget) throws(ItemFailure) -> Int {
        unseen.removeAll(keepingCapacity: true)
        let weight = try row.write(to: &unseen)
        try budget.spend(CallBudget.steps(writing: unseen.count))
        return weight
    }

    mutating func show(_ item: Item, within budget: CallBudget) throws(ItemFailure) {}
}
