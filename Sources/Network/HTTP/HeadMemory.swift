import Glibc

/// The heads of requests that a loop has read last, by their bytes: clients send the same ones again and again.
///
/// Equal bytes are the same head: reading one depends on its bytes and on limits that never change. An application may leave its
/// findings beside a head that is kept; it answers for the time that these are true.
///
/// A head may lie in two places, so two that come by turns do not push each other out. One that comes once gets the second place, and
/// is kept when it comes again.
final class HeadMemory {
    private struct Entry {
        var hash: UInt64 = 0
        /// As they came: a head has its names in lower case.
        var bytes: [UInt8] = []
        var head: HTTPRequestHead?
    }

    private var entries = [Entry](repeating: Entry(), count: HTTPLimits.rememberedHeads)
    /// Nobody outside can choose heads that take each other's places.
    private let seed = UInt64.random(in: .min ... .max)

    /// How many heads are kept.
    var count: Int { entries.count { $0.head != nil } }

    /// The head with these bytes. Throws what is wrong with it.
    ///
    /// Hot path: two of three requests of a client have the same head.
    func head(
        parsing bytes: UnsafeRawBufferPointer, limits: HTTPLimits
    ) throws(HTTPParseError) -> HTTPRequestHead {
        guard bytes.count <= HTTPLimits.rememberedHeadBytes else {
            return try HTTPRequestHead(parsing: bytes, limits: limits)
        }
        let hash = hash(of: bytes)
        let first = 2 * Int(truncatingIfNeeded: hash % UInt64(HTTPLimits.rememberedHeads / 2))
        let second = first + 1
        let place = entries[first].hash == hash ? first : second
        if let head = entries[place].head, entries[place].hash == hash, Self.areEqual(entries[place].bytes, bytes) {
            return head
        }
        let head = try HTTPRequestHead(parsing: bytes, limits: limits)
        if entries[place].hash == hash {
            head.isKept = true
            if place == second { entries.swapAt(first, second) }
            entries[first] = Entry(hash: hash, bytes: [UInt8](bytes), head: head)
        } else {
            if entries[first].head == nil { entries[first] = entries[second] }
            entries[second] = Entry(hash: hash)
        }
        return head
    }

    private static func areEqual(_ known: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        known.count == bytes.count
            && known.withUnsafeBytes { known in
                guard let one = known.baseAddress, let other = bytes.baseAddress else { return false }
                return memcmp(one, other, bytes.count) == 0
            }
    }

    /// Eight bytes at a time. Heads that have the same hash are compared, so a weak one costs time alone.
    private func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        var place = 0
        while place + 8 <= bytes.count {
            hash = Self.folded(hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        while place < bytes.count {
            hash = Self.folded(hash ^ UInt64(bytes[place]))
            place += 1
        }
        return hash
    }

    private static func folded(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
