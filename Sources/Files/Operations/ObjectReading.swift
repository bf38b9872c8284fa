import JSON
import Network
import Store

/// GetObject and HeadObject. They wait for nothing: the record is read and the file opened on the request's loop. Where a server has the
/// records, both is done beside it.
struct ObjectReading {
    let run: FileRun
    /// The connection to read with; nil: the loop's.
    var reader: Reader?

    /// How often a record is read whose file was replaced between the two.
    private static let attemptsMax = 4

    func answer() throws(FileError) -> HTTPResponse {
        try run.demand(.get, run.call.target.key)
        let replaced = try replacedFields()
        for attempt in 0..<Self.attemptsMax {
            if let response = try answer(object(inTurn: attempt == 0), replaced) { return response }
        }
        throw missingFile
    }

    private var missingFile: FileError { .internalError.because("the file of \(run.call.target.key) is not there") }

    /// The same where a server has the records: each attempt sees those of its own moment.
    static func answerBeside(_ run: FileRun) async throws(FileError) -> HTTPResponse {
        try run.demand(.get, run.call.target.key)
        for _ in 0..<attemptsMax {
            let answer = try await run.read { reader throws(FileError) in
                let reading = ObjectReading(run: run, reader: reader)
                return try reading.answer(reading.object(inTurn: false), reading.replacedFields())
            }
            if let answer { return answer }
            guard try await run.service.hasRecords(on: run.shard) else { throw try run.missing(run.call.target.key) }
        }
        throw ObjectReading(run: run).missingFile
    }

    /// The object that is called for.
    ///
    /// - Parameter inTurn: whether that of the beginning of the loop's turn will do, which costs less.
    private func object(inTurn: Bool) throws(FileError) -> StoredObject {
        let bucket = try run.bucket()
        guard let object = try records(inTurn: inTurn)?.object(bucket, run.call.target.key) else {
            throw try run.missing(run.call.target.key)
        }
        return object
    }

    private func records(inTurn: Bool) throws(FileError) -> Reader? {
        if let reader { return reader }
        return try run.records(inTurn: inTurn)
    }

    /// Nil: the file is not there any more, because there is another one by now.
    private func answer(
        _ object: StoredObject, _ replaced: [ObjectContent.Field: String]
    ) throws(FileError) -> HTTPResponse? {
        let fields = run.head.fields
        var lines = HTTPFieldLines()
        object.append(to: &lines)
        let seconds = run.call.now / 1_000
        let conditions = ObjectConditions(fields, now: seconds)
        switch conditions.verdict(tag: object.tag, modified: object.modifiedSeconds) {
        case .met: break
        case .notModified: return run.answer(HTTPStatus(code: 304), lines)
        case .failed: throw conditions.refusal(tag: object.tag, modified: object.modifiedSeconds)
        }
        let piece = try piece(of: object, now: seconds)
        let part = piece.range
        lines.append("accept-ranges", "bytes")
        object.content.append(to: &lines, replaced: replaced)
        let named = object.content.metadataFields
        // A page sees those of the metadata's fields that are named to it.
        if !named.isEmpty { lines.append("access-control-expose-headers", named.joined(separator: ",")) }
        // A checksum is of all bytes that are sent: beside others, clients would find it wrong.
        if fields["x-amz-checksum-mode"].map({ HTTPFields.isEqual($0.utf8, "enabled") }) ?? false {
            piece.checksum?.append(to: &lines, type: object.checksum?.type)
        }
        if let count = object.partCount, run.query.contains("partNumber") {
            lines.append("x-amz-mp-parts-count", "\(count)")
        }
        if let part { lines.append("content-range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(object.size)") }
        lines.append("content-security-policy", "sandbox")
        let range = part ?? 0..<Int(clamping: object.size)
        var response = HTTPResponse(status: part == nil ? .ok : HTTPStatus(code: 206), fields: lines)
        guard run.head.method != .head else {
            response.body = .absent(length: range.count)
            return response
        }
        guard !range.isEmpty else { return response }
        guard let body = try body(of: object, range) else { return nil }
        response.body = body
        return response
    }

    /// Nil: the file is not there any more.
    private func body(of object: StoredObject, _ range: Range<Int>) throws(FileError) -> HTTPResponseBody? {
        let isSmall = object.size <= Int64(FileLimits.readAtOnceBytesMax)
        // Hot path: opening a file costs as much as all that is done with its record.
        if isSmall, let bytes = run.shard.contents.content(of: object.file), range.upperBound <= bytes.count {
            let isWhole = range == bytes.indices
            return .bytes(isWhole ? bytes : Array(bytes[range]), isCompressible: false)
        }
        guard let file = try run.service.folder.reading(object.file) else { return nil }
        let body = try file.body(from: range.lowerBound, count: range.count)
        if isSmall, case .bytes(let bytes, _) = body, Int64(bytes.count) == object.size {
            run.shard.contents.keep(bytes, of: object.file)
        }
        return body
    }

    /// What is sent of an object: a stretch of it, or where that is nil all of it, with the checksum of just that.
    private struct Piece {
        var range: Range<Int>?
        var checksum: StoredChecksum?
    }

    private func piece(of object: StoredObject, now: Int64) throws(FileError) -> Piece {
        let whole = Piece(checksum: object.checksum)
        let text = run.head.fields["range"]
        if let number = try run.query.number("partNumber", 1...FileLimits.partsMax) {
            guard text == nil else {
                throw .invalidRequest("Cannot specify both Range header and partNumber query parameter")
            }
            return try part(number, of: object)
        }
        guard let text,
            ObjectConditions.rangeCounts(run.head.fields, tag: object.tag, modified: object.modifiedSeconds, now: now)
        else { return whole }
        switch ByteRange(text, size: Int(clamping: object.size)) {
        case .whole: return whole
        case .part(let part): return Piece(range: part)
        case .unsatisfiable:
            throw FileError.invalidRange.with("RangeRequested", text).with("ActualObjectSize", "\(object.size)")
        }
    }

    /// A part of an object that was put together from some; one that came whole is its own first part.
    private func part(_ number: Int, of object: StoredObject) throws(FileError) -> Piece {
        let missing = FileError(416, "InvalidPartNumber", "The requested partnumber is not satisfiable")
            .with("PartNumberRequested", "\(number)").with("ActualPartCount", "\(object.partCount ?? 1)")
        guard let count = object.partCount else {
            guard number == 1 else { throw missing }
            return Piece(range: object.size > 0 ? 0..<Int(clamping: object.size) : nil, checksum: object.checksum)
        }
        guard number <= count else { throw missing }
        guard let parts = try records(inTurn: false)?.joinedParts(of: object.file), let range = parts.range(of: number)
        else {
            // Of objects that are older than the notes of parts nobody knows where those lie, but that one is all of it.
            guard count == 1 else { throw .notImplemented }
            return Piece(range: object.size > 0 ? 0..<Int(clamping: object.size) : nil)
        }
        let bytes = Int(clamping: range.lowerBound)..<Int(clamping: range.upperBound)
        return Piece(range: bytes.isEmpty ? nil : bytes, checksum: parts.parts[number - 1].checksum)
    }

    /// What the query wants in the place of what is stored. Only signed requests may ask for it.
    private func replacedFields() throws(FileError) -> [ObjectContent.Field: String] {
        guard !run.query.all.isEmpty else { return [:] }
        var replaced: [ObjectContent.Field: String] = [:]
        for field in ObjectContent.Field.allCases {
            guard let value = run.query["response-\(field.rawValue)"] else { continue }
            guard run.call.caller != .anonymous else {
                throw .invalidRequest("Request specific response headers cannot be used for anonymous GET requests.")
            }
            guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw .invalidArgument("A response header value cannot hold control characters.")
            }
            replaced[field] = value
        }
        return replaced
    }
}
