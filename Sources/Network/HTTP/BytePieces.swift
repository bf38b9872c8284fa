/// Pieces of bytes that are written one behind the other into memory whose room was asked for once.
///
/// Hot path: an array asks for each piece whether it is shared and has room.
@usableFromInline
package struct BytePieces: ~Copyable {
    @usableFromInline
    package let room: UnsafeMutableRawBufferPointer
    @usableFromInline
    package var count = 0

    /// The most digits of a number.
    package static let decimalMax = 20

    @inlinable
    package init(_ room: UnsafeMutableRawBufferPointer) {
        self.room = room
    }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let start = room.baseAddress else { return }
        precondition(bytes.count <= room.count - count, "the room for all pieces was named")
        (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    @inlinable @inline(__always)
    package mutating func append(name text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// The bytes of a number as memory has them: of a byte itself.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: some FixedWidthInteger & BitwiseCopyable) {
        withUnsafeBytes(of: bytes) { append($0) }
    }

    /// The digits of a number, with zeros before it where it has less of them than `digits`.
    package mutating func append(decimal number: UInt64, digits: Int = 1) {
        var length = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        length = max(length, digits)
        precondition(length <= room.count - count, "the room for all pieces was named")
        rest = number
        for place in stride(from: count + length - 1, through: count, by: -1) {
            room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }
}

extension [UInt8] {
    /// Appends pieces that have no more than so many bytes together.
    @inlinable @inline(__always)
    package mutating func append(piecesOf bytesMax: Int, _ write: (inout BytePieces) -> Void) {
        append(addingCapacity: bytesMax) { span in
            span.withUnsafeMutableBufferPointer { room, count in
                var pieces = BytePieces(UnsafeMutableRawBufferPointer(room))
                write(&pieces)
                count = pieces.count
            }
        }
    }
}
