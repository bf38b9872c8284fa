import Foundation
import JSON
import Network
import Synchronization
import TestSupport
import Testing

/// What every source delivers to functions and services, by a server that is killed while it does.
@Suite("A killed server that delivers", .serialized)
struct KillDeliveriesTests {
    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int {
        ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 2
    }

    private static let bucket = "delivered"
    private static let secret = "whsec_cmVwbGFjZSB0aGlzIGJ5IHRoZSBzZWNyZXQ="

    /// A source: each has a writer of its own, which counts, and a place where it is delivered to.
    private enum Source: String, CaseIterable, Sendable {
        case queue, events, table, files, topics, texts

        /// True if it delivers in the order of the writes: they are of one group.
        var isOrdered: Bool { self == .queue || self == .table || self == .files }

        /// The numbers that one call delivers.
        func numbers(in body: JSONValue) -> [Int] {
            let records = body["Records"]?.array ?? []
            let values: [JSONValue?] =
                switch self {
                case .queue: records.map { $0["body"] }
                case .events: [body["detail"]?["n"]]
                case .table: records.map { $0["dynamodb"]?["Keys"]?["id"]?["S"] }
                case .files: records.map { $0["s3"]?["object"]?["size"] }
                case .topics: records.map { $0["Sns"]?["Message"] }
                case .texts: [body["data"]?["text"]]
                }
            return values.map { value in
                guard let value else { return -1 }
                if let number = value.integer { return Int(number) }
                return Int(value.string ?? "") ?? -1
            }
        }

        /// Writes a number; false: it is not acknowledged.
        func write(_ number: Int, to server: HomeportProcess, _ client: OperationClient) -> Bool {
            switch self {
            case .queue:
                let more = #", "MessageGroupId": "g", "MessageDeduplicationId": "\#(number)""#
                return (try? server.send("\(number)", to: "jobs.fifo", more)) != nil
            case .events:
                let entry = #"{"Source": "test", "DetailType": "n", "Detail": "{\"n\": \#(number)}"}"#
                var call = SignedCall("PutEvents", #"{"Entries": [\#(entry)]}"#, to: server)
                (call.api, call.service) = ("AWSEvents", "events")
                return (try? call.answer(from: server))?.body.contains(#""FailedEntryCount":0"#) == true
            case .table:
                let mutation = "mutation { createTodo(input: {id: \"\(number)\", name: \"n\"}) { id } }"
                return (try? client.answer(to: mutation))?.contains(#""createTodo":{"#) == true
            case .files:
                let body = [UInt8](repeating: 7, count: number)
                let path = "/\(KillDeliveriesTests.bucket)/k"
                return (try? SignedFileCall(server).call("PUT", path, body: body))?.status == 200
            case .topics:
                let topic = "arn:aws:sns:us-east-1:123456789012:news"
                return KillDeliveriesTests.notice("Publish&TopicArn=\(topic)&Message=\(number)", server) == 200
            case .texts:
                return KillDeliveriesTests.notice("Publish&PhoneNumber=%2B15550001111&Message=\(number)", server) == 200
            }
        }
    }

    private static func notice(_ action: String, _ server: HomeportProcess) -> Int? {
        var call = SignedCall("", "Action=\(action)", to: server)
        (call.service, call.hasTarget) = ("sns", false)
        call.contentType = "application/x-www-form-urlencoded; charset=utf-8"
        call.signed = ["content-type", "host", "x-amz-date"]
        return (try? call.answer(from: server))?.status
    }

    /// Takes what is delivered, and knows what was acknowledged.
    private final class Receiver: HTTPApplication {
        private struct State {
            var written = 0
            var acknowledged: Set<Int> = []
            var delivered: [Int] = []
        }

        private let states = Mutex<[Source: State]>([:])

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            let source = Source(rawValue: String(head.path.dropFirst()))
            return .collect(bodyMax: 1 << 20) { [self] request in
                guard let source, case .bytes(let bytes) = request.body, let body = try? JSONReader.value(of: bytes)
                else { return HTTPResponse(status: .badRequest) }
                let numbers = source.numbers(in: body)
                states.withLock { $0[source, default: State()].delivered += numbers }
                return HTTPResponse(status: .ok, body: .bytes(Array("{}".utf8)))
            }
        }

        func next(_ source: Source) -> Int {
            states.withLock { states in
                states[source, default: State()].written += 1
                return states[source]?.written ?? 0
            }
        }

        func acknowledge(_ number: Int, _ source: Source) {
            states.withLock { _ = $0[source, default: State()].acknowledged.insert(number) }
        }

        func acknowledged(_ source: Source) -> Set<Int> { states.withLock { $0[source]?.acknowledged ?? [] } }
        func delivered(_ source: Source) -> [Int] { states.withLock { $0[source]?.delivered ?? [] } }
        func missing(_ source: Source) -> Set<Int> { acknowledged(source).subtracting(delivered(source)) }
    }

    private static func server(_ url: String, in folder: TemporaryFolder) throws -> HomeportProcess {
        try folder.write(
            #"""
            {"functions": {
               "queue": {"url": "\#(url)/queue", "queues": [{"queue": "jobs.fifo", "batch": 3}]},
               "events": {"url": "\#(url)/events"}, "table": {"url": "\#(url)/table", "tables": ["Todo"]},
               "files": {"url": "\#(url)/files"}, "topics": {"url": "\#(url)/topics"}},
             "events": {"rules": {"all": {"pattern": "{\"source\": [\"test\"]}", "targets": [{"function": "events"}]}}},
             "files": {"buckets": [{"name": "files", "bucketName": "\#(bucket)", "onUpload": "files"}]},
             "sms": {"webhook": {"url": "\#(url)/texts", "secret": "\#(secret)"}}}
            """#, to: "homeport.json")
        return try HomeportProcess(["--config", "homeport.json"], in: folder)
    }

    @Test("loses nothing that it acknowledged, and leaves the order of no group")
    func delivers() async throws {
        var random = SeededRandom(test: "KillDeliveriesTests")
        let receiver = Receiver()
        let loopback = try await LoopbackServer(receiver)
        let (folder, url) = (TemporaryFolder(), loopback.url)
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run { Unchecked(try Self.server(url, in: folder)) }
            if kill == 0 {
                try await BlockingThread.run {
                    let topic = "arn:aws:sns:us-east-1:123456789012:news"
                    let function = "arn:aws:lambda:us-east-1:123456789012:function:topics"
                    #expect(Self.notice("CreateTopic&Name=news", server.value) == 200)
                    let subscribe = "Subscribe&TopicArn=\(topic)&Protocol=lambda&Endpoint=\(function)"
                    #expect(Self.notice(subscribe, server.value) == 200)
                }
            }
            guard kill < Self.killCount else {
                for source in Source.allCases {
                    try await eventually("\(source): \(receiver.missing(source)) are delivered") {
                        receiver.missing(source).isEmpty
                    }
                }
                server.value.signal(SIGTERM)
                break
            }
            let length = Duration.microseconds(Int.random(in: 100_000...600_000, using: &random))
            let before = Source.allCases.map { receiver.acknowledged($0).count }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for source in Source.allCases {
                    group.addTask {
                        try await BlockingThread.run {
                            let client = try OperationClient(port: server.value.port)
                            while true {
                                let number = receiver.next(source)
                                guard source.write(number, to: server.value, client) else { return }
                                receiver.acknowledge(number, source)
                            }
                        }
                    }
                }
                group.addTask {
                    try await BlockingThread.run {
                        // The moment within a delivery is anybody's guess.
                        pause(length, because: "the moment of a kill is random")
                        try eventually("each source has written") {
                            zip(Source.allCases, before).allSatisfy { receiver.acknowledged($0).count > $1 }
                        }
                        server.value.signal(SIGKILL)
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
        for source in Source.allCases {
            let delivered = receiver.delivered(source)
            #expect(delivered.allSatisfy { $0 > 0 }, "\(source) delivers what nobody wrote: \(delivered)")
            guard source.isOrdered else { continue }
            var seen: Set<Int> = []
            let first = delivered.filter { seen.insert($0).inserted }
            #expect(first == first.sorted(), "\(source)")
        }
        await loopback.stop()
    }
}
