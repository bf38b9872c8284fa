import Crypto

/// A natural number in the forms that both sides of SRP send and hash.
package struct SRPNumber: Sendable, Equatable {
    /// The fewest bytes that it has, the greatest first: none for zero.
    package let bytes: [UInt8]

    package init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes.drop { $0 == 0 })
    }

    /// The number of hexadecimal digits: at least one, at most so many, and nothing else.
    package init?(hexadecimal text: String, digitsMax: Int) {
        guard (1...digitsMax).contains(text.utf8.count), let bytes = Hexadecimal.bytes(of: text.utf8) else {
            return nil
        }
        self.init(bytes)
    }

    /// Its digits, without zeros in front: there may be an odd count of them.
    package var hexadecimal: String {
        let digits = Hexadecimal.text(of: bytes).utf8.drop { $0 == UInt8(ascii: "0") }
        return digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)
    }

    /// The form that is hashed: the shortest in two's complement, so with a zero in front where the first bit is set.
    var padded: [UInt8] {
        guard let first = bytes.first else { return [0] }
        return first < 0x80 ? bytes : [0] + bytes
    }
}
