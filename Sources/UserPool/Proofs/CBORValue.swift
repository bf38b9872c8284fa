/// A value in the binary form of authenticators (CBOR, RFC 8949), as WebAuthn lets them write it: definite lengths, numbers in
/// their shortest form, no tags and no floating-point numbers, each key of a map once.
enum CBORValue: Sendable, Equatable {
    case unsigned(UInt64)
    /// -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([Entry])
    case bool(Bool)
    case null

    struct Entry: Sendable, Equatable {
        let key: CBORValue
        let value: CBORValue
    }

    static let bytesMax = 64 << 10
    static let nestingMax = 6
    /// Values in all.
    static let valuesMax = 1_000

    /// The one value that all of the bytes are.
    init?(_ bytes: [UInt8]) {
        guard let (value, end) = Self.first(of: bytes[...]), end == bytes.endIndex else { return nil }
        self = value
    }

    /// The first value of some bytes, and where it ends.
    static func first(of bytes: ArraySlice<UInt8>) -> (value: CBORValue, end: Int)? {
        guard bytes.count <= bytesMax else { return nil }
        var reader = CBORReader(bytes)
        guard let value = reader.value(nesting: 0) else { return nil }
        return (value, reader.place)
    }

    /// The value of a key that is a text.
    subscript(_ name: String) -> CBORValue? { value(of: .text(name)) }

    /// The value of a key that is a number.
    subscript(_ number: Int) -> CBORValue? {
        value(of: number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number)))
    }

    private func value(of key: CBORValue) -> CBORValue? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// How many entries a map has.
    var count: Int? { if case .map(let entries) = self { entries.count } else { nil } }

    /// A number that fits.
    var number: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .negative(let number): Int(exactly: number).map { -1 - $0 }
        default: nil
        }
    }

    // Two texts are one only where their bytes are.
    static func == (left: CBORValue, right: CBORValue) -> Bool {
        switch (left, right) {
        case (.unsigned(let left), .unsigned(let right)), (.negative(let left), .negative(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.map(let left), .map(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }
}

/// Reads values one after the other. Nothing is taken that the bytes do not hold, whatever length they announce.
private struct CBORReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var place: Int
    private var valuesLeft = CBORValue.valuesMax

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    mutating func value(nesting: Int) -> CBORValue? {
        guard nesting <= CBORValue.nestingMax, valuesLeft > 0, place < bytes.endIndex else { return nil }
        valuesLeft -= 1
        let first = bytes[place]
        place += 1
        let kind = first >> 5
        // Of these only three values are allowed, and they have no argument.
        if kind == 7 { return Self.simple(first & 31) }
        guard let argument = argument(first & 31) else { return nil }
        switch kind {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return taken(argument).map { .bytes(Array($0)) }
        case 3: return taken(argument).flatMap { String(validating: $0, as: UTF8.self) }.map(CBORValue.text)
        case 4: return array(argument, nesting)
        case 5: return map(argument, nesting)
        default: return nil
        }
    }

    private static func simple(_ number: UInt8) -> CBORValue? {
        switch number {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22: .null
        default: nil
        }
    }

    /// The number that stands in the first byte or behind it. One that a shorter form would hold is none.
    private mutating func argument(_ short: UInt8) -> UInt64? {
        guard short >= 24 else { return UInt64(short) }
        guard short <= 27, let digits = taken(1 << UInt64(short - 24)) else { return nil }
        let number = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 =
            switch short {
            case 24: 24
            case 25: 1 << 8
            case 26: 1 << 16
            default: 1 << 32
            }
        return number >= least ? number : nil
    }

    private mutating func taken(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(bytes.endIndex - place) else { return nil }
        let end = place + Int(count)
        defer { place = end }
        return bytes[place..<end]
    }

    private mutating func array(_ count: UInt64, _ nesting: Int) -> CBORValue? {
        guard count <= UInt64(valuesLeft) else { return nil }
        var elements: [CBORValue] = []
        for _ in 0..<count {
            guard let element = value(nesting: nesting + 1) else { return nil }
            elements.append(element)
        }
        return .array(elements)
    }

    private mutating func map(_ count: UInt64, _ nesting: Int) -> CBORValue? {
        guard count <= UInt64(valuesLeft) else { return nil }
        var entries: [CBORValue.Entry] = []
        for _ in 0..<count {
            guard let key = value(nesting: nesting + 1), let value = value(nesting: nesting + 1) else { return nil }
            switch key {
            case .unsigned, .negative, .text: break
            default: return nil
            }
            guard !entries.contains(where: { $0.key == key }) else { return nil }
            entries.append(CBORValue.Entry(key: key, value: value))
        }
        return .map(entries)
    }
}
