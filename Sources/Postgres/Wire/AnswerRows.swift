/// The rows of one answer in one run of bytes, and where in it each value begins.
///
/// Hot path: a row is copied once from what was received, and nothing is allocated for it.
struct AnswerRows: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The place of each value's length in `bytes`, row after row. Lengths are checked before they come here.
    private(set) var places: [UInt32] = []
    private(set) var count = 0

    /// A value that is null has this length.
    static let nullLength = UInt32.max

    /// Adds the body of a message with a row: the number of its values, then each with its length.
    mutating func append(_ row: ArraySlice<UInt8>, columns: Int) throws(PostgresViolation) {
        var fields = MessageFields(row, of: .dataRow)
        guard Int(try fields.uint16()) == columns else { throw fields.problem }
        let base = bytes.count
        var place = base
        guard base + row.count <= Int(UInt32.max) else { throw .tooManyRowBytes(limit: Int(UInt32.max)) }
        for _ in 0..<columns {
            places.append(UInt32(place))
            let length = try fields.uint32()
            place += 4
            if length == Self.nullLength { continue }
            _ = try fields.bytes(Int(length))
            place += Int(length)
        }
        try fields.end()
        bytes.append(contentsOf: row.dropFirst(2))
        count += 1
    }

    /// The bytes of a value; nil where it is null, or not there.
    func value(row: Int, column: Int, columns: Int) -> ArraySlice<UInt8>? {
        guard row >= 0, row < count, column >= 0, column < columns else { return nil }
        let place = Int(places[row * columns + column])
        let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
        return length == Self.nullLength ? nil : bytes[place + 4..<place + 4 + Int(length)]
    }
}
