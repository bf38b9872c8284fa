/// Takes in the body of one request: collects it or passes it on, undoes its content coding, and watches its size.
struct HTTPBodyReceiver: ~Copyable {
    private enum Destination {
        case collection([UInt8])
        case stream(HTTPBodyStream)
    }

    private var destination: Destination
    private let bytesMax: Int
    private var bytes = 0
    private var wireBytes = 0

    init(collectingUpTo bytesMax: Int, expecting framing: HTTPBodyFraming) {
        var collection: [UInt8] = []
        if case .length(let count) = framing { collection.reserveCapacity(min(count, bytesMax, Self.reservedBytesMax)) }
        destination = .collection(collection)
        self.bytesMax = bytesMax
    }

    init(streamingTo stream: HTTPBodyStream, upTo bytesMax: Int) {
        destination = .stream(stream)
        self.bytesMax = bytesMax
    }

    /// Memory taken for a body before any of it has come: a length is only a promise.
    private static let reservedBytesMax = 64 * 1024

    /// Whether a body of that length is refused before it is read.
    static func check(_ framing: HTTPBodyFraming, bytesMax: Int) throws(HTTPParseError) {
        if case .length(let count) = framing, count > bytesMax { throw tooLarge(bytesMax) }
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(HTTPParseError) {
        wireBytes += piece.count
        try take(piece)
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer) throws(HTTPParseError) {
        bytes += piece.count
        guard bytes <= bytesMax else { throw Self.tooLarge(bytesMax) }
        switch destination {
        case .stream(let stream):
            stream.append([UInt8](piece))
        case .collection(var collection):
            destination = .collection([])
            collection.append(contentsOf: piece)
            destination = .collection(collection)
        }
    }

    /// The body when it was collected, nothing when it was passed on.
    consuming func finish() throws(HTTPParseError) -> [UInt8] {
        switch destination {
        case .collection(let collection):
            return collection
        case .stream(let stream):
            stream.end(.success(()))
            return []
        }
    }

    private static func tooLarge(_ bytesMax: Int) -> HTTPParseError {
        HTTPParseError(.contentTooLarge, "the body has more than \(bytesMax) bytes")
    }
}
