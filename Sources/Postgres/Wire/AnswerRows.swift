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

    private init(_ memory: RowMemory, from firstPlace: Int) {
        self.memory = memory
        self.firstPlace = firstPlace
    }

    /// The rows in so many parts, in their order: the last column says of which part a row is, counted from 1. Nil where it says another one.
    ///
    /// A server gives the parts one after the other. Where it does not, the rows are brought into that order.
    func parts(_ partCount: Int, columns: Int) -> [AnswerRows]? {
        if let parts = ascendingParts(partCount, columns: columns) { return parts }
        arrangeParts(columns: columns)
        return ascendingParts(partCount, columns: columns)
    }

    /// The same of rows whose numbers ascend; nil of others.
    private func ascendingParts(_ partCount: Int, columns: Int) -> [AnswerRows]? {
        var parts: [AnswerRows] = []
        parts.reserveCapacity(partCount)
        var row = 0
        for number in 0..<partCount {
            var part = AnswerRows(memory, from: firstPlace + row * columns)
            while row < count, partNumber(ofRow: row, columns: columns) == number + 1 {
                part.count += 1
                part.byteCount += byteCount(ofRow: row, columns: columns)
                row += 1
            }
            parts.append(part)
        }
        return row == count ? parts : nil
    }

    /// Brings the rows into the order of their parts.
    private func arrangeParts(columns: Int) {
        let numbers = (0..<count).map { partNumber(ofRow: $0, columns: columns) }
        let order = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
        memory.arrange(order, from: firstPlace, columns: columns)
    }

    /// The number in the last column; 0 where there is none.
    private func partNumber(ofRow row: Int, columns: Int) -> Int {
        guard columns > 0 else { return 0 }
        let place = Int(places[(row + 1) * columns - 1])
        guard UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)) == 8 else { return 0 }
        return Int(Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: place + 4, as: Int64.self)))
    }

    /// The bytes of a row whose last column is a number of eight.
    private func byteCount(ofRow row: Int, columns: Int) -> Int {
        Int(places[(row + 1) * columns - 1]) + 12 - Int(places[row * columns])
    }

    /// Adds the body of a message with a row.
    mutating func append(_ row: UnsafeRawBufferPointer, columns: Int) throws(PostgresViolation) {
        guard memory.byteCount + row.count <= Int(UInt32.max) else {
            throw .tooManyRowBytes(limit: Int(UInt32.max))
        }
        guard memory.append(row, columns: columns) else {
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
