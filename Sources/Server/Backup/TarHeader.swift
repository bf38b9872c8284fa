/// The head of an entry of a tar archive, a block of 512 bytes (POSIX `ustar`, with the extended heads of `pax` for what does not fit).
struct TarHeader {
    static let blockBytes = 512

    enum Kind: UInt8 {
        case file = 0x30
        case folder = 0x35
        /// An extension of the next entry follows.
        case extended = 0x78
        /// An extension of all entries follows.
        case global = 0x67
    }

    var name: String
    var size: Int64
    var kind = Kind.file
    /// Seconds since 1970.
    var modified: Int64 = 0

    /// Where the fields lie in the block, and how long they are.
    private enum Field {
        static let name = 0..<100
        static let mode = 100..<108
        static let owner = 108..<116
        static let group = 116..<124
        static let size = 124..<136
        static let modified = 136..<148
        static let sum = 148..<156
        static let kind = 156
        static let magic = 257..<265
        static let prefix = 345..<500
    }

    /// The most that eleven octal digits say.
    private static let sizeMax: Int64 = 0o77_777_777_777

    // MARK: Writing

    /// The block, behind an extended one where the size does not fit. Names of ours are short ASCII.
    var blocks: [UInt8] {
        guard size > Self.sizeMax else { return block(size: size) }
        let record = Self.record("size", "\(size)")
        var bytes = TarHeader(name: "pax/\(name)", size: Int64(record.count), kind: .extended, modified: modified)
            .block(size: Int64(record.count))
        bytes += record
        bytes += [UInt8](repeating: 0, count: Self.padding(behind: Int64(record.count)))
        return bytes + block(size: 0)
    }

    /// The zeros that fill the last block of a content.
    static func padding(behind size: Int64) -> Int {
        Int((Int64(blockBytes) - size % Int64(blockBytes)) % Int64(blockBytes))
    }

    private func block(size: Int64) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ bytes: some Sequence<UInt8>, _ field: Range<Int>) {
            for (place, byte) in zip(field, bytes) { block[place] = byte }
        }
        func put(octal number: Int64, _ field: Range<Int>) {
            let digits = Array(String(number, radix: 8).utf8)
            let zeros = max(0, field.count - 1 - digits.count)
            put([UInt8](repeating: 0x30, count: zeros) + digits, field)
        }
        put(name.utf8, Field.name)
        put(octal: 0o600, Field.mode)
        put(octal: 0, Field.owner)
        put(octal: 0, Field.group)
        put(octal: size, Field.size)
        put(octal: modified, Field.modified)
        block[Field.kind] = kind.rawValue
        put("ustar\u{0}00".utf8, Field.magic)
        put(octal: Self.sum(of: block), Field.sum.lowerBound..<Field.sum.upperBound - 1)
        block[Field.sum.upperBound - 1] = 0x20
        return block
    }

    /// `LENGTH name=value`, where the length is that of the whole line.
    private static func record(_ name: String, _ value: String) -> [UInt8] {
        let rest = " \(name)=\(value)\n"
        var length = rest.utf8.count
        while "\(length)".utf8.count + rest.utf8.count != length { length = "\(length)".utf8.count + rest.utf8.count }
        return Array("\(length)\(rest)".utf8)
    }

    /// The sum of all bytes, with spaces in the place of itself.
    private static func sum(of block: [UInt8]) -> Int64 {
        var sum: Int64 = 0
        for (place, byte) in block.enumerated() { sum += Field.sum.contains(place) ? 0x20 : Int64(byte) }
        return sum
    }

    // MARK: Reading

    /// Nil for a block that is no head, or of a kind that no archive of ours has: a link, a device.
    init?(_ block: [UInt8]) {
        guard block.count == Self.blockBytes, Self.number(block[Field.sum]) == Self.sum(of: block),
            let size = Self.number(block[Field.size]), size >= 0,
            let kind = block[Field.kind] == 0 ? .file : Kind(rawValue: block[Field.kind])
        else { return nil }
        let prefix =
            block[Field.magic.lowerBound..<Field.magic.lowerBound + 5].elementsEqual("ustar".utf8)
            ? Self.text(block[Field.prefix]) : ""
        let name = Self.text(block[Field.name])
        self.init(
            name: prefix.isEmpty ? name : "\(prefix)/\(name)", size: size, kind: kind,
            modified: Self.number(block[Field.modified]) ?? 0)
    }

    init(name: String, size: Int64, kind: Kind = .file, modified: Int64 = 0) {
        (self.name, self.size, self.kind, self.modified) = (name, size, kind, modified)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Octal digits between spaces and zeros, or GNU's bytes behind a set bit.
    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        guard let first = field.first else { return nil }
        if first == 0x80 {
            for byte in field.dropFirst() {
                let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 256)
                guard !isTooLarge, shifted <= .max - 255 else { return nil }
                number = shifted + Int64(byte)
            }
            return number
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        guard digits.count <= 20, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        for digit in digits { number = number * 8 + Int64(digit - 0x30) }
        return number
    }

    /// The size that an extended head says the next entry has.
    static func size(inRecords bytes: [UInt8]) -> Int64? {
        var rest = bytes[...]
        var size: Int64?
        while let space = rest.firstIndex(of: 0x20) {
            guard let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > space - rest.startIndex,
                length <= rest.count
            else { return nil }
            let record = rest[(space + 1)..<(rest.startIndex + length)]
            if record.starts(with: "size=".utf8) {
                size = Int64(String(decoding: record.dropFirst(5).dropLast(), as: UTF8.self))
            }
            rest = rest.dropFirst(length)
        }
        return size
    }
}
