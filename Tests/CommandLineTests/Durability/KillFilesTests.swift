import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that is killed while files are put, put together, copied and deleted.
@Suite("A killed server with files", .serialized)
struct KillFilesTests {
    private static let clientCount = 4
    /// Each client has so many keys, and changes them again and again.
    private static let keysPerClient = 6
    private static let bucket = "kills"
    private static let sizes = [0, 1, 700, 40_000, 400_000]

    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 2 }

    /// The content of an object, by the number that it was made with; nil: there is none.
    private static func content(_ number: Int?) -> [UInt8]? {
        number.map { number in
            let text = Array("\(number) ".utf8)
            return (0..<sizes[number % sizes.count]).map { text[$0 % text.count] }
        }
    }

    /// What was acknowledged of each key, and what was asked for and not answered.
    private final class Told: Sendable {
        struct Key {
            var known: Int?
            var asked: Int??
        }

        private let state = Mutex<[String: Key]>([:])
        private let numbers = Atomic(0)

        var all: [String: Key] { state.withLock { $0 } }
        func known(_ key: String) -> Int? { state.withLock { $0[key]?.known ?? nil } }
        func next() -> Int { numbers.add(1, ordering: .relaxed).newValue }
        func ask(_ key: String, _ content: Int?) { state.withLock { $0[key, default: Key()].asked = .some(content) } }
        func acknowledge(_ key: String, _ content: Int?) {
            state.withLock { $0[key] = Key(known: content, asked: nil) }
        }
    }

    @Test("has every object that it acknowledged with its bytes, none that it deleted, and no file beside them")
    func keeps() async throws {
        var random = SeededRandom(test: "KillFilesTests")
        let folder = TemporaryFolder()
        let told = Told()
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run { Unchecked(try HomeportProcess(in: folder)) }
            try await BlockingThread.run { try Self.expect(told, of: server.value, after: kill) }
            guard kill < Self.killCount else {
                print("KillFilesTests: \(told.next()) changes were asked for in \(kill) kills")
                // The start has looked for what was left.
                try await BlockingThread.run { try Self.expectNoMore(than: told, of: server.value) }
                server.value.signal(SIGTERM)
                break
            }
            let length = Duration.microseconds(Int.random(in: 30_000...400_000, using: &random))
            let seeds = (0..<Self.clientCount).map { _ in random.next() }
            let identifier = server.value.identifier
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (client, seed) in seeds.enumerated() {
                    group.addTask {
                        try await BlockingThread.run { Self.change("c\(client)", seed, on: server.value, told) }
                    }
                }
                group.addTask {
                    try await BlockingThread.run {
                        // The moment within a change is anybody's guess.
                        pause(length, because: "the moment of a kill is random")
                        Foundation.kill(identifier, SIGKILL)
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
    }

    /// Changes keys, one after the other, as far as the connection lasts.
    private static func change(_ client: String, _ seed: UInt64, on server: HomeportProcess, _ told: Told) {
        guard let call = try? SignedFileCall(server) else { return }
        for turn in 0..<10_000 {
            let key = "\(client)-\((Int(truncatingIfNeeded: seed >> 32) &+ turn) & 0xFFFF % keysPerClient)"
            let path = "/\(bucket)/\(key)"
            do {
                switch (Int(truncatingIfNeeded: seed >> 8) & 0xFF + turn) % 4 {
                case 0 where told.known(key) != nil:
                    told.ask(key, nil)
                    guard try call.call("DELETE", path).status == 204 else { return }
                    told.acknowledge(key, nil)
                case 1:
                    let number = told.next()
                    told.ask(key, number)
                    guard let id = try call.call("POST", "\(path)?uploads=").element("UploadId") else { return }
                    let part = try call.call("PUT", "\(path)?partNumber=1&uploadId=\(id)", body: content(number) ?? [])
                    guard part.status == 200, let tag = part.tag else { return }
                    let list =
                        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>"
                    guard try call.call("POST", "\(path)?uploadId=\(id)", body: Array(list.utf8)).status == 200 else {
                        return
                    }
                    told.acknowledge(key, number)
                case 2:
                    let other = "\(client)-\((turn + 1) % keysPerClient)"
                    guard other != key, let number = told.known(other) else { continue }
                    told.ask(key, number)
                    let source = ["x-amz-copy-source": "/\(bucket)/\(other)"]
                    guard try call.call("PUT", path, source).status == 200 else { return }
                    told.acknowledge(key, number)
                default:
                    let number = told.next()
                    told.ask(key, number)
                    guard try call.call("PUT", path, body: content(number) ?? []).status == 200 else { return }
                    told.acknowledge(key, number)
                }
            } catch {
                return
            }
        }
    }

    private static func expect(_ told: Told, of server: HomeportProcess, after kill: Int) throws {
        let call = try SignedFileCall(server)
        if kill == 0 { #expect(try call.call("PUT", "/\(bucket)").status == 200) }
        for (key, state) in told.all {
            let answer = try call.call("GET", "/\(bucket)/\(key)")
            let found = answer.status == 200 ? answer.bytes : nil
            let allowed = [content(state.known)] + (state.asked.map { [content($0)] } ?? [])
            #expect(allowed.contains { $0 == found }, "after kill \(kill): \(key), status \(answer.status)")
            // From here on it is what it is.
            let number = allowed.firstIndex { $0 == found } == 0 ? state.known : state.asked ?? nil
            told.acknowledge(key, number)
        }
    }

    /// Ends what nobody has completed, and waits until only the files of objects are left.
    private static func expectNoMore(than told: Told, of server: HomeportProcess) throws {
        let call = try SignedFileCall(server)
        let uploads = try call.call("GET", "/\(bucket)?uploads=")
        for (key, id) in zip(uploads.elements("Key"), uploads.elements("UploadId")) {
            #expect(try call.call("DELETE", "/\(bucket)/\(key)?uploadId=\(id)").status == 204)
        }
        let objects = told.all.values.count { $0.known != nil }
        let path = server.folder.path + "/.homeport/files"
        // The last ones go beside the requests: each of these is a turn that they may take.
        for _ in 0..<5_000 {
            if files(below: path).count == objects { return }
            try call.call("HEAD", "/\(bucket)")
        }
        Issue.record("there are \(files(below: path).count) files of \(objects) objects")
    }

    private static func files(below path: String) -> [String] {
        (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}
