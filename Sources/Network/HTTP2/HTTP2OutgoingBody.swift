/// The body of an answer that waits for the windows of its client: pieces in order, then perhaps a part of a file. The pieces are the
/// answer's own arrays.
struct HTTP2OutgoingBody: ~Copyable {
    private var pieces: [[UInt8]] = []
    /// The bytes of the first piece that have been taken.
    private var taken = 0
    private var file: FileSend?
    /// The bytes of all pieces. Those of a file are not in memory.
    private(set) var bytes = 0
    /// True if nothing more comes behind what is here.
    var isComplete = false

    var isEmpty: Bool { bytes + fileBytes == 0 }

    private var fileBytes: Int {
        switch file {
        case .some(let file): file.remaining
        case .none: 0
        }
    }

    mutating func append(_ piece: [UInt8]) {
        pieces.append(piece)
        bytes += piece.count
    }

    mutating func append(_ file: consuming FileSend) { self.file = consume file }

    /// Takes up to so many bytes: none where there are none, nil where a file cannot be read to its end.
    mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
        if let first = pieces.first {
            let end = min(first.count, taken + count)
            let slice = first[taken..<end]
            bytes -= slice.count
            taken = end
            if end == first.count {
                pieces.removeFirst()
                taken = 0
            }
            return slice
        }
        guard fileBytes > 0 else { return [] }
        var buffer: [UInt8] = []
        guard file?.read(count, into: &buffer) != nil else { return nil }
        return buffer[...]
    }
}
