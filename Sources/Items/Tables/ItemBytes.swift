/// Items as they lie in the database.
///
///     01 │ count │ (length, name, value)…      counts and lengths with seven bits in each byte, the lowest first
///
/// A value is a mark and what its type needs. Numbers are in the form of keys; where they are to be given back as they were
/// written, that text.
enum ItemBytes {
    private static let version: UInt8 = 1

    enum Mark: UInt8 {
        case string = 1
        case number, written, binary, yes, no, null, list, map, strings, numbers, binaries
    }

    // MARK: Writing

    static func of(_ item: Item) -> [UInt8] {
        var bytes: [UInt8] = [version]
        append(item, to: &bytes)
        return bytes
    }

    private static func append(_ item: Item, to bytes: inout [UInt8]) {
        append(item.count, to: &bytes)
        for attribute in item {
            append(attribute.name, to: &bytes)
            append(attribute.value, to: &bytes)
        }
    }

    private static func append(_ value: ItemValue, to bytes: inout [UInt8]) {
        switch value {
        case .string(let text):
            append(.string, to: &bytes)
            append(text, to: &bytes)
        case .number(let number): append(number, to: &bytes)
        case .binary(let content):
            append(.binary, to: &bytes)
            append(content, to: &bytes)
        case .bool(let bool): append(bool ? .yes : .no, to: &bytes)
        case .null: append(Mark.null, to: &bytes)
        case .list(let elements):
            append(.list, to: &bytes)
            append(elements.count, to: &bytes)
            for element in elements { append(element, to: &bytes) }
        case .map(let item):
            append(.map, to: &bytes)
            append(item, to: &bytes)
        case .strings(let texts):
            append(.strings, to: &bytes)
            append(texts.count, to: &bytes)
            for text in texts { append(text, to: &bytes) }
        case .numbers(let numbers):
            append(.numbers, to: &bytes)
            append(numbers.count, to: &bytes)
            for number in numbers { append(number, to: &bytes) }
        case .binaries(let contents):
            append(.binaries, to: &bytes)
            append(contents.count, to: &bytes)
            for content in contents { append(content, to: &bytes) }
        }
    }

    private static func append(_ number: ItemNumber, to bytes: inout [UInt8]) {
        if let written = number.written {
            append(.written, to: &bytes)
            append(written, to: &bytes)
        } else {
            append(.number, to: &bytes)
            append(number.orderedBytes, to: &bytes)
        }
    }

    private static func append(_ mark: Mark, to bytes: inout [UInt8]) { bytes.append(mark.rawValue) }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(text.utf8.count, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append(_ content: [UInt8], to bytes: inout [UInt8]) {
        append(content.count, to: &bytes)
        bytes.append(contentsOf: content)
    }

    private static func append(_ count: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    // MARK: Answering

    /// Appends the item of these bytes as answers hold it, and says what it weighs; nil: they are none.
    ///
    /// Hot path: texts go from the database into the answer without a value in between.
    static func write(_ bytes: UnsafeRawBufferPointer, to buffer: inout [UInt8]) -> Int? {
        var reading = Reading(bytes: bytes)
        guard reading.byte() == version, let (_, weight) = reading.write(to: &buffer, depth: 0), reading.isAtEnd else {
            return nil
        }
        return weight
    }

    // MARK: Reading

    /// The item of these bytes; nil: they are none.
    static func item(_ bytes: [UInt8]) -> Item? {
        (try? item(bytes, within: .unbounded)) ?? nil
    }

    /// The same for who may not take long.
    static func item(_ bytes: [UInt8], within budget: CallBudget) throws(ItemFailure) -> Item? {
        try budget.spend(CallBudget.steps(comparing: bytes.count))
        var values = 0
        var isCutShort = false
        let item: Item? = bytes.withUnsafeBytes { bytes in
            // Of many values none is made where it is clear that there are too many.
            var reading = Reading(bytes: bytes, valuesMax: budget.endsWithoutMore ? budget.valuesMax : .max)
            let isKnown = reading.byte() == version
            let item = isKnown ? reading.item(depth: 0) : nil
            (values, isCutShort) = (reading.values, reading.values > reading.valuesMax)
            return reading.isAtEnd ? item : nil
        }
        try budget.spend(isCutShort ? .max : values * CallBudget.valueSteps)
        return item
    }

    struct Reading {
        let bytes: UnsafeRawBufferPointer
        var index = 0
        /// How many values were read, and after how many the bytes count as none.
        private(set) var values = 0
        let valuesMax: Int

        init(bytes: UnsafeRawBufferPointer, valuesMax: Int = .max) {
            self.bytes = bytes
            self.valuesMax = valuesMax
        }

        var isAtEnd: Bool { index == bytes.count }

        @inline(__always)
        mutating func byte() -> UInt8? {
            guard index < bytes.count else { return nil }
            defer { index += 1 }
            return bytes[index]
        }

        mutating func count() -> Int? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while shift < 35 {
                guard let byte = byte() else { return nil }
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return Int(value) }
                shift += 7
            }
            return nil
        }

        mutating func content() -> UnsafeRawBufferPointer? {
            guard let count = count(), count <= bytes.count - index else { return nil }
            defer { index += count }
            return UnsafeRawBufferPointer(rebasing: bytes[index..<index + count])
        }

        mutating func text() -> String? { content().map { String(decoding: $0, as: UTF8.self) } }

        mutating func item(depth: Int) -> Item? {
            guard let count = count(), count <= bytes.count - index else { return nil }
            var attributes: [Item.Attribute] = []
            attributes.reserveCapacity(count)
            for _ in 0..<count {
                guard let name = text(), let value = value(depth: depth) else { return nil }
                attributes.append(Item.Attribute(name: name, value: value))
            }
            return Item(unordered: attributes)
        }

        mutating func value(depth: Int) -> ItemValue? {
            values += 1
            guard values <= valuesMax else { return nil }
            guard depth <= ItemLimits.readNestingMax, let mark = byte().flatMap(Mark.init) else { return nil }
            switch mark {
            case .string: return text().map { .string($0) }
            case .number, .written: return number(mark).map { .number($0) }
            case .binary: return content().map { .binary(Array($0)) }
            case .yes: return .bool(true)
            case .no: return .bool(false)
            case .null: return .null
            case .list: return many { $0.value(depth: depth + 1) }.map { .list($0) }
            case .map: return item(depth: depth + 1).map { .map($0) }
            case .strings: return many { $0.text() }.map { .strings($0) }
            case .numbers:
                return many { reading in reading.byte().flatMap(Mark.init).flatMap { reading.number($0) } }
                    .map { .numbers($0) }
            case .binaries: return many { $0.content().map { Array($0) } }.map { .binaries($0) }
            }
        }

        mutating func number(_ mark: Mark) -> ItemNumber? {
            switch mark {
            case .number: content().flatMap { ItemNumber(orderedBytes: $0) }
            case .written: text().flatMap { try? ItemNumber($0) }
            default: nil
            }
        }

        private mutating func many<Element>(_ element: (inout Reading) -> Element?) -> [Element]? {
            guard let count = count(), count <= bytes.count - index else { return nil }
            var elements: [Element] = []
            elements.reserveCapacity(count)
            // Elements of sets are no values of their own.
            values += count
            guard values <= valuesMax else { return nil }
            for _ in 0..<count {
                guard let one = element(&self) else { return nil }
                elements.append(one)
            }
            return elements
        }
    }
}
