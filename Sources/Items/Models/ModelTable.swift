import Crypto
import JSON
import Store

/// The table of a model: its items are the records that GraphQL serves, on the same rows.
///
/// What is written here is written as by a mutation, and functions that are told of the table are told of it; subscribers are not, as
/// with AppSync.
package final class ModelTable: ItemTable {
    package let shape: TableShape
    private let table: TableLayout
    private let form: RecordItem
    /// The keys by the numbers of the indexes; the primary key is the first.
    private let keys: [KeyLayout]
    private let lookup: RecordLookup
    private let ends = WalkEnds()
    /// Nil for records without versions.
    private let versions: Versions?

    /// What keeps the versions of records.
    private struct Versions {
        let log: ChangeLog
        let clock: ChangeClock
    }

    /// Nil for a table without a key that items can have.
    ///
    /// - Parameters:
    ///   - clock: the time of changes of records with versions.
    ///   - isStreamed: whether functions are told of its changes.
    ///   - expiry: the field that says when a record is to go, in seconds since 1970.
    package init?(
        _ table: TableLayout, of typeName: String, named name: String, clock: ChangeClock, isStreamed: Bool = false,
        expiry: String? = nil
    ) {
        guard let primary = table.primaryKey, let key = Self.schema(of: primary, in: table) else { return nil }
        self.table = table
        form = RecordItem(table: table, typeName: typeName)
        versions = ChangeLog(of: table).map { Versions(log: $0, clock: clock) }
        var shape = TableShape(name, key)
        keys = table.keys
        lookup = RecordLookup(table, by: primary)
        for (number, layout) in table.keys.enumerated().dropFirst() {
            guard let key = Self.schema(of: layout, in: table) else { continue }
            shape.globals.append(IndexShape(layout.name, number: Int64(number), key))
            for attribute in key.attributes where !shape.definitions.contains(where: { $0.name == attribute.name }) {
                shape.definitions.append(attribute)
            }
        }
        // Always the same: clients tell tables apart by it.
        shape.identifier = Identifier.text(of: SpreadingDigest.of(Array(name.utf8)))
        shape.created = Self.created
        if isStreamed {
            shape.stream = StreamShape(number: 0, view: .both, label: Self.streamLabel)
            shape.latestStream = Self.streamLabel
        }
        // In any other column nothing is a number of seconds.
        if let expiry, table.column(of: expiry)?.kind == .integer { shape.expiry = expiry }
        self.shape = shape
    }

    /// When all tables of models began, as the names of their streams say.
    private static let created: Int64 = 1_420_070_400_000
    private static let streamLabel = "2015-01-01T00:00:00.000"

    private static func schema(of key: KeyLayout, in table: TableLayout) -> KeySchema? {
        func kind(_ field: String) -> ItemValue.Kind? {
            switch table.column(of: field)?.kind {
            case .text?: .string
            case .integer?, .real?: .number
            default: nil
            }
        }
        guard let partition = kind(key.partition) else { return nil }
        let attribute = KeyAttribute(key.partition, partition)
        switch key.sortAttribute {
        case nil: return KeySchema(attribute)
        case .field(let field)?:
            return kind(field).map { KeySchema(attribute, KeyAttribute(field, $0)) }
        case .composite?:
            return key.sortAttribute.map { KeySchema(attribute, KeyAttribute($0.name, .string)) }
        }
    }

    // MARK: Reading

    package func find(
        at place: ItemPlace, named key: Item, in rows: some RoomReading,
        _ found: (borrowing ItemRow) throws(ItemFailure) -> Void
    ) throws(ItemFailure) {
        guard let values = keyValues(of: key) else { return }
        try rows.record(lookup, values) { row throws(ItemFailure) in try found(ItemRow(row, of: form)) }
    }

    /// The values of the primary key as the columns have them; nil: no record can have them.
    private func keyValues(of key: Item) -> [StoredValue]? {
        guard let primary = keys.first, let partition = stored(key[primary.partition], primary.partition) else {
            return nil
        }
        guard let sort = primary.sortAttribute else { return [partition] }
        return stored(key[sort.name], sort.name).map { [partition, $0] }
    }

    package func items(
        of plan: PagePlan, in rows: some RoomReading, _ each: (borrowing ItemRow) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        let number = plan.index.map { Int($0.number) } ?? 0
        guard keys.indices.contains(number) else { return }
        let layout = keys[number]
        let after = try plan.start.map { start throws(ItemFailure) in
            try place(of: start, in: layout, number, plan, rows)
        }
        switch plan.stretch {
        case .partition(let range):
            guard let partition = stored(range.partition, layout.partition),
                let bounds = range.sort.map({ SortRange($0, of: kind(layout)) }) ?? .all
            else { return }
            let walk = RecordWalk(
                table, by: layout, partition: partition, bounds: bounds.sides, isDescending: !plan.isForward,
                after: after)
            try rows.records(of: walk) { row throws(ItemFailure) in
                let found = ItemRow(row, of: form)
                if !bounds.isExact, let test = range.sort, let name = layout.sortAttribute?.name {
                    // A float stands for more than one number that a request can write.
                    guard let value = try found.item()[name], test.holds(for: value) else { return true }
                }
                guard try each(found) else { return try end(at: row, number, plan) }
                return true
            }
        case .places(let places):
            let key = plan.index?.key ?? shape.key
            let isWhole = places == 0..<ItemPlace.spreadMax
            try rows.records(of: RecordWalk(table, by: layout, after: after)) { row throws(ItemFailure) in
                let found = ItemRow(row, of: form)
                if !isWhole {
                    guard let place = key.placeIfAny(of: try found.item()), places.contains(place.spread) else {
                        return true
                    }
                }
                guard try each(found) else { return try end(at: row, number, plan) }
                return true
            }
        }
    }

    private func kind(_ layout: KeyLayout) -> ColumnKind {
        switch layout.sortAttribute {
        case .field(let field)?: table.column(of: field)?.kind ?? .text
        case .composite?, nil: .text
        }
    }

    /// Ends a page, and keeps in mind where.
    private func end(at row: borrowing Row, _ number: Int, _ plan: PagePlan) throws(ItemFailure) -> Bool {
        let key = try form.item(row, only: (plan.index?.key.attributes ?? []) + shape.key.attributes)
        ends.note(RecordItem.number(of: row), for: key, in: number)
        return false
    }

    /// Where a page goes on: behind a record that may be gone by now.
    private func place(
        of start: Item, in layout: KeyLayout, _ number: Int, _ plan: PagePlan, _ rows: some RoomReading
    ) throws(ItemFailure) -> RecordWalk.Place {
        let partition = stored(start[layout.partition], layout.partition)
        let sort = layout.sortAttribute.flatMap { stored(start[$0.name], $0.name) }
        guard let partition, layout.sortAttribute == nil || sort != nil else {
            throw .refused(.validation("The provided starting key is invalid"))
        }
        var row = ends.row(of: start, in: number)
        if row == nil, let values = keyValues(of: start) {
            try rows.record(lookup, values) { found throws(ItemFailure) in row = RecordItem.number(of: found) }
        }
        // Of a record that nobody knows any more the key is left: what has the same one comes again, and nothing is left out.
        let unknown = plan.isForward ? Int64.min : Int64.max
        let isOfPartition = if case .partition = plan.stretch { true } else { false }
        return RecordWalk.Place(partition: isOfPartition ? nil : partition, sort: sort, row: row ?? unknown)
    }

    /// A value as the column of a field has it, or of several fields together; nil: it has no such value.
    private func stored(_ value: ItemValue?, _ name: String) -> StoredValue? {
        switch (table.column(of: name)?.kind ?? .text, value) {
        case (.text, .string(let text)?): .text(text)
        case (.integer, .number(let number)?): number.integer.map { .integer($0) }
        case (.real, .number(let number)?): number.real.map { .real($0) }
        default: nil
        }
    }

    /// How many records there are; what they weigh is not known.
    func count(in reader: Reader) throws(StoreError) -> Int { try reader.count(of: table, where: .always) }

    /// The records whose time was up within a span of seconds since 1970, the first of them.
    func expired(
        in seconds: ClosedRange<Int64>, max: Int, _ reader: Reader
    ) throws(ItemFailure) -> [(place: ItemPlace, item: Item)] {
        guard let field = shape.expiry, let primary = keys.first else { return [] }
        var found: [(place: ItemPlace, item: Item)] = []
        let walk = RecordWalk(table, by: primary, within: RecordWalk.Span(field: field, range: seconds))
        try reader.records(of: walk) { row throws(ItemFailure) in
            let item = try form.item(row)
            if let place = shape.key.placeIfAny(of: item) { found.append((place, item)) }
            return found.count < max
        }
        return found
    }

    // MARK: Changing

    package func check(in session: WriteSession) throws(ItemFailure) {}

    package func replace(
        _ old: Item?, by new: Item?, at place: ItemPlace, in session: WriteSession, now: Int64, byExpiry: Bool
    ) throws(ItemFailure) {
        guard old != nil || new != nil, old != new else { return }
        let change: RecordChange
        switch (old, new) {
        case (let old?, nil):
            if let versions {
                let key = try key(of: old)
                let isMade = try storing { () throws(StoreError) in
                    try session.remove(key: key, in: versions.log, at: versions.clock)
                }
                guard isMade else { throw .outdated }
                return
            }
            change = .delete(from: table, key: try key(of: old), returning: [])
        case (nil, let new?):
            _ = try key(of: new)
            let assignments = try refusing { () throws(ItemError) in try form.assignments(new) }
            change = .create(
                in: table, assignments.map { RecordChange.Assignment($0.field, $0.value) }, returning: [])
        case (let old?, let new?):
            let said = try refusing { () throws(ItemError) in try form.assignments(new) }
            var assignments = said.filter { old[$0.field] != new[$0.field] }
                .map { RecordChange.Assignment($0.field, $0.value) }
            for column in table.columns where new[column.field] == nil && old[column.field] != nil {
                assignments.append(RecordChange.Assignment(column.field, .null))
            }
            guard !assignments.isEmpty else { return }
            var update = RecordChange.update(in: table, key: try key(of: old), assignments, returning: [])
            // An attribute that is null is there; a record of the API tells it from one that is not, too.
            update.explicitNulls = said.filter(\.value.isNull).map(\.field)
            change = update
        case (nil, nil): return
        }
        try make(change, of: old, new, in: session)
    }

    private func make(
        _ change: RecordChange, of old: Item?, _ new: Item?, in session: WriteSession
    ) throws(ItemFailure) {
        guard let versions else {
            let isMade = try session.apply(change) { (_: borrowing Row) throws(ItemFailure) in }
            guard isMade else { throw .outdated }
            return
        }
        // Clients that sync take a record with a higher version only, and ask for what has changed since: a write that says
        // nothing of either raises both.
        var versioned = VersionedChange(change, in: versions.log, of: old.flatMap(Self.version) ?? 0)
        versioned.told = VersionedChange.Told(version: new.flatMap(Self.version), isDeleted: Self.isDeleted(new))
        let outcome = try session.apply(versioned, at: versions.clock) { (_: borrowing Row) throws(ItemFailure) in }
        guard outcome == .made else { throw .outdated }
    }

    private static func version(_ item: Item) -> Int64? {
        guard case .number(let number)? = item[SyncField.version.rawValue] else { return nil }
        return number.integer
    }

    /// Whether an item says that it is deleted. One that says nothing is not.
    private static func isDeleted(_ item: Item?) -> Bool {
        if case .bool(true)? = item?[SyncField.deleted.rawValue] { true } else { false }
    }

    package var changesWhatIsWritten: Bool { versions != nil }

    /// The values of the fields of the primary key.
    private func key(of item: Item) throws(ItemFailure) -> [StoredValue] {
        guard let primary = keys.first else { throw .outdated }
        var values: [StoredValue] = []
        for field in [primary.partition] + primary.sort {
            guard let value = stored(item[field], field) else {
                throw .refused(.validation("One of the required keys was not given a value"))
            }
            values.append(value)
        }
        return values
    }
}
