import Crypto
import TestSupport
import Testing

@testable import Files

@Suite("Uploads in parts")
struct UploadTests {
    private static let part = [UInt8](repeating: 7, count: FileLimits.partBytesMin)

    private static func list(_ parts: [(Int, String)]) -> [UInt8] {
        let parts = parts.map { "<Part><ETag>\($0.1)</ETag><PartNumber>\($0.0)</PartNumber></Part>" }
        return Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
    }

    private static func begin(_ client: FileClient, _ key: String, _ fields: [(String, String)] = []) throws -> String {
        try #require(try client.call("POST", "\(key)?uploads", fields).element("UploadId"))
    }

    @Test(
        "become one object, whose tag and checksum tell of its parts",
        arguments: ["none", "CRC32 FULL_OBJECT", "SHA256 COMPOSITE", "CRC64NVME"])
    func completes(checksum: String) async throws {
        let files = try await TestFiles()
        let client = try FileClient(files, as: .ann)
        let words = checksum.split(separator: " ").map(String.init)
        var fields = [("content-type", "video/mp4"), ("x-amz-meta-a", "b")]
        if checksum != "none" { fields.append(("x-amz-checksum-algorithm", words[0])) }
        if words.count > 1 { fields.append(("x-amz-checksum-type", words[1])) }
        let id = try Self.begin(client, "/public/a", fields)
        let last = Array("the last one may be short".utf8)
        var tags: [(Int, String)] = []
        for (number, body) in [(1, Self.part), (3, Self.part), (10, last)] {
            let answer = try client.call("PUT", "/public/a?partNumber=\(number)&uploadId=\(id)", body: body)
            #expect(answer.status == 200)
            tags.append((number, try #require(answer.fields["etag"])))
        }
        for number in ["0", "-1", "%2B1", "%201", "1.0", "10001", "%EF%BC%91", ""] {
            let answer = try client.call("PUT", "/public/a?partNumber=\(number)&uploadId=\(id)", body: [1])
            #expect(answer.code == "InvalidArgument", "\(number)")
        }
        let parts = try client.call("GET", "/public/a?max-parts=2&uploadId=\(id)")
        #expect(parts.elements("PartNumber") == ["1", "3"] && parts.element("IsTruncated") == "true")
        #expect(try client.call("GET", "/public/a").code == "NoSuchKey")
        let whole = Self.part + Self.part + last
        // What is said of the object with the last request is compared, in the form that the object has it.
        var said: [(String, String)] = []
        if words.count > 1, let kind = Checksum(name: words[0]) {
            let sums = [Self.part, Self.part, last].flatMap { ChecksumStream.sum(kind, of: $0) }
            let isWhole = words[1] == "FULL_OBJECT"
            let sum = Checksum.text(of: ChecksumStream.sum(kind, of: isWhole ? whole : sums)) + (isWhole ? "" : "-3")
            let wrong = Checksum.text(of: ChecksumStream.sum(kind, of: [])) + (isWhole ? "" : "-3")
            let refused = try client.call(
                "POST", "/public/a?uploadId=\(id)", [("\(kind.fieldName)", wrong)], body: Self.list(tags))
            #expect(refused.code == "BadDigest")
            said = [("\(kind.fieldName)", sum)]
        }
        let answer = try client.call("POST", "/public/a?uploadId=\(id)", said, body: Self.list(tags))
        #expect(answer.status == 200 && answer.element("Key") == "public/a")
        // Who lost the answer asks again, and is told the same.
        #expect(
            try client.call("POST", "/public/a?uploadId=\(id)", body: Self.list(tags)).element("ETag")
                == answer.element("ETag"))
        let read = try client.call("GET", "/public/a", [("x-amz-checksum-mode", "ENABLED")])
        #expect(read.bytes == whole && read.fields["content-type"] == "video/mp4" && read.fields["x-amz-meta-a"] == "b")
        let digests = [Self.part, Self.part, last].flatMap { ChecksumStream.sum(.md5, of: $0) }
        #expect(read.fields["etag"] == "\"\(Hexadecimal.text(of: ChecksumStream.sum(.md5, of: digests)))-3\"")
        switch checksum {
        case "CRC32 FULL_OBJECT":
            #expect(read.fields["x-amz-checksum-crc32"] == Checksum.text(of: ChecksumStream.sum(.crc32, of: whole)))
        case "CRC64NVME":
            #expect(
                read.fields["x-amz-checksum-crc64nvme"] == Checksum.text(of: ChecksumStream.sum(.crc64nvme, of: whole)))
        case "SHA256 COMPOSITE":
            let sums = [Self.part, Self.part, last].flatMap { ChecksumStream.sum(.sha256, of: $0) }
            #expect(
                read.fields["x-amz-checksum-sha256"] == Checksum.text(of: ChecksumStream.sum(.sha256, of: sums)) + "-3")
        // Where nobody has chosen one, it is this one.
        default:
            #expect(
                read.fields["x-amz-checksum-crc64nvme"] == Checksum.text(of: ChecksumStream.sum(.crc64nvme, of: whole)))
            #expect(read.fields["x-amz-checksum-type"] == "FULL_OBJECT")
        }
        try Self.checkParts(of: "/public/a", client, [Self.part, Self.part, last], words[0])
        let copy = [("x-amz-copy-source", "\(TestFiles.bucket)/public/a")]
        #expect(try client.call("PUT", "/public/b", copy).status == 200)
        try Self.checkParts(of: "/public/b", client, [Self.part, Self.part, last], words[0])
        #expect(try client.call("DELETE", "/public/b").status == 204)
        // The sum by which the file is checked is that of the joined bytes.
        let stored = try #require(try files.store.readerBeside().object(TestFiles.bucket, "public/a"))
        #expect(stored.sum == Checksum.number(ChecksumStream.sum(.crc64nvme, of: whole)))
        while files.filesOnDisk.count > 1 { try await files.service.folder.work {} }
        try await files.stop()
    }

    /// An object from parts is read by them, counted from 1 whatever numbers they were sent with.
    private static func checkParts(
        of path: String, _ client: FileClient, _ parts: [[UInt8]], _ checksum: String?
    ) throws {
        let (size, kind) = (parts.joined().count, Checksum.named.first { $0.name == checksum })
        var start = 0
        for (number, part) in zip(1..., parts) {
            for method in ["GET", "HEAD"] {
                let answer = try client.call(
                    method, "\(path)?partNumber=\(number)", [("x-amz-checksum-mode", "ENABLED")])
                #expect(answer.status == 206 && answer.fields["x-amz-mp-parts-count"] == "\(parts.count)")
                #expect(answer.fields["content-range"] == "bytes \(start)-\(start + part.count - 1)/\(size)")
                #expect(answer.fields["content-length"] == "\(part.count)")
                #expect(method == "HEAD" || answer.bytes == part)
                let sum = kind.map { Checksum.text(of: ChecksumStream.sum($0, of: part)) }
                #expect(kind.flatMap { answer.fields["\($0.fieldName)"] } == sum, "\(number)")
            }
            start += part.count
        }
        #expect(try client.call("GET", "\(path)?partNumber=\(parts.count + 1)").code == "InvalidPartNumber")
        let wanted = ("x-amz-object-attributes", "ObjectParts")
        let all = try client.call("GET", "\(path)?attributes", [wanted])
        #expect(all.element("PartsCount") == "\(parts.count)" && all.element("IsTruncated") == "false")
        #expect(all.elements("Size") == parts.map { "\($0.count)" })
        let second = [("x-amz-max-parts", "1"), wanted, ("x-amz-part-number-marker", "1")]
        let page = try client.call("GET", "\(path)?attributes", second)
        #expect(page.elements("PartNumber") == ["2"] && page.element("NextPartNumberMarker") == "2")
        #expect(page.element("IsTruncated") == "true" && page.element("PartNumberMarker") == "1")
        #expect(
            try client.call("GET", "\(path)?attributes", [("x-amz-max-parts", "x"), wanted]).code == "InvalidArgument")
    }

    @Test("are nobody's but their own caller's, at their own key")
    func belong() async throws {
        let files = try await TestFiles()
        let ann = try FileClient(files, as: .ann)
        let id = try Self.begin(ann, "/public/a")
        try ann.call("PUT", "/public/a?partNumber=1&uploadId=\(id)", body: [1])
        let list = Self.list([(1, "x")])
        for (key, path) in [(TestFiles.Key.bob, "/public/a"), (.ann, "/public/b"), (.administrator, "/public/a")] {
            let calls: [(String, String, [(String, String)], [UInt8])] = [
                ("PUT", "?partNumber=1&uploadId=\(id)", [], [2]), ("GET", "?uploadId=\(id)", [], []),
                ("PUT", "?partNumber=1&uploadId=\(id)", [("x-amz-copy-source", "\(TestFiles.bucket)/public/a")], []),
                ("POST", "?uploadId=\(id)", [], list), ("DELETE", "?uploadId=\(id)", [], []),
            ]
            for (method, query, fields, body) in calls {
                let answer = try FileClient(files, as: key).call(method, path + query, fields, body: body)
                #expect(answer.code == "NoSuchUpload", "\(key) \(method) \(path)")
            }
        }
        #expect(try ann.call("DELETE", "/public/a?uploadId=\(id)").status == 204)
        #expect(try ann.call("DELETE", "/public/a?uploadId=\(id)").code == "NoSuchUpload")
        while !files.filesOnDisk.isEmpty { try await files.service.folder.work {} }
        try await files.stop()
    }

    @Test("lists of parts that are not as they have to be are refused, and the upload stays")
    func refusedLists() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        let id = try Self.begin(client, "/public/a")
        var tags: [String] = []
        for number in 1...2 {
            tags.append(
                try #require(
                    try client.call("PUT", "/public/a?partNumber=\(number)&uploadId=\(id)", body: [UInt8(number)])
                        .fields["etag"]))
        }
        let cases: [([UInt8], String)] = [
            (Self.list([(2, tags[1]), (1, tags[0])]), "InvalidPartOrder"),
            (Self.list([(1, tags[0]), (1, tags[0])]), "InvalidPartOrder"),
            (Self.list([(1, tags[1])]), "InvalidPart"), (Self.list([(3, tags[1])]), "InvalidPart"),
            (Self.list([(1, tags[0]), (2, tags[1])]), "EntityTooSmall"), (Array("<a/>".utf8), "MalformedXML"),
            (Self.list([]), "InvalidRequest"), ([], "InvalidRequest"),
        ]
        for (list, code) in cases {
            #expect(try FileClient(files).call("POST", "/public/a?uploadId=\(id)", body: list).code == code)
        }
        #expect(try FileClient(files).call("POST", "/public/a?uploadId=none", body: []).code == "NoSuchUpload")
        for number in ["0", "10001", "x", ""] {
            #expect(
                try FileClient(files).call("PUT", "/public/a?partNumber=\(number)&uploadId=\(id)", body: [1]).code
                    == "InvalidArgument")
        }
        #expect(try client.call("POST", "/public/a?uploadId=\(id)", body: Self.list([(2, tags[1])])).status == 200)
        #expect(try client.call("GET", "/public/a").bytes == [2])
        try await files.stop()
    }

    @Test("six that complete one upload at once are answered alike")
    func completesOnce() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        let id = try Self.begin(client, "/public/a")
        let tag = try #require(
            try client.call("PUT", "/public/a?partNumber=1&uploadId=\(id)", body: [1, 2]).fields["etag"])
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    try await BlockingThread.run {
                        try FileClient(files).call("POST", "/public/a?uploadId=\(id)", body: Self.list([(1, tag)]))
                            .element("ETag")
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers).count == 1 && answers[0] != nil)
        while files.filesOnDisk.count > 1 { try await files.service.folder.work {} }
        #expect(try client.call("GET", "/public/a").bytes == [1, 2])
        try await files.stop()
    }

    @Test("are listed by pages, on which what is folded is one and comes once")
    func listed() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for key in ["a", "b/1", "b/2", "b/3", "c", "d/1", "d/2", "e"] { _ = try Self.begin(client, "/\(key)") }
        _ = try Self.begin(client, "/c")
        for size in 1...7 {
            var (seen, marker, pages) = ([String](), "", 0)
            while true {
                let page = try client.call("GET", "?uploads&delimiter=%2F&max-uploads=\(size)\(marker)")
                // The page's own prefix stands first.
                seen += (page.elements("Key") + page.elements("Prefix").dropFirst()).sorted()
                pages += 1
                guard page.element("IsTruncated") == "true", pages < 10 else { break }
                let key = try #require(page.element("NextKeyMarker")).replacing("/", with: "%2F")
                marker = "&key-marker=\(key)&upload-id-marker=\(page.element("NextUploadIdMarker") ?? "")"
            }
            #expect(seen == ["a", "b/", "c", "c", "d/", "e"], "\(size) a page")
            #expect(pages == (6 + size - 1) / size, "\(size) a page")
        }
        // A page of nothing says that there is nothing more, or a client would ask for ever.
        #expect(try client.call("GET", "?uploads&max-uploads=0").element("IsTruncated") == "false")
        let id = try Self.begin(client, "/f")
        try client.call("PUT", "/f?partNumber=1&uploadId=\(id)", body: [1])
        #expect(try client.call("GET", "/f?max-parts=0&uploadId=\(id)").element("IsTruncated") == "false")
        try await files.stop()
    }

    @Test("hold to the largest object that was set, in each part and together")
    func largest() async throws {
        let most = Int64(Self.part.count) + 10
        let files = try await TestFiles(clock: { TestFiles.now * 1_000 }) { $0.objectBytesMax = most }
        let client = try FileClient(files, as: .ann)
        let id = try Self.begin(client, "/public/a")
        func put(_ number: Int, _ count: Int) throws -> FileClient.Answer {
            try client.call(
                "PUT", "/public/a?partNumber=\(number)&uploadId=\(id)", body: [UInt8](repeating: 7, count: count))
        }
        let first = try #require(try put(1, Self.part.count).fields["etag"])
        let second = try #require(try put(2, 10).fields["etag"])
        let third = try #require(try put(3, 11).fields["etag"])
        let refused = try client.call(
            "POST", "/public/a?uploadId=\(id)", body: Self.list([(1, first), (3, third)]))
        #expect(refused.code == "EntityTooLarge")
        #expect(try client.call("GET", "/public/a").code == "NoSuchKey")
        let made = try client.call("POST", "/public/a?uploadId=\(id)", body: Self.list([(1, first), (2, second)]))
        #expect(made.status == 200)
        // A refusal may end its connection.
        let other = try FileClient(files, as: .ann)
        let again = try Self.begin(other, "/public/b")
        let beyond = try other.call(
            "PUT", "/public/b?partNumber=1&uploadId=\(again)", body: [UInt8](repeating: 7, count: Int(most) + 1))
        #expect(beyond.code == "EntityTooLarge")
        try await files.stop()
    }

    @Test("are bounded in number, and end when nobody goes on with them")
    func bounded() async throws {
        let time = Clock()
        let files = try await TestFiles(clock: { time.now }) {
            $0.uploadsMax = 2
            $0.uploadMilliseconds = 60_000
        }
        let client = try FileClient(files)
        let id = try Self.begin(client, "/public/a")
        try client.call("PUT", "/public/a?partNumber=1&uploadId=\(id)", body: [1])
        _ = try Self.begin(client, "/public/b")
        #expect(try client.call("POST", "/public/c?uploads").code == "SlowDown")
        time.pass(seconds: 61)
        _ = try Self.begin(client, "/public/c")
        #expect(try client.call("GET", "/public/a?uploadId=\(id)").code == "NoSuchUpload")
        while !files.filesOnDisk.isEmpty { try await files.service.folder.work {} }
        try await files.stop()
    }
}
