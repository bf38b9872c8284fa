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
        guard bytes.count + row.count <= Int(UInt32.max) else { throw .tooManyRowBytes(limit: Int(UInt32.max)) }
        let isSound = row.withUnsafeBytes { append($0, columns: columns) }
        guard isSound else { throw .badBody(kind: MessageKind.dataRow.rawValue) }
        count += 1
    }

    /// Returns whether the lengths of the values are those of the body. Each place is checked before it is looked at.
    private mutating func append(_ body: UnsafeRawBufferPointer, columns: Int) -> Bool {
        guard body.count >= 2, Int(UInt16(bigEndian: body.loadUnaligned(as: UInt16.self))) == columns else {
            return false
        }
        let base = bytes.count - 2
        var place = 2
        for _ in 0..<columns {
            guard body.count - place >= 4 else { return false }
            places.append(UInt32(truncatingIfNeeded: base + place))
            let length = UInt32(bigEndian: body.loadUnaligned(fromByteOffset: place, as: UInt32.self))
            place += 4
            if length == Self.nullLength { continue }
            guard Int(length) <= body.count - place else { return false }
            place += Int(length)
        }
        guard place == body.count else { return false }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: body.dropFirst(2)))
        return true
    }

    /// The bytes of a value; nil where it is null, or not there.
    func value(row: Int, column: Int, columns: Int) -> ArraySlice<UInt8>? {
        guard row >= 0, row < count, column >= 0, column < columns else { return nil }
        let place = Int(places[row * columns + column])
        let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
        return length == Self.nullLength ? nil : bytes[place + 4..<place + 4 + Int(length)]
    }
}
