import Crypto
import Network

/// Takes in a body that is to become a file: out of its chunks, hashed, written, compared with what was announced.
///
/// Each piece is worked on beside the loop, one at a time. Meanwhile the connection may fill the stream up to its limit; beyond
/// that it is not read.
final class BodyIntake: @unchecked Sendable {
    // Safe to share: the upload waits for each piece of work before it begins the next.
    private let file: IncomingFile
    private let digests: ContentDigests
    private let chunks: ChunkedBody?
    private let demands: BodyDemands

    private init(_ file: IncomingFile, _ demands: BodyDemands) throws(FileError) {
        self.file = file
        self.demands = demands
        digests = ContentDigests(demands.kinds)
        chunks = try demands.chunks()
    }

    /// What has come, on the disk and under its name.
    struct Received: Sendable {
        let file: IncomingFile
        let size: Int64
        let sums: ContentSums

        /// The entity tag of an object that is this body.
        var tag: String { Hexadecimal.text(of: sums.md5) }

        var sum: UInt64 { Checksum.number(sums[.crc64nvme] ?? []) }

        func checksum(_ kind: Checksum?) -> StoredChecksum? {
            guard let kind, let bytes = sums[kind] else { return nil }
            return StoredChecksum(kind, Checksum.text(of: bytes))
        }
    }

    private enum Step: Sendable {
        case going(BodyIntake)
        case received(Received)
    }

    static func receive(
        _ body: HTTPRequestBody, _ demands: BodyDemands, in folder: FileFolder
    ) async throws(FileError) -> Received {
        let source = BodySource(body)
        // A short body is one piece of work, from its first byte to its name on the disk.
        let first = try await source.next()
        let begun = try await folder.work { () throws(FileError) -> Step in
            let intake = try BodyIntake(try folder.open(expecting: demands.length), demands)
            try intake.take(first)
            return first.isLast ? .received(try intake.finish()) : .going(intake)
        }
        guard case .going(let intake) = begun else {
            guard case .received(let received) = begun else { throw .internalError }
            return received
        }
        return try await intake.receive(source, in: folder)
    }

    /// Takes the rest of a body that does not come at once: what comes next is gathered while the last of it is hashed and written.
    private func receive(_ source: BodySource, in folder: FileFolder) async throws(FileError) -> Received {
        var next = try await source.next()
        while !next.isLast {
            let taken = next
            async let work: Void = take(taken, in: folder)
            let following: Result<BodySource.Gathered, FileError>
            do throws(FileError) { following = .success(try await source.next()) } catch { following = .failure(error) }
            do { try await work } catch { throw error as? FileError ?? .internalError }
            next = try following.get()
        }
        let last = next
        return try await folder.work { [self] () throws(FileError) in
            try take(last)
            return try finish()
        }
    }

    /// Where nothing has to be taken off the bytes, they are hashed and written at once: each takes about as long as the other.
    private func take(_ gathered: BodySource.Gathered, in folder: FileFolder) async throws(FileError) {
        guard chunks == nil else { return try await folder.work { [self] () throws(FileError) in try take(gathered) } }
        try demands.checkRoom(for: digests.byteCount + gathered.pieces.reduce(0) { $0 + $1.count })
        async let written: Void = folder.work { [self] () throws(FileError) in
            for piece in gathered.pieces {
                try piece.withUnsafeBufferPointer { bytes throws(FileError) in
                    try file.write(UnsafeRawBufferPointer(bytes))
                }
            }
        }
        try await folder.work { [self] () throws(FileError) in for piece in gathered.pieces { digests.update(piece) } }
        do { try await written } catch { throw error as? FileError ?? .internalError }
    }

    private func take(_ gathered: BodySource.Gathered) throws(FileError) {
        for piece in gathered.pieces {
            try piece.withUnsafeBufferPointer { bytes throws(FileError) in
                let bytes = UnsafeRawBufferPointer(bytes)
                guard let chunks else { return try keep(bytes) }
                try chunks.read(bytes) { data throws(FileError) in try keep(data) }
            }
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try demands.checkRoom(for: digests.byteCount + bytes.count)
        digests.update(bytes)
        try file.write(bytes)
    }

    private func finish() throws(FileError) -> Received {
        try chunks?.finish()
        let sums = digests.finish()
        try demands.check(sums, digests.byteCount, trailer: chunks?.trailer)
        try file.keep()
        return Received(file: file, size: file.size, sums: sums)
    }
}

/// The body of a request as those take it who work beside the loop: what has come by now, at once.
struct BodySource: Sendable {
    struct Gathered: Sendable {
        var pieces: [[UInt8]] = []
        var isLast = false
    }

    private let body: HTTPRequestBody
    /// What is handed on at once.
    private static let gatheredBytesMax = 128 << 10

    init(_ body: HTTPRequestBody) { self.body = body }

    /// Waits for bytes and takes all that have come, up to a limit.
    func next() async throws(FileError) -> Gathered {
        switch body {
        case .bytes(let bytes): return Gathered(pieces: [bytes], isLast: true)
        case .stream(let stream):
            do throws(HTTPBodyError) {
                let taken = try await stream.gather(upTo: Self.gatheredBytesMax)
                return Gathered(pieces: taken.pieces, isLast: taken.isLast)
            } catch {
                throw FileError(error)
            }
        }
    }
}

extension FileError {
    init(_ error: HTTPBodyError) {
        switch error {
        case .connectionClosed: self = .incompleteBody
        case .unacceptable(let error):
            switch error.status {
            case .contentTooLarge: self = .tooLarge
            case .requestTimeout:
                self = FileError(
                    400, "RequestTimeout",
                    "Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed."
                )
            case .serviceUnavailable: self = .slowDown
            default: self = .invalidRequest(error.description)
            }
        }
    }
}
