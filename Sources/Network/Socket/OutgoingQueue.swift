/// The output of a channel behind the buffer that it is writing: buffers that grow, and long answers as they came.
struct OutgoingQueue: ~Copyable {
    private var pieces: [[UInt8]] = []
    /// True if nothing may be put behind the bytes of the last piece: it would be copied to grow.
    private var isLastWhole = false
    /// The bytes of all pieces.
    private(set) var bytes = 0

    /// Fewer bytes are copied behind what waits: one call writes both.
    static let wholeBytesMin = 64 * 1024

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(whole piece: [UInt8]) {
        bytes += piece.count
        pieces.append(piece)
        isLastWhole = true
    }

    /// Lets the body append behind all that is there. `spare` gives an empty buffer.
    mutating func append(_ body: (inout [UInt8]) -> Void, spare: () -> [UInt8]) {
        if isLastWhole || pieces.isEmpty { pieces.append(spare()) }
        isLastWhole = false
        let last = pieces.count - 1
        bytes -= pieces[last].count
        body(&pieces[last])
        bytes += pieces[last].count
    }

    mutating func takeFirst() -> [UInt8]? {
        guard !pieces.isEmpty else { return nil }
        let piece = pieces.removeFirst()
        bytes -= piece.count
        return piece
    }
}
