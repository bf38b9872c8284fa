import Crypto
import JSON

/// `util.autoId`, `util.autoUlid`, `util.autoKsuid`.
enum IdentifierFunctions {
    static let all = [
        LibraryFunction("util.autoId") { call in .string(UUIDText.versionFour(of: call.surroundings.randomBytes(16))) },
        LibraryFunction("util.autoUlid") { call in
            .string(ulid(call.surroundings.now(), call.surroundings.randomBytes(10)))
        },
        LibraryFunction("util.autoKsuid") { call in
            .string(ksuid(call.surroundings.now(), call.surroundings.randomBytes(16)))
        },
    ]

    /// Crockford's base 32.
    private static let base32 = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// Where KSUIDs begin to count seconds.
    private static let ksuidEpoch: Int64 = 1_400_000_000

    /// 48 bits of milliseconds and 80 of chance.
    private static func ulid(_ now: Int64, _ random: [UInt8]) -> String {
        let time = (0..<6).map { UInt8(truncatingIfNeeded: now >> (40 - 8 * $0)) }
        return text(of: time + random, base32, digits: 26)
    }

    /// 32 bits of seconds and 128 of chance.
    private static func ksuid(_ now: Int64, _ random: [UInt8]) -> String {
        let seconds = now / 1_000 - ksuidEpoch
        let time = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
        return text(of: time + random, base62, digits: 27)
    }

    /// Bytes as one number in another base.
    private static func text(of bytes: [UInt8], _ alphabet: [UInt8], digits: Int) -> String {
        var rest = bytes
        var text: [UInt8] = []
        for _ in 0..<digits {
            var remainder = 0
            for place in rest.indices {
                let value = remainder << 8 | Int(rest[place])
                rest[place] = UInt8(truncatingIfNeeded: value / alphabet.count)
                remainder = value % alphabet.count
            }
            text.append(alphabet[remainder])
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }
}
