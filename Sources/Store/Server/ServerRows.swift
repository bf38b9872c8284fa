import Postgres

/// The rows of a server's answer, one after the other, with values as `Row` hands them out: as SQLite would.
///
/// Hot path: all rows are copied at once into memory of their own, so the address of a value holds as long as they do.
final class ServerRows {
    /// The kind of a column's values, by its type in the server's catalogue.
    private enum Kind {
        case integer, catalogueNumber, boolean, real, text, json, bytes
    }

    private struct Value {
        var start = 0
        /// -1 for NULL.
        var count = -1
    }

    private let answer: PostgresAnswer
    private let kinds: [Kind]
    private var values: [Value]
    private let memory: UnsafeMutableRawBufferPointer
    /// Where the texts of numbers are.
    private let numbers: Int

    /// The bytes of a number as text, at the most.
    private static let numberBytes = 32

    /// Throws where a column has a type that none of our tables has.
    init(_ answer: PostgresAnswer, _ place: String) throws(StoreError) {
        var kinds: [Kind] = []
        kinds.reserveCapacity(answer.columns.count)
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
        values = Array(repeating: Value(), count: kinds.count)
        numbers = answer.byteCount
        memory = .allocate(byteCount: numbers + Self.numberBytes * kinds.count, alignment: 8)
        answer.copyRows(to: memory)
    }

    deinit { memory.deallocate() }

    private static func kind(of type: UInt32) -> Kind? {
        switch type {
        case 16: .boolean
        case 20, 21, 23: .integer
        case 26: .catalogueNumber
        case 700, 701: .real
        case 18, 19, 25, 705, 1042, 1043: .text
        case 114, 3802: .json
        case 17: .bytes
        default: nil
        }
    }

    var count: Int { answer.rowCount }

    /// Goes to a row.
    func go(to number: Int) {
        for column in values.indices {
            let place = answer.lengthPlace(row: number, column: column)
            let length = memory.loadUnaligned(fromByteOffset: place, as: Int32.self).bigEndian
            values[column] = Value(start: place + 4, count: Int(length))
        }
    }

    private func kind(_ column: Int32) -> Kind? {
        guard values.indices.contains(Int(column)), values[Int(column)].count >= 0 else { return nil }
        return kinds[Int(column)]
    }

    func isNull(_ column: Int32) -> Bool { kind(column) == nil }

    func integer(_ column: Int32) -> Int64 {
        switch kind(column) {
        case .integer, .catalogueNumber: return wholeNumber(column)
        case .boolean:
            let value = values[Int(column)]
            return value.count == 1 && memory[value.start] == 1 ? 1 : 0
        case .real:
            let real = real(column)
            return Int64(exactly: real.rounded(.towardZero)) ?? (real > 0 ? .max : .min)
        case .text, .json: return Int64(String(decoding: text(column), as: UTF8.self)) ?? 0
        case .bytes, nil: return 0
        }
    }

    /// The value of a number of two, four or eight bytes.
    private func wholeNumber(_ column: Int32) -> Int64 {
        let value = values[Int(column)]
        switch value.count {
        case 2: return Int64(memory.loadUnaligned(fromByteOffset: value.start, as: Int16.self).bigEndian)
        case 4:
            let number = memory.loadUnaligned(fromByteOffset: value.start, as: Int32.self).bigEndian
            // Numbers of the catalogue have no sign.
            return kinds[Int(column)] == .catalogueNumber ? Int64(UInt32(bitPattern: number)) : Int64(number)
        case 8: return memory.loadUnaligned(fromByteOffset: value.start, as: Int64.self).bigEndian
        default: return 0
        }
    }

    func real(_ column: Int32) -> Double {
        switch kind(column) {
        case .integer, .catalogueNumber, .boolean: return Double(integer(column))
        case .real:
            let value = values[Int(column)]
            switch value.count {
            case 4:
                let bits = memory.loadUnaligned(fromByteOffset: value.start, as: UInt32.self).bigEndian
                return Double(Float(bitPattern: bits))
            case 8:
                return Double(
                    bitPattern: memory.loadUnaligned(fromByteOffset: value.start, as: UInt64.self).bigEndian)
            default: return 0
            }
        case .text, .json: return Double(String(decoding: text(column), as: UTF8.self)) ?? 0
        case .bytes, nil: return 0
        }
    }

    /// The bytes of a text; without an address for NULL.
    func text(_ column: Int32) -> UnsafeRawBufferPointer {
        switch kind(column) {
        case .integer, .catalogueNumber, .boolean: number("\(integer(column))", column)
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
        case .integer, .catalogueNumber, .boolean, .real: return text(column)
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
        case .integer, .catalogueNumber, .boolean: .integer(integer(column))
        case .real: .real(real(column))
        case .text, .json: .text(String(decoding: text(column), as: UTF8.self))
        case .bytes: .blob(Array(bytes(column)))
        case nil: .null
        }
    }
}
