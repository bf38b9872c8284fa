import Foundation
import JSON
import Network
import TestSupport
import Testing

/// A function of the configuration that is told of what happens to files, by the real program and over a socket.
@Suite("A function that hears of files")
struct FileTriggerTests {
    private static let bucket = "heard"

    private static func environment(_ url: String) -> [String: String] {
        [
            "HOMEPORT_FUNCTIONS": #"{"noted": {"url": "\#(url)"}}"#,
            "HOMEPORT_FILES_BUCKETS": #"[{"name":"files","bucketName":"heard","onUpload":"noted","onDelete":"noted"}]"#,
        ]
    }

    /// What an event says: its name, its key, and its place among those of its key.
    private struct Told: Equatable {
        let name: String
        let key: String
        let sequencer: String
        let size: Int64?

        init(_ call: CollectingService.Call) throws {
            let record = try #require(try JSONReader.value(of: call.body)["Records"]?[0])
            let object = record["s3"]?["object"]
            name = record["eventName"]?.string ?? ""
            key = object?["key"]?.string ?? ""
            sequencer = object?["sequencer"]?.string ?? ""
            size = object?["size"]?.integer
            #expect(record["s3"]?["bucket"]?["name"] == .string(FileTriggerTests.bucket))
        }
    }

    @Test("is told of each change behind its commit, in order for a key, and again of what it has not taken")
    func tells() async throws {
        // The first one is not taken.
        let function = CollectingService(first: [HTTPStatus(code: 503)])
        try await function.run { url in
            try await BlockingThread.run {
                let server = try HomeportProcess(environment: Self.environment(url))
                let call = try SignedFileCall(server)
                let path = "/\(Self.bucket)/public/a%20b.txt"
                #expect(try call.call("PUT", path, body: [1]).status == 200)
                let first = try Told(try function.next())
                #expect(first.name == "ObjectCreated:Put" && first.key == "public/a+b.txt" && first.size == 1)
                // Whoever hears of it finds it.
                #expect(try call.call("GET", path).bytes == [1])
                #expect(try call.call("PUT", path, body: [1, 2]).status == 200)
                #expect(try call.call("PUT", "/\(Self.bucket)/c", ["x-amz-copy-source": path]).status == 200)
                #expect(try call.call("DELETE", path).status == 204)
                let rest = try (0..<4).map { _ in try Told(try function.next()) }
                let ofKey = rest.filter { $0.key == first.key }
                #expect(ofKey.map(\.name) == ["ObjectCreated:Put", "ObjectCreated:Put", "ObjectRemoved:Delete"])
                // The one that was not taken comes again as what it was, and before those that came later.
                #expect(ofKey.first == first && ofKey.map(\.size) == [1, 2, nil])
                #expect(ofKey.map(\.sequencer) == ofKey.map(\.sequencer).sorted())
                #expect(rest.filter { $0.key == "c" }.map(\.name) == ["ObjectCreated:Copy"])
            }
        }
    }

    @Test("is told after a restart of what nobody had taken when the server was killed")
    func tellsAfterRestart() async throws {
        let function = CollectingService(first: [HTTPStatus(code: 503)])
        try await function.run { url in
            try await BlockingThread.run {
                let folder = TemporaryFolder()
                let first = try HomeportProcess(environment: Self.environment(url), in: folder)
                let call = try SignedFileCall(first)
                #expect(try call.call("PUT", "/\(Self.bucket)/k", body: [1]).status == 200)
                let before = try Told(try function.next())
                first.signal(SIGKILL)
                _ = first.exitStatus()
                let second = try HomeportProcess(environment: Self.environment(url), in: folder)
                #expect(try Told(try function.next()) == before)
                #expect(try SignedFileCall(second).call("DELETE", "/\(Self.bucket)/k").status == 204)
                #expect(try Told(try function.next()).name == "ObjectRemoved:Delete")
            }
        }
    }
}
