import Crypto

/// A checksum of the rows of a table: the SHA-256 of each row, added up, so the order in which an engine walks them does not matter.
struct RowSum: Sendable, Equatable {
    private(set) var rowCount: Int64 = 0
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// Kept for the next row.
    private var bytes: [UInt8] = []

    static func == (left: RowSum, right: RowSum) -> Bool {
        left.rowCount == right.rowCount && left.words == right.words
    }

    /// Adds a row: its values in the order of the columns.
    ///
    /// Hot path: all rows of both databases come here.
    mutating func add(_ values: [StoredValue]) {
        rowCount += 1
        bytes.removeAll(keepingCapacity: true)
        for value in values {
            switch value {
            case .null: bytes.append(UInt8(ascii: "n"))
            case .integer(let integer): number(UInt8(ascii: "i"), UInt64(bitPattern: integer))
            // SQLite knows one zero.
            case .real(let real): number(UInt8(ascii: "r"), real == 0 ? 0 : real.bitPattern)
            case .text(let text): add(UInt8(ascii: "t"), text.utf8.count, text.utf8)
            case .utf8(let text): add(UInt8(ascii: "t"), text.count, text)
            case .blob(let blob): add(UInt8(ascii: "b"), blob.count, blob)
            }
        }
        var digest = RunningSHA256()
        digest.add(bytes)
        digest.end { digest in
            func word(_ place: Int) -> UInt64 { digest.loadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian }
            words.0 &+= word(0)
            words.1 &+= word(8)
            words.2 &+= word(16)
            words.3 &+= word(24)
        }
    }

    private mutating func add(_ kind: UInt8, _ count: Int, _ content: some Sequence<UInt8>) {
        number(kind, UInt64(count))
        bytes += content
    }

    private mutating func number(_ kind: UInt8, _ value: UInt64) {
        bytes.append(kind)
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    /// Adds what another table has.
    mutating func add(_ other: RowSum, named name: String) {
        add([.text(name), .integer(other.rowCount), .blob(other.digest)])
    }

    private var digest: [UInt8] {
        var bytes: [UInt8] = []
        for word in [words.0, words.1, words.2, words.3] { withUnsafeBytes(of: word.bigEndian) { bytes += $0 } }
        return bytes
    }

    /// For people who compare two.
    var text: String { Hexadecimal.text(of: digest) }
}
