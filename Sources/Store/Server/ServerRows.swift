import Postgres

/// The kinds of the values of columns, by their types in the server's catalogue.
final class ColumnKinds {
    enum Kind {
        case integer, catalogueNumber, boolean, real, text, json, bytes
    }

    /// The columns that it is about.
    let columns: PostgresColumns
    private let kinds: UnsafeMutablePointer<Kind>

    /// Throws where a column has a type that none of our tables has.
    init(_ columns: PostgresColumns, _ place: @autoclosure () -> String) throws(StoreError) {
        self.columns = columns
        kinds = .allocate(capacity: max(1, columns.count))
        for (number, column) in columns.all.enumerated() {
            guard let kind = Self.kind(of: column.type) else {
                throw StoreError(
                    .unexpected,
                    "database \(place()): column \(number + 1) of an answer has the type \(column.type), which no table of Homeport has"
                )
            }
            (kinds + number).initialize(to: kind)
        }
    }

    deinit { kinds.deallocate() }

    /// Only of a column that is there.
    fileprivate subscript(column: Int) -> Kind { kinds[column] }

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
}

/// The rows of a server's answer, one after the other, with values as `Row` hands them out: as SQLite would.
///
/// Hot path: values are read where they arrived, so the address of one holds as long as these rows do.
final class ServerRows {
    private typealias Kind = ColumnKinds.Kind

    private struct Value {
        let start: Int
        let count: Int
    }

    private var answer: PostgresAnswer
    private let kinds: ColumnKinds
    /// 0 without a row.
    private var columnCount: Int
    private var memory: UnsafeRawPointer
    private var firstRow: UnsafePointer<UInt32>
    /// The places of the values of the row that is looked at.
    private var row: UnsafePointer<UInt32>
    /// The texts of numbers, one for each column; nil until one is asked for.
    private var numbers: UnsafeMutableRawBufferPointer?

    /// The bytes of a number as text, at the most.
    private static let numberBytes = 32

    /// Throws where a column has a type that none of our tables has.
    ///
    /// - Parameter known: the kinds of columns that may be the same.
    init(
        _ answer: PostgresAnswer, _ place: @autoclosure () -> String, _ known: ColumnKinds? = nil
    ) throws(StoreError) {
        self.answer = answer
        if let known, known.columns === answer.columns {
            kinds = known
        } else {
            kinds = try ColumnKinds(answer.columns, place())
        }
        columnCount = answer.rowCount > 0 ? answer.columns.count : 0
        memory = answer.rowBytes
        firstRow = answer.lengthPlaces
        row = firstRow
    }

    deinit { numbers?.deallocate() }

    /// Goes on with the rows of another answer. False where that has other columns.
    func show(_ other: PostgresAnswer) -> Bool {
        guard other.columns === kinds.columns else { return false }
        answer = other
        columnCount = other.rowCount > 0 ? other.columns.count : 0
        memory = other.rowBytes
        firstRow = other.lengthPlaces
        row = firstRow
        return true
    }

    /// The kinds of its columns, for an answer with the same.
    var columnKinds: ColumnKinds { kinds }

    var count: Int { answer.rowCount }

    /// Goes to a row that is there.
    func go(to number: Int) { row = firstRow + number * columnCount }

    /// Where a value is; nil for NULL.
    @inline(__always)
    private func value(at column: Int32) -> Value? {
        guard column >= 0, Int(column) < columnCount else { return nil }
        let place = Int(row[Int(column)])
        let length = Int32(bigEndian: memory.loadUnaligned(fromByteOffset: place, as: Int32.self))
        return length < 0 ? nil : Value(start: place + 4, count: Int(length))
    }

    func isNull(_ column: Int32) -> Bool { value(at: column) == nil }

    func integer(_ column: Int32) -> Int64 {
        guard let value = value(at: column) else { return 0 }
        switch kinds[Int(column)] {
        case .integer: return wholeNumber(value, isSigned: true)
        // Numbers of the catalogue have no sign.
        case .catalogueNumber: return wholeNumber(value, isSigned: false)
        case .boolean: return value.count == 1 && memory.load(fromByteOffset: value.start, as: UInt8.self) == 1 ? 1 : 0
        case .real:
            let real = realNumber(value)
            return Int64(exactly: real.rounded(.towardZero)) ?? (real > 0 ? .max : .min)
        case .text, .json: return Int64(String(decoding: text(column), as: UTF8.self)) ?? 0
        case .bytes: return 0
        }
    }

    /// A number of two, four or eight bytes.
    private func wholeNumber(_ value: Value, isSigned: Bool) -> Int64 {
        switch value.count {
        case 2: return Int64(memory.loadUnaligned(fromByteOffset: value.start, as: Int16.self).bigEndian)
        case 4:
            let number = memory.loadUnaligned(fromByteOffset: value.start, as: Int32.self).bigEndian
            return isSigned ? Int64(number) : Int64(UInt32(bitPattern: number))
        case 8: return memory.loadUnaligned(fromByteOffset: value.start, as: Int64.self).bigEndian
        default: return 0
        }
    }

    private func realNumber(_ value: Value) -> Double {
        switch value.count {
        case 4:
            Double(Float(bitPattern: memory.loadUnaligned(fromByteOffset: value.start, as: UInt32.self).bigEndian))
        case 8:
            Double(bitPattern: memory.loadUnaligned(fromByteOffset: value.start, as: UInt64.self).bigEndian)
        default: 0
        }
    }

    func real(_ column: Int32) -> Double {
        guard let value = value(at: column) else { return 0 }
        return switch kinds[Int(column)] {
        case .integer, .catalogueNumber, .boolean: Double(integer(column))
        case .real: realNumber(value)
        case .text, .json: Double(String(decoding: text(column), as: UTF8.self)) ?? 0
        case .bytes: 0
        }
    }

    /// The bytes of a text; without an address for NULL.
    func text(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let value = value(at: column) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return switch kinds[Int(column)] {
        case .text, .bytes: UnsafeRawBufferPointer(start: memory + value.start, count: value.count)
        case .json: json(value, column)
        case .integer, .catalogueNumber, .boolean: number("\(integer(column))", column)
        case .real: number("\(realNumber(value))", column)
        }
    }

    /// The binary form of jsonb begins with its version.
    private func json(_ value: Value, _ column: Int32) -> UnsafeRawBufferPointer {
        let isBinary = answer.columns.all[Int(column)].type == PostgresType.jsonb.rawValue
        let skipped = isBinary ? min(1, value.count) : 0
        return UnsafeRawBufferPointer(start: memory + value.start + skipped, count: value.count - skipped)
    }

    private func number(_ text: String, _ column: Int32) -> UnsafeRawBufferPointer {
        let numbers =
            self.numbers ?? .allocate(byteCount: Self.numberBytes * answer.columns.count, alignment: 8)
        self.numbers = numbers
        let start = Self.numberBytes * Int(column)
        let bytes = text.utf8.prefix(Self.numberBytes)
        let place = UnsafeMutableRawBufferPointer(rebasing: numbers[start..<start + bytes.count])
        place.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(place)
    }

    /// The bytes of a blob or a text; without an address for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { text(column) }

    func value(_ column: Int32) -> StoredValue {
        guard let value = value(at: column) else { return .null }
        return switch kinds[Int(column)] {
        case .integer, .catalogueNumber, .boolean: .integer(integer(column))
        case .real: .real(realNumber(value))
        case .text, .json: .text(String(decoding: text(column), as: UTF8.self))
        case .bytes: .blob(Array(text(column)))
        }
    }
}
