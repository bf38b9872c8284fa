import Crypto
import TestSupport
import Testing

@testable import Files

@Suite("Objects")
struct ObjectTests {
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("come back as they were put, with what was said of them", arguments: [0, 1, 5_000, 300_000, 2_000_000])
    func roundTrip(size: Int) async throws {
        let files = try await TestFiles()
        let client = try FileClient(files, as: .ann)
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let digest = Hexadecimal.text(of: ChecksumStream.sum(.md5, of: body))
        let sum = Checksum.text(of: ChecksumStream.sum(.crc32, of: body))
        let put = try client.call(
            "PUT", "/private/us-east-1%3Aann/a%20b/%C3%BC",
            [
                ("content-type", "image/png"), ("cache-control", "no-cache"), ("x-amz-meta-kind", "cover"),
                ("x-amz-checksum-crc32", sum),
            ], body: body)
        #expect(put.status == 200 && put.fields["etag"] == "\"\(digest)\"" && put.fields["x-amz-checksum-crc32"] == sum)
        for method in ["GET", "HEAD"] {
            let got = try client.call(
                method, "/private/us-east-1%3Aann/a%20b/%C3%BC", [("x-amz-checksum-mode", "ENABLED")])
            #expect(got.status == 200 && got.bytes == (method == "GET" ? body : []))
            #expect(got.fields["content-length"] == "\(size)" && got.fields["content-type"] == "image/png")
            #expect(got.fields["cache-control"] == "no-cache" && got.fields["x-amz-meta-kind"] == "cover")
            #expect(got.fields["x-amz-checksum-crc32"] == sum && got.fields["etag"] == "\"\(digest)\"")
            #expect(got.fields["last-modified"] == "Fri, 15 Jan 2027 08:00:00 GMT")
            #expect(got.fields["accept-ranges"] == "bytes" && got.fields["x-content-type-options"] == "nosniff")
            #expect(got.fields["access-control-allow-origin"] == "*")
            #expect(got.fields["content-security-policy"] == "sandbox")
        }
        try await files.stop()
    }

    @Test(
        "are sent as they are kept, whatever codings a client takes",
        arguments: ["text/plain", "application/json", "application/octet-stream", "text/html"])
    func areNotCompressed(type: String) async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for size in [5_000, 300_000, 2_000_000] {
            let body = [UInt8](repeating: 0x61, count: size)
            try client.call("PUT", "/public/a", [("content-type", type)], body: body)
            for fields in [[], [("range", "bytes=0-4999")]] {
                let got = try client.call("GET", "/public/a", [("accept-encoding", "gzip, deflate, br")] + fields)
                #expect(got.bytes == Array(body.prefix(fields.isEmpty ? size : 5_000)))
                #expect(got.fields["content-encoding"] == nil)
            }
        }
        // A coding that the object has itself is told, and its bytes are those that were put.
        try client.call("PUT", "/public/b", [("content-encoding", "gzip")], body: [0x1F, 0x8B, 1])
        let own = try client.call("GET", "/public/b")
        #expect(own.fields["content-encoding"] == "gzip" && own.bytes == [0x1F, 0x8B, 1])
        try await files.stop()
    }

    @Test("small ones that were read are read anew when they are others, and are gone when they are")
    func areKept() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for text in ["first", "another"] {
            try client.call("PUT", "/public/a", body: Self.text(text))
            for _ in 0..<3 { #expect(try client.call("GET", "/public/a").bytes == Self.text(text)) }
            let piece = try client.call("GET", "/public/a", [("range", "bytes=1-3")])
            #expect(piece.status == 206 && piece.bytes == Array(Self.text(text)[1...3]))
        }
        try client.call("DELETE", "/public/a")
        #expect(try client.call("GET", "/public/a").status == 404)
        try await files.stop()
    }

    @Test("a body that is not what was said of it leaves the old object, and no file")
    func refusedBodies() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        try client.call("PUT", "/public/a", body: Self.text("old"))
        let other = Self.text("other")
        let cases: [(fields: [(String, String)], code: String)] = [
            ([("content-md5", Checksum.text(of: ChecksumStream.sum(.md5, of: other)))], "BadDigest"),
            ([("content-md5", "no digest")], "InvalidDigest"),
            ([("x-amz-checksum-sha256", Checksum.text(of: ChecksumStream.sum(.sha256, of: other)))], "BadDigest"),
            ([("x-amz-checksum-crc32", "AAAA")], "BadDigest"),
            ([("x-amz-content-sha256", Hexadecimal.text(of: Digest.sha256.of(other)))], "XAmzContentSHA256Mismatch"),
            ([("if-none-match", "*")], "PreconditionFailed"),
            ([("if-match", "\"0123\"")], "PreconditionFailed"),
            // Of a write, the service takes these two alone, and one at a time.
            ([("if-none-match", "\"0123\"")], "NotImplemented"), ([("if-match", "*")], "NotImplemented"),
            ([("if-match", "\"0123\""), ("if-none-match", "*")], "NotImplemented"),
            ([("x-amz-acl", "public-read")], "AccessControlListNotSupported"),
            ([("x-amz-storage-class", "OUTPOSTS")], "InvalidStorageClass"),
            ([("x-amz-meta-a", String(repeating: "a", count: 2_048))], "MetadataTooLarge"),
            ([("x-amz-sdk-checksum-algorithm", "CRC16")], "InvalidRequest"),
            ([("x-amz-object-lock-mode", "GOVERNANCE")], "NotImplemented"),
        ]
        for (fields, code) in cases {
            let client = try FileClient(files)
            let answer = try client.call("PUT", "/public/a", fields, body: Self.text("new"))
            #expect(answer.code == code, "\(fields)")
        }
        #expect(try client.call("GET", "/public/a").text == "old")
        #expect(files.filesOnDisk.count == 1)
        try await files.stop()
    }

    @Test("have keys that lists can show, and no others", arguments: ["%01", "a%1Fb", "%EF%BF%BF"])
    func unspeakableKeys(key: String) async throws {
        let files = try await TestFiles()
        #expect(try FileClient(files).call("PUT", "/public/\(key)", body: [1]).code == "InvalidArgument")
        #expect(try FileClient(files).call("GET", "?list-type=2").element("KeyCount") == "0")
        #expect(files.filesOnDisk.isEmpty)
        try await files.stop()
    }

    @Test("only one of twelve that may not replace anything wins")
    func onlyOneIsFirst() async throws {
        let files = try await TestFiles()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await BlockingThread.run {
                        let client = try FileClient(files)
                        return try client.call("PUT", "/public/a", [("if-none-match", "*")], body: [UInt8(number)])
                            .status
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 11)
        while files.filesOnDisk.count > 1 { try await files.service.folder.work {} }
        try await files.stop()
    }

    @Test("are read in parts, and under conditions")
    func partsAndConditions() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files, as: .guest)
        let tag = try #require(
            try FileClient(files).call("PUT", "/public/a", body: Self.text("0123456789")).fields["etag"])
        let cases: [(fields: [(String, String)], status: Int, text: String)] = [
            ([("range", "bytes=2-4")], 206, "234"), ([("range", "bytes=-3")], 206, "789"),
            ([("range", "bytes=7-")], 206, "789"), ([("range", "bytes=0-1,4-5")], 200, "0123456789"),
            ([("range", "lines=1-2")], 200, "0123456789"), ([("if-match", tag)], 200, "0123456789"),
            ([("if-none-match", tag)], 304, ""), ([("if-modified-since", "Fri, 15 Jan 2027 08:00:00 GMT")], 304, ""),
            ([("range", "bytes=2-4"), ("if-range", tag)], 206, "234"),
            ([("range", "bytes=2-4"), ("if-range", "\"another\"")], 200, "0123456789"),
        ]
        for (fields, status, text) in cases {
            let answer = try client.call("GET", "/public/a", fields)
            #expect(answer.status == status && answer.text == text, "\(fields)")
        }
        let beyond = try client.call("GET", "/public/a", [("range", "bytes=10-")])
        #expect(beyond.status == 416 && beyond.code == "InvalidRange" && beyond.fields["content-range"] == "bytes */10")
        #expect(try client.call("GET", "/public/a", [("if-match", "\"x\"")]).code == "PreconditionFailed")
        // What came whole is its own first part.
        let first = try client.call("GET", "/public/a?partNumber=1")
        #expect(first.status == 206 && first.text == "0123456789" && first.fields["content-range"] == "bytes 0-9/10")
        #expect(first.fields["x-amz-mp-parts-count"] == nil)
        #expect(try client.call("GET", "/public/a?partNumber=2").code == "InvalidPartNumber")
        #expect(try client.call("GET", "/public/a?partNumber=1", [("range", "bytes=1-")]).code == "InvalidRequest")
        let named = try client.call("GET", "/public/a?response-content-type=text%2Fcss&response-expires=soon")
        #expect(named.fields["content-type"] == "text/css" && named.fields["expires"] == "soon")
        for control in ["%0D%0A", "%00", "%09", "%7F", "%C2%80", "%C2%85", "%C2%9F"] {
            #expect(
                try client.call("GET", "/public/a?response-expires=a\(control)b").code == "InvalidArgument",
                "\(control)")
        }
        let letters = try client.call("GET", "/public/a?response-content-disposition=%C3%A9%E2%80%A8")
        #expect(letters.status == 200)
        try await files.stop()
    }

    @Test("are copied with or without what was said of them")
    func copies() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files, as: .ann)
        try client.call(
            "PUT", "/public/a%2Bb", [("content-type", "text/css"), ("x-amz-meta-a", "1"), ("x-amz-tagging", "t=1")],
            body: Self.text("content"))
        let source = ("x-amz-copy-source", "/\(TestFiles.bucket)/public/a%2Bb")
        let copy = try client.call("PUT", "/public/c", [source])
        #expect(
            copy.status == 200
                && copy.element("ETag")?.contains(
                    Hexadecimal.text(of: ChecksumStream.sum(.md5, of: Self.text("content")))) == true
        )
        let read = try client.call("GET", "/public/c")
        #expect(
            read.text == "content" && read.fields["x-amz-meta-a"] == "1" && read.fields["x-amz-tagging-count"] == "1")
        try client.call(
            "PUT", "/public/c", [source, ("x-amz-metadata-directive", "REPLACE"), ("content-type", "text/html")])
        let replaced = try client.call("GET", "/public/c")
        #expect(replaced.fields["content-type"] == "text/html" && replaced.fields["x-amz-meta-a"] == nil)
        #expect(try client.call("PUT", "/public/a%2Bb", [source]).code == "InvalidRequest")
        // Whoever names a class of storage says that something changes.
        #expect(try client.call("PUT", "/public/a%2Bb", [source, ("x-amz-storage-class", "STANDARD")]).status == 200)
        #expect(
            try client.call("PUT", "/public/d", [("x-amz-copy-source", "\(TestFiles.bucket)/public/none")]).code
                == "NoSuchKey")
        #expect(try client.call("PUT", "/public/d", [("x-amz-copy-source", "none/public/a")]).code == "NoSuchBucket")
        #expect(
            try client.call("PUT", "/public/d", [source, ("x-amz-copy-source-if-match", "\"x\"")]).code
                == "PreconditionFailed")
        // To copy is to read there and to write here.
        try client.call("PUT", "/private/us-east-1%3Aann/x", body: Self.text("secret"))
        let stolen = ("x-amz-copy-source", "\(TestFiles.bucket)/private/us-east-1%3Aann/x")
        #expect(try FileClient(files, as: .bob).call("PUT", "/public/e", [stolen]).code == "AccessDenied")
        #expect(
            try FileClient(files, as: .bob).call("PUT", "/private/us-east-1%3Aann/y", [source]).code == "AccessDenied")
        try await files.stop()
    }

    @Test("many are deleted at once, each by its own right")
    func deletesMany() async throws {
        let files = try await TestFiles()
        let ann = try FileClient(files, as: .ann)
        for key in ["/public/1", "/public/2", "/private/us-east-1%3Aann/3"] { try ann.call("PUT", key, body: [1]) }
        let bob = try FileClient(files, as: .bob)
        let keys = ["public/1", "public/none", "private/us-east-1:ann/3", "private/us-east-1:ann/none"]
        let body = "<Delete>" + keys.map { "<Object><Key>\($0)</Key></Object>" }.joined() + "</Delete>"
        let answer = try bob.call("POST", "?delete", [TestFiles.digest(of: Self.text(body))], body: Self.text(body))
        #expect(answer.status == 200)
        #expect(answer.elements("Deleted").count == 2 && answer.elements("Error").count == 2)
        #expect(answer.elements("Code") == ["AccessDenied", "AccessDenied"])
        #expect(try ann.call("GET", "/public/1").code == "NoSuchKey")
        #expect(try ann.call("GET", "/private/us-east-1%3Aann/3").status == 200)
        try await files.stop()
    }

    @Test("are not deleted many at once without a sum of the list, since one that was cut could name others")
    func deletesManyBySum() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        try client.call("PUT", "/public/a", body: [1])
        let body = Self.text("<Delete><Object><Key>public/a</Key></Object></Delete>")
        let refused = try client.call("POST", "?delete", body: body)
        #expect(refused.status == 400 && refused.code == "InvalidRequest")
        #expect(refused.element("Message") == "Missing required header for this request: Content-MD5")
        let wrong = try client.call("POST", "?delete", [TestFiles.digest(of: [1])], body: body)
        #expect(wrong.code == "BadDigest")
        #expect(try client.call("GET", "/public/a").status == 200)
        for kind in Checksum.named {
            let sum = ("\(kind.fieldName)", Checksum.text(of: ChecksumStream.sum(kind, of: body)))
            #expect(try client.call("POST", "?delete", [sum], body: body).status == 200, "\(kind)")
        }
        #expect(try client.call("GET", "/public/a").code == "NoSuchKey")
        try await files.stop()
    }

    @Test("come with no sum that nobody knows")
    func refusesUnknownSums() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for name in ["x-amz-checksum-crc16", "x-amz-checksum-", "x-amz-checksum-sha256x", "x-amz-checksum-md5"] {
            let refused = try FileClient(files).call("PUT", "/public/a", [(name, "AAAA")], body: [1])
            #expect(refused.status == 400 && refused.code == "InvalidRequest", "\(name)")
            #expect(refused.element("Message")?.contains("x-amz-checksum- header is invalid") == true, "\(name)")
        }
        #expect(try client.call("GET", "/public/a").code == "NoSuchKey")
        let named = try client.call("PUT", "/public/a", [("x-amz-checksum-algorithm", "SHA256")], body: [1])
        #expect(named.status == 200)
        try await files.stop()
    }

    @Test("are nobody's whom the account is not, which a request may name")
    func refusesOtherOwners() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        func fields(_ account: String) -> [(String, String)] { [("x-amz-expected-bucket-owner", account)] }
        #expect(try client.call("PUT", "/public/a", fields("123456789012"), body: [1]).status == 200)
        let copy = [("x-amz-copy-source", "/\(TestFiles.bucket)/public/a")]
        for account in ["210987654321", "12345678901", "mine", ""] {
            let (status, code) =
                account == "210987654321" ? (403, "AccessDenied") : (400, "InvalidBucketOwnerAWSAccountID")
            for (method, target) in [
                ("PUT", "/public/b"), ("GET", "/public/a"), ("DELETE", "/public/a"), ("GET", "?list-type=2"),
            ] {
                let refused = try FileClient(files).call(
                    method, target, fields(account), body: method == "PUT" ? [2] : [])
                #expect(refused.status == status && refused.code == code, "\(account) \(method) \(target)")
            }
            let copied = try FileClient(files).call(
                "PUT", "/public/b", copy + [("x-amz-source-expected-bucket-owner", account)])
            #expect(copied.status == status && copied.code == code, "\(account)")
        }
        #expect(try client.call("GET", "/public/a").bytes == [1])
        #expect(try client.call("GET", "/public/b").code == "NoSuchKey")
        try await files.stop()
    }

    @Test("are deleted under conditions, which nothing meets but the object that is there")
    func deletesUnderConditions() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        let date = "Fri, 15 Jan 2027 08:00:00 GMT"
        let other = "Fri, 15 Jan 2027 08:00:01 GMT"
        let tag = "\"\(Hexadecimal.text(of: ChecksumStream.sum(.md5, of: [1, 2])))\""
        let time = "x-amz-if-match-last-modified-time"
        let cases: [(fields: [(String, String)], members: String, isMet: Bool)] = [
            ([("if-match", tag)], "<ETag>\(tag)</ETag>", true), ([("if-match", "*")], "<ETag>*</ETag>", true),
            ([("if-match", "\"x\"")], "<ETag>x</ETag>", false),
            ([(time, date)], "<LastModifiedTime>\(date)</LastModifiedTime>", true),
            ([(time, other)], "<LastModifiedTime>\(other)</LastModifiedTime>", false),
            ([("x-amz-if-match-size", "2")], "<Size>2</Size>", true),
            ([("x-amz-if-match-size", "3")], "<Size>3</Size>", false),
            ([("if-match", tag), ("x-amz-if-match-size", "3")], "<ETag>\(tag)</ETag><Size>3</Size>", false),
        ]
        for (fields, members, isMet) in cases {
            let body = "<Delete><Object><Key>public/a</Key>\(members)</Object></Delete>"
            try client.call("PUT", "/public/a", body: [1, 2])
            let one = try client.call("DELETE", "/public/a", fields)
            #expect(one.status == (isMet ? 204 : 412), "\(fields)")
            #expect(try client.call("GET", "/public/a").status == (isMet ? 404 : 200), "\(fields)")
            try client.call("PUT", "/public/a", body: [1, 2])
            let deletion = {
                try client.call("POST", "?delete", [TestFiles.digest(of: Self.text(body))], body: Self.text(body))
            }
            let many = try deletion()
            #expect(many.element("Code") == (isMet ? nil : "PreconditionFailed"), "\(fields)")
            #expect(try client.call("GET", "/public/a").status == (isMet ? 404 : 200), "\(fields)")
            // What is gone already is what was asked for, unless a tag is demanded of it.
            try client.call("DELETE", "/public/a")
            let hasTag = fields.contains { $0.0 == "if-match" }
            #expect(try client.call("DELETE", "/public/a", fields).code == (hasTag ? "NoSuchKey" : nil), "\(fields)")
            #expect(try deletion().element("Code") == nil, "\(fields)")
        }
        try client.call("PUT", "/public/a", body: [1, 2])
        for field in [(time, "soon"), ("x-amz-if-match-size", "two")] {
            #expect(try client.call("DELETE", "/public/a", [field]).code == "InvalidArgument")
        }
        #expect(try client.call("GET", "/public/a").status == 200)
        try await files.stop()
    }

    @Test("whose length nobody has said end where their body does, and at the limit")
    func withoutLength() async throws {
        let files = try await TestFiles(clock: { TestFiles.now * 1_000 }) { $0.objectBytesMax = 100_000 }
        let client = try FileClient(files)
        for (count, status) in [(0, 200), (5, 200), (100_000, 200), (100_001, 400)] {
            let raw = try RawClient(port: files.port)
            let fields = [("x-amz-content-sha256", "UNSIGNED-PAYLOAD")]
            let head = client.head("PUT", "/\(TestFiles.bucket)/public/\(count)", fields, [])
            try raw.send(head.replacing("content-length: 0", with: "transfer-encoding: chunked"))
            let body = [UInt8](repeating: 7, count: count)
            let chunk: [UInt8] =
                count == 0 ? [] : Self.text("\(String(count, radix: 16))\r\n") + body + Self.text("\r\n")
            try raw.send(chunk + Self.text("0\r\n\r\n"))
            let answer = try raw.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "), "\(count): \(answer)")
            #expect(status == 200 || answer.body.contains("EntityTooLarge"))
            let found = try client.call("GET", "/public/\(count)")
            #expect(status == 200 ? found.bytes == body : found.code == "NoSuchKey", "\(count)")
        }
        #expect(files.filesOnDisk.count == 3)
        try await files.stop()
    }

    @Test("are never put into a bucket that goes at the same time")
    func bucketsGo() async throws {
        let files = try await TestFiles()
        let maker = try FileClient(files)
        for round in 0..<20 {
            #expect(try maker.call("PUT", "", bucket: "passing").status == 200)
            // A refusal may end its connection.
            let putter = try FileClient(files)
            async let put = BlockingThread.run { try putter.call("PUT", "/k", body: [1], bucket: "passing").status }
            async let gone = BlockingThread.run { try maker.call("DELETE", "", bucket: "passing").status }
            let outcome = try await (put, gone)
            #expect([[200, 409], [404, 204]].contains([outcome.0, outcome.1]), "round \(round): \(outcome)")
            if outcome.0 == 200 { try maker.call("DELETE", "/k", bucket: "passing") }
            try maker.call("DELETE", "", bucket: "passing")
            #expect(try maker.call("GET", "?list-type=2", bucket: "passing").code == "NoSuchBucket")
        }
        // Two that make and remove one leave behind what the last of them did.
        for _ in 0..<20 {
            let putter = try FileClient(files)
            async let made = BlockingThread.run { try putter.call("PUT", "", bucket: "passing").status }
            async let gone = BlockingThread.run { try maker.call("DELETE", "", bucket: "passing").status }
            _ = try await (made, gone)
            let isThere = try files.store.readerBeside().hasMadeBucket("passing")
            #expect(try maker.call("GET", "?list-type=2", bucket: "passing").status == (isThere ? 200 : 404))
        }
        try await files.stop()
    }

    @Test("are one version each, which is called null and no other name")
    func versions() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for key in ["a", "b%2F1", "b%2F2", "c", "d"] { try client.call("PUT", "/public/\(key)", body: [1]) }
        let pages: [(query: String, keys: [String], prefixes: [String], next: String?)] = [
            ("&prefix=public/", ["public/a", "public/b/1", "public/b/2", "public/c", "public/d"], [], nil),
            ("&prefix=public/&delimiter=/&max-keys=1", ["public/a"], [], "public/a"),
            (
                "&prefix=public/&delimiter=/&max-keys=1&key-marker=public/a&version-id-marker=null", [], ["public/b/"],
                "public/b/"
            ),
            (
                "&prefix=public/&delimiter=/&max-keys=2&key-marker=public/b/&encoding-type=url",
                ["public/c", "public/d"], [], nil
            ),
            ("&prefix=none", [], [], nil), ("&max-keys=0", [], [], nil),
        ]
        for (query, keys, prefixes, next) in pages {
            let escaped = query.replacing("/", with: "%2F")
            let page = try client.call("GET", "?versions\(escaped)")
            #expect(page.status == 200 && page.elements("Key") == keys, "\(query): \(page.text)")
            #expect(Array(page.elements("Prefix").dropFirst()) == prefixes, "\(query)")
            #expect(
                page.element("NextKeyMarker") == next && page.element("IsTruncated") == (next == nil ? "false" : "true")
            )
            #expect(page.elements("VersionId") == keys.map { _ in "null" })
            #expect(page.element("NextVersionIdMarker") == (next == nil || !prefixes.isEmpty ? nil : "null"))
        }
        for query in [
            "&version-id-marker=null", "&key-marker=a&version-id-marker=x", "&max-keys=x", "&encoding-type=x",
        ] {
            #expect(try client.call("GET", "?versions\(query)").code == "InvalidArgument", "\(query)")
        }
        #expect(try FileClient(files, as: .bob).call("GET", "?versions").code == "AccessDenied")
        // What can only be read is not taken for the making or the end of a bucket.
        for query in ["versions", "versioning", "location", "uploads"] {
            #expect(try client.call("PUT", "?\(query)", bucket: "another").code == "NotImplemented", "\(query)")
            #expect(try client.call("DELETE", "?\(query)").code == "NotImplemented", "\(query)")
        }
        #expect(try client.call("GET", "?versioning").text.hasSuffix("/\"></VersioningConfiguration>"))
        for method in ["GET", "HEAD", "DELETE"] {
            #expect(try client.call(method, "/public/a?versionId=1").status == 400, "\(method)")
        }
        #expect(try client.call("GET", "/public/a?versionId=null").bytes == [1])
        #expect(try client.call("DELETE", "/public/a?versionId=null").status == 204)
        #expect(try client.call("GET", "/public/a?versionId=null").code == "NoSuchKey")
        let named = [("public/c", "other"), ("public/d", "null")].map {
            "<Object><Key>\($0.0)</Key><VersionId>\($0.1)</VersionId></Object>"
        }
        let body = Self.text("<Delete>\(named.joined())</Delete>")
        let deleted = try client.call("POST", "?delete", [TestFiles.digest(of: body)], body: body)
        #expect(deleted.elements("Code") == ["NoSuchVersion"] && deleted.elements("VersionId") == ["other", "null"])
        #expect(try client.call("GET", "/public/c").status == 200)
        #expect(try client.call("GET", "/public/d").code == "NoSuchKey")
        try await files.stop()
    }

    @Test("lie in buckets that are made, listed by pages, and go with the uploads that have not ended")
    func buckets() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for bucket in ["made-1", "made.2", "made-1"] {
            #expect(try client.call("PUT", "", bucket: bucket).status == 200)
        }
        for name in [
            "Made", "a", "foo..bar", "foo.-bar", "foo-.bar", "1.2.3.4", "-foo", "foo.", "graphql", "rest", "2015-03-31",
            "xn--abc", "sthree-abc", "amzn-s3-demo-abc", "abc-s3alias", "abc--ol-s3", "abc.mrap", "abc--x-s3",
            "abc--table-s3",
        ] {
            #expect(try client.call("PUT", "", bucket: name).code == "InvalidBucketName", "\(name)")
        }
        var (names, token): ([String], String?) = ([], "")
        while let next = token {
            let page = try client.call("GET", "?max-buckets=2&continuation-token=\(next)", bucket: "")
            names += page.elements("Name")
            token = page.element("ContinuationToken")
        }
        #expect(names == ["made-1", "made.2", TestFiles.bucket])
        #expect(try client.call("GET", "?prefix=made", bucket: "").elements("Name") == ["made-1", "made.2"])
        #expect(try client.call("GET", "?max-buckets=0", bucket: "").code == "InvalidArgument")
        #expect(try client.call("GET", "?continuation-token=x", bucket: "").code == "InvalidArgument")
        try client.call("PUT", "/a", body: [1], bucket: "made-1")
        let id = try #require(try client.call("POST", "/b?uploads", bucket: "made-1").element("UploadId"))
        try client.call("PUT", "/b?partNumber=1&uploadId=\(id)", body: [1], bucket: "made-1")
        #expect(try client.call("DELETE", "", bucket: "made-1").code == "BucketNotEmpty")
        try client.call("DELETE", "/a", bucket: "made-1")
        #expect(try client.call("DELETE", "", bucket: "made-1").status == 204)
        while !files.filesOnDisk.isEmpty { try await files.service.folder.work {} }
        for (method, target) in [("GET", ""), ("POST", "/b?uploads"), ("PUT", "/b?partNumber=1&uploadId=\(id)")] {
            #expect(try client.call(method, target, bucket: "made-1").code == "NoSuchBucket", "\(method)")
        }
        #expect(try client.call("PUT", "", bucket: "made-1").status == 200)
        #expect(try client.call("GET", "/b?uploadId=\(id)", bucket: "made-1").code == "NoSuchUpload")
        try await files.stop()
    }

    @Test("are listed from the start by an empty token, and V1 says the prefix as it is")
    func listsAsSDKsRead() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        for key in ["a%0A1", "b"] { try client.call("PUT", "/\(key)", body: [1]) }
        let all = try client.call("GET", "?list-type=2&continuation-token=")
        #expect(all.elements("Key").count == 2 && all.text.contains("<ContinuationToken></ContinuationToken>"))
        let old = try client.call("GET", "?encoding-type=url&prefix=a%0A")
        #expect(old.element("Prefix") == "a&#10;" && old.elements("Key") == ["a%0A1"])
        #expect(try client.call("GET", "?encoding-type=url&prefix=a%01").element("Prefix") == "a%01")
        #expect(try client.call("GET", "?list-type=2&encoding-type=url&prefix=a%0A").element("Prefix") == "a%0A")
        try await files.stop()
    }

    @Test("a list goes on only where it was: in its bucket, below its prefix, for who has asked")
    func tokensOfOthers() async throws {
        let files = try await TestFiles()
        let ann = try FileClient(files, as: .ann)
        for key in ["/public/a", "/public/b", "/public/sub/c"] { try ann.call("PUT", key, body: [1]) }
        let first = try ann.call("GET", "?list-type=2&max-keys=1&prefix=public%2F")
        let token = try #require(first.element("NextContinuationToken")).replacing("=", with: "%3D")
        func list(_ client: FileClient, _ prefix: String, _ token: String, bucket: String = TestFiles.bucket) throws
            -> FileClient.Answer
        {
            try client.call("GET", "?continuation-token=\(token)&list-type=2&prefix=\(prefix)", bucket: bucket)
        }
        #expect(try list(ann, "public%2F", token).elements("Key") == ["public/b", "public/sub/c"])
        for prefix in ["public%2Fsub%2F", "protected%2F"] {
            #expect(try list(ann, prefix, token).code == "InvalidArgument", "\(prefix)")
        }
        #expect(try list(try FileClient(files, as: .bob), "public%2F", token).code == "InvalidArgument")
        let administrator = try FileClient(files)
        #expect(try list(administrator, "public%2F", token).code == "InvalidArgument")
        let own = try administrator.call("GET", "?list-type=2&max-keys=1").element("NextContinuationToken") ?? ""
        #expect(try administrator.call("PUT", "", bucket: "another").status == 200)
        #expect(try list(administrator, "", own, bucket: "another").code == "InvalidArgument")
        #expect(try list(ann, "public%2F", token + "A").code == "InvalidArgument")
        try await files.stop()
    }

    @Test("whoever may not read is told the same of what is and what is not there")
    func tellsNothing() async throws {
        let files = try await TestFiles()
        try FileClient(files, as: .ann).call("PUT", "/private/us-east-1%3Aann/x", body: [1])
        for key in [TestFiles.Key.bob, .guest] {
            for method in ["GET", "HEAD", "DELETE", "PUT"] {
                for query in ["", "?tagging", "?attributes", "?uploadId=x", "?uploadId=x&partNumber=1"] {
                    var answers: [(Int, String?)] = []
                    for name in ["x", "y"] {
                        let client = try FileClient(files, as: key)
                        let answer = try client.call(
                            method, "/private/us-east-1%3Aann/\(name)\(query)",
                            [("if-match", "\"x\""), ("range", "bytes=9-")])
                        answers.append((answer.status, answer.code))
                    }
                    #expect(answers[0] == answers[1] && answers[0].0 == 403, "\(key) \(method) \(query)")
                }
            }
        }
        #expect(try FileClient(files, as: .bob).call("GET", "/public/none").code == "NoSuchKey")
        try await files.stop()
    }

    @Test("what a client counts on and nobody here does is refused before a byte of it is kept")
    func refusesUnknown() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        let fields = [
            ("x-amz-acl", "public-read"), ("x-amz-grant-read", "id=1"), ("x-amz-object-lock-mode", "GOVERNANCE"),
            ("x-amz-server-side-encryption", "aws:kms"), ("x-amz-server-side-encryption-aws-kms-key-id", "k"),
            ("x-amz-server-side-encryption-customer-algorithm", "AES256"), ("x-amz-write-offset-bytes", "1"),
        ]
        for field in fields {
            for (method, target, more) in [
                ("PUT", "/public/a", []), ("POST", "/public/a?uploads", []),
                ("PUT", "/public/a", [("x-amz-copy-source", "\(TestFiles.bucket)/public/b")]),
            ] {
                let answer = try client.call(method, target, more + [field], body: [])
                #expect(["NotImplemented", "AccessControlListNotSupported"].contains(answer.code ?? ""), "\(field)")
            }
        }
        for field in [("x-amz-acl", "private"), ("x-amz-server-side-encryption", "AES256")] {
            #expect(try client.call("PUT", "/public/a", [field], body: [1]).status == 200, "\(field)")
        }
        // The one that was replaced goes beside the requests.
        while files.filesOnDisk.count > 1 { try await files.service.folder.work {} }
        #expect(files.filesOnDisk.count == 1)
        try await files.stop()
    }

    @Test("answers about content say how it is encrypted and summed, and refusals the condition that is not met")
    func smallAnswers() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        let put = try client.call("PUT", "/public/a", body: [1])
        let sum = Checksum.text(of: ChecksumStream.sum(.crc64nvme, of: [1]))
        #expect(put.fields["x-amz-checksum-crc64nvme"] == sum && put.fields["x-amz-checksum-type"] == "FULL_OBJECT")
        let copy = [("x-amz-copy-source", "\(TestFiles.bucket)/public/a")]
        for (method, target, fields, isTold) in [
            ("PUT", "/public/a", [], true), ("GET", "/public/a", [], true), ("HEAD", "/public/a", [], true),
            ("PUT", "/public/b", copy, true), ("POST", "/public/a?uploads", [], true),
            ("GET", "/public/a?tagging", [], false), ("GET", "/public/none", [], false),
            ("DELETE", "/public/b", [], false),
        ] as [(String, String, [(String, String)], Bool)] {
            let answer = try client.call(method, target, fields, body: method == "PUT" ? [1] : [])
            #expect((answer.fields["x-amz-server-side-encryption"] == "AES256") == isTold, "\(method) \(target)")
        }
        for (field, value, name) in [
            ("if-match", "\"x\"", "If-Match"),
            ("if-unmodified-since", "Sat, 16 Jan 2000 08:00:00 GMT", "If-Unmodified-Since"),
        ] {
            let read = try client.call("GET", "/public/a", [(field, value)])
            #expect(read.status == 412 && read.element("Condition") == name)
            let copied = try client.call("PUT", "/public/b", copy + [("x-amz-copy-source-\(field)", value)])
            #expect(copied.status == 412 && copied.element("Condition") == "x-amz-copy-source-\(name)")
        }
        // Of a time that has not come nothing can be asked.
        let later = [("if-modified-since", "Sat, 16 Jan 2100 08:00:00 GMT")]
        #expect(try client.call("GET", "/public/a", later).status == 200)
        #expect(try client.call("PUT", "/public/a", [("x-amz-tagging", "AWS%3Ab=2")], body: [1]).code == "InvalidTag")
        try await files.stop()
    }

    @Test("tags are kept beside an object")
    func tags() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        try client.call("PUT", "/public/a", [("x-amz-tagging", "b=2&a")], body: [1])
        #expect(try client.call("GET", "/public/a?tagging").elements("Key") == ["a", "b"])
        let body = "<Tagging><TagSet><Tag><Key>c</Key><Value>3</Value></Tag></TagSet></Tagging>"
        #expect(try client.call("PUT", "/public/a?tagging", body: Self.text(body)).status == 200)
        #expect(try client.call("GET", "/public/a?tagging").elements("Key") == ["c"])
        #expect(try client.call("DELETE", "/public/a?tagging").status == 204)
        #expect(try client.call("GET", "/public/a").fields["x-amz-tagging-count"] == nil)
        #expect(try client.call("PUT", "/public/none?tagging", body: Self.text(body)).code == "NoSuchKey")
        try await files.stop()
    }
}
