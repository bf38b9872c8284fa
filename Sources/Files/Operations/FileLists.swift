import Crypto
import JSON
import Network

/// Lists of keys, of uploads, of buckets.
extension FileRun {
    /// Whom lists name as the owner of everything.
    static let owner = FileOwner(id: "homeport")

    private var isURLEncoded: Bool {
        get throws(FileError) {
            switch query["encoding-type"] {
            case nil: return false
            case "url": return true
            default: throw .invalidArgument("Invalid Encoding Method specified in Request")
            }
        }
    }

    func listObjects() async throws(FileError) -> HTTPResponse {
        let prefix = query["prefix"] ?? ""
        try demand(.list, prefix)
        let bucket = try bucket()
        var listing = FileListing(bucket: bucket, prefix: prefix)
        listing.delimiter = query["delimiter"]
        listing.max = try query.number("max-keys", 0...FileLimits.keysMax) ?? FileLimits.keysMax
        let version = query["list-type"]
        guard version == nil || version == "2" else { throw .invalidArgument("Invalid list-type") }
        let token = version == nil ? nil : query["continuation-token"]
        let start = query[version == nil ? "marker" : "start-after"]
        listing.after = if let token, !token.isEmpty { try place(of: token, prefix) } else { start ?? "" }
        let found =
            try await read { [listing] reader throws(FileError) in try listing.page(from: reader) }
            ?? FileListing.Page()
        let paging: ListPage.Paging =
            version == nil
            ? .markers(given: start ?? "", next: found.last)
            : .tokens(given: token, next: found.last.map { self.token(of: $0, prefix) }, startAfter: start)
        var page = ListPage(bucket: bucket, paging: paging)
        (page.prefix, page.delimiter, page.maxKeys) = (prefix, listing.delimiter, listing.max)
        page.isURLEncoded = try isURLEncoded
        if query["fetch-owner"] == "true" || version == nil { page.owner = Self.owner }
        page.prefixes = found.prefixes
        page.objects = found.entries.map(Self.shown)
        let written = page
        return try await answer(about: found.entries.map(\.key) + found.prefixes) { written.markup }
    }

    /// Every object is one version, which is called `null`: buckets have no versions here.
    func listVersions() async throws(FileError) -> HTTPResponse {
        let prefix = query["prefix"] ?? ""
        try demand(.list, prefix)
        let bucket = try bucket()
        let (key, version) = (query["key-marker"] ?? "", query["version-id-marker"])
        guard version?.isEmpty ?? true || !key.isEmpty else {
            throw .invalidArgument("A version-id marker cannot be specified without a key marker.")
        }
        guard ["", "null"].contains(version ?? "") else { throw .invalidArgument("Invalid version id specified") }
        var listing = FileListing(bucket: bucket, prefix: prefix)
        listing.delimiter = query["delimiter"]
        listing.max = try query.number("max-keys", 0...FileLimits.keysMax) ?? FileLimits.keysMax
        listing.after = key
        var keys: [String] = []
        var page = VersionsPage(bucket: bucket, owner: Self.owner)
        (page.prefix, page.delimiter, page.maxKeys) = (prefix, listing.delimiter, listing.max)
        page.isURLEncoded = try isURLEncoded
        (page.keyMarker, page.versionMarker) = (key, version ?? "")
        if let found = try await read({ [listing] reader throws(FileError) in try listing.page(from: reader) }) {
            page.show(found.entries.map(Self.shown), found.prefixes)
            page.next = found.last
            keys = found.entries.map(\.key) + found.prefixes
        }
        let written = page
        return try await answer(about: keys) { written.markup }
    }

    private static func shown(_ entry: FileListing.Entry) -> ListPage.Object {
        ListPage.Object(
            key: entry.key, modified: entry.modified.wholeSeconds, etag: entry.tag, size: entry.size,
            checksumAlgorithm: entry.checksum?.kind.name, checksumType: entry.checksum?.type)
    }

    // A token is good for the bucket, the prefix and the caller that it was made for.

    private func purpose(_ prefix: String) -> [UInt8] {
        Array("\(call.target.bucket ?? "")\u{0}\(prefix)\u{0}\(call.owner)".utf8)
    }

    private func token(of key: String, _ prefix: String) -> String {
        Base64.text(of: service.pages.seal(Array(key.utf8), for: purpose(prefix)), .url)
    }

    private func place(of token: String, _ prefix: String) throws(FileError) -> String {
        guard let sealed = Base64.bytes(of: token.utf8, .url),
            let bytes = service.pages.open(sealed, for: purpose(prefix))
        else {
            throw FileError.invalidArgument("The continuation token provided is incorrect")
                .with("ArgumentName", "continuation-token")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func listUploads() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        let bucket = try bucket()
        var page = UploadsPage(bucket: bucket)
        page.prefix = query["prefix"] ?? ""
        page.delimiter = query["delimiter"]
        page.isURLEncoded = try isURLEncoded
        page.maxUploads = try query.number("max-uploads", 0...FileLimits.keysMax) ?? FileLimits.keysMax
        let (key, id) = (query["key-marker"] ?? "", query["upload-id-marker"])
        page.start = UploadsPage.Place(key: key, upload: id ?? "")
        // A folded prefix counts as one, whatever is below it: how many lie there is known when they are read.
        let rows = page.delimiter == nil ? page.maxUploads + 1 : service.settings.uploadsMax
        let found =
            try await read { [prefix = page.prefix] reader throws(FileError) in
                try reader.uploads(bucket, prefix: prefix, afterKey: key, afterID: id, max: rows)
            } ?? []
        var last: UploadsPage.Place?
        for upload in found {
            let folded = FileListing.folded(upload.key, page.prefix, page.delimiter)
            if let folded {
                // The page before has ended with it, or this one has named it.
                if ByteText(folded) == ByteText(key) { continue }
                if let named = page.prefixes.last, ByteText(named) == ByteText(folded) { continue }
            }
            guard page.uploads.count + page.prefixes.count < page.maxUploads else {
                page.next = last
                break
            }
            if let folded {
                page.prefixes.append(folded)
                last = UploadsPage.Place(key: folded, upload: "")
                continue
            }
            var shown = UploadsPage.Upload(
                key: upload.key, id: upload.id, owner: Self.owner, begun: upload.started.wholeSeconds)
            if let checksum = upload.checksum {
                (shown.checksumAlgorithm, shown.checksumType) = (checksum.kind.name, checksum.type)
            }
            page.uploads.append(shown)
            last = UploadsPage.Place(key: upload.key, upload: upload.id)
        }
        return answer(markup: page.markup)
    }

    // MARK: Buckets

    func listBuckets() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        _ = try await service.hasRecords(on: shard)
        let prefix = query["prefix"]
        let max = try query.number("max-buckets", 1...FileLimits.bucketsMax) ?? FileLimits.bucketsMax
        let token = query["continuation-token"] ?? ""
        let after = token.isEmpty ? "" : try place(of: token, prefix ?? "")
        let found = service.buckets().filter { bucket in
            bucket.name.utf8.starts(with: (prefix ?? "").utf8) && ByteText(after) < ByteText(bucket.name)
        }
        let shown = found.prefix(max)
        let page = BucketsPage(
            owner: Self.owner,
            buckets: shown.map {
                .init(name: $0.name, created: $0.created.wholeSeconds, region: service.settings.region)
            },
            prefix: prefix,
            nextToken: found.count > max ? shown.last.map { self.token(of: $0.name, prefix ?? "") } : nil)
        return answer(markup: page.markup)
    }

    /// Whoever may list all of a bucket may ask whether it is there.
    func headBucket() async throws(FileError) -> HTTPResponse {
        try demand(.list, "")
        var fields = HTTPFieldLines()
        fields.append("x-amz-bucket-region", service.settings.region)
        fields.append("content-type", "application/xml")
        return answer(.ok, fields)
    }

    func bucketLocation() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        _ = try bucket()
        return answer(markup: BucketLocation(region: service.settings.region).markup)
    }

    /// Objects have one version here.
    func bucketVersioning() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        _ = try bucket()
        return answer(markup: MarkupWriter.document("VersioningConfiguration") { _ in })
    }

    // MARK: Tags of buckets

    func getBucketTagging() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        let name = try bucket()
        let tags = try await read { reader throws(FileError) in try reader.tags(ofBucket: name) } ?? []
        guard !tags.isEmpty else {
            throw FileError(404, "NoSuchTagSet", "The TagSet does not exist").with("BucketName", name)
        }
        return answer(markup: TaggingAnswer(tags: tags).markup)
    }

    func putBucketTagging() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        let name = try bucket()
        let tags = try await markup { body throws(FileError) in
            try TaggingRequest(body, max: FileLimits.bucketTagsMax).tags
        }
        return try await setTags(tags, ofBucket: name)
    }

    func deleteBucketTagging() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        return try await setTags([], ofBucket: try bucket())
    }

    private func setTags(_ tags: [FileTag], ofBucket name: String) async throws(FileError) -> HTTPResponse {
        try await service.makeReady(on: request.loop)
        try await service.write { [service] writing throws(FileError) in
            try service.demandBucket(name, writing)
            try writing.setTags(tags, ofBucket: name)
            return ((), [])
        }
        return answer(Self.noContent)
    }

    func createBucket() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        try refuseUnknown()
        let name = call.target.bucket ?? ""
        guard BucketNames.isValid(name) else {
            throw FileError(400, "InvalidBucketName", "The specified bucket is not valid.").with("BucketName", name)
        }
        let wanted = try await markup(canBeEmpty: true) { body throws(FileError) in try CreateBucketRequest(body) }
        if let region = wanted.region, ByteText(region) != ByteText(service.settings.region) {
            throw FileError(400, "InvalidLocationConstraint", "The specified location-constraint is not valid")
                .with("LocationConstraint", region)
        }
        try await service.makeReady(on: request.loop)
        let isNew = try await service.write { [service] writing throws(FileError) in
            (try service.makeBucket(name, writing), [])
        }
        try await service.readBuckets(on: shard)
        guard isNew else {
            // As S3 does in its first region, on which tools count that make sure of a bucket.
            guard service.settings.region != "us-east-1" else { return answer(.ok, Self.location(name)) }
            throw FileError(
                409, "BucketAlreadyOwnedByYou",
                "Your previous request to create the named bucket succeeded and you already own it."
            ).with("BucketName", name)
        }
        return answer(.ok, Self.location(name))
    }

    private static func location(_ name: String) -> HTTPFieldLines { HTTPFieldLines(["location": "/\(name)"]) }

    func deleteBucket() async throws(FileError) -> HTTPResponse {
        try demandAdministrator()
        let name = try bucket()
        guard service.settings.buckets[name] == nil else {
            throw FileError(409, "OperationAborted", "The bucket is one of the configuration: take it out there.")
        }
        try await service.write { [service] writing throws(FileError) in
            try service.demandBucket(name, writing)
            guard try !writing.session.hasObjects(name) else {
                throw FileError(409, "BucketNotEmpty", "The bucket you tried to delete is not empty").with(
                    "BucketName", name)
            }
            try writing.change(ObjectRow.bucketDeletion, [.text(name)])
            try writing.setTags([], ofBucket: name)
            // Uploads that have not ended end with their bucket.
            var leaves: [FileNumber] = []
            for upload in try writing.session.uploads(name, prefix: "", afterKey: "", afterID: nil, max: .max) {
                leaves += try writing.end(upload.number)
            }
            return ((), leaves)
        }
        try await service.readBuckets(on: shard)
        return answer(Self.noContent)
    }
}
