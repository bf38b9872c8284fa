/// The cipher within bcrypt (Schneier, 1993), with bcrypt's way of taking keys. Its time depends on them by the processor's cache:
/// that is how it is made.
struct Blowfish {
    /// 18 words for the rounds, then 4 tables of 256.
    private var words: [UInt32]

    private static let rounds = 16
    private static let roundWords = rounds + 2
    private static let wordCount = roundWords + 4 * 256

    private static let start: [UInt32] = {
        let bytes = CirclePart.bytes(count: wordCount * 4)
        return stride(from: 0, to: bytes.count, by: 4).map { word(at: $0, of: bytes) }
    }()

    init() { words = Self.start }

    /// Takes in a key, and a salt of 16 bytes.
    mutating func expand(key: [UInt8], salt: [UInt8]? = nil) {
        let key = Self.repeated(key, count: Self.roundWords)
        let salt = salt.map { Self.repeated($0, count: 4) } ?? [0, 0, 0, 0]
        words.withUnsafeMutableBufferPointer { words in
            for index in 0..<Self.roundWords { words[index] ^= key[index] }
            var (left, right) = (UInt32(0), UInt32(0))
            for index in stride(from: 0, to: Self.wordCount, by: 2) {
                left ^= salt[index & 2]
                right ^= salt[index & 2 | 1]
                (left, right) = Self.encrypted(left, right, words)
                words[index] = left
                words[index + 1] = right
            }
        }
    }

    /// Whole blocks of 8 bytes, each encrypted so often.
    mutating func encrypted(_ bytes: [UInt8], times: Int) -> [UInt8] {
        words.withUnsafeMutableBufferPointer { words in
            stride(from: 0, to: bytes.count, by: 8).flatMap { start in
                var (left, right) = (Self.word(at: start, of: bytes), Self.word(at: start + 4, of: bytes))
                for _ in 0..<times { (left, right) = Self.encrypted(left, right, words) }
                return withUnsafeBytes(of: (UInt64(left) << 32 | UInt64(right)).bigEndian) { Array($0) }
            }
        }
    }

    /// Hot path: half a million times for a usual password.
    @inline(__always)
    private static func encrypted(
        _ left: UInt32, _ right: UInt32, _ words: UnsafeMutableBufferPointer<UInt32>
    ) -> (UInt32, UInt32) {
        var (left, right) = (left, right)
        func mixed(_ word: UInt32) -> UInt32 {
            let (a, b) = (Int(word >> 24), Int(word >> 16 & 255))
            let (c, d) = (Int(word >> 8 & 255), Int(word & 255))
            let sum = words[roundWords &+ a] &+ words[roundWords &+ 256 &+ b]
            return (sum ^ words[roundWords &+ 512 &+ c]) &+ words[roundWords &+ 768 &+ d]
        }
        var round = 0
        while round < rounds {
            left ^= words[round]
            right ^= mixed(left)
            right ^= words[round &+ 1]
            left ^= mixed(right)
            round &+= 2
        }
        return (right ^ words[rounds &+ 1], left ^ words[rounds])
    }

    private static func word(at start: Int, of bytes: [UInt8]) -> UInt32 {
        bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Words of bytes that begin again where they end.
    private static func repeated(_ bytes: [UInt8], count: Int) -> [UInt32] {
        (0..<count).map { index in
            (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[(index * 4 + $1) % bytes.count]) }
        }
    }
}
