import JSON
import Network
import Store

/// One call of an operation: what came, and the means to answer it.
struct FileRun: Sendable {
    let service: FileService
    let shard: FileShard
    let call: FileCall
    let request: HTTPRequest

    var head: HTTPRequestHead { call.head }
    var query: FileQuery { call.query }

    /// Reads the tables; nil where nobody has put anything yet.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Reader) throws(FileError) -> Value?
    ) async throws(FileError) -> Value? {
        guard try await service.hasRecords(on: shard) else { return nil }
        return try await service.read(on: shard, body)
    }

    /// The tables of a file as the loop reads them; nil where nobody has put anything yet. For what answers at once.
    ///
    /// - Parameter inTurn: whether what was there at the beginning of the loop's turn will do, which costs less.
    func records(inTurn: Bool) throws(FileError) -> Reader? {
        guard try service.hasRecordsOnLoop(of: shard) else { return nil }
        return try storing { () throws(StoreError) in
            try inTurn
                ? shard.recordsOfTurn(of: service.store, on: request.loop) : shard.records(of: service.store)
        }
    }

    /// The bucket that is called for, which has to be there.
    func bucket() throws(FileError) -> String {
        guard let name = call.target.bucket, service.hasBucket(name) else { throw missingBucket }
        return name
    }

    var missingBucket: FileError { .noSuchBucket.with("BucketName", call.target.bucket ?? "") }

    /// Throws where the caller may not do that. Called before anything is looked up: who may not, learns nothing.
    func demand(_ action: FileAction, _ key: String) throws(FileError) {
        guard service.allows(action, try bucket(), key, call.caller) else { throw denied(action, key) }
    }

    private func denied(_ action: FileAction, _ key: String) -> FileError {
        .accessDenied.because("no rule lets \(call.owner) \(action) \(key)")
    }

    /// What administrators alone may do.
    func demandAdministrator() throws(FileError) {
        guard call.caller == .administrator else { throw FileError.accessDenied }
    }

    /// What a caller is told of an object that is not there: that only, where they may see what is.
    func missing(_ key: String) throws(FileError) -> FileError {
        guard service.allows(.list, try bucket(), key, call.caller) else { return .accessDenied }
        return .noSuchKey.with("Key", key)
    }

    /// The object that is called for.
    func object() async throws(FileError) -> StoredObject {
        let (bucket, key) = (try bucket(), call.target.key)
        let found = try await read { reader throws(FileError) in try reader.object(bucket, key) }
        guard let found else { throw try missing(key) }
        return found
    }

    /// The content of the body, which is XML and short.
    ///
    /// - Parameter isOfObject: whether checksums in the head are those of the object, and not of the body.
    func markup<Answer: Sendable>(
        checksumIsOfObject isOfObject: Bool = false, canBeEmpty: Bool = false,
        _ read: @escaping @Sendable ([UInt8]) throws(FileError) -> Answer
    ) async throws(FileError) -> Answer {
        let body = try await content(max: FileLimits.markupBytesMax, checksumIsOfObject: isOfObject)
        guard canBeEmpty || !body.isEmpty else { throw .malformedXML }
        return try await Self.beside(ifLong: body.count) { () throws(FileError) in try read(body) }
    }

    /// Works on so many bytes of XML: beside the loop where they are many.
    private static func beside<Answer: Sendable>(
        ifLong count: Int, _ work: @escaping @Sendable () throws(FileError) -> Answer
    ) async throws(FileError) -> Answer {
        guard count > FileLimits.markupOnLoopBytesMax else { return try work() }
        // A task within one on a loop would run there, too.
        let task = Task.detached { () -> Result<Answer, FileError> in
            do throws(FileError) { return .success(try work()) } catch { return .failure(error) }
        }
        return try await task.value.get()
    }

    /// An answer in XML about some keys.
    func answer(
        about keys: [String], _ markup: @escaping @Sendable () -> [UInt8]
    ) async throws(FileError) -> HTTPResponse {
        let count = keys.reduce(0) { $0 + $1.utf8.count }
        return answer(markup: try await Self.beside(ifLong: count) { () throws(FileError) in markup() })
    }

    /// All of a body that is short, compared with what is said of it.
    func content(max: Int, checksumIsOfObject isOfObject: Bool = false) async throws(FileError) -> [UInt8] {
        let demands = try BodyDemands(
            head, call.proof.payload, bytesMax: Int64(max), checksumIsOfBody: !isOfObject)
        let source = BodySource(request.body)
        let chunks = try demands.chunks()
        var bytes: [UInt8] = []
        while true {
            let gathered = try await source.next()
            for piece in gathered.pieces {
                try piece.withUnsafeBufferPointer { piece throws(FileError) in
                    let piece = UnsafeRawBufferPointer(piece)
                    guard let chunks else { return bytes.append(contentsOf: piece) }
                    try chunks.read(piece) { data throws(FileError) in bytes.append(contentsOf: data) }
                }
            }
            try demands.checkRoom(for: bytes.count)
            if gathered.isLast { break }
        }
        try chunks?.finish()
        let (content, kinds) = (bytes, demands.kinds)
        let sums = try await Self.beside(ifLong: content.count) { () throws(FileError) in
            let digests = ContentDigests(kinds)
            digests.update(content)
            return digests.finish()
        }
        try demands.check(sums, content.count, trailer: chunks?.trailer)
        return content
    }

    // MARK: Answers

    func answer(_ status: HTTPStatus = .ok, _ fields: HTTPFieldLines = .init()) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields)
    }

    /// An answer in XML.
    func answer(markup: [UInt8], _ fields: HTTPFieldLines = .init()) -> HTTPResponse {
        var fields = fields
        fields.append("content-type", "application/xml")
        return HTTPResponse(fields: fields, body: .bytes(markup))
    }

    static let noContent = HTTPStatus(code: 204)
}

extension ChunkedBody {
    /// The checksum that came behind the chunks.
    var trailer: (kind: Checksum, bytes: [UInt8])? {
        guard let announced, let checksum else { return nil }
        return (announced, checksum)
    }
}

extension StoredChecksum {
    var named: NamedChecksum { NamedChecksum(algorithm: kind.name, value: text) }

    /// What XML and fields call the way in which it was made.
    var type: String { isOfWhole ? "FULL_OBJECT" : "COMPOSITE" }
}

extension Int64 {
    /// As a time, from milliseconds since 1970, in whole seconds: clients compare it with that of the field.
    var wholeSeconds: Timestamp { Timestamp(seconds: self / 1_000) }
}
