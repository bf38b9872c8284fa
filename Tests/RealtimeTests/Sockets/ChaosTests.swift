import Network
import Synchronization
import TestSupport
import Testing

@testable import Realtime

/// Clients that come, go, stall and come back while events are published without a pause.
@Suite("Chaos")
struct ChaosTests {
    private static let clients = 24
    private static let events = 6_000
    private static let rooms = 4

    /// What the publisher has begun to hand out: whoever has its `start_ack` now gets all that come later.
    private final class Progress: Sendable {
        let begun = Atomic(0)
        let deliveries = Atomic(0)
        let slowCloses = Atomic(0)
        private let failures = Mutex<[String]>([])

        func fail(_ text: String) { failures.withLock { $0.append(text) } }
        var all: [String] { failures.withLock { $0 } }
    }

    @Test("everybody who is there gets exactly what is committed meanwhile, in order")
    func exactDelivery() async throws {
        let seed = SeededRandom.seed(test: "ChaosTests")
        var limits = RealtimeLimits()
        limits.outboundBytes = 64 * 1024
        let server = try await RealtimeTestServer(loops: 3, limits: limits)
        let progress = Progress()
        let port = server.port
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    do {
                        try await BlockingThread.run {
                            var random = SeededRandom(seed: seed &+ UInt64(client))
                            while try Self.visit(port: port, progress, &random) {}
                        }
                    } catch { progress.fail("client \(client): \(error)") }
                }
            }
            group.addTask {
                do {
                    try await BlockingThread.run { Self.publish(to: server, progress) }
                } catch { progress.fail("publisher: \(error)") }
            }
        }
        #expect(progress.all == [], "HOMEPORT_FUZZ_SEED=\(seed)")
        #expect(progress.deliveries.load(ordering: .relaxed) > Self.events)
        let started = server.realtime.total(.subscriptionsStarted)
        #expect(try await server.waits(for: .subscriptionsEnded, toBe: started))
        #expect(UInt64(progress.slowCloses.load(ordering: .relaxed)) <= server.realtime.total(.slowCloses))
        await server.stop()
    }

    /// Batches of a few commits, as the writer hands them out.
    private static func publish(to server: RealtimeTestServer, _ progress: Progress) {
        let padding = String(repeating: "x", count: 200)
        var next = 1
        while next <= events {
            let batch = next..<min(next + 1 + next % 5, events + 1)
            progress.begun.store(batch.upperBound - 1, ordering: .sequentiallyConsistent)
            server.realtime.publish(
                batch.map {
                    TestAPI.event(
                        "createMessage", #"{"id":"\#($0)","room":"room\#($0 % rooms)","text":"\#(padding)"}"#,
                        sequence: UInt64($0))
                })
            next = batch.upperBound
            pause(.microseconds(300), because: "the writer commits at this rate")
        }
    }

    /// One connection of a client; false when all is over.
    private static func visit(port: UInt16, _ progress: Progress, _ random: inout SeededRandom) throws -> Bool {
        let room = Int.random(in: 0...rooms, using: &random)
        let isStalling = Int.random(in: 0..<8, using: &random) == 0
        var client = try WebSocketClient(port: port, receiveBuffer: isStalling ? 4096 : nil)
        try client.initialise()
        let filter = room < rooms ? #"(room: "room\#(room)")"# : ""
        try client.send(
            WebSocketClient.start("c", "subscription { onMessageInRoom\(filter) { id text } }"))
        // An event can come before the acknowledgement is read, never before it is sent.
        guard try client.next() == #"{"id":"c","type":"start_ack"}"# else {
            progress.fail("no start_ack first")
            return false
        }
        let known = progress.begun.load(ordering: .sequentiallyConsistent)
        let step = room < rooms ? rooms : 1
        let last = room < rooms ? events - (events - room) % rooms : events
        var stay = isStalling ? events : Int.random(in: 1...1_500, using: &random)
        // What is begun already need not come any more.
        guard known < last else { return false }
        if isStalling {
            pause(.milliseconds(Int.random(in: 50...400, using: &random)), because: "it reads nothing for that long")
        }
        var previous: Int?
        while stay > 0 {
            let text: String
            do {
                text = try client.next()
            } catch let failure as WebSocketClient.Failure where failure.description.contains("too slow") {
                progress.slowCloses.add(1, ordering: .relaxed)
                return true
            }
            guard let id = text.firstMatch(of: /"id":"(\d+)"/).flatMap({ Int($0.1) }) else {
                progress.fail("not an event: \(text)")
                return false
            }
            let isExpected =
                if let previous { id == previous + step } else {
                    // The first can be one that was on its way, and is at the latest the next one.
                    id <= known + step && (step == 1 || id % rooms == room)
                }
            guard isExpected else {
                progress.fail("room \(room), known \(known): \(id) after \(previous.map(String.init) ?? "nothing")")
                return false
            }
            previous = id
            progress.deliveries.add(1, ordering: .relaxed)
            if id == last { return false }
            stay -= 1
        }
        if Bool.random(using: &random) { try client.send(#"{"id":"c","type":"stop"}"#) }
        client.finishSending()
        return true
    }
}
