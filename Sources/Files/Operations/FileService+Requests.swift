import Access
import JSON
import Network

extension FileService {
    /// Whether a request is meant for the files, of those that no path of the server is for: its host or its path names a bucket, or it is signed as
    /// requests to S3 are.
    package func isMeant(_ head: HTTPRequestHead) -> Bool {
        if head.fields.withValue(of: "authorization", { Self.isForFiles($0) }) ?? false { return true }
        if let host = head.authority, names.bucket(ofHost: host) != nil { return true }
        let query = head.query
        if query.utf8.count > 16,
            ["X-Amz-Signature=", "AWSAccessKeyId="].contains(where: { query.contains(bytesOf: $0) })
        {
            return true
        }
        return hasBucket(in: head)
    }

    /// Returns whether a request's path begins with the name of a bucket.
    package func hasBucket(in head: HTTPRequestHead) -> Bool {
        let path = head.encodedPath.utf8.dropFirst()
        let name = path.prefix { $0 != UInt8(ascii: "/") }
        return !name.isEmpty && hasBucket(String(Substring(name)))
    }

    /// Returns whether a request's host is one below which buckets have their names, or such a name.
    package func isHost(_ head: HTTPRequestHead) -> Bool { kind(ofHostIn: head) != .other }

    /// Returns whether a request's host says by its name alone that it is a bucket's: every path on it is a key.
    package func isBucketHost(_ head: HTTPRequestHead) -> Bool { kind(ofHostIn: head) == .bucket }

    private func kind(ofHostIn head: HTTPRequestHead) -> BucketNames.HostKind {
        if let kind = head.withHostField({ names.kind(ofHost: $0) }) { return kind }
        guard var host = head.authority else { return .other }
        return host.withUTF8 { names.kind(ofHost: UnsafeRawBufferPointer($0)) }
    }

    /// The answer to the question of a page whether it may send a request. It gives nothing away.
    package func preflight(_ head: HTTPRequestHead) -> HTTPResponse {
        var fields = HTTPFieldLines([
            "access-control-allow-origin": "*", "access-control-allow-methods": "GET, HEAD, PUT, POST, DELETE",
            "access-control-max-age": "3000",
            "vary": "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
        ])
        if let requested = head.fields["access-control-request-headers"] {
            fields.append("access-control-allow-headers", requested)
        }
        return HTTPResponse(fields: fields)
    }

    /// Returns whether a signature is for this service.
    private static func isForFiles(_ value: UnsafeRawBufferPointer) -> Bool {
        if value.starts(with: "AWS ".utf8) { return true }
        guard value.starts(with: "AWS4-HMAC-SHA256".utf8) else { return false }
        var rest = value[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            rest = rest[slash...]
            if rest.starts(with: scope) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// What the scope of such a signature ends with.
    private static let scope = Array("/s3/aws4_request".utf8)

    /// What becomes of a request. `shard` finds what the loop keeps on which it runs.
    package func reception(
        _ head: HTTPRequestHead, from source: RequestSource, shard: @escaping @Sendable (EventLoop) -> FileShard
    ) -> HTTPReception {
        do throws(FileError) {
            let (operation, call) = try understood(head, source)
            if store.isLocal, let answer = operation.answersAtOnce {
                return .compute(bodyMax: Self.ignoredBytesMax) { [self] request in
                    do throws(FileError) {
                        return .now(completed(try answer(begin(call, request, shard)), of: operation, request))
                    } catch {
                        return .now(refusal(error, request))
                    }
                }
            }
            return .stream(bodyMax: .max) { [self] request in
                do throws(FileError) {
                    return completed(try await operation.run(begun(call, request, shard)), of: operation, request)
                } catch {
                    return refusal(error, request)
                }
            }
        } catch {
            let fault = error
            // Nothing of the body is read; the identifier of the request comes with the task.
            return .stream(bodyMax: .max) { [self] request in refusal(fault, request) }
        }
    }

    private func begin(
        _ call: FileCall, _ request: HTTPRequest, _ shard: (EventLoop) -> FileShard
    ) throws(FileError) -> FileRun {
        let shard = shard(request.loop)
        _ = try hasRecordsOnLoop(of: shard)
        return FileRun(service: self, shard: shard, call: call, request: request)
    }

    private func begun(
        _ call: FileCall, _ request: HTTPRequest, _ shard: (EventLoop) -> FileShard
    ) async throws(FileError) -> FileRun {
        let shard = shard(request.loop)
        // Another node may have made the bucket, or removed it.
        if try await hasRecords(on: shard), store.nodes != nil,
            call.target.key.isEmpty || call.target.bucket.map(hasBucket) != true
        {
            try await readBuckets(on: shard)
        }
        return FileRun(service: self, shard: shard, call: call, request: request)
    }

    /// The body of a request that has none to speak of.
    private static let ignoredBytesMax = 64 << 10

    /// Who asks for what.
    private func understood(
        _ head: HTTPRequestHead, _ source: RequestSource
    ) throws(FileError) -> (FileOperation, FileCall) {
        var target = try FileTarget(host: head.authority, path: head.encodedPath, in: names)
        let now = now
        let proof = try signatures.proof(
            of: head, bucket: target.isVirtual ? target.bucket : nil, from: source,
            now: now / 1_000)
        if let meant = try unnamed(target, head, proof.query) { target = meant }
        try checkOwners(head, proof.query)
        let call = FileCall(
            head: head, target: target, proof: proof, caller: caller(of: proof.principal),
            source: source, now: now)
        return (try FileOperation.called(by: head, target, proof.query), call)
    }

    /// Throws where a request is for the bucket of another account: all that there are here are of one.
    private func checkOwners(_ head: HTTPRequestHead, _ query: FileQuery) throws(FileError) {
        let named = [
            head.fields["x-amz-expected-bucket-owner"], head.fields["x-amz-source-expected-bucket-owner"],
            // Links have it among their parameters.
            query["x-amz-expected-bucket-owner"],
        ]
        for case let account? in named where !account.utf8.elementsEqual(settings.accountID.utf8) {
            guard account.utf8.count == 12, account.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw FileError(
                    400, "InvalidBucketOwnerAWSAccountID",
                    "The value of the expected bucket owner parameter must be an AWS Account ID... [\(account)]")
            }
            throw FileError.accessDenied.because(
                "the request wants a bucket of the account \(account), and all that are here are of \(settings.accountID)"
            )
        }
    }

    /// What a request is for that names no bucket and means the usual one; nil where it means what it says.
    private func unnamed(
        _ target: FileTarget, _ head: HTTPRequestHead, _ query: FileQuery
    ) throws(FileError) -> FileTarget? {
        guard let usual = settings.usualBucket, !target.isVirtual else { return nil }
        guard let name = target.bucket else {
            // amplify-js names no bucket where it deletes many by a path-style address, older mobile libraries where they list: no bucket's
            // name has a slash.
            let isList = head.method == .get && query["prefix"]?.utf8.contains(UInt8(ascii: "/")) ?? false
            let isDelete = head.method == .post && query.contains("delete")
            return isList || isDelete ? try FileTarget(bucket: usual) : nil
        }
        // These libraries begin the path of an object with its key.
        guard !target.key.isEmpty, Self.levels.contains(ByteText(name)), !hasBucket(name) else { return nil }
        return try FileTarget(bucket: usual, key: "\(name)/\(target.key)")
    }

    /// What keys begin with in apps of `amplify add storage`.
    private static let levels = Set(texts: ["public", "protected", "private", "uploads"])

    // MARK: Answers

    private func completed(
        _ response: HTTPResponse, of operation: FileOperation, _ request: HTTPRequest
    ) -> HTTPResponse {
        var response = response
        if operation.tellsEncryption, (200..<300).contains(response.status.code) {
            response.fields.append("x-amz-server-side-encryption", "AES256")
        }
        append(to: &response.fields, request)
        return response
    }

    /// The answer to a request that is refused.
    func refusal(_ error: FileError, _ request: HTTPRequest) -> HTTPResponse {
        let head = request.head
        var fields = HTTPFieldLines()
        fields.append("content-type", "application/xml")
        if error.status.code == 416, let size = error.details.first(where: { $0.name == "ActualObjectSize" })?.value {
            fields.append("content-range", "bytes */\(size)")
        }
        append(to: &fields, request)
        var response = HTTPResponse(status: error.status, fields: fields)
        if head.method != .head {
            response.body = .bytes(error.markup(request: request.identifier.description, host: Self.host))
        }
        response.reason = error.reason ?? "\(error.code): \(error.message)"
        return response
    }

    /// The refusal of a request that was none for the server itself: too long, too slow, too many.
    package func refusal(_ status: HTTPStatus, _ message: String, _ head: HTTPRequestHead) -> HTTPResponse {
        let code =
            switch status.code {
            case 413: "EntityTooLarge"
            case 408: "RequestTimeout"
            case 503: "SlowDown"
            default: "InvalidRequest"
            }
        var fields = HTTPFieldLines()
        fields.append("content-type", "application/xml")
        fields.append(Self.openFields)
        let error = FileError(status.code, code, message)
        return HTTPResponse(
            status: status, fields: fields,
            body: head.method == .head ? .empty : .bytes(error.markup(request: "", host: Self.host)))
    }

    static let host = "homeport"

    private static let exposed = [
        "ETag", "x-amz-version-id", "x-amz-request-id", "x-amz-id-2", "x-amz-server-side-encryption",
        "x-amz-delete-marker",
        "x-amz-checksum-crc32", "x-amz-checksum-crc32c", "x-amz-checksum-crc64nvme", "x-amz-checksum-sha1",
        "x-amz-checksum-sha256", "x-amz-checksum-type", "x-amz-mp-parts-count", "x-amz-tagging-count", "Accept-Ranges",
        "Content-Range", "Content-Length", "Content-Disposition", "Content-Encoding", "Content-Language",
        "Cache-Control", "Date", "Expires",
        "Last-Modified", "Location",
    ].joined(separator: ",")

    /// For pages of all origins, and never with their credentials.
    private static let openFields = HTTPFieldLines([
        "access-control-allow-origin": "*", "access-control-expose-headers": exposed,
        "x-content-type-options": "nosniff",
        "vary": "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
    ])

    private func append(to fields: inout HTTPFieldLines, _ request: HTTPRequest) {
        fields.append(Self.openFields)
        let identifier = request.identifier.description
        fields.append("x-amz-request-id", identifier)
        fields.append("x-amz-id-2", Self.host)
    }
}
