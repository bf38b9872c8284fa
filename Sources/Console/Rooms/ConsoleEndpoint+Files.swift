import Access
import Files
import Glibc
import JSON
import Network

extension ConsoleEndpoint {
    /// The app's files.
    static let files: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/files") { console, request throws(ConsoleError) in
            try await FileDesk(console, request).list()
        },
        ConsoleEndpoint(.get, "/files/about") { console, request throws(ConsoleError) in
            try await FileDesk(console, request).about()
        },
        ConsoleEndpoint(.get, "/files/content") { console, request throws(ConsoleError) in
            try await FileDesk(console, request).content()
        },
        ConsoleEndpoint(.put, "/files/content", body: .streamed(FileDesk.bytesMax)) {
            console, request throws(ConsoleError) in
            try await FileDesk(console, request).put()
        },
        ConsoleEndpoint(.post, "/files/delete") { console, request throws(ConsoleError) in
            try await FileDesk(console, request).delete()
        },
        ConsoleEndpoint(.post, "/files/link") { console, request throws(ConsoleError) in
            try await FileDesk(console, request).link()
        },
        ConsoleEndpoint(.post, "/files/who") { console, request throws(ConsoleError) in
            try FileDesk(console, request).who()
        },
    ]
}

/// What the console does with files: as whoever runs the server, whom no rule holds back.
struct FileDesk: Sendable {
    static let bytesMax = 5 << 30

    private let console: Console
    private let request: ConsoleRequest
    private let files: FileService
    private let bucket: String

    init(_ console: Console, _ request: ConsoleRequest) throws(ConsoleError) {
        (self.console, self.request) = (console, request)
        files = try console.host.files
        guard let bucket = request.parameter("bucket") ?? files.settings.usualBucket ?? files.bucketNames.first else {
            throw .notServed(
                "This project has no place for files: add storage to it, or files.buckets to the configuration.")
        }
        self.bucket = bucket
    }

    private func failing<Value>(_ body: () throws(FileError) -> Value) throws(ConsoleError) -> Value {
        do throws(FileError) { return try body() } catch { throw ConsoleError(error) }
    }

    private func failing<Value>(_ body: () async throws(FileError) -> Value) async throws(ConsoleError) -> Value {
        do throws(FileError) { return try await body() } catch { throw ConsoleError(error) }
    }

    /// The properties of a file; nil: there is none of that key.
    private func about(_ key: String) async throws(ConsoleError) -> FileService.About? {
        try await failing { () async throws(FileError) in try await files.about(key, in: bucket) }
    }

    private var key: String {
        get throws(ConsoleError) {
            guard let key = request.parameter("key"), !key.isEmpty else {
                throw .badRequest("key is missing.", place: "key")
            }
            return key
        }
    }

    // MARK: Reading

    func list() async throws(ConsoleError) -> ConsoleAnswer {
        let limit = try request.number("limit", default: 200, 1...1_000)
        let page = try await failing { () async throws(FileError) in
            try await files.browsed(
                request.parameter("prefix") ?? "", in: bucket, after: request.parameter("cursor") ?? "", max: limit)
        }
        return .json([
            "bucket": .string(bucket), "buckets": .texts(files.bucketNames), "folders": .texts(page.folders),
            "files": .array(page.files.map { Self.json($0) }), "next": .text(page.next),
        ])
    }

    private static func json(_ file: FileService.Listed, type: String? = nil) -> JSONValue {
        .members([
            "key": .string(file.key), "bytes": .integer(file.size), "etag": .string(file.tag),
            "changedAt": .moment(file.modified), "type": type.map { JSONValue.string($0) },
        ])
    }

    func about() async throws(ConsoleError) -> ConsoleAnswer {
        let key = try key
        guard let about = try await about(key) else {
            throw .notFound("There is no file \(key).")
        }
        var json = Self.json(about.listed, type: about.type).object ?? JSONObject()
        json["metadata"] = .object(JSONObject(about.metadata.map { ($0.name, JSONValue.string($0.value)) }))
        json["bucket"] = .string(bucket)
        json["url"] = .string("/\(bucket)/\(key)")
        return .json(.object(json))
    }

    /// Types that a browser shows without running anything. Everything else is bytes to keep.
    private static let shownTypes = Set(texts: [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon",
        "audio/mpeg", "audio/ogg", "audio/wav", "audio/mp4", "audio/aac", "audio/flac", "audio/webm",
        "video/mp4", "video/webm", "video/ogg", "video/quicktime",
    ])

    func content() async throws(ConsoleError) -> ConsoleAnswer {
        let key = try key
        let opened: FileService.Opened?
        do throws(FileError) {
            opened = try await files.opened(key, in: bucket, for: request.head.fields)
        } catch {
            throw ConsoleError(error)
        }
        guard let opened else { throw .notFound("There is no file \(key).") }
        let named = opened.about.type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
        let type = String(decoding: named, as: UTF8.self).lowercased()
        let isText = type.hasPrefix("text/") || (["application/json", "application/xml"] as [String]).contains(type)
        let isShown = Self.shownTypes.contains(type)
        var fields = PageFields.ofAPI
        fields.append(
            "content-type", isShown ? type : isText ? "text/plain; charset=utf-8" : "application/octet-stream")
        let name = key.parts(separatedBy: "/").last { !$0.isEmpty } ?? "file"
        if request.parameter("download") == "true" || !(isShown || isText) {
            fields.append("content-disposition", ConsoleAnswer.attachment(name))
        }
        // Players ask for the parts that they are moved to.
        fields.append("accept-ranges", "bytes")
        fields.append("etag", "\"\(opened.about.listed.tag)\"")
        guard let part = opened.part else { return .raw(HTTPResponse(fields: fields, body: .file(opened.body))) }
        let size = opened.about.listed.size
        fields.append("content-range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
        return .raw(HTTPResponse(status: HTTPStatus(code: 206), fields: fields, body: .file(opened.body)))
    }

    // MARK: Changing

    /// Takes a file: into one beside the store's first, since the store wants to know its length.
    func put() async throws(ConsoleError) -> ConsoleAnswer {
        let key = try key
        let type = request.head.fields["content-type"]
        let received = try await ReceivedFile.read(request)
        defer { received.remove() }
        do throws(FileError) {
            try await files.put(fileAt: received.path, as: key, in: bucket, type: type)
        } catch {
            throw ConsoleError(error)
        }
        console.audit.note("file.put", "\(bucket)/\(key)", "\(received.count) bytes", by: request)
        let about = try await about(key)
        return .json(about.map { Self.json($0.listed, type: $0.type) } ?? .null)
    }

    func delete() async throws(ConsoleError) -> ConsoleAnswer {
        let keys = try request.members().texts("keys", max: ConsoleLimits.keysMax) ?? []
        var deleted = 0
        for key in keys {
            do throws(FileError) {
                if try await files.remove(key, in: bucket) { deleted += 1 }
            } catch {
                throw ConsoleError(error)
            }
            console.audit.note("file.delete", "\(bucket)/\(key)", by: request)
        }
        return .json(["deleted": .count(deleted)])
    }

    /// A link by which anybody may read a file for a while.
    func link() async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        let key = try input.text("key")
        let seconds = try input.number("seconds", default: 900, 1...Int(FileLimits.linkSecondsMax))
        guard let host = request.visit.authority else { throw .badRequest("The request names no host.") }
        guard try await about(key) != nil else {
            throw .notFound("There is no file \(key).")
        }
        let target = try failing { () throws(FileError) in
            try files.link(to: key, in: bucket, host: host, seconds: Int64(seconds))
        }
        console.audit.note("file.link", "\(bucket)/\(key)", "\(seconds) s", by: request)
        return .json(["url": .string("\(request.visit.base)\(target)")])
    }

    // MARK: Rights

    func who() throws(ConsoleError) -> ConsoleAnswer {
        let key = try request.members().text("key")
        let identity = "us-east-1:00000000-0000-0000-0000-000000000000"
        let owner = key.parts(separatedBy: "/").first { $0.utf8.contains(UInt8(ascii: ":")) }
        var callers: [(label: String, caller: FileCaller, wish: JSONValue)] = [
            ("Guest", .guest(identity: identity), ["kind": "guest"]),
            ("Signed in", .user(identity: identity), ["kind": "iam", "role": "authenticated"]),
        ]
        if let owner {
            callers.append(
                (
                    "Owner (\(owner))", .user(identity: owner),
                    ["kind": "iam", "role": "authenticated", "identityId": .string(owner)]
                ))
        }
        for group in RuleNames(try console.host.engine.blueprint).groups {
            callers.append(
                (
                    group, .member(group: group, identity: identity),
                    [
                        "kind": "made", "username": "someone", "groups": [.string(group)],
                        "claims": .object(JSONObject()),
                        "provider": "userPools",
                    ]
                ))
        }
        return .json([
            "callers": .array(
                callers.map { caller in
                    func may(_ action: FileAction) -> JSONValue {
                        .bool(files.lets(caller.caller, action, key, in: bucket))
                    }
                    return [
                        "label": .string(caller.label), "as": caller.wish, "read": may(.get), "list": may(.list),
                        "write": may(.put), "delete": may(.delete), "why": "the rules of the project's storage",
                    ]
                })
        ])
    }
}

/// A body that was taken into a file.
struct ReceivedFile: Sendable {
    let path: String
    let count: Int

    static func read(_ request: ConsoleRequest) async throws(ConsoleError) -> ReceivedFile {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/homeport-console-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw ConsoleError(503, "busy", "There is no place for the file: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var count = 0
        do throws(ConsoleError) {
            guard case .stream(let stream) = request.request.body else { return ReceivedFile(path: path, count: 0) }
            while let piece = try await next(of: stream) {
                count += piece.count
                try write(piece, to: descriptor)
            }
        } catch {
            unlink(path)
            throw error
        }
        return ReceivedFile(path: path, count: count)
    }

    private static func next(of stream: HTTPBodyStream) async throws(ConsoleError) -> [UInt8]? {
        do throws(HTTPBodyError) { return try await stream.next() } catch {
            if case .unacceptable(let fault) = error, fault.status == .contentTooLarge { throw .tooLarge }
            throw .badRequest("The connection ended before the file did.")
        }
    }

    private static func write(_ piece: [UInt8], to descriptor: Int32) throws(ConsoleError) {
        var start = 0
        while start < piece.count {
            let count = piece[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ConsoleError(507, "busy", "The file cannot be written: \(String(cString: strerror(errno)))")
            }
            start += count
        }
    }

    func remove() { unlink(path) }
}

extension ConsoleError {
    init(_ error: FileError) {
        self.init(error.status.code, error.status.code == 404 ? "notFound" : error.code, error.message)
    }
}
