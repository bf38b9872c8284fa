import TestSupport
import Testing

@testable import Files

@Suite("Buckets made by clients")
struct MadeBucketTests {
    @Test("are known to other rooms behind a restart, before any request has come")
    func areKnownBehindRestart() async throws {
        let folder = TemporaryFolder()
        var files = try await TestFiles(in: folder)
        let client = try FileClient(files)
        #expect(try client.call("PUT", "", bucket: "made-by-hand").status == 200)
        #expect(try client.call("PUT", "/first", body: [1], bucket: "made-by-hand").status == 200)
        try await files.stop()

        for door in 0..<4 {
            files = try await TestFiles(in: folder)
            let service = files.service
            switch door {
            case 0: #expect(try await service.listed("", in: "made-by-hand").map(\.key) == ["first"])
            case 1: #expect(try await service.known("first", in: "made-by-hand")?.size == 1)
            case 2: _ = try await service.keep([2, 3], as: "second", in: "made-by-hand")
            default: #expect(try await service.remove("second", in: "made-by-hand"))
            }
            await #expect(throws: FileError.self) { try await service.listed("", in: "never-made") }
            try await files.stop()
        }
    }

    private static func tagging(_ tags: [String]) -> [UInt8] {
        let set = tags.map { "<Tag><Key>\($0)</Key><Value>of \($0)</Value></Tag>" }.joined()
        return Array("<Tagging><TagSet>\(set)</TagSet></Tagging>".utf8)
    }

    @Test("have tags, as those of the configuration do, until they are deleted")
    func tags() async throws {
        let folder = TemporaryFolder()
        var files = try await TestFiles(in: folder)
        var client = try FileClient(files)
        #expect(try client.call("GET", "?tagging").code == "NoSuchTagSet")
        #expect(try client.call("PUT", "", bucket: "made").status == 200)
        for bucket in ["made", TestFiles.bucket] {
            #expect(try client.call("DELETE", "?tagging", bucket: bucket).status == 204)
            #expect(try client.call("PUT", "?tagging", body: Self.tagging(["b", "a"]), bucket: bucket).status == 204)
            let many = (0...FileLimits.bucketTagsMax).map { "k\($0)" }
            for (tags, code) in [(many, "BadRequest"), (["a", "a"], "InvalidTag"), (["aws:a"], "InvalidTag")] {
                let answer = try client.call("PUT", "?tagging", body: Self.tagging(tags), bucket: bucket)
                #expect(answer.status == 400 && answer.code == code, "\(tags)")
            }
            #expect(try client.call("PUT", "?tagging", body: [1], bucket: bucket).code == "MalformedXML")
            #expect(try client.call("HEAD", "?tagging", bucket: bucket).status == 405)
        }
        let bob = try FileClient(files, as: .bob)
        for method in ["GET", "PUT", "DELETE"] {
            let body = method == "PUT" ? Self.tagging(["c"]) : []
            #expect(try bob.call(method, "?tagging", body: body).code == "AccessDenied", "\(method)")
        }
        #expect(try client.call("GET", "?tagging", bucket: "never-made").code == "NoSuchBucket")
        #expect(
            try client.call("PUT", "?tagging", body: Self.tagging(["c"]), bucket: "never-made").code == "NoSuchBucket")
        try await files.stop()

        files = try await TestFiles(in: folder)
        client = try FileClient(files)
        for bucket in ["made", TestFiles.bucket] {
            #expect(try client.call("GET", "?tagging", bucket: bucket).elements("Value") == ["of a", "of b"])
        }
        #expect(try client.call("DELETE", "", bucket: "made").status == 204)
        #expect(try client.call("PUT", "", bucket: "made").status == 200)
        #expect(try client.call("GET", "?tagging", bucket: "made").code == "NoSuchTagSet")
        #expect(try client.call("PUT", "?tagging", body: Self.tagging([])).status == 204)
        #expect(try client.call("GET", "?tagging").code == "NoSuchTagSet")
        try await files.stop()
    }
}
