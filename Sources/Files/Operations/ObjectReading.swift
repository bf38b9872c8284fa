import Network

/// GetObject and HeadObject. They wait for nothing: the record is read and the file opened on the request's loop.
struct ObjectReading {
    let run: FileRun

    /// How often a record is read whose file was replaced between the two.
    private static let attemptsMax = 4

    func answer() throws(FileError) -> HTTPResponse {
        try run.demand(.get, run.call.target.key)
        let replaced = try replacedFields()
        for _ in 0..<Self.attemptsMax {
            let object = try run.object()
            if let response = try answer(object, replaced) { return response }
        }
        throw .internalError.because("the file of \(run.call.target.key) is not there")
    }

    /// Nil: the file is not there any more, because there is another one by now.
    private func answer(
        _ object: StoredObject, _ replaced: [ObjectContent.Field: String]
    ) throws(FileError) -> HTTPResponse? {
        let fields = run.head.fields
        var lines = HTTPFieldLines()
        object.append(to: &lines)
        let seconds = run.call.now / 1_000
        switch ObjectConditions(fields, now: seconds).verdict(tag: object.tag, modified: object.modifiedSeconds) {
        case .met: break
        case .notModified: return run.answer(HTTPStatus(code: 304), lines)
        case .failed: throw .preconditionFailed
        }
        let part = try part(of: object, now: seconds)
        lines.append("accept-ranges", "bytes")
        object.content.append(to: &lines, replaced: replaced)
        let named = object.content.metadataFields
        // A page sees those of the metadata's fields that are named to it.
        if !named.isEmpty { lines.append("access-control-expose-headers", named.joined(separator: ",")) }
        // A checksum is of all bytes: beside some of them, clients would find it wrong.
        if part == nil, fields["x-amz-checksum-mode"].map({ HTTPFields.isEqual($0.utf8, "enabled") }) ?? false {
            object.checksum?.append(to: &lines)
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
        guard let file = try run.service.folder.reading(object.file) else { return nil }
        response.body = .file(file.body(from: Int64(range.lowerBound), count: Int64(range.count)))
        return response
    }

    /// The part that is asked for; nil: all of it.
    private func part(of object: StoredObject, now: Int64) throws(FileError) -> Range<Int>? {
        if let number = try run.query.number("partNumber", 1...FileLimits.partsMax) {
            guard number == 1 || number <= object.partCount ?? 1 else {
                throw FileError(416, "InvalidPartNumber", "The requested partnumber is not satisfiable")
            }
            // Where the parts of a joined object lay nobody knows any more.
            guard object.partCount == nil else { throw .notImplemented }
        }
        guard let text = run.head.fields["range"],
            ObjectConditions.rangeCounts(run.head.fields, tag: object.tag, modified: object.modifiedSeconds, now: now)
        else { return nil }
        switch ByteRange(text, size: Int(clamping: object.size)) {
        case .whole: return nil
        case .part(let part): return part
        case .unsatisfiable:
            throw FileError.invalidRange.with("RangeRequested", text).with("ActualObjectSize", "\(object.size)")
        }
    }

    /// What the query wants in the place of what is stored. Only signed requests may ask for it.
    private func replacedFields() throws(FileError) -> [ObjectContent.Field: String] {
        var replaced: [ObjectContent.Field: String] = [:]
        for field in ObjectContent.Field.allCases {
            guard let value = run.query["response-\(field.rawValue)"] else { continue }
            guard run.call.caller != .anonymous else {
                throw .invalidRequest("Request specific response headers cannot be used for anonymous GET requests.")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalidArgument("A response header value cannot hold control characters.")
            }
            replaced[field] = value
        }
        return replaced
    }
}
