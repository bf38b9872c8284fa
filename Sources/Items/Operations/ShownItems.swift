import JSON

/// Where the items of a page go.
protocol ShownItems {
    /// All of an item as it lies there. Gives what it weighs.
    mutating func show(_ row: borrowing ItemRow) throws(ItemFailure) -> Int

    mutating func show(_ item: Item)
}

/// Items as the text of an answer holds them. Hot path: a page is mostly this.
struct WrittenItems: ShownItems {
    private(set) var bytes: [UInt8]
    private let start: Int

    init(behind bytes: [UInt8]) {
        self.bytes = bytes
        start = bytes.count
    }

    private mutating func begin() {
        if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
    }

    mutating func show(_ row: borrowing ItemRow) throws(ItemFailure) -> Int {
        begin()
        return try row.write(to: &bytes)
    }

    mutating func show(_ item: Item) {
        begin()
        item.write(to: &bytes)
    }
}

/// Items as values, for who asks from within the server.
struct ListedItems: ShownItems {
    private(set) var list: [JSONValue] = []
    private let arePlain: Bool

    init(arePlain: Bool) { self.arePlain = arePlain }

    mutating func show(_ row: borrowing ItemRow) throws(ItemFailure) -> Int {
        let item = try row.item()
        show(item)
        return item.size
    }

    mutating func show(_ item: Item) { list.append(arePlain ? .object(item.plain()) : item.json) }
}

/// Items that are not shown. They are weighed all the same.
struct WeighedItems: ShownItems {
    private var unseen: [UInt8] = []

    mutating func show(_ row: borrowing ItemRow) throws(ItemFailure) -> Int {
        unseen.removeAll(keepingCapacity: true)
        return try row.write(to: &unseen)
    }

    mutating func show(_ item: Item) {}
}
