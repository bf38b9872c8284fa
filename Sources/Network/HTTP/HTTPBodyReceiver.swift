import Crypto

/// Takes in the body of one request and watches its size: collects it without its content coding, or passes it on as it
/// came (a file that is stored keeps its coding).
struct HTTPBodyReceiver: ~Copyable {
    private enum Destination {
        case collection([UInt8])
        case stream(HTTPBodyStream)
    }

    private var destination: Destination
    private var decoder: ContentDecoder?
    /// The digest of a compressed body as it comes. Of another one whoever needs it makes it.
    private let digest: SentDigest?
    private let bytesMax: Int
    private var wireBytes = 0
    private var bytes = 0

    /// A digest that grows with each piece.
    private final class SentDigest {
        var digest = RunningSHA256()
    }

    init(collecting head: HTTPRequestHead, upTo bytesMax: Int) throws(HTTPParseError) {
        try Self.check(head, bytesMax)
        var collection: [UInt8] = []
        if case .length(let count) = head.framing {
            collection.reserveCapacity(min(count, bytesMax, Self.reservedBytesMax))
        }
        self.init(.collection(collection), try Self.decoder(for: head, bytesMax), bytesMax)
    }

    init(streaming head: HTTPRequestHead, to stream: HTTPBodyStream, upTo bytesMax: Int) throws(HTTPParseError) {
        try Self.check(head, bytesMax)
        self.init(.stream(stream), nil, bytesMax)
    }

    private init(_ destination: Destination, _ decoder: consuming ContentDecoder?, _ bytesMax: Int) {
        self.destination = destination
        switch decoder {
        case .none: digest = nil
        case .some: digest = SentDigest()
        }
        self.decoder = decoder
        self.bytesMax = bytesMax
    }

    private static func check(_ head: HTTPRequestHead, _ bytesMax: Int) throws(HTTPParseError) {
        if case .length(let count) = head.framing, count > bytesMax { throw tooLarge(bytesMax) }
    }

    private static func decoder(
        for head: HTTPRequestHead, _ bytesMax: Int
    ) throws(HTTPParseError) -> ContentDecoder? {
        guard let coding = head.fields["content-encoding"] else { return nil }
        switch ContentCoding.requested(by: coding) {
        case .identity:
            return nil
        case .coding(let coding):
            do throws(CompressionError) {
                return try ContentDecoder(coding, bytesMax: bytesMax)
            } catch {
                throw translated(error, bytesMax)
            }
        case .unsupported:
            throw HTTPParseError(.unsupportedMediaType, "the content-encodings served are gzip and deflate")
        }
    }

    /// Memory taken for a body before any of it has come: a length is only a promise.
    private static let reservedBytesMax = 64 * 1024

    /// Bytes that are inflated in one piece.
    private static let pieceBytesMax = 64 * 1024

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(HTTPParseError) {
        wireBytes += piece.count
        guard wireBytes <= bytesMax else { throw Self.tooLarge(bytesMax) }
        guard decoder != nil else { return try take(piece) }
        digest?.digest.add(piece)
        var position = 0
        var isDone = false
        while !isDone {
            var inflated: [UInt8] = []
            do throws(CompressionError) {
                let progress = try decoder?.decode(piece, at: &position, into: &inflated, upTo: Self.pieceBytesMax)
                isDone = progress != .outputIsFull
            } catch {
                throw Self.translated(error, bytesMax)
            }
            try inflated.withUnsafeBufferPointer { inflated throws(HTTPParseError) in
                try take(UnsafeRawBufferPointer(inflated))
            }
        }
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

    /// The memory of it here, inflating included.
    var heldBytes: Int {
        let inflating = decoder == nil ? 0 : ContentDecoder.heldBytes
        switch destination {
        case .collection(let collection): return collection.capacity + inflating
        case .stream(let stream): return stream.waitingBytes + inflating
        }
    }

    /// The body when it was collected, nothing when it was passed on; and the SHA-256 of what was sent, where that was compressed.
    consuming func finish() throws(HTTPParseError) -> (body: [UInt8], sentDigest: [UInt8]?) {
        do throws(CompressionError) {
            // A body without a byte is not compressed, whatever its fields say.
            if wireBytes > 0 { try decoder?.finish() }
        } catch {
            throw Self.translated(error, bytesMax)
        }
        switch destination {
        case .collection(let collection):
            return (collection, digest?.digest.end())
        case .stream(let stream):
            stream.end(.success(()))
            return ([], nil)
        }
    }

    private static func translated(_ error: CompressionError, _ bytesMax: Int) -> HTTPParseError {
        switch error {
        case .tooLong: tooLarge(bytesMax)
        case .outOfMemory: HTTPParseError(.serviceUnavailable, error.description)
        default: .malformed("the body is not what its content-encoding says: \(error.description)")
        }
    }

    private static func tooLarge(_ bytesMax: Int) -> HTTPParseError {
        HTTPParseError(.contentTooLarge, "the body has more than \(bytesMax) bytes")
    }
}
