import Access
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Files

/// Several servers over one database and one folder of files.
@Suite("Files of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeFilesTests {
    private static let partBytes = 5 << 20

    private static func node(
        _ folder: TemporaryFolder, _ location: Store.Location, _ change: (inout FileSettings) -> Void = { _ in }
    ) async throws -> (files: TestFiles, nodes: Nodes, client: FileClient) {
        let files = try await TestFiles(in: folder, at: location, change)
        let nodes = try await Nodes.join(files.store, address: "", version: "1") { _ in }
        return (files, nodes, try FileClient(files))
    }

    private static func bytes(_ byte: UInt8, _ count: Int = 100_000) -> [UInt8] { Array(repeating: byte, count: count) }

    @Test("what one puts, each other one gets, lists, replaces and deletes")
    func objects() async throws {
        let (folder, location) = (TemporaryFolder(), try TestDatabase.server())
        let first = try await Self.node(folder, location)
        let second = try await Self.node(folder, location)
        #expect(try first.client.call("PUT", "/a", body: Self.bytes(1)).status == 200)
        #expect(try second.client.call("GET", "/a").bytes == Self.bytes(1))
        #expect(try second.client.call("PUT", "/b", body: Self.bytes(2)).status == 200)
        for client in [first.client, second.client] {
            #expect(try client.call("GET", "?list-type=2").elements("Key") == ["a", "b"])
        }
        // Small ones are kept in memory: of another one's change too, nothing old is ever answered.
        for round in 3..<9 as Range<UInt8> {
            let (writer, reader) = round % 2 == 0 ? (first.client, second.client) : (second.client, first.client)
            #expect(try writer.call("PUT", "/a", body: Self.bytes(round, 10)).status == 200)
            #expect(try reader.call("GET", "/a").bytes == Self.bytes(round, 10))
            #expect(try writer.call("GET", "/a").bytes == Self.bytes(round, 10))
        }
        #expect(try second.client.call("DELETE", "/a").status == 204)
        #expect(try first.client.call("GET", "/a").status == 404)
        // A bucket that one makes is there for the other one at once, and is gone with it.
        #expect(try first.client.call("PUT", "", bucket: "made").status == 200)
        #expect(try second.client.call("PUT", "/x", body: [1], bucket: "made").status == 200)
        #expect(try first.client.call("GET", "/x", bucket: "made").bytes == [1])
        #expect(try second.client.call("DELETE", "/x", bucket: "made").status == 204)
        #expect(try second.client.call("DELETE", "", bucket: "made").status == 204)
        #expect(try first.client.call("HEAD", "", bucket: "made").status == 404)
        for node in [first, second] {
            try await node.files.stop()
            await node.nodes.end()
        }
    }

    @Test("an upload in parts is begun, sent, listed and completed by different servers")
    func parts() async throws {
        let (folder, location) = (TemporaryFolder(), try TestDatabase.server())
        let nodes = [try await Self.node(folder, location), try await Self.node(folder, location)]
        for count in [1, 3] {
            let begun = try nodes[0].client.call("POST", "/long?uploads")
            let upload = try #require(begun.element("UploadId"))
            var list = ""
            for part in 1...count {
                let sent = try nodes[part % 2].client.call(
                    "PUT", "/long?partNumber=\(part)&uploadId=\(upload)", body: Self.bytes(UInt8(part), Self.partBytes))
                #expect(sent.status == 200)
                let tag = try #require(sent.fields["etag"] ?? sent.fields["ETag"])
                list += "<Part><PartNumber>\(part)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            let listed = try nodes[0].client.call("GET", "/long?uploadId=\(upload)")
            #expect(listed.elements("PartNumber") == (1...count).map { "\($0)" })
            let completed = try nodes[0].client.call(
                "POST", "/long?uploadId=\(upload)",
                body: Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
            #expect(completed.status == 200, "\(completed.text)")
            for node in nodes {
                let whole = try node.client.call("GET", "/long").bytes
                #expect(whole == (1...count).flatMap { Self.bytes(UInt8($0), Self.partBytes) })
            }
        }
        for node in nodes {
            try await node.files.stop()
            await node.nodes.end()
        }
    }

    /// A function that takes all events, by what they say.
    private final class Function: OutsideService {
        private let heard = Mutex<[String]>([])

        var events: [String] { heard.withLock { $0 } }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
            let record = (try? JSONReader.value(of: request.body))?["Records"]?.array?.first
            let key = record?["s3"]?["object"]?["key"]?.string ?? "-"
            heard.withLock { $0.append("\(record?["eventName"]?.string ?? "-") \(key)") }
            return OutsideResponse(status: 202, body: [])
        }
    }

    @Test(
        "functions are called with the changes of all nodes by the keeper, each once, and by the next one with what a node has left"
    )
    func events() async throws {
        let (folder, location) = (TemporaryFolder(), try TestDatabase.server())
        var functions = FileFunctions()
        functions.add(
            FileListener("f", url: "http://f/all", events: ["ObjectCreated:*", "ObjectRemoved:*"]),
            to: TestFiles.bucket)
        let nodes = [
            try await Self.node(folder, location) { $0.functions = functions },
            try await Self.node(folder, location) { $0.functions = functions },
        ]
        for node in nodes { try await node.files.store.writer.write(turn: .models, key: nil) { _ in } }
        let clock = RungClock(at: TestFiles.now * 1_000)
        let (called, listeners) = (Function(), functions)
        func keeper(_ node: Int) -> FileEventSender {
            let files = nodes[node].files
            let sender = FileEventSender(
                over: files.store, { listeners }, region: "eu-west-1", by: called, on: files.loop, clock: clock
            ) { Issue.record("\($0)") }
            nodes[node].nodes.onWake { [weak sender] wakes in if wakes.contains(.files) { sender?.wake() } }
            sender.start()
            return sender
        }
        let first = keeper(0)
        // Nothing rings here: it is the other node's word that hurries the keeper.
        for number in 0..<3 {
            #expect(try nodes[1].client.call("PUT", "/a\(number)", body: [1]).status == 200)
            try await eventually("the keeper has called with it") { called.events.count == number + 1 }
        }
        #expect(try nodes[1].client.call("DELETE", "/a0").status == 204)
        try await eventually("it is called with the removal") { called.events.count == 4 }
        #expect(called.events == (0..<3).map { "ObjectCreated:Put a\($0)" } + ["ObjectRemoved:Delete a0"])
        await first.stop()
        // What nodes acknowledge while nobody is the keeper, and what one of them has acknowledged just before it was killed.
        #expect(try nodes[0].client.call("PUT", "/b", body: [2]).status == 200)
        #expect(try nodes[1].client.call("PUT", "/b", body: [3]).status == 200)
        #expect(try nodes[1].client.call("DELETE", "/b").status == 204)
        try await nodes[0].files.stop()
        await nodes[0].nodes.end()
        let second = keeper(1)
        try await eventually("the next one goes on") { called.events.count == 7 }
        #expect(
            called.events.suffix(3) == ["ObjectCreated:Put b", "ObjectCreated:Put b", "ObjectRemoved:Delete b"])
        await second.stop()
        #expect(called.events.count == 7)
        try await nodes[1].files.stop()
        await nodes[1].nodes.end()
    }

    @Test("an event that another keeper has ended releases none of its key a second time")
    func endedTwice() async throws {
        let (folder, location) = (TemporaryFolder(), try TestDatabase.server())
        var functions = FileFunctions()
        functions.add(FileListener("f", url: "http://f/all", events: ["ObjectCreated:*"]), to: TestFiles.bucket)
        let node = try await Self.node(folder, location) { $0.functions = functions }
        for _ in 0..<2 { #expect(try node.client.call("PUT", "/a", body: [1]).status == 200) }
        let queue = FileEventQueue(store: node.files.store)
        let now = TestFiles.now * 1_000
        let event = try #require(try await queue.due(at: now, max: 10).first)
        #expect(try await queue.due(at: now, max: 10).count == 1)
        try await queue.end(event)
        let next = try #require(try await queue.due(at: now, max: 10).first)
        #expect(next.number > event.number)
        try await queue.delay(next, until: now + 1_000)
        // A keeper that slept meanwhile does the same once more: the next one keeps its time.
        try await queue.end(event)
        #expect(try await queue.due(at: now, max: 10).isEmpty)
        try await node.files.stop()
        await node.nodes.end()
    }

    @Test("a start leaves the files of living nodes alone, and removes those of nodes that are gone")
    func sweeps() async throws {
        let (folder, location) = (TemporaryFolder(), try TestDatabase.server())
        let first = try await Self.node(folder, location)
        #expect(try first.client.call("PUT", "/a", body: Self.bytes(1)).status == 200)
        // As an upload that has come whole, and has no record yet.
        let service = first.files.service
        let incoming = try await service.folder.work { () throws(FileError) in
            let file = try service.folder.open(expecting: 3)
            try ([1, 2, 3] as [UInt8]).withUnsafeBufferPointer { (bytes) throws(FileError) in
                try file.write(UnsafeRawBufferPointer(bytes))
            }
            try file.keep()
            return file
        }
        let before = first.files.filesOnDisk.sorted()
        #expect(before.count == 2)
        let second = try await Self.node(folder, location)
        await second.files.service.sweep()
        #expect(first.files.filesOnDisk.sorted() == before)
        // Others have taken the first one for gone. Its lock is no obstacle to anybody on another machine.
        await first.nodes.end()
        service.folder.end()
        await second.files.service.sweep()
        #expect(second.files.filesOnDisk.count == 1)
        // It goes on after all: what it has not made a record of is refused, and what it sends then is of another run.
        let object = StoredObject(
            file: incoming.number, size: 3, tag: "t", modified: 0, content: ObjectContent(), checksum: nil, sum: 0)
        await #expect(throws: FileError.lostRun) {
            try await service.write { writing throws(FileError) in
                (try writing.put(object, TestFiles.bucket, "late", if: { _ in }), [])
            }
        }
        #expect(try first.client.call("PUT", "/b", body: Self.bytes(2)).status == 200)
        #expect(try second.client.call("GET", "/b").bytes == Self.bytes(2))
        #expect(try second.client.call("GET", "/a").bytes == Self.bytes(1))
        #expect(try second.client.call("GET", "/late").status == 404)
        for node in [first, second] {
            try await node.files.stop()
            await node.nodes.end()
        }
    }
}
