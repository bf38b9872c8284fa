import Crypto
import JSON
import Store

/// The table of a model: its items are the records that GraphQL serves, on the same rows.
///
/// What is written here is written as by a mutation, and functions that are told of the table are told of it; subscribers are not, as
/// with AppSync.
package struct ModelTable: ItemTable {
    package let shape: TableShape
    private let table: TableLayout
    private let form: RecordItem
    /// The keys by the numbers of the indexes; the primary key is the first.
    private let keys: [KeyLayout]

    /// Nil for a table without a key that items can have.
    package init?(_ table: TableLayout, of typeName: String, named name: String) {
        guard let primary = table.primaryKey, let key = Self.schema(of: primary, in: table) else { return nil }
        self.table = table
        form = RecordItem(table: table, typeName: typeName)
        var shape = TableShape(name, key)
        keys = table.keys
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
        self.shape = shape
    }

    /// When all tables of models began, as the names of their streams say.
    private static let created: Int64 = 1_420_070_400_000

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

    package func item(
        at place: ItemPlace, named key: Item, in rows: some RoomReading
    ) throws(ItemFailure) -> Item? {
        guard let primary = keys.first, let partition = Self.stored(key[primary.partition]) else { return nil }
        let sort = primary.sortAttribute.flatMap { Self.stored(key[$0.name]) }
        guard primary.sortAttribute == nil || sort != nil else { return nil }
        var found: Item?
        try rows.records(of: RecordWalk(table, by: primary, partition: partition, sort: sort)) {
            row throws(ItemFailure) in
            found = try form.item(row)
            return false
        }
        return found
    }

    package func items(
        of plan: PagePlan, in rows: some RoomReading, _ each: (Item) throws(ItemFailure) -> Bool
    ) throws(ItemFailure) {
        let number = plan.index.map { Int($0.number) } ?? 0
        guard keys.indices.contains(number) else { return }
        let layout = keys[number]
        let key = plan.index?.key ?? shape.key
        switch plan.stretch {
        case .partition(let bytes, let bounds):
            guard let partition = Self.stored(bytes, key.partition.kind) else { return }
            let walk = RecordWalk(
                table, by: layout, partition: partition, isDescending: !plan.isForward,
                after: try plan.start.map { start throws(ItemFailure) in
                    try position(of: start, in: layout, hasPartition: true, rows)
                })
            try rows.records(of: walk) { row throws(ItemFailure) in
                let item = try form.item(row)
                let sort = key.placeIfAny(of: item)?.sort ?? []
                guard bounds.contains(sort) else {
                    // Before the stretch it goes on, behind it there is nothing more.
                    let isBehind = sort.compareBytes(to: bounds.lower) >= 0
                    return plan.isForward ? !isBehind : isBehind
                }
                return try each(item)
            }
        case .places(let places):
            let walk = RecordWalk(
                table, by: layout,
                after: try plan.start.map { start throws(ItemFailure) in
                    try position(of: start, in: layout, hasPartition: false, rows)
                })
            try rows.records(of: walk) { row throws(ItemFailure) in
                let item = try form.item(row)
                guard let place = key.placeIfAny(of: item), places.contains(place.spread) else { return true }
                return try each(item)
            }
        }
    }

    /// Where a record stands in the order of a walk, also one that is gone.
    private func position(
        of start: Item, in layout: KeyLayout, hasPartition: Bool, _ rows: some RoomReading
    ) throws(ItemFailure) -> [StoredValue] {
        var values: [StoredValue?] = hasPartition ? [] : [Self.stored(start[layout.partition])]
        if let sort = layout.sortAttribute { values.append(Self.stored(start[sort.name])) }
        values += try primaryKey(of: start, rows)
        let known = values.compactMap(\.self)
        guard known.count == values.count else {
            throw .refused(.validation("The provided starting key is invalid"))
        }
        return known
    }

    /// The values of the fields of the primary key, of a request that names several of them together only.
    private func primaryKey(of key: Item, _ rows: some RoomReading) throws(ItemFailure) -> [StoredValue?] {
        guard let primary = keys.first else { return [nil] }
        let partition = Self.stored(key[primary.partition])
        switch primary.sortAttribute {
        case nil: return [partition]
        case .field(let field)?: return [partition, Self.stored(key[field])]
        case .composite(let fields)?:
            guard case .string(let text)? = key[primary.sortAttribute?.name ?? ""] else { return [nil] }
            let parts = text.parts(separatedBy: CompositeKey.separator)
            if parts.count == fields.count { return [partition] + zip(fields, parts).map { stored($1, $0) } }
            // The separator is in a value too: the record itself says which is which.
            let place = ItemPlace(partition: [], sort: [])
            guard let record = try item(at: place, named: key, in: rows) else { return [nil] }
            return [partition] + fields.map { Self.stored(record[$0]) }
        }
    }

    /// A part of a key of several fields, as its column has it.
    private func stored(_ part: String, _ field: String) -> StoredValue? {
        switch table.column(of: field)?.kind {
        case .text?: .text(part)
        case .integer?: Int64(part).map { .integer($0) }
        case .real?: Double(part).map { .real($0) }
        case .boolean?: .boolean(part == "true")
        default: nil
        }
    }

    private static func stored(_ value: ItemValue?) -> StoredValue? {
        switch value {
        case .string(let text)?: .text(text)
        case .number(let number)?:
            Int64(number.description).map { .integer($0) } ?? Double(number.description).map { .real($0) }
        default: nil
        }
    }

    private static func stored(_ bytes: [UInt8], _ kind: ItemValue.Kind) -> StoredValue? {
        switch kind {
        case .string: .text(String(decoding: bytes, as: UTF8.self))
        case .number: stored(ItemNumber(orderedBytes: bytes).map { .number($0) })
        default: nil
        }
    }

    /// How many records there are; what they weigh is not known.
    func count(in reader: Reader) throws(StoreError) -> Int { try reader.count(of: table, where: .always) }

    // MARK: Changing

    package func check(in session: WriteSession) throws(ItemFailure) {}

    package func replace(
        _ old: Item?, by new: Item?, at place: ItemPlace, in session: WriteSession, now: Int64, byExpiry: Bool
    ) throws(ItemFailure) {
        guard old != nil || new != nil, old != new else { return }
        guard !table.isSynced else {
            throw .refused(
                .validation(
                    "The records of \(form.typeName) have versions, which mutations keep. Write them by GraphQL"))
        }
        let change: RecordChange
        switch (old, new) {
        case (let old?, nil): change = .delete(from: table, key: try key(of: old), returning: [])
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
            change = .update(in: table, key: try key(of: old), assignments, returning: [])
        case (nil, nil): return
        }
        let isMade = try session.apply(change) { (_: borrowing Row) throws(ItemFailure) in }
        guard isMade else { throw .outdated }
    }

    /// The values of the fields of the primary key.
    private func key(of item: Item) throws(ItemFailure) -> [StoredValue] {
        guard let primary = keys.first else { throw .outdated }
        var values: [StoredValue] = []
        for field in [primary.partition] + primary.sort {
            guard let value = Self.stored(item[field]) else {
                throw .refused(.validation("One of the required keys was not given a value"))
            }
            values.append(value)
        }
        return values
    }
}
