import Crypto
import JSON
import Network

/// Uploads in parts.
extension FileRun {
    private var key: String { call.target.key }

    /// The upload that is called for: of this key and this caller, or it is none.
    private func upload() async throws(FileError) -> (id: String, upload: StoredUpload) {
        guard let id = query["uploadId"], let bucket = call.target.bucket else { throw .noSuchUpload }
        guard let upload = try await upload(id, bucket) else { throw .noSuchUpload.with("UploadId", id) }
        return (id, upload)
    }

    private func upload(_ id: String, _ bucket: String) async throws(FileError) -> StoredUpload? {
        let (key, owner) = (key, call.owner)
        return try await read { reader throws(FileError) in try reader.upload(id, bucket, key, owner: owner) }
    }

    func createUpload() async throws(FileError) -> HTTPResponse {
        try demand(.put, key)
        try refuseUnknown()
        let (bucket, key) = (try bucket(), key)
        let content = try ObjectContent(head, link: call.proof.linkFields)
        let checksum = try Self.checksum(head.fields)
        try await service.makeReady(on: request.loop)
        try await endOldUploads()
        let id = Base32.text(of: RandomBytes.make(count: 20))
        let (owner, max) = (call.owner, service.settings.uploadsMax)
        try await service.write { [service] writing throws(FileError) in
            // It may have gone while this waited.
            try service.demandBucket(bucket, writing)
            try writing.begin(id, bucket, key, owner: owner, content, checksum, uploadsMax: max)
            return ((), [])
        }
        var fields = HTTPFieldLines()
        if let checksum {
            fields.append("x-amz-checksum-algorithm", checksum.kind.name)
            fields.append("x-amz-checksum-type", checksum.type)
        }
        return answer(markup: BegunUpload(bucket: bucket, key: key, id: id).markup, fields)
    }

    /// The checksum that the object is to have: over all bytes where that follows from those of the parts, unless the request says
    /// otherwise.
    private static func checksum(_ fields: HTTPFields) throws(FileError) -> UploadChecksum? {
        let algorithm = try BodyDemands.algorithm(of: fields)
        let type = fields["x-amz-checksum-type"]
        guard let kind = algorithm else {
            guard type == nil else {
                throw .invalidRequest(
                    "The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.")
            }
            return nil
        }
        switch type {
        case "FULL_OBJECT":
            guard kind.isJoinable else {
                throw .invalidRequest(
                    "The FULL_OBJECT checksum type cannot be used with the \(kind.name) checksum algorithm.")
            }
            return UploadChecksum(kind, isOfWhole: true)
        case "COMPOSITE":
            guard kind != .crc64nvme else {
                throw .invalidRequest(
                    "The COMPOSITE checksum type cannot be used with the crc64nvme checksum algorithm.")
            }
            return UploadChecksum(kind, isOfWhole: false)
        case nil: return UploadChecksum(kind, isOfWhole: kind == .crc64nvme)
        default: throw .invalidRequest("Value for x-amz-checksum-type header is invalid.")
        }
    }

    /// Ends uploads that nobody has gone on with for long.
    private func endOldUploads() async throws(FileError) {
        let oldest = call.now - service.settings.uploadMilliseconds
        let old = try await read { reader throws(FileError) in try reader.uploads(before: oldest, max: 16) } ?? []
        guard !old.isEmpty else { return }
        try await service.write { writing throws(FileError) in
            var leaves: [FileNumber] = []
            for upload in old { leaves += try writing.end(upload) }
            return ((), leaves)
        }
    }

    // MARK: Parts

    func uploadPart() async throws(FileError) -> HTTPResponse {
        try demand(.put, key)
        let number = try partNumber()
        let (id, upload) = try await upload()
        var demands = try BodyDemands(head, call.proof.payload, bytesMax: service.settings.objectBytesMax)
        demands.isOfPart = true
        if let kind = upload.checksum?.kind {
            guard demands.wanted ?? kind == kind else {
                throw .invalidRequest(
                    "Checksum Type mismatch occurred, expected checksum Type: \(kind.name.lowercased()), actual checksum Type: \(demands.wanted?.name.lowercased() ?? "null")"
                )
            }
            demands.wanted = kind
        }
        try await service.makeReady(on: request.loop)
        let received = try await BodyIntake.receive(request.body, demands, in: service.folder)
        let part = StoredPart(
            number: number, file: received.file.number, size: received.size, tag: received.tag, modified: service.now,
            checksum: received.checksum(demands.wanted), sum: received.sum)
        try await put(part, received.file, id)
        var fields = HTTPFieldLines()
        fields.append("etag", "\"\(part.tag)\"")
        if let checksum = part.checksum { fields.append(checksum.kind.fieldName, checksum.text) }
        return answer(.ok, fields)
    }

    func copyPart() async throws(FileError) -> HTTPResponse {
        try demand(.put, key)
        let number = try partNumber()
        let (id, upload) = try await upload()
        let object = try await sourceObject()
        var range = 0..<object.size
        if let text = head.fields["x-amz-copy-source-range"] {
            let part = try ByteRange.ofSource(text, size: Int(clamping: object.size))
            range = Int64(part.lowerBound)..<Int64(part.upperBound)
        }
        try await service.makeReady(on: request.loop)
        let (folder, kind, copied) = (service.folder, upload.checksum?.kind, range)
        let made = try await folder.work { () throws(FileError) in
            try FileCopy.part(object, copied, in: folder, wanted: kind)
        }
        let received = BodyIntake.Received(file: made.file, size: Int64(range.count), sums: made.sums)
        let part = StoredPart(
            number: number, file: made.file.number, size: received.size, tag: received.tag, modified: service.now,
            checksum: received.checksum(kind), sum: received.sum)
        try await put(part, made.file, id)
        var copy = CopyAnswer(modified: part.modified.wholeSeconds, etag: part.tag)
        if let checksum = part.checksum { copy.checksums = [checksum.named] }
        return answer(markup: copy.partMarkup)
    }

    private func partNumber() throws(FileError) -> Int {
        guard let number = query["partNumber"]?.plainNumber.flatMap({ Int(exactly: $0) }),
            (1...FileLimits.partsMax).contains(number)
        else {
            throw FileError.invalidArgument("Part number must be an integer between 1 and 10000, inclusive")
                .with("ArgumentName", "partNumber").with("ArgumentValue", query["partNumber"] ?? "")
        }
        return number
    }

    private func put(_ part: StoredPart, _ file: IncomingFile, _ id: String) async throws(FileError) {
        let (bucket, key, owner) = (try bucket(), key, call.owner)
        do throws(FileError) {
            try await service.write { writing throws(FileError) in
                // It may have ended while the part was on its way.
                guard let upload = try writing.session.upload(id, bucket, key, owner: owner) else {
                    throw .noSuchUpload
                }
                return ((), try writing.put(part, of: upload.number).map { [$0] } ?? [])
            }
        } catch {
            file.discard()
            throw error
        }
    }

    func listParts() async throws(FileError) -> HTTPResponse {
        try demand(.put, key)
        let (id, upload) = try await upload()
        let max = try query.number("max-parts", 0...FileLimits.keysMax) ?? FileLimits.keysMax
        let marker = try query.number("part-number-marker", 0...FileLimits.partsMax) ?? 0
        var page = PartsPage(bucket: try bucket(), key: key, upload: id, owner: Self.owner)
        (page.marker, page.maxParts) = (marker, max)
        if let checksum = upload.checksum {
            (page.checksumAlgorithm, page.checksumType) = (checksum.kind.name, checksum.type)
        }
        let parts =
            try await read { reader throws(FileError) in
                try reader.parts(of: upload.number, after: marker, max: max + 1)
            } ?? []
        page.parts = parts.prefix(max).map { part in
            PartsPage.Part(
                number: part.number, modified: part.modified.wholeSeconds, etag: part.tag, size: part.size,
                checksums: part.checksum.map { [$0.named] } ?? [])
        }
        if parts.count > max, let last = page.parts.last { page.nextMarker = last.number }
        return answer(markup: page.markup)
    }

    func abortUpload() async throws(FileError) -> HTTPResponse {
        try demand(.put, key)
        let (id, _) = try await upload()
        let (bucket, key, owner) = (try bucket(), key, call.owner)
        try await service.write { writing throws(FileError) in
            guard let upload = try writing.session.upload(id, bucket, key, owner: owner) else { throw .noSuchUpload }
            return ((), try writing.end(upload.number))
        }
        return answer(Self.noContent)
    }

    // MARK: Completion

    func completeUpload() async throws(FileError) -> HTTPResponse {
        try demand(.put, key)
        let list = try await markup(checksumIsOfObject: true, canBeEmpty: true) { body throws(FileError) in
            try CompleteRequest(body)
        }
        let (bucket, key, owner) = (try bucket(), key, call.owner)
        guard let id = query["uploadId"] else { throw .noSuchUpload }
        let asked = list.parts.map { "\($0.number):\($0.etag)" }.joined(separator: ",")
        guard let upload = try await upload(id, bucket) else { return try await completed(id, asked) }
        guard !list.parts.isEmpty else { throw .invalidRequest("You must specify at least one part") }
        let parts: [StoredPart]
        do throws(FileError) { parts = try await chosen(list, of: upload) } catch {
            return try await completedMeanwhile(id, asked, error)
        }
        let chosen = try checksum(of: parts, upload)
        try checkWhole(chosen, parts)
        let tag = try Self.tag(of: parts)
        let conditions = try ObjectConditions(ofWriting: head.fields, now: call.now / 1_000)
        try await service.makeReady(on: request.loop)
        let folder = service.folder
        let file: IncomingFile
        do throws(FileError) {
            file = try await folder.work { () throws(FileError) in try FileCopy.joined(parts, in: folder) }
        } catch {
            return try await completedMeanwhile(id, asked, error)
        }
        let sum = parts.reduce([UInt8](repeating: 0, count: 8)) { whole, part in
            Checksum.crc64nvme.joined(whole, Self.bytes(of: part.sum), secondLength: Int(clamping: part.size)) ?? whole
        }
        // Where nobody has chosen one, S3 keeps this one of the whole.
        let checksum = chosen ?? StoredChecksum(.crc64nvme, Checksum.text(of: sum))
        let object = StoredObject(
            file: file.number, size: parts.reduce(0) { $0 + $1.size }, tag: tag, modified: service.now,
            content: upload.content,
            checksum: checksum, sum: Checksum.number(sum))
        let kept = service.settings.uploadMilliseconds
        do throws(FileError) {
            try await put(object, bucket, key, file, conditions, by: .completed) { writing throws(FileError) in
                guard let now = try writing.session.upload(id, bucket, key, owner: owner) else { throw .noSuchUpload }
                // A part that was sent again meanwhile is another one.
                var current: [Int: FileNumber] = [:]
                for part in try writing.session.parts(of: now.number) { current[part.number] = part.file }
                guard parts.allSatisfy({ current[$0.number] == $0.file }) else { throw .invalidPart }
                let answer: JSONValue = [
                    "etag": .string(tag), "checksum": .string(checksum.stored),
                ]
                try writing.complete(id, bucket, key, owner: owner, list: asked, answer: answer, keptFor: kept)
                try writing.note(JoinedParts(parts), of: file.number)
                return try writing.end(now.number)
            }
        } catch {
            guard error.code == FileError.noSuchUpload.code else { throw error }
            return try await completed(id, asked)
        }
        return made(tag, checksum)
    }

    /// What comes of an upload some of whose parts are not there. Where another call has completed it meanwhile they are gone, and both
    /// are answered alike.
    private func completedMeanwhile(
        _ id: String, _ asked: String, _ error: FileError
    ) async throws(FileError) -> HTTPResponse {
        guard error.code == FileError.invalidPart.code, try await upload(id, try bucket()) == nil else { throw error }
        return try await completed(id, asked)
    }

    /// What an upload was answered that has ended: whoever lost the answer asks again.
    private func completed(_ id: String, _ asked: String) async throws(FileError) -> HTTPResponse {
        let (bucket, key, owner) = (try bucket(), key, call.owner)
        let found = try await read { reader throws(FileError) in
            try reader.completion(id, bucket, key, owner: owner)
        }
        guard let completion = found, ByteText(completion.list) == ByteText(asked),
            let tag = completion.answer["etag"]?.string
        else { throw .noSuchUpload.with("UploadId", id) }
        return made(tag, completion.answer["checksum"]?.string.flatMap { StoredChecksum(stored: $0) })
    }

    private func made(_ tag: String, _ checksum: StoredChecksum?) -> HTTPResponse {
        var object = MadeObject(location: location, bucket: call.target.bucket ?? "", key: key, etag: tag)
        if let checksum { (object.checksums, object.checksumType) = ([checksum.named], checksum.type) }
        return answer(markup: object.uploadMarkup)
    }

    /// The parts that a list names, in its order, which has to ascend.
    private func chosen(_ list: CompleteRequest, of upload: StoredUpload) async throws(FileError) -> [StoredPart] {
        guard zip(list.parts, list.parts.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
            throw .invalidPartOrder.with("UploadId", upload.id)
        }
        var stored: [Int: StoredPart] = [:]
        let found = try await read { reader throws(FileError) in try reader.parts(of: upload.number) }
        for part in found ?? [] { stored[part.number] = part }
        var parts: [StoredPart] = []
        for asked in list.parts {
            guard let part = stored[asked.number], ByteText(part.tag) == ByteText(asked.etag) else {
                throw FileError.invalidPart.with("UploadId", upload.id).with("PartNumber", "\(asked.number)").with(
                    "ETag", asked.etag)
            }
            for checksum in asked.checksums {
                guard let own = part.checksum, ByteText(own.kind.name) == ByteText(checksum.algorithm),
                    ByteText(own.text) == ByteText(checksum.value)
                else { throw .invalidPart }
            }
            parts.append(part)
        }
        for part in parts.dropLast() where part.size < Int64(FileLimits.partBytesMin) {
            throw FileError.tooSmall.with("ProposedSize", "\(part.size)").with(
                "MinSizeAllowed", "\(FileLimits.partBytesMin)"
            )
            .with("PartNumber", "\(part.number)").with("ETag", part.tag)
        }
        guard parts.reduce(0, { $0 + $1.size }) <= service.settings.joinedBytesMax else { throw .tooLarge }
        return parts
    }

    /// The tag of an object from parts: a digest of their digests, and how many they are.
    private static func tag(of parts: [StoredPart]) throws(FileError) -> String {
        var digests: [UInt8] = []
        for part in parts {
            guard let digest = Hexadecimal.bytes(of: part.tag.utf8) else {
                throw .internalError.because("a part's tag is no digest")
            }
            digests += digest
        }
        return "\(Hexadecimal.text(of: ChecksumStream.sum(.md5, of: digests)))-\(parts.count)"
    }

    /// The checksum of the object, from those of its parts; nil where they have none.
    private func checksum(of parts: [StoredPart], _ upload: StoredUpload) throws(FileError) -> StoredChecksum? {
        guard let wanted = upload.checksum else { return nil }
        var sums: [(bytes: [UInt8], size: Int64)] = []
        for part in parts {
            guard let own = part.checksum, own.kind == wanted.kind, let bytes = own.kind.bytes(of: own.text) else {
                throw .invalidRequest(
                    "The upload was created using a \(wanted.kind.name) checksum. The complete request must include the checksum for each part."
                )
            }
            sums.append((bytes, part.size))
        }
        guard wanted.isOfWhole else {
            let sum = ChecksumStream.sum(wanted.kind, of: sums.flatMap(\.bytes))
            return StoredChecksum(wanted.kind, "\(Checksum.text(of: sum))-\(parts.count)")
        }
        var whole = ChecksumStream.sum(wanted.kind, of: [])
        for sum in sums {
            guard let joined = wanted.kind.joined(whole, sum.bytes, secondLength: Int(clamping: sum.size)) else {
                throw .internalError
            }
            whole = joined
        }
        return StoredChecksum(wanted.kind, Checksum.text(of: whole))
    }

    /// Compares what the request says of the whole object.
    private func checkWhole(_ checksum: StoredChecksum?, _ parts: [StoredPart]) throws(FileError) {
        for kind in Checksum.named {
            guard let claimed = head.fields[kind.fieldName] else { continue }
            let bare = claimed.utf8.split(separator: UInt8(ascii: "-")).first.map { String(Substring($0)) } ?? claimed
            let own = checksum.map {
                $0.text.utf8.split(separator: UInt8(ascii: "-")).first.map { String(Substring($0)) } ?? ""
            }
            guard checksum?.kind == kind, own.map({ ByteText($0) == ByteText(bare) }) ?? false else { throw .badDigest }
        }
        if let text = head.fields["x-amz-mp-object-size"] {
            guard let size = text.plainNumber, size == parts.reduce(0, { $0 + $1.size }) else {
                throw .invalidRequest("The provided 'x-amz-mp-object-size' header does not match what was computed.")
            }
        }
    }

    private static func bytes(of sum: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(56 - $0 * 8)) }
    }

    /// Where an object is found, as it was called.
    var location: String {
        let path = head.encodedPath
        return "\(request.isSecure ? "https" : "http")://\(head.authority ?? "localhost")\(path)"
    }
}

extension UploadChecksum {
    var type: String { isOfWhole ? "FULL_OBJECT" : "COMPOSITE" }
}
