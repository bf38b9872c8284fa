/// The bytes of the rows that a trip brings, and where in them each value begins.
///
/// Hot path: a row is copied once from what was received, and read where it is then.
///
/// Unchecked: rows are added by the trip that receives them, before anybody else has an answer of it.
final class RowMemory: @unchecked Sendable {
    private(set) var bytes: UnsafeMutableRawPointer
    /// The place of each value's length in `bytes`, row after row.
    private(set) var places: UnsafeMutablePointer<UInt32>
    private(set) var byteCount = 0
    private(set) var placeCount = 0
    private var byteRoom: Int
    private var placeRoom: Int
    /// Gets the memory at the end.
    private let spare: SpareRowMemory?

    private static let (firstBytes, firstPlaces) = (1 << 10, 64)

    init(_ spare: SpareRowMemory? = nil) {
        self.spare = spare
        let block =
            spare?.take()
            ?? Block(
                bytes: .allocate(byteCount: Self.firstBytes, alignment: 8), byteRoom: Self.firstBytes,
                places: .allocate(capacity: Self.firstPlaces), placeRoom: Self.firstPlaces)
        (bytes, byteRoom) = (block.bytes, block.byteRoom)
        (places, placeRoom) = (block.places, block.placeRoom)
    }

    deinit {
        let block = Block(bytes: bytes, byteRoom: byteRoom, places: places, placeRoom: placeRoom)
        if let spare { spare.give(block) } else { block.free() }
    }

    /// Memory, and how much of it there is.
    ///
    /// Unchecked: one has it after the other.
    struct Block: @unchecked Sendable {
        let bytes: UnsafeMutableRawPointer
        let byteRoom: Int
        let places: UnsafeMutablePointer<UInt32>
        let placeRoom: Int

        /// All that it takes.
        var byteCount: Int { byteRoom + placeRoom * MemoryLayout<UInt32>.stride }

        func free() {
            bytes.deallocate()
            places.deallocate()
        }
    }

    /// Adds the body of a message with a row: the number of its values, then each with its length. Returns whether the lengths are those of
    /// the body. Each place is checked before it is looked at.
    func append(_ body: UnsafeRawBufferPointer, columns: Int) -> Bool {
        guard body.count >= 2, let source = body.baseAddress,
            Int(UInt16(bigEndian: source.loadUnaligned(as: UInt16.self))) == columns
        else { return false }
        makeRoom(bytes: body.count - 2, places: columns)
        // What is left holds each length and value, so no sum overflows.
        var (left, value, found) = (body.count - 2, source + 2, places + placeCount)
        let (total, last) = (byteCount &+ left, found + columns)
        while found < last {
            guard left >= 4 else { return false }
            found.pointee = UInt32(truncatingIfNeeded: total &- left)
            found += 1
            let length = UInt32(bigEndian: value.loadUnaligned(as: UInt32.self))
            let taken = length == AnswerRows.nullLength ? 4 : Int(length) &+ 4
            guard taken <= left else { return false }
            (value, left) = (value + taken, left &- taken)
        }
        guard left == 0 else { return false }
        (bytes + byteCount).copyMemory(from: source + 2, byteCount: body.count - 2)
        byteCount += body.count - 2
        placeCount += columns
        return true
    }

    /// Brings rows into another order: the places of their values, not the bytes. `order` has the number of each row once.
    func arrange(_ order: [Int], from first: Int, columns: Int) {
        let former = Array(UnsafeBufferPointer(start: places + first, count: order.count * columns))
        for (row, place) in order.enumerated() {
            for column in 0..<columns { places[first + row * columns + column] = former[place * columns + column] }
        }
    }

    private func makeRoom(bytes wantedBytes: Int, places wantedPlaces: Int) {
        if byteCount + wantedBytes > byteRoom {
            byteRoom = max(2 * byteRoom, byteCount + wantedBytes)
            let more = UnsafeMutableRawPointer.allocate(byteCount: byteRoom, alignment: 8)
            more.copyMemory(from: bytes, byteCount: byteCount)
            bytes.deallocate()
            bytes = more
        }
        if placeCount + wantedPlaces > placeRoom {
            placeRoom = max(2 * placeRoom, placeCount + wantedPlaces)
            let more = UnsafeMutablePointer<UInt32>.allocate(capacity: placeRoom)
            more.update(from: places, count: placeCount)
            places.deallocate()
            places = more
        }
    }
}
