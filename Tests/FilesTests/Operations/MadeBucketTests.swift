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
            case 0: #expect(try service.listed("", in: "made-by-hand").map(\.key) == ["first"])
            case 1: #expect(try service.known("first", in: "made-by-hand")?.size == 1)
            case 2: _ = try await service.keep([2, 3], as: "second", in: "made-by-hand")
            default: #expect(try await service.remove("second", in: "made-by-hand"))
            }
            #expect(throws: FileError.self) { try service.listed("", in: "never-made") }
            try await files.stop()
        }
    }
}
