import Crypto
import Synchronization

/// The ids that the server makes: UUIDs that look random, and sort by the time at which they were made.
///
///     48 bits of milliseconds since 1970, the version 4, 12 random bits, the variant, 62 random bits
///
/// Random ones scatter new records over all of an index, which triples what a durable create costs.
enum RecordID {
    static func make(milliseconds: Int64) -> String {
        var bytes = pool.withLock { $0.take(16) }
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> Int64(40 - 8 * index)) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                text[place] = digit(byte >> 4)
                text[place + 1] = digit(byte & 0xF)
                place += 2
            }
            return place
        }
    }

    private static let pool = Mutex(RandomPool())

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
