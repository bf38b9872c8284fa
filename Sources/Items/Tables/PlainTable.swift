import Store

/// A table that was made by CreateTable: its items lie in the room's own rows.
final class PlainTable: ItemTable {
    /// Names its rows; no other table has had it.
    let number: Int64
    /// Another one after each change of the shape.
    let version: Int64
    let shape: TableShape

    init(number: Int64, version: Int64, shape: TableShape) {
        self.number = number
        self.version = version
        self.shape = shape
    }

    // MARK: Reading

    func find(
        at place: ItemPlace, named _: Item, in rows: some RoomReading,
        _ found: (borrowing ItemRow) throws(ItemFailure) -> Void
    ) throws(ItemFailure) {
        try rows.rows(TableRows.item, values(of: place)) { row throws(ItemFailure) in
            try found(ItemRow(row, bytesIn: 1))
            return false
        }
    }

    func changeKey(at place: ItemPlace) -> ChangeKey? {
        var key = ChangeKey()
        key.add("item \(number)".utf8)
        key.add(place.partition)
        key.add(place.sort)
        return key
    }

    func expect(at place: ItemPlace, in session: WriteSession) {
        // Only a change of the table changes that, and such a change has no key.
        session.expect(TableRows.version, isOfKey: false, [.text(shape.name)])
        session.expect(TableRows.item, values(of: place))
    }

    private func values(of place: ItemPlace) -> [StoredValue] {
        [.integer(number), .integer(place.spread), .blob(place.partition), .blob(place.sort)]
    }

    /// - Parameter values: those of a place.
    private func row(
        at values: [StoredValue], in rows: some RoomReading
    ) throws(ItemFailure) -> (number: Int64, item: Item)? {
        var found: (number: Int64, item: Item)?
        try rows.rows(TableRows.item, values) { row throws(ItemFailure) in
            found = (row.integer(0), try Self.item(row, 1))
            return false
        }
        return found
    }

    static func item(_ row: borrowing Row, _ column: Int) throws(ItemFailure) -> Item {
        try item(row.blob(column))
    }

    static func item(_ bytes: [UInt8]) throws(ItemFailure) -> Item {
        guard let item = ItemBytes.item(bytes) else { throw unreadable }
        return item
    }

    static let unreadable = ItemFailure.store(
        StoreError(.corrupt, "an item of the database cannot be read: restore a backup"))

    func items(
        of plan: PagePlan, in rows: some RoomReading, _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        switch (plan.stretch, plan.index) {
        case (.partition(let range), nil): try query(range, plan, in: rows, each)
        case (.partition(let range), let index?): try query(range, plan, of: index, in: rows, each)
        case (.places(let places), nil): try scan(places, plan, in: rows, each)
        case (.places(let places), let index?): try scan(places, plan, of: index, in: rows, each)
        }
    }

    private func query(
        _ range: KeyRange, _ plan: PagePlan, in rows: some RoomReading,
        _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        let start = plan.start.flatMap { shape.key.placeIfAny(of: $0) }?.sort
        // Forward from the later of two lower bounds, backward from the earlier of two upper ones.
        let (lower, upper) = (range.bounds.lower, range.bounds.upper ?? Self.behindAll)
        let ends = plan.isForward ? (Self.later(lower, start?.following), upper) : (lower, Self.earlier(upper, start))
        try rows.rows(
            plan.isForward ? TableRows.partForward : TableRows.partBackward,
            [
                .integer(number), .integer(range.place.spread), .blob(range.place.partition), .blob(ends.0),
                .blob(ends.1),
            ]
        ) { row throws(ItemFailure) in try each(ItemRow(row, bytesIn: 0)) }
    }

    private func query(
        _ range: KeyRange, _ plan: PagePlan, of index: IndexShape, in rows: some RoomReading,
        _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        let (lower, upper) = (range.bounds.lower, range.bounds.upper ?? Self.behindAll)
        var sort = plan.isForward ? lower : upper
        var tie: [UInt8] = []
        if let start = plan.start, let place = index.key.placeIfAny(of: start),
            let own = shape.key.placeIfAny(of: start)
        {
            let order = place.sort.compareBytes(to: sort)
            if plan.isForward, order >= 0 { (sort, tie) = (place.sort, own.tie.following) }
            if !plan.isForward, order < 0 { (sort, tie) = (place.sort, own.tie) }
        }
        try rows.rows(
            plan.isForward ? TableRows.indexForward : TableRows.indexBackward,
            [
                .integer(number), .integer(index.number), .integer(range.place.spread), .blob(range.place.partition),
                .blob(sort), .blob(tie), .blob(plan.isForward ? upper : lower),
            ]
        ) { row throws(ItemFailure) in try each(ItemRow(row, bytesIn: 0)) }
    }

    private func scan(
        _ places: Range<Int64>, _ plan: PagePlan, in rows: some RoomReading,
        _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        var first: [StoredValue] = [.integer(places.lowerBound), .blob([]), .blob([])]
        if let start = plan.start.flatMap({ shape.key.placeIfAny(of: $0) }) {
            first = [.integer(start.spread), .blob(start.partition), .blob(start.sort.following)]
        }
        try rows.rows(TableRows.scan, [.integer(number)] + first) { row throws(ItemFailure) in
            guard row.integer(1) < places.upperBound else { return false }
            return try each(ItemRow(row, bytesIn: 0))
        }
    }

    private func scan(
        _ places: Range<Int64>, _ plan: PagePlan, of index: IndexShape, in rows: some RoomReading,
        _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        var first: [StoredValue] = [.integer(places.lowerBound), .blob([]), .blob([]), .blob([])]
        if let start = plan.start, let place = index.key.placeIfAny(of: start),
            let own = shape.key.placeIfAny(of: start)
        {
            first = [.integer(place.spread), .blob(place.partition), .blob(place.sort), .blob(own.tie.following)]
        }
        try rows.rows(TableRows.indexScan, [.integer(number), .integer(index.number)] + first) {
            row throws(ItemFailure) in
            guard row.integer(1) < places.upperBound else { return false }
            return try each(ItemRow(row, bytesIn: 0))
        }
    }

    /// Behind every sort key, which has no more than 1024 bytes.
    private static let behindAll = [UInt8](repeating: 0xFF, count: ItemLimits.sortKeyBytesMax + 1)

    private static func later(_ one: [UInt8], _ other: [UInt8]?) -> [UInt8] {
        guard let other, other.compareBytes(to: one) > 0 else { return one }
        return other
    }

    private static func earlier(_ one: [UInt8], _ other: [UInt8]?) -> [UInt8] {
        guard let other, other.compareBytes(to: one) < 0 else { return one }
        return other
    }

    func count(in rows: some RoomReading) throws(ItemFailure) -> (items: Int64, bytes: Int64) {
        var count: (items: Int64, bytes: Int64) = (0, 0)
        try rows.rows(TableRows.count, [.integer(number)]) { row throws(ItemFailure) in
            count = (row.integer(0), row.integer(1))
            return false
        }
        return count
    }

    func count(of index: IndexShape, in rows: some RoomReading) throws(ItemFailure) -> Int64 {
        var count: Int64 = 0
        try rows.rows(TableRows.entryCount, [.integer(number), .integer(index.number)]) { row throws(ItemFailure) in
            count = row.integer(0)
            return false
        }
        return count
    }

    // MARK: Changing

    func check(in session: WriteSession) throws(ItemFailure) {
        var isSame = false
        try session.rows(TableRows.version, [.text(shape.name)]) { row throws(ItemFailure) in
            isSame = row.integer(0) == number && row.integer(1) == version
            return false
        }
        guard isSame else { throw .outdated }
    }

    func replace(
        _ old: Item?, by new: Item?, at place: ItemPlace, in session: WriteSession, now: Int64, byExpiry: Bool
    ) throws(ItemFailure) {
        guard old != nil || new != nil else { return }
        // Once: where a partition lies is a digest.
        let values = values(of: place)
        let before = try row(at: values, in: session)
        let number: StoredValue
        switch (before, new) {
        case (nil, nil): return
        case (nil, let new?):
            try session.changingAhead(
                TableRows.insertion,
                values + [
                    .integer(Int64(new.size)), shape.expiry(of: new).map { .integer($0) } ?? .null,
                    .blob(ItemBytes.of(new)),
                ])
            number = session.lastRowValue
        case (let before?, let new?):
            number = .integer(before.number)
            // What is put again as it is changes nothing, and no stream tells of it; but it may be written another way.
            try session.changingAhead(
                TableRows.update,
                [
                    .integer(Int64(new.size)), shape.expiry(of: new).map { .integer($0) } ?? .null,
                    .blob(ItemBytes.of(new)), number,
                ])
        case (let before?, nil):
            number = .integer(before.number)
            try session.changingAhead(TableRows.deletion, [number])
        }
        for index in shape.indexes {
            try move(number, in: index, from: before?.item, to: new, tie: place.tie, in: session)
        }
        if let stream = shape.stream, before?.item != new {
            try StreamRows.append(
                StreamChange(
                    key: shape.key.key(of: new ?? before?.item ?? Item()), old: before?.item, new: new, time: now,
                    isExpiry: byExpiry),
                to: stream, in: session)
        }
    }

    /// Moves an item to where it belongs in an index.
    ///
    /// - Parameter item: the number of its row; null where a server has just given it.
    private func move(
        _ item: StoredValue, in index: IndexShape, from old: Item?, to new: Item?, tie: [UInt8],
        in session: WriteSession
    ) throws(ItemFailure) {
        let (before, behind) = (
            old.flatMap { index.key.placeIfAny(of: $0) }, new.flatMap { index.key.placeIfAny(of: $0) }
        )
        guard before != behind else { return }
        if let before { try session.changingAhead(TableRows.entryDeletion, entry(before, of: index, tie)) }
        if let behind {
            try session.changingAhead(TableRows.entryInsertion, entry(behind, of: index, tie) + [item])
        }
    }

    private func entry(_ place: ItemPlace, of index: IndexShape, _ tie: [UInt8]) -> [StoredValue] {
        [
            .integer(number), .integer(index.number), .integer(place.spread), .blob(place.partition),
            .blob(place.sort), .blob(tie),
        ]
    }

    /// Puts an item that is there already into an index that is new.
    func enter(_ item: Item, _ row: Int64, into index: IndexShape, in session: WriteSession) throws(ItemFailure) {
        guard let place = index.key.placeIfAny(of: item), let own = shape.key.placeIfAny(of: item) else { return }
        try session.changing(TableRows.entryInsertion, entry(place, of: index, own.tie) + [.integer(row)])
    }
}
