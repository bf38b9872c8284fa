/// The rows of one answer, which are one behind the other in the memory of their trip.
struct AnswerRows: Sendable {
    private let memory: RowMemory
    private let firstPlace: Int
    private(set) var count = 0
    private(set) var byteCount = 0

    /// A value that is null has this length.
    static let nullLength = UInt32.max

    /// - Parameter memory: gets the rows, and those of no other answer until all of these are there.
    init(in memory: RowMemory = RowMemory()) {
        self.memory = memory
        firstPlace = memory.placeCount
    }

    /// Adds the body of a message with a row.
    mutating func append(_ row: ArraySlice<UInt8>, columns: Int) throws(PostgresViolation) {
        guard memory.byteCount + row.count <= Int(UInt32.max) else {
            throw .tooManyRowBytes(limit: Int(UInt32.max))
        }
        guard row.withUnsafeBytes({ memory.append($0, columns: columns) }) else {
            throw .badBody(kind: MessageKind.dataRow.rawValue)
        }
        count += 1
        byteCount += row.count - 2
    }

    /// The memory, for as long as these rows are kept. `places` begin with those of the first row.
    var bytes: UnsafeRawPointer { UnsafeRawPointer(memory.bytes) }
    var places: UnsafePointer<UInt32> { UnsafePointer(memory.places + firstPlace) }

    /// The bytes of a value; nil where it is null, or not there.
    func value(row: Int, column: Int, columns: Int) -> ArraySlice<UInt8>? {
        guard row >= 0, row < count, column >= 0, column < columns else { return nil }
        return withExtendedLifetime(memory) {
            let place = Int(places[row * columns + column])
            let length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
            guard length != Self.nullLength else { return nil }
            return Array(UnsafeRawBufferPointer(start: bytes + place + 4, count: Int(length)))[...]
        }
    }
}
