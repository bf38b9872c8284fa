import Crypto
import JSON
import Network

/// PutObject, CopyObject, DeleteObject, DeleteObjects, tags and attributes.
extension FileRun {
    func putObject() async throws(FileError) -> HTTPResponse {
        let key = call.target.key
        try demand(.put, key)
        try refuseUnknown()
        let bucket = try bucket()
        let demands = try BodyDemands(head, call.proof.payload, bytesMax: service.settings.objectBytesMax)
        let content = try ObjectContent(head, link: call.proof.linkFields)
        let conditions = try ObjectConditions(ofWriting: head.fields, now: call.now / 1_000)
        // What will not be kept need not come.
        if !conditions.isEmpty {
            let present = try await read { reader throws(FileError) in try reader.object(bucket, key) }
            try conditions.checkWrite(over: present?.tag)
        }
        try await service.makeReady(on: request.loop)
        let received = try await BodyIntake.receive(request.body, demands, in: service.folder)
        let object = StoredObject(
            file: received.file.number, size: received.size, tag: received.tag, modified: service.now, content: content,
            checksum: received.checksum(demands.wanted) ?? received.checksum(.crc64nvme), sum: received.sum)
        try await put(object, bucket, key, received.file, conditions)
        var fields = HTTPFieldLines()
        fields.append("etag", "\"\(object.tag)\"")
        object.checksum?.append(to: &fields)
        return answer(.ok, fields)
    }

    /// Makes the object the one with that key, or removes what has come for it.
    func put(
        _ object: StoredObject, _ bucket: String, _ key: String, _ file: IncomingFile, _ conditions: ObjectConditions,
        by name: FileEvent.Name = .put,
        _ more: @escaping @Sendable (FileWriting) throws(FileError) -> [FileNumber] = { _ in [] }
    ) async throws(FileError) {
        guard XMLCharacters.canHold(key) else {
            file.discard()
            throw .invalidArgument("The key has a character that no list could show.")
        }
        do throws(FileError) {
            try await service.write { [service] writing throws(FileError) in
                // It may have gone while the body came.
                try service.demandBucket(bucket, writing)
                var leaves = try more(writing)
                if let old = try writing.put(
                    object, bucket, key, by: name,
                    if: { old throws(FileError) in try conditions.checkWrite(over: old?.tag) })
                {
                    leaves.append(old)
                }
                return ((), leaves)
            }
        } catch {
            file.discard()
            throw error
        }
    }

    /// Refuses what a client counts on and nobody here does.
    func refuseUnknown() throws(FileError) {
        let fields = head.fields
        try ObjectContent.checkAccess(fields["x-amz-acl"])
        try ObjectContent.checkStorage(fields["x-amz-storage-class"])
        // The usual one is the disk's own business here as there; a key of the caller's is not.
        guard fields["x-amz-server-side-encryption"].map({ $0 == "AES256" }) ?? true else {
            throw .notImplemented.with("Header", "x-amz-server-side-encryption")
        }
        for (name, _) in fields.all {
            let isUnknown = ["x-amz-grant-", "x-amz-object-lock-", "x-amz-server-side-encryption-"].contains {
                name.utf8.starts(with: $0.utf8)
            }
            guard !isUnknown, name != "x-amz-write-offset-bytes" else { throw .notImplemented.with("Header", name) }
        }
    }

    // MARK: Copies

    /// Where a copy comes from.
    func source() throws(FileError) -> (bucket: String, key: String) {
        guard let text = head.fields["x-amz-copy-source"] else {
            throw .invalidRequest("x-amz-copy-source is missing.")
        }
        guard let source = CopySource(text) else {
            throw .invalidArgument("Copy Source must mention the source bucket and key: sourcebucket/sourcekey")
        }
        return (source.bucket, source.key)
    }

    /// The object that is copied, where the caller may read it and it is as the request wants it.
    func sourceObject() async throws(FileError) -> StoredObject {
        let (bucket, key) = try source()
        guard service.hasBucket(bucket) else { throw .noSuchBucket.with("BucketName", bucket) }
        guard service.allows(.get, bucket, key, call.caller) else { throw FileError.accessDenied }
        guard let object = try await read({ reader throws(FileError) in try reader.object(bucket, key) }) else {
            guard service.allows(.list, bucket, key, call.caller) else { throw .accessDenied }
            throw .noSuchKey.with("Key", key)
        }
        let conditions = ObjectConditions(ofSource: head.fields, now: call.now / 1_000)
        guard conditions.allowsCopy(tag: object.tag, modified: object.modifiedSeconds) else {
            throw conditions.refusal(tag: object.tag, modified: object.modifiedSeconds)
        }
        return object
    }

    func copyObject() async throws(FileError) -> HTTPResponse {
        let key = call.target.key
        try demand(.put, key)
        try refuseUnknown()
        let bucket = try bucket()
        let conditions = try ObjectConditions(ofWriting: head.fields, now: call.now / 1_000)
        let from = try await sourceObject()
        guard from.size <= service.settings.objectBytesMax else {
            throw .invalidRequest(
                "The specified copy source is larger than the maximum allowable size for a copy source: \(service.settings.objectBytesMax)"
            )
        }
        var content = from.content
        let replaces = try Self.replaces(head.fields["x-amz-metadata-directive"], "x-amz-metadata-directive")
        let replacesTags = try Self.replaces(head.fields["x-amz-tagging-directive"], "x-amz-tagging-directive")
        let given = try ObjectContent(head, link: call.proof.linkFields)
        if replaces { (content.fields, content.metadata) = (given.fields, given.metadata) }
        if replacesTags { content.tags = given.tags }
        let place = try source()
        // Whoever names a class, a redirect or an encryption changes it, whatever it is.
        let namesOther = ["x-amz-storage-class", "x-amz-website-redirect-location", "x-amz-server-side-encryption"]
            .contains {
                head.fields.contains($0)
            }
        guard
            replaces || replacesTags || namesOther || ByteText(place.bucket) != ByteText(bucket)
                || ByteText(place.key) != ByteText(key)
        else {
            throw .invalidRequest(
                "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes."
            )
        }
        let wanted = try BodyDemands.algorithm(of: head.fields)
        try await service.makeReady(on: request.loop)
        let folder = service.folder
        let copied = try await folder.work { () throws(FileError) in
            try FileCopy.whole(
                from, in: folder,
                wanted: wanted == from.checksum?.kind && from.checksum?.isOfWhole == true ? nil : wanted)
        }
        let object = StoredObject(
            file: copied.file.number, size: from.size, tag: copied.tag ?? from.tag, modified: service.now,
            content: content,
            checksum: copied.checksum ?? from.checksum, sum: from.sum)
        try await put(object, bucket, key, copied.file, conditions, by: .copy) { writing throws(FileError) in
            if from.partCount != nil { try writing.copyParts(of: from.file, to: object.file) }
            return []
        }
        var copy = CopyAnswer(modified: object.modified.wholeSeconds, etag: object.tag)
        if let checksum = object.checksum { (copy.checksums, copy.checksumType) = ([checksum.named], checksum.type) }
        return answer(markup: copy.objectMarkup)
    }

    private static func replaces(_ directive: String?, _ name: String) throws(FileError) -> Bool {
        switch directive {
        case nil, "COPY": return false
        case "REPLACE": return true
        default: throw .invalidArgument("Unknown \(name).")
        }
    }

    // MARK: Deletes

    func deleteObject() async throws(FileError) -> HTTPResponse {
        let key = call.target.key
        try demand(.delete, key)
        let bucket = try bucket()
        let conditions = ObjectConditions(head.fields, now: call.now / 1_000)
        let others = try DeleteConditions(head.fields)
        if try await !service.hasRecords(on: shard) {
            try conditions.checkWrite(over: nil)
        } else {
            let removal = Removal(key: key) { old throws(FileError) in
                try conditions.checkWrite(over: old?.tag)
                if let old { try others.check(old) }
            }
            if let fault = try await remove([removal], from: bucket).first ?? nil { throw fault }
        }
        return answer(Self.noContent)
    }

    /// A key to remove, and what has to hold for the object that has it.
    private struct Removal: Sendable {
        let key: String
        let condition: @Sendable (StoredObject?) throws(FileError) -> Void
    }

    /// Removes objects in one change. Answers what stood in the way of each.
    private func remove(_ removals: [Removal], from bucket: String) async throws(FileError) -> [FileError?] {
        try await service.write { writing throws(FileError) in
            var (leaves, faults): ([FileNumber], [FileError?]) = ([], [])
            for removal in removals {
                let old = try writing.session.object(bucket, removal.key)
                do throws(FileError) {
                    try removal.condition(old)
                    faults.append(nil)
                } catch {
                    faults.append(error)
                    continue
                }
                if let file = try writing.remove(bucket, removal.key) { leaves.append(file) }
            }
            return (faults, leaves)
        }
    }

    func deleteObjects() async throws(FileError) -> HTTPResponse {
        let bucket = try bucket()
        guard call.caller != .anonymous else { throw FileError.accessDenied }
        guard BodyDemands.names(aSumIn: head.fields) else { throw .missingDigest }
        let deletion = try await markup { body throws(FileError) in try DeleteRequest(body) }
        var result = DeleteAnswer(isQuiet: deletion.isQuiet)
        var removals: [Removal] = []
        for object in deletion.objects where service.allows(.delete, bucket, object.key, call.caller) {
            removals.append(
                Removal(key: object.key) { old throws(FileError) in
                    // Of versions there is one only, and it has this name.
                    guard object.version.map({ $0.isEmpty || $0 == VersionsPage.version }) ?? true else {
                        throw .noSuchVersion
                    }
                    if let old { try object.conditions.check(old) }
                })
        }
        let hasRecords = try await service.hasRecords(on: shard)
        let faults = removals.isEmpty || !hasRecords ? [] : try await remove(removals, from: bucket)
        var next = faults.makeIterator()
        for object in deletion.objects {
            let isAllowed = service.allows(.delete, bucket, object.key, call.caller)
            let fault = isAllowed ? next.next() ?? nil : .accessDenied
            result.keys.append(.init(key: object.key, version: object.version, error: fault))
        }
        let written = result
        return try await answer(about: deletion.objects.map(\.key)) { written.markup }
    }

    // MARK: Tags and attributes

    func getTagging() async throws(FileError) -> HTTPResponse {
        try demand(.get, call.target.key)
        return answer(markup: TaggingAnswer(tags: try await object().content.tags).markup)
    }

    func putTagging() async throws(FileError) -> HTTPResponse {
        try demand(.put, call.target.key)
        let tags = try await markup { body throws(FileError) in try TaggingRequest(body).tags }
        try await setTags(tags)
        return answer()
    }

    func deleteTagging() async throws(FileError) -> HTTPResponse {
        try demand(.put, call.target.key)
        try await setTags([])
        return answer(Self.noContent)
    }

    private func setTags(_ tags: [FileTag]) async throws(FileError) {
        let (bucket, key) = (try bucket(), call.target.key)
        let missing = try missing(key)
        guard try await service.hasRecords(on: shard) else { throw missing }
        try await service.write { writing throws(FileError) in
            guard var content = try writing.session.object(bucket, key)?.content else { throw missing }
            content.tags = tags
            try writing.setContent(content, bucket, key)
            return ((), [])
        }
    }

    func getAttributes() async throws(FileError) -> HTTPResponse {
        try demand(.get, call.target.key)
        let lists = head.fields.values(of: "x-amz-object-attributes")
        let wanted = lists.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.map {
            String(Substring($0)).trimmingBlanks
        }
        guard !wanted.isEmpty else {
            throw .invalidArgument(
                "The x-amz-object-attributes header specifying the attributes to be retrieved is either missing or empty"
            )
        }
        let object = try await object()
        var attributes = AttributesAnswer()
        for name in wanted {
            switch name {
            case "ETag": attributes.etag = object.tag
            case "Checksum":
                if let checksum = object.checksum {
                    (attributes.checksums, attributes.checksumType) = ([checksum.named], checksum.type)
                }
            case "ObjectParts": attributes.parts = try await parts(of: object)
            case "StorageClass": attributes.storageClass = "STANDARD"
            case "ObjectSize": attributes.size = object.size
            default: throw .invalidArgument("Invalid attribute name specified.")
            }
        }
        var fields = HTTPFieldLines()
        fields.append("last-modified", HTTPDate.text(of: Int(object.modifiedSeconds)))
        return answer(markup: attributes.markup, fields)
    }

    /// A page of the parts that an object was put together from; nil where it came whole.
    private func parts(of object: StoredObject) async throws(FileError) -> AttributesAnswer.Parts? {
        guard let count = object.partCount else { return nil }
        var page = AttributesAnswer.Parts(count: count)
        page.maxParts = try number("x-amz-max-parts", 0...FileLimits.keysMax) ?? FileLimits.keysMax
        page.marker = try number("x-amz-part-number-marker", 0...FileLimits.partsMax) ?? 0
        guard let joined = try await read({ reader throws(FileError) in try reader.joinedParts(of: object.file) })
        else { return page }
        for (number, part) in zip(1..., joined.parts) where number > page.marker {
            guard page.parts.count < page.maxParts else {
                page.nextMarker = page.parts.last?.number ?? page.marker
                break
            }
            page.parts.append(
                AttributesAnswer.Part(
                    number: number, size: part.size, checksums: part.checksum.map { [$0.named] } ?? []))
        }
        return page
    }

    /// The value of a field that is a number, as one of a parameter.
    private func number(_ field: StaticString, _ range: ClosedRange<Int>) throws(FileError) -> Int? {
        try head.fields[field].map { text throws(FileError) in try FileQuery.number(text, of: "\(field)", range) }
    }
}
