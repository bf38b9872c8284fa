import Foundation
import Network
import Server
import Synchronization
import TestSupport
import Testing

@testable import homeport

/// Subscribers that come, go, stall and come back, while mutations run over HTTP against the real program.
///
/// A witness that is there all the time has the order of commits. What another one got must be a stretch of it without a
/// gap: from before the first mutation that began when it had its `start_ack`, to behind the last one that was answered
/// before it left.
@Suite("Subscribers in disorder")
struct SubscriptionChaosTests {
    private static let publishers = 3
    private static let mutationsEach = 700
    private static let subscribers = 10
    private static let outboundBytes = 64 * 1024

    /// What happens while the test runs.
    private final class Record: Sendable {
        struct Visit: Sendable {
            let subscriber: Int
            /// The last mutation that had begun when it knew that it is subscribed.
            let begunBefore: Int
            var received: [Int] = []
            /// Mutations answered before it left; empty when it left without waiting for what is on its way.
            var answeredBefore: Set<Int> = []
        }

        struct State {
            var begun = 0
            var answered: Set<Int> = []
            var visits: [Visit] = []
            var failures: [String] = []
            /// What the witness has got.
            var order: [Int] = []
            var isWitnessed = false
            var isOver = false
            var slowCloses = 0
        }

        let state = Mutex(State())

        func fail(_ text: String) { state.withLock { $0.failures.append(text) } }
        var isOver: Bool { state.withLock { $0.isOver } }

        func waitForWitness() throws {
            try eventually("the witness is there") { state.withLock { $0.isWitnessed || $0.isOver } }
        }
    }

    @Test("everybody who is there gets exactly what commits meanwhile, in order", .timeLimit(.minutes(10)))
    func exactDelivery() async throws {
        let seed = SeededRandom.seed(test: "SubscriptionChaosTests")
        let server = try HomeportProcess(
            environment: ["HOMEPORT_LIMITS_WEB_SOCKET_OUTBOUND_BYTES": "\(Self.outboundBytes)"])
        let port = server.port
        let record = Record()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.thread(record, "witness") { try Self.witness(port, record) } }
            for number in 0..<Self.subscribers {
                group.addTask {
                    await Self.thread(record, "subscriber \(number)") {
                        var random = SeededRandom(seed: seed &+ UInt64(number))
                        while !record.isOver { try Self.visit(number, port, record, &random) }
                    }
                }
            }
            for number in 0..<Self.publishers {
                group.addTask {
                    await Self.thread(record, "publisher \(number)") { try Self.publish(port, record) }
                }
            }
        }
        Self.check(record.state.withLock { $0 }, seed)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.success.rawValue)
    }

    private static func thread(
        _ record: Record, _ name: String, _ body: @escaping @Sendable () throws -> Void
    ) async {
        do { try await BlockingThread.run(body) } catch { record.fail("\(name): \(error)") }
    }

    /// Stays until everything has come.
    private static func witness(_ port: UInt16, _ record: Record) throws {
        defer { record.state.withLock { $0.isOver = true } }
        var subscription = try Subscription(port: port, id: "witness")
        record.state.withLock { $0.isWitnessed = true }
        for _ in 0..<publishers * mutationsEach {
            guard let number = try subscription.next(until: .now + .seconds(30)) else {
                return record.fail("the witness hears nothing more")
            }
            record.state.withLock { $0.order.append(number) }
        }
    }

    /// Mutations one after the other; one in ten fails, and nobody may hear of it.
    private static func publish(_ port: UInt16, _ record: Record) throws {
        try record.waitForWitness()
        let client = try OperationClient(port: port)
        let padding = String(repeating: "x", count: 2_000)
        for count in 0..<mutationsEach {
            if count % 10 == 0 {
                let answer = try client.answer(
                    to:
                        #"mutation { createTodo(input: { id: "first", name: "never \#(padding)" }, condition: { name: { eq: "y" } }) { id name } }"#
                )
                guard answer.contains("\"createTodo\":null") else { return record.fail("not refused: \(answer)") }
            }
            let number = record.state.withLock { state in
                state.begun += 1
                return state.begun
            }
            let answer = try client.answer(
                to: #"mutation { createTodo(input: { id: "\#(number)", name: "\#(padding)" }) { id name } }"#)
            guard answer.hasPrefix(#"{"data":{"createTodo":{"id":"\#(number)""#) else {
                return record.fail("not created: \(answer)")
            }
            record.state.withLock { _ = $0.answered.insert(number) }
        }
    }

    /// A subscriber's connection from its `start_ack` to its end.
    private static func visit(_ subscriber: Int, _ port: UInt16, _ record: Record, _ random: inout SeededRandom) throws
    {
        let isStalling = Int.random(in: 0..<6, using: &random) == 0
        var subscription = try Subscription(port: port, id: "s\(subscriber)", receiveBuffer: isStalling ? 4096 : nil)
        var visit = Record.Visit(subscriber: subscriber, begunBefore: record.state.withLock { $0.begun })
        defer { record.state.withLock { $0.visits.append(visit) } }
        if isStalling {
            pause(.milliseconds(Int.random(in: 20...600, using: &random)), because: "it reads nothing for that long")
        }
        let stay = Int.random(in: 1...400, using: &random)
        do {
            while visit.received.count < stay, !record.isOver {
                if let number = try subscription.next(until: .now + .milliseconds(20)) { visit.received.append(number) }
            }
            // One in three goes without a word.
            guard Int.random(in: 0..<3, using: &random) > 0 else { return }
            let answered = record.state.withLock { $0.answered }
            try subscription.stop()
            while let number = try subscription.next(until: .now + .seconds(30)) { visit.received.append(number) }
            guard subscription.isComplete else { return record.fail("no complete for \(subscriber)") }
            visit.answeredBefore = answered
        } catch Subscription.End.tooSlow {
            record.state.withLock { $0.slowCloses += 1 }
        }
    }

    private static func check(_ state: Record.State, _ seed: UInt64) {
        let order = state.order
        let hint: Comment = "HOMEPORT_FUZZ_SEED=\(seed)"
        #expect(state.failures == [], hint)
        #expect(Set(order).symmetricDifference(state.answered).sorted() == [], hint)
        #expect(order.count == publishers * mutationsEach, hint)
        let places = Dictionary(order.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
        var delivered = 0
        for visit in state.visits {
            delivered += visit.received.count
            let known = visit.received.compactMap { places[$0] }
            #expect(known.count == visit.received.count, hint)
            #expect(zip(known, known.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(visit.subscriber): \(hint)")
            // Numbers are given in the order in which mutations begin, not in which they commit.
            let firstDue = order.indices.first { order[$0] > visit.begunBefore }
            if let first = known.first, let firstDue { #expect(first <= firstDue, hint) }
            let due = visit.answeredBefore.filter { $0 > visit.begunBefore }
            #expect(due.isSubset(of: visit.received), hint)
        }
        #expect(delivered > publishers * mutationsEach)
        #expect(state.visits.count > subscribers)
    }
}

/// One subscription to new to-dos over one connection, whose ids are numbers.
private struct Subscription: ~Copyable {
    enum End: Error {
        case tooSlow
        case other(String)
    }

    private var client: WebSocketClient
    private let id: String
    private(set) var isComplete = false

    /// Comes back when the subscription runs.
    init(port: UInt16, id: String, receiveBuffer: Int32? = nil) throws {
        var client = try WebSocketClient(
            port: port, path: "/graphql", protocols: ["graphql-ws"], fields: [("x-api-key", ClientScript.key)],
            receiveBuffer: receiveBuffer)
        try client.send(#"{"type":"connection_init"}"#)
        try client.send(
            #"{"id":"\#(id)","type":"start","payload":{"data":"{\"query\":\"subscription { onCreateTodo { id name } }\"}"}}"#
        )
        var text = ""
        while text != #"{"id":"\#(id)","type":"start_ack"}"# {
            guard !text.contains(#""type":"data""#) else { throw End.other("an event before start_ack") }
            guard case .text(let next) = try client.next(until: .now + .seconds(30)) else {
                throw End.other("no start_ack")
            }
            text = next
        }
        self.id = id
        self.client = client
    }

    func stop() throws { try client.send(#"{"id":"\#(id)","type":"stop"}"#) }

    /// The number of the next event; nil when none comes, or no more will.
    mutating func next(until deadline: ContinuousClock.Instant) throws -> Int? {
        while !isComplete {
            switch try client.next(until: deadline) {
            case .silence: return nil
            case .end(let code):
                guard code == .policyViolation else { throw End.other("closed: \(String(describing: code))") }
                throw End.tooSlow
            case .text(#"{"type":"ka"}"#): continue
            case .text(let text):
                let beginning = #"{"id":"\#(id)","type":"data","payload":{"data":{"onCreateTodo":{"id":""#
                if text == #"{"id":"\#(id)","type":"complete"}"# {
                    isComplete = true
                } else if text.hasPrefix(beginning),
                    let number = Int(text.dropFirst(beginning.count).prefix { $0 != "\"" })
                {
                    return number
                } else {
                    throw End.other(text)
                }
            }
        }
        return nil
    }
}
