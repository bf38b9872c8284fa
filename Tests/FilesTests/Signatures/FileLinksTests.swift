import JSON
import TestSupport
import Testing

@testable import Files

/// Links that the server makes.
@Suite("Links to files")
struct FileLinksTests {
    /// Opens a link as a browser does, without any signature of its own.
    private func open(_ target: String, of files: TestFiles, method: String = "GET") throws -> FileClient.Answer {
        let client = try RawClient(port: files.port)
        try client.send("\(method) \(target) HTTP/1.1\r\nhost: 127.0.0.1:\(files.port)\r\ncontent-length: 0\r\n\r\n")
        return try FileClient.answer(from: client, to: method)
    }

    private func link(_ key: String, of files: TestFiles, seconds: Int64 = 60) throws -> String {
        try files.service.link(
            to: key, in: TestFiles.bucket, host: "127.0.0.1:\(files.port)", seconds: seconds)
    }

    @Test(
        "a link reads one file for whoever has it",
        arguments: ["public/a.txt", "private/us-east-1:bob/ä ö+%&=?#.txt", "public/a//b"])
    func reads(key: String) async throws {
        let files = try await TestFiles()
        let path = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: PercentCoding.encoded($0), as: UTF8.self) }.joined(separator: "/")
        #expect(try FileClient(files).call("PUT", "/\(path)", body: Array("text".utf8)).status == 200)
        let answer = try open(try link(key, of: files), of: files)
        #expect(answer.status == 200)
        #expect(answer.text == "text")
    }

    @Test("a link ends, and is good for nothing else than what it was made for")
    func ends() async throws {
        let clock = Clock()
        let files = try await TestFiles(clock: { clock.now })
        for key in ["one", "two"] {
            #expect(try FileClient(files).call("PUT", "/public/\(key)", body: Array(key.utf8)).status == 200)
        }
        let link = try link("public/one", of: files)
        #expect(try open(link, of: files).text == "one")
        #expect(try open(link.replacing("public/one", with: "public/two"), of: files).status == 403)
        #expect(try open(link.replacing("Expires=60", with: "Expires=600"), of: files).status == 403)
        for method in ["PUT", "DELETE", "POST"] {
            #expect(try open(link, of: files, method: method).status == 403, "\(method)")
        }
        clock.pass(seconds: 61)
        #expect(try open(link, of: files).status == 403)
        #expect(try open(try self.link("public/two", of: files), of: files).text == "two")
    }

    @Test("a link is good for a week at most")
    func longest() async throws {
        let files = try await TestFiles()
        #expect(try link("public/one", of: files, seconds: .max).contains("X-Amz-Expires=604800&"))
        #expect(try link("public/one", of: files, seconds: 0).contains("X-Amz-Expires=1&"))
    }
}
