/// A stretch of a table or of an index, in its order: what a query or a scan goes through.
package struct PagePlan: Sendable {
    /// Nil for the table itself.
    package var index: IndexShape?
    package var stretch: Stretch
    /// The key behind which it goes on: that of the table, and that of the index where one is read.
    package var start: Item?
    package var isForward = true

    package enum Stretch: Sendable {
        /// The items of one partition, within bounds of their sort key.
        case partition(KeyRange)
        /// Places of partitions, from one up to another.
        case places(Range<Int64>)
    }

    package init(_ stretch: Stretch, of index: IndexShape? = nil) {
        self.stretch = stretch
        self.index = index
    }
}

/// What a query goes through: one partition, and what it asks of the sort key, as values and as bytes.
package struct KeyRange: Sendable {
    /// The first one of a partition key of several attributes.
    package let partition: ItemValue
    /// What it asks of the sort key, or of the last of its attributes that are asked for. Nil: nothing.
    package let sort: KeyCondition.Test?
    package let bounds: SortBounds
    /// The place of the partition.
    let place: ItemPlace

    /// - Parameter partitions: the values of the partition key, one or several.
    init(_ partitions: [ItemValue], _ sort: KeyCondition.Test?, _ bounds: SortBounds) {
        partition = partitions.first ?? .null
        self.sort = sort
        self.bounds = bounds
        let bytes =
            partitions.count == 1
            ? partition.keyBytes ?? [] : partitions.flatMap { JoinedKey.bytes(of: $0.keyBytes ?? []) }
        place = ItemPlace(partition: bytes, sort: [])
    }
}

/// Bounds of a sort key, as its bytes: from the lower one on, and up to the upper one, which is not within them.
package struct SortBounds: Sendable, Equatable {
    package var lower: [UInt8]
    /// Nil: there is none.
    package var upper: [UInt8]?

    package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }

    package static let all = SortBounds()
    package static func exactly(_ bytes: [UInt8]) -> SortBounds { SortBounds(lower: bytes, upper: bytes.following) }
    package static func below(_ bytes: [UInt8]) -> SortBounds { SortBounds(upper: bytes) }
    package static func upTo(_ bytes: [UInt8]) -> SortBounds { SortBounds(upper: bytes.following) }
    package static func above(_ bytes: [UInt8]) -> SortBounds { SortBounds(lower: bytes.following) }
    package static func from(_ bytes: [UInt8]) -> SortBounds { SortBounds(lower: bytes) }
    package static func between(_ first: [UInt8], _ last: [UInt8]) -> SortBounds {
        SortBounds(lower: first, upper: last.following)
    }
    package static func beginning(with prefix: [UInt8]) -> SortBounds {
        SortBounds(lower: prefix, upper: prefix.behindPrefix)
    }

    func contains(_ bytes: [UInt8]) -> Bool {
        bytes.compareBytes(to: lower) >= 0 && upper.map { bytes.compareBytes(to: $0) < 0 } ?? true
    }
}
