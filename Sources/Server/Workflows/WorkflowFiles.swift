import Files
import JSON
import Workflows

/// The buckets of the app as tasks and distributed maps of state machines see them: as whoever runs the server, and small objects alone.
final class WorkflowFiles: WorkflowBuckets {
    private let files: FileService

    /// A task gives and gets no more.
    private static let taskBytesMax = WorkflowLimits.dataBytesMax
    private static let pageMax = 1_000

    init(_ files: FileService) { self.files = files }

    // MARK: Tasks

    /// An action of S3 by the SDK's names; nil: it is none of these.
    func answer(_ action: String, _ input: JSONObject) async throws(FlowFault) -> JSONValue? {
        do throws(FileError) {
            switch action {
            case "GetObject": return try await object(input)
            case "HeadObject": return try await head(input)
            case "PutObject": return try await put(input)
            case "DeleteObject":
                _ = try await files.remove(try Self.text("Key", input), in: try Self.text("Bucket", input))
                return .object(JSONObject())
            case "ListObjectsV2", "ListObjects": return try await list(input, isSecond: action == "ListObjectsV2")
            case "ListBuckets":
                return ["Buckets": .array(files.bucketNames.map { ["Name": .string($0)] })]
            default: return nil
            }
        } catch {
            throw WorkflowTasks.s3Errors.fault(
                error.code, error.message, status: error.status.code, isWithHost: true)
        }
    }

    private static func text(_ name: String, _ input: JSONObject) throws(FileError) -> String {
        guard let text = input[name]?.string else {
            throw FileError(400, "InvalidRequest", "The parameter '\(name)' is missing.")
        }
        return text
    }

    private static func fields(of about: FileService.About) -> JSONObject {
        JSONObject([
            ("AcceptRanges", "bytes"), ("ContentLength", .integer(about.listed.size)),
            ("ContentType", .string(about.type)), ("ETag", .string("\"\(about.listed.tag)\"")),
            ("LastModified", .string(time(about.listed.modified))),
            ("Metadata", .object(JSONObject(about.metadata.map { ($0.name, .string($0.value)) }))),
            ("ServerSideEncryption", "AES256"),
        ])
    }

    private static func time(_ milliseconds: Int64) -> String {
        Timestamp(millisecondsSince1970: milliseconds).text
    }

    private func object(_ input: JSONObject) async throws(FileError) -> JSONValue {
        let contents = try await files.contents(
            try Self.text("Key", input), in: try Self.text("Bucket", input), bytesMax: Self.taskBytesMax)
        guard let contents else { throw .noSuchKey }
        var answer = Self.fields(of: contents.about)
        answer.set("Body", to: .string(String(decoding: contents.bytes, as: UTF8.self)))
        return .object(answer)
    }

    private func head(_ input: JSONObject) async throws(FileError) -> JSONValue {
        guard let about = try await files.about(try Self.text("Key", input), in: try Self.text("Bucket", input)) else {
            throw .noSuchKey
        }
        return .object(Self.fields(of: about))
    }

    private func put(_ input: JSONObject) async throws(FileError) -> JSONValue {
        let body = input["Body"] ?? ""
        // A text is an object of JSON as well, with its quotes.
        let bytes = JSONWriter.bytes(of: body)
        let kept = try await files.keep(
            bytes, as: try Self.text("Key", input), in: try Self.text("Bucket", input),
            type: input["ContentType"]?.string)
        return [
            "ChecksumCRC32": .string(kept.checksum), "ChecksumType": "FULL_OBJECT", "ETag": .string("\"\(kept.tag)\""),
            "ServerSideEncryption": "AES256",
        ]
    }

    private func list(_ input: JSONObject, isSecond: Bool) async throws(FileError) -> JSONValue {
        let bucket = try Self.text("Bucket", input)
        let most = min(max(Int(clamping: input["MaxKeys"]?.integer ?? 1_000), 0), Self.pageMax)
        let after = input[isSecond ? "ContinuationToken" : "Marker"]?.string ?? input["StartAfter"]?.string ?? ""
        let prefix = input["Prefix"]?.string ?? ""
        let delimiter = input["Delimiter"]?.string
        let page = try await files.listing(
            of: prefix, in: bucket, delimiter: delimiter, after: after, max: most)
        var answer = JSONObject([
            ("Contents", .array(page.objects.map { Self.listed($0, tag: "ETag", .string(Self.time($0.modified))) })),
            ("IsTruncated", .bool(page.next != nil)), ("MaxKeys", .integer(Int64(most))), ("Name", .string(bucket)),
            ("Prefix", .string(prefix)),
        ])
        if isSecond { answer.set("KeyCount", to: .integer(Int64(page.objects.count + page.prefixes.count))) }
        if let delimiter {
            answer.set("Delimiter", to: .string(delimiter))
            answer.set("CommonPrefixes", to: .array(page.prefixes.map { ["Prefix": .string($0)] }))
        }
        if let next = page.next { answer.set(isSecond ? "NextContinuationToken" : "NextMarker", to: .string(next)) }
        return .object(answer)
    }

    private static func listed(_ object: FileService.Listed, tag: String, _ time: JSONValue) -> JSONValue {
        .object(
            JSONObject([
                (tag, .string("\"\(object.tag)\"")), ("Key", .string(object.key)), ("LastModified", time),
                ("Size", .integer(object.size)), ("StorageClass", "STANDARD"),
            ]))
    }

    // MARK: Distributed maps

    private static let reading = "States.ItemReaderFailed"
    private static let writing = "States.ResultWriterFailed"

    private static func fault(_ name: String, _ error: FileError) -> FlowFault {
        FlowFault(name, "Amazon S3 -> \(error.message)")
    }

    func read(_ bucket: String, _ key: String, bytesMax: Int) async throws(FlowFault) -> [UInt8] {
        do throws(FileError) {
            guard let contents = try await files.contents(key, in: bucket, bytesMax: bytesMax) else {
                throw .noSuchKey
            }
            return contents.bytes
        } catch {
            guard error != .tooLarge else {
                throw FlowFault(Self.reading, "The file has more than \(bytesMax) bytes.")
            }
            throw Self.fault(Self.reading, error)
        }
    }

    func list(_ bucket: String, _ prefix: String, max most: Int) async throws(FlowFault) -> [JSONValue] {
        var found: [JSONValue] = []
        var after = ""
        do throws(FileError) {
            while found.count < most {
                let page = try await files.listing(
                    of: prefix, in: bucket, after: after, max: min(Self.pageMax, most - found.count))
                found += page.objects.map {
                    Self.listed($0, tag: "Etag", .integer($0.modified / 1_000))
                }
                guard let next = page.next else { break }
                after = next
            }
            return found
        } catch {
            throw Self.fault(Self.reading, error)
        }
    }

    func write(_ bytes: [UInt8], _ bucket: String, _ key: String, type: String) async throws(FlowFault) {
        do throws(FileError) { _ = try await files.keep(bytes, as: key, in: bucket, type: type) } catch {
            throw Self.fault(Self.writing, error)
        }
    }
}
