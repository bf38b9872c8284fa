import Postgres

/// The rows of a server's answer, one after the other, with values as `Row` hands them out: as SQLite would.
///
/// A row is copied into memory of its own, so the address of a value holds until the next row.
final class ServerRows {
    /// The kind of a column's values, by its type in the server's catalogue.
    private enum Kind {
        case integer, boolean, real, text, json, bytes
    }

    private struct Value {
        var start = 0
        /// -1 for NULL.
        var count = -1
    }

    private let answer: PostgresAnswer
    private let kinds: [Kind]
    private var row: PostgresRow
    private var values: [Value]
    private var memory: UnsafeMutableRawBufferPointer

    /// The bytes of a number as text, at the most.
    private static let numberBytes = 32

    /// Throws where a column has a type that none of our tables has.
    init(_ answer: PostgresAnswer, _ place: String) throws(StoreError) {
        var kinds: [Kind] = []
        for (number, column) in answer.columns.all.enumerated() {
            guard let kind = Self.kind(of: column.type) else {
                throw StoreError(
                    .unexpected,
                    "database \(place): column \(number + 1) of an answer has the type \(column.type), which no table of Homeport has"
                )
            }
            kinds.append(kind)
        }
        self.answer = answer
        self.kinds = kinds
        row = answer[0]
        values = Array(repeating: Value(), count: kinds.count)
        memory = .allocate(byteCount: 0, alignment: 8)
    }

    deinit { memory.deallocate() }

    private static func kind(of type: UInt32) -> Kind? {
        switch type {
        case 16: .boolean
        case 20, 21, 23, 26: .integer
        case 700, 701: .real
        case 18, 19, 25, 705, 1042, 1043: .text
        case 114, 3802: .json
        case 17: .bytes
        default: nil
        }
    }

    var count: Int { answer.rowCount }

    /// Goes to a row. Addresses in another row hold no longer.
    func go(to number: Int) {
        row = answer[number]
        var end = 0
        for column in values.indices {
            let count = row.bytes(column)?.count ?? -1
            values[column] = Value(start: end, count: count)
            end += max(count, 0)
        }
        let wanted = end + Self.numberBytes * values.count
        if memory.count < wanted {
            memory.deallocate()
            memory = .allocate(byteCount: max(wanted, 2 * memory.count), alignment: 8)
        }
        for (column, value) in values.enumerated() where value.count > 0 {
            guard let bytes = row.bytes(column) else { continue }
            UnsafeMutableRawBufferPointer(rebasing: memory[value.start..<value.start + value.count]).copyBytes(
                from: bytes)
        }
        numbers = end
    }

    /// Where the texts of numbers are.
    private var numbers = 0

    private func kind(_ column: Int32) -> Kind? {
        guard values.indices.contains(Int(column)), values[Int(column)].count >= 0 else { return nil }
        return kinds[Int(column)]
    }

    func isNull(_ column: Int32) -> Bool { kind(column) == nil }

    func integer(_ column: Int32) -> Int64 {
        let number = Int(column)
        return switch kind(column) {
        case .integer: (try? row.integer(number)) ?? 0
        case .boolean: (try? row.bool(number)) == true ? 1 : 0
        case .real: Int64(exactly: real(column).rounded(.towardZero)) ?? (real(column) > 0 ? .max : .min)
        case .text, .json: Int64(String(decoding: text(column), as: UTF8.self)) ?? 0
        case .bytes, nil: 0
        }
    }

    func real(_ column: Int32) -> Double {
        switch kind(column) {
        case .integer, .boolean: Double(integer(column))
        case .real: (try? row.float8(Int(column))) ?? 0
        case .text, .json: Double(String(decoding: text(column), as: UTF8.self)) ?? 0
        case .bytes, nil: 0
        }
    }

    /// The bytes of a text; without an address for NULL.
    func text(_ column: Int32) -> UnsafeRawBufferPointer {
        switch kind(column) {
        case .integer, .boolean: number("\(integer(column))", column)
        case .real: number("\(real(column))", column)
        case .text, .json, .bytes: bytes(column)
        case nil: UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    private func number(_ text: String, _ column: Int32) -> UnsafeRawBufferPointer {
        let start = numbers + Self.numberBytes * Int(column)
        let bytes = text.utf8.prefix(Self.numberBytes)
        UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytes.count]).copyBytes(from: bytes)
        return UnsafeRawBufferPointer(rebasing: memory[start..<start + bytes.count])
    }

    /// The bytes of a blob or a text; without an address for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let value: Value
        switch kind(column) {
        case .integer, .boolean, .real: return text(column)
        // The binary form of jsonb begins with its version.
        case .json where answer.columns.all[Int(column)].type == PostgresType.jsonb.rawValue:
            let whole = values[Int(column)]
            value = Value(start: whole.start + min(1, whole.count), count: max(0, whole.count - 1))
        case .text, .json, .bytes: value = values[Int(column)]
        case nil: return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        // There is memory behind an empty value too: that of the numbers.
        return UnsafeRawBufferPointer(rebasing: memory[value.start..<value.start + value.count])
    }

    func value(_ column: Int32) -> StoredValue {
        switch kind(column) {
        case .integer, .boolean: .integer(integer(column))
        case .real: .real(real(column))
        case .text, .json: .text(String(decoding: text(column), as: UTF8.self))
        case .bytes: .blob(Array(bytes(column)))
        case nil: .null
        }
    }
}
