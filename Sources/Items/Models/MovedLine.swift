import Glibc
import JSON
import Store

/// Reads lines of DynamoDB's JSON into rows of a model's table, without trees of values between.
///
///     {"Item":{"id":{"S":"1"},"rank":{"N":"7"}}} ─▶ the row of the record
///
/// Hot path: works on bytes. It knows the form in which exports are written. A line of another form, with an attribute that has no field,
/// or with a mistake gives nil: `RecordItem.moved` reads it then, and says what is wrong.
package struct MovedLine: Sendable {
    private let form: RecordItem
    private let names: NameBytes
    private let kinds: [ColumnKind]
    /// The columns in the order of their fields' bytes, as explicit nulls are noted.
    private let ordered: [Int]
    /// Attributes that follow from others and are passed over: those behind the columns.
    private let typeNames: [[UInt8]]

    /// A word has a bit for each column.
    private static let columnsMax = 62

    /// Nil for a model whose records are never read so.
    package init?(_ form: RecordItem) {
        let fields = form.table.columns.map(\.field)
        guard fields.count <= Self.columnsMax, !fields.contains(RecordItem.typeAttribute), !fields.contains("ds_pk")
        else {
            return nil
        }
        self.form = form
        names = NameBytes(fields + [RecordItem.typeAttribute] + form.passedOver)
        kinds = form.table.columns.map(\.kind)
        ordered = fields.indices.sorted { fields[$0].compareBytes(to: fields[$1]) < 0 }
        typeNames = [form.typeName, form.table.model].map { Array($0.utf8) }
    }

    /// The row of a line; nil for a line that has to be read another way.
    ///
    /// - Parameter now: the time of the change of records that are older than their versions.
    package func row(of line: UnsafeRawBufferPointer, nowMilliseconds now: Int64) -> MovedItem? {
        // An item is never longer than its text.
        guard line.count <= ItemLimits.itemBytesMax else { return nil }
        var scan = LineScan(line)
        guard scan.take(#"{"Item":{"#) else { return nil }
        var values = [StoredValue](repeating: .null, count: kinds.count + 1)
        var (seen, nulls): (UInt64, UInt64) = (0, 0)
        var expected = 0
        while true {
            guard scan.take("\""), let name = scan.plainText(), scan.take(":"),
                let place = names.place(of: name, at: expected)
            else { return nil }
            expected = place + 1
            if place < kinds.count {
                let bit: UInt64 = 1 << UInt64(place)
                guard seen & bit == 0 else { return nil }
                seen |= bit
                if scan.take(#"{"NULL":true}"#) {
                    nulls |= bit
                } else {
                    guard let value = value(&scan, kinds[place], place) else { return nil }
                    values[place + 1] = value
                }
            } else if place == kinds.count {
                guard scan.take(#"{"S":""#), let type = scan.plainText(), scan.take("}"),
                    typeNames.contains(where: { $0.elementsEqual(type) })
                else { return nil }
            } else {
                guard scan.passesPlain() else { return nil }
            }
            if scan.take(",") { continue }
            guard scan.take("}}"), scan.isAtEnd else { return nil }
            break
        }
        if nulls != 0 {
            var text = ","
            for place in ordered where nulls & (1 << UInt64(place)) != 0 {
                text += "\(form.table.columns[place].field),"
            }
            values[0] = .text(text)
        }
        return form.completed(values, nowMilliseconds: now)
    }

    private func value(_ scan: inout LineScan, _ kind: ColumnKind, _ place: Int) -> StoredValue? {
        let start = scan.index
        switch kind {
        case .text:
            if scan.take(#"{"S":""#), let bytes = scan.plainText(), scan.take("}") {
                return String(validating: bytes, as: UTF8.self).map { .text($0) }
            }
        case .integer:
            if scan.take(#"{"N":""#), let number = scan.number(), number.scale == 0, scan.take("\"}") {
                return .integer(number.mantissa)
            }
        case .real:
            if scan.take(#"{"N":""#), let number = scan.number(), let real = number.real, scan.take("\"}") {
                return .real(real)
            }
        case .boolean:
            if scan.take(#"{"BOOL":true}"#) { return .boolean(true) }
            if scan.take(#"{"BOOL":false}"#) { return .boolean(false) }
        case .list, .object, .json: break
        }
        scan.index = start
        // By the readers of items: escapes, lists, maps, sets and all other numbers.
        guard let text = scan.object(), let json = try? JSONReader.value(of: text),
            let value = try? ItemReader.value(of: json, isStrict: true), value != .null
        else { return nil }
        return try? RecordItem.stored(value, form.table.columns[place], of: form.typeName)
    }
}

/// Names as bytes in one piece.
private struct NameBytes: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ names: [String]) {
        for name in names {
            bytes += Array(name.utf8)
            ends.append(bytes.count)
        }
    }

    /// The place of a name. The items of a table have their attributes in one order mostly, so the next place is tried first.
    func place(of name: UnsafeRawBufferPointer, at expected: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var place = expected
            for _ in ends.indices {
                if place >= ends.count { place = 0 }
                let start = place == 0 ? 0 : ends[place - 1]
                if ends[place] - start == name.count, bytes[start..<ends[place]].elementsEqual(name) { return place }
                place += 1
            }
            return nil
        }
    }
}

/// A place in a line that moves forward over what is expected there. Every access stands behind a comparison with the count.
private struct LineScan {
    private let bytes: UnsafeRawBufferPointer
    var index = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Moves over a text, if it is there.
    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count, let base = bytes.baseAddress,
            memcmp(base + index, text.utf8Start, count) == 0
        else { return false }
        index += count
        return true
    }

    /// True if only white space follows.
    var isAtEnd: Bool { bytes[index...].allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }

    /// The characters of a string behind its first mark, and moves over the last one; nil for a string with escapes.
    mutating func plainText() -> UnsafeRawBufferPointer? {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return UnsafeRawBufferPointer(rebasing: bytes[start..<(index - 1)]) }
            guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
        }
        return nil
    }

    /// A decimal number in the usual form, without an exponent.
    struct Number {
        let mantissa: Int64
        /// Digits behind the point.
        let scale: Int

        private static let exactMax: Int64 = 1 << 53
        private static let powers: [Double] = [
            1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
        ]

        /// The nearest number; nil where one division does not give it.
        var real: Double? {
            guard abs(mantissa) <= Self.exactMax, Self.powers.indices.contains(scale) else { return nil }
            return Double(mantissa) / Self.powers[scale]
        }
    }

    mutating func number() -> Number? {
        let isNegative = take("-")
        var (mantissa, digits, scale): (Int64, Int, Int) = (0, 0, 0)
        var hasPoint = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), !hasPoint, digits > 0 {
                hasPoint = true
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                // A zero in front of other digits is read another way.
                guard digits < 18, digits != 1 || mantissa != 0 || hasPoint else { return nil }
                mantissa = mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
                digits += 1
                if hasPoint { scale += 1 }
            } else {
                break
            }
            index += 1
        }
        guard digits > 0, !hasPoint || scale > 0, !isNegative || mantissa != 0 else { return nil }
        return Number(mantissa: isNegative ? -mantissa : mantissa, scale: scale)
    }

    /// Moves over a text or number that is passed over; false where it is anything else.
    mutating func passesPlain() -> Bool {
        if take(#"{"S":""#) {
            guard let text = plainText(), String(validating: text, as: UTF8.self) != nil else { return false }
            return take("}")
        }
        return take(#"{"N":""#) && number() != nil && take("\"}")
    }

    /// The bytes of an object, whose content is not looked at; nil where none begins or ends.
    mutating func object() -> UnsafeRawBufferPointer? {
        let start = index
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return nil }
        var (depth, isInText) = (0, false)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isInText {
                if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isInText = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return UnsafeRawBufferPointer(rebasing: bytes[start..<index]) }
            default: break
            }
        }
        return nil
    }
}
