import Crypto
import TestSupport
import Testing

@testable import Files

@Suite("Objects", .onItsOwnThread)
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
        }
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
            ([("x-amz-checksum-crc32", "AAAA")], "InvalidRequest"),
            ([("x-amz-content-sha256", Hexadecimal.text(of: Digest.sha256.of(other)))], "XAmzContentSHA256Mismatch"),
            ([("if-none-match", "*")], "PreconditionFailed"),
            ([("if-match", "\"0123\"")], "PreconditionFailed"),
            ([("x-amz-acl", "public-read")], "AccessControlListNotSupported"),
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
            ([("if-none-match", tag)], 304, ""), ([("if-modified-since", "Sat, 16 Jan 2027 08:00:00 GMT")], 304, ""),
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
        let named = try client.call("GET", "/public/a?response-content-type=text%2Fcss&response-expires=soon")
        #expect(named.fields["content-type"] == "text/css" && named.fields["expires"] == "soon")
        #expect(try client.call("GET", "/public/a?response-expires=a%0D%0Ab").code == "InvalidArgument")
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
        let answer = try bob.call("POST", "?delete", body: Self.text(body))
        #expect(answer.status == 200)
        #expect(answer.elements("Deleted").count == 2 && answer.elements("Error").count == 2)
        #expect(answer.elements("Code") == ["AccessDenied", "AccessDenied"])
        #expect(try ann.call("GET", "/public/1").code == "NoSuchKey")
        #expect(try ann.call("GET", "/private/us-east-1%3Aann/3").status == 200)
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

    @Test("tags are kept beside an object")
    func tags() async throws {
        let files = try await TestFiles()
        let client = try FileClient(files)
        try client.call("PUT", "/public/a", [("x-amz-tagging", "a=1&b=2")], body: [1])
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
