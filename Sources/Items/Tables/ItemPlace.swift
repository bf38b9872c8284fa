import Crypto

/// Where an item lies among those of its table or of an index: the bytes of its key, in the order of its values.
package struct ItemPlace: Sendable, Hashable {
    package let partition: [UInt8]
    /// Empty without a sort key.
    package let sort: [UInt8]
    /// Where the partition lies: partitions are spread over 2 to the 32 places, and a segment of a scan is a stretch of them.
    package var spread: Int64 { Self.digest(partition).prefix(4).reduce(0) { $0 << 8 | Int64($1) } }

    package static let spreadMax: Int64 = 1 << 32

    package init(partition: [UInt8], sort: [UInt8]) {
        self.partition = partition
        self.sort = sort
    }

    /// What orders items that have the same key in an index: spread as well, and then by the key of the table, so that no two are
    /// the same.
    var tie: [UInt8] {
        let count = UInt16(clamping: partition.count)
        return Self.digest(partition + sort) + [UInt8(count >> 8), UInt8(count & 0xFF)] + partition + sort
    }

    /// Dynalite's authors have found that the service spreads by this digest, and DynamoDB Local's answers are in its order.
    private static func digest(_ bytes: [UInt8]) -> [UInt8] { SpreadingDigest.of(salt + bytes) }

    private static let salt = Array("Outliers".utf8)
}

extension [UInt8] {
    /// The first bytes behind these, in the order of bytes.
    var following: [UInt8] { self + [0] }

    /// The first bytes behind all that begin with these; nil: there are none.
    var behindPrefix: [UInt8]? {
        var bytes = self
        while let last = bytes.popLast() {
            if last < 0xFF { return bytes + [last + 1] }
        }
        return nil
    }
}
