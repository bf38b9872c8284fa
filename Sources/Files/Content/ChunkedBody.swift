import Access
import Crypto
import JSON
import Network

/// Takes `aws-chunked` off a body.
///
///     size line ─▶ data ─▶ CRLF ─▶ size line ─▶ … ─▶ "0" line ─▶ trailer lines ─▶ empty line
///
/// A chunk's signature covers all of it, and the trailer the whole: until then nothing that has been handed on is sure.
package final class ChunkedBody: BodyMachine {
    private enum State {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailer
        /// A line of the trailer ended with a line feed alone: the end that is asked for has to follow.
        case trailerLineEnd
        case ended
    }

    /// How many bytes the request says that there are.
    package let decodedLength: Int
    /// The checksum that stands behind the chunks; nil where none was announced.
    package let announced: Checksum?
    /// What it is, when it has come.
    package private(set) var checksum: [UInt8]?

    private let chunks: PayloadClaim.Chunks
    var failure: FileError?
    private var state = State.size
    private var decodedCount = 0
    private var line = LineBuffer()
    private var trailerBytes = 0
    /// The lines of the trailer in the form in which they are signed.
    private var signedTrailer: [UInt8] = []
    private var isTrailerSigned = false
    /// The signature before the one that comes next.
    private var previous: String
    /// What the line of this chunk says that its signature is.
    private var claimed = ""
    private let chunkDigest: ChecksumStream?

    package init(_ chunks: PayloadClaim.Chunks, decodedLength: Int, announced: Checksum?) {
        self.chunks = chunks
        self.decodedLength = decodedLength
        self.announced = announced
        previous = chunks.signing?.seed ?? ""
        chunkDigest = chunks.signing.map { _ in ChecksumStream(.sha256) }
    }

    /// The body of a request whose head says how long it is and what follows it.
    package convenience init(_ chunks: PayloadClaim.Chunks, of fields: HTTPFields) throws(FileError) {
        guard let length = fields["x-amz-decoded-content-length"] else { throw .missingLength }
        guard (1...18).contains(length.utf8.count),
            length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let length = Int(length)
        else { throw .invalidArgument("x-amz-decoded-content-length is no number of bytes: \(length)") }
        let trailers = fields.values(of: "x-amz-trailer" as StaticString)
        guard let trailer = trailers.first else {
            self.init(chunks, decodedLength: length, announced: nil)
            return
        }
        guard chunks.hasTrailer, trailers.count == 1, let announced = Checksum(fieldName: trailer) else {
            throw .invalidRequest("The value specified in the x-amz-trailer header is not supported")
        }
        self.init(chunks, decodedLength: length, announced: announced)
    }

    static let cutOff = "the body ended before its last chunk did"

    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    func step(
        _ bytes: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> Bool {
        switch state {
        case .size:
            guard let line = try takeLine(&bytes, max: FileLimits.chunkLineBytesMax) else { return false }
            try begin(Self.withoutEnd(line))
        case .data(let remaining):
            guard !bytes.isEmpty else { return false }
            let count = min(remaining, bytes.count)
            let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
            chunkDigest?.update(piece)
            decodedCount += count
            state = count == remaining ? .dataEnd : .data(remaining: remaining - count)
            try take(piece)
        case .dataEnd:
            guard let line = try takeLine(&bytes, max: 2) else { return false }
            guard try Self.withoutEnd(line).isEmpty else { throw Self.malformed("a chunk is longer than it says") }
            try checkChunk()
            state = .size
        case .trailer:
            guard let line = try takeLine(&bytes, max: FileLimits.trailerBytesMax - trailerBytes) else { return false }
            try takeTrailer(line)
        case .trailerLineEnd:
            guard let line = try takeLine(&bytes, max: 2) else { return false }
            guard try Self.withoutEnd(line).isEmpty else { throw Self.malformed("a line feed stands alone") }
            state = .trailer
        case .ended:
            guard bytes.isEmpty else { throw Self.malformed("there is something behind the last chunk") }
            return false
        }
        return true
    }

    // MARK: Chunks

    /// A chunk begins with its size in hexadecimal digits, and its signature where it is signed.
    private func begin(_ line: ArraySlice<UInt8>) throws(FileError) {
        let digits = line.prefix { Hexadecimal.value(of: $0) != nil }
        // So many digits fit into a number.
        guard (1...15).contains(digits.count) else { throw Self.malformed("a chunk's size is no hexadecimal number") }
        let size = digits.reduce(0) { $0 << 4 | Int(Hexadecimal.value(of: $1) ?? 0) }
        let rest = line.dropFirst(digits.count)
        if chunks.signing == nil {
            guard rest.isEmpty else { throw Self.malformed("there is something behind a chunk's size") }
        } else {
            let name = ";chunk-signature="
            guard rest.starts(with: name.utf8), Hexadecimal.areDigest(rest.dropFirst(name.utf8.count)) else {
                throw Self.malformed("a chunk has no signature")
            }
            claimed = String(decoding: rest.dropFirst(name.utf8.count), as: UTF8.self)
        }
        guard size <= decodedLength - decodedCount else {
            throw .incompleteBody.because("the chunks have more than x-amz-decoded-content-length says")
        }
        guard size == 0 else {
            state = .data(remaining: size)
            return
        }
        try checkChunk()
        guard decodedCount == decodedLength else {
            throw .incompleteBody.because("the chunks have less than x-amz-decoded-content-length says")
        }
        state = .trailer
    }

    private func checkChunk() throws(FileError) {
        guard let signing = chunks.signing, let chunkDigest else { return }
        let signature = signing.signature(ofChunk: chunkDigest.finish(), after: previous)
        guard ConstantTime.areEqual(signature, claimed) else {
            throw .signatureDoesNotMatch.because("the signature of a chunk is wrong")
        }
        previous = signature
    }

    // MARK: Trailer

    private static let signatureName = "x-amz-trailer-signature"

    private func takeTrailer(_ line: [UInt8]) throws(FileError) {
        trailerBytes += line.count
        let isPlain = line.last != UInt8(ascii: "\n") || line.dropLast().last != UInt8(ascii: "\r")
        let text = isPlain ? line.dropLast() : line.dropLast(2)
        if text.isEmpty, !isPlain { return try endTrailer() }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
            throw Self.malformed("a line behind the chunks is no field")
        }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        let value = String(decoding: text[(colon + 1)...], as: UTF8.self).trimmingBlanks
        if chunks.signing != nil, chunks.hasTrailer, name.inLowerCaseASCII == Self.signatureName {
            try checkTrailer(value)
        } else {
            try takeChecksum(name, value)
        }
        state = isPlain ? .trailerLineEnd : .trailer
    }

    private func takeChecksum(_ name: String, _ value: String) throws(FileError) {
        guard chunks.hasTrailer, let announced, Checksum(fieldName: name) == announced else {
            throw Self.malformed("a field behind the chunks was not announced")
        }
        guard checksum == nil, !isTrailerSigned else { throw Self.malformed("a field behind the chunks comes twice") }
        guard let bytes = announced.bytes(of: value) else {
            throw .invalidRequest("Value for \(announced.fieldName) trailing header is invalid.")
        }
        checksum = bytes
        signedTrailer += Array("\(announced.fieldName):\(value)\n".utf8)
    }

    private func checkTrailer(_ value: String) throws(FileError) {
        guard let signing = chunks.signing, !isTrailerSigned, Hexadecimal.areDigest(value.utf8),
            ConstantTime.areEqual(signing.signature(ofTrailer: signedTrailer, after: previous), value)
        else { throw .signatureDoesNotMatch.because("the signature of the trailer is wrong") }
        isTrailerSigned = true
    }

    private func endTrailer() throws(FileError) {
        guard (checksum != nil) == (announced != nil) else {
            throw Self.malformed("the checksum that x-amz-trailer names did not come")
        }
        guard isTrailerSigned == (chunks.signing != nil && chunks.hasTrailer) else {
            throw Self.malformed("the trailer has no signature")
        }
        state = .ended
    }

    // MARK: Lines

    /// A line with its end; nil when more bytes are needed.
    private func takeLine(_ bytes: inout UnsafeRawBufferPointer, max: Int) throws(FileError) -> [UInt8]? {
        switch line.take(&bytes, max: max) {
        case .needMore: return nil
        case .tooLong: throw Self.malformed("a line between the chunks is too long")
        case .line(let line): return line
        }
    }

    private static func withoutEnd(_ line: [UInt8]) throws(FileError) -> ArraySlice<UInt8> {
        guard line.count >= 2, line[line.count - 2] == UInt8(ascii: "\r") else {
            throw malformed("a line feed stands alone")
        }
        return line.dropLast(2)
    }

    private static func malformed(_ what: String) -> FileError {
        .invalidRequest("The body is not what aws-chunked says: \(what).")
    }
}
