import Foundation
import JSON
import PostgresSupport
import Server
import Synchronization
import TestSupport
import Testing

/// Several servers over one database while servers, the database and lines between them are killed.
@Suite(
    "Several servers that are killed", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct NodeKillTests {
    private static let nodeCount = 3
    private static let writerCount = 4

    /// HOMEPORT_KILLS, or a few dozen.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 24 }

    /// What writers were told of each name.
    private struct Outcomes {
        var made: Set<String> = []
        var refused: Set<String> = []
        /// The connection to the server ended before its answer.
        var unheard: Set<String> = []
        var uncertain: [String] = []
    }

    /// What all writers were told, and whether they are to end.
    private final class Told: Sendable {
        let outcomes = Mutex(Outcomes())
        let isOver = Atomic(false)
    }

    /// The servers, each in its folder.
    private final class Nodes: Sendable {
        private let servers: Mutex<[HomeportProcess?]>
        private let folders: [TemporaryFolder]
        private let url: String

        init(_ url: String, count: Int) throws {
            folders = (0..<count).map { _ in TemporaryFolder() }
            self.url = url
            servers = Mutex([])
            for number in 0..<count {
                let server = Unchecked(try serve(number))
                servers.withLock { $0.append(server.value) }
            }
        }

        /// Starts one, whose sessions of the database have its name.
        private func serve(_ number: Int) throws -> HomeportProcess {
            try NodeTests.serve(
                "\(url)\(url.hasSuffix("?") ? "" : "&")application_name=\(Self.name(number))", in: folders[number])
        }

        static func name(_ number: Int) -> String { "node\(number)" }

        func port(_ number: Int) -> UInt16? { servers.withLock { $0[number]?.port } }

        /// The answer of one of them to a signed call; nil where it is gone before that.
        func call(_ number: Int, _ call: (HomeportProcess) -> SignedCall) -> (status: Int, body: String)? {
            guard let server = servers.withLock({ Unchecked($0[number]) }).value,
                let answer = try? call(server).answer(from: server)
            else { return nil }
            return (answer.status, answer.body)
        }

        func signal(_ number: Int, _ signal: Int32) { servers.withLock { $0[number]?.signal(signal) } }

        /// Kills one and starts it anew.
        func kill(_ number: Int) throws {
            let server = servers.withLock { $0[number].take() }
            server?.signal(SIGKILL)
            _ = server?.exitStatus()
            let next = Unchecked(try serve(number))
            servers.withLock { $0[number] = next.value }
        }

        func stop() {
            for number in folders.indices {
                let server = servers.withLock { $0[number].take() }
                server?.signal(SIGTERM)
                _ = server?.exitStatus()
            }
        }
    }

    private static func write(_ writer: Int, _ nodes: Nodes, _ told: Told) {
        var clients: [Int: (port: UInt16, client: OperationClient)] = [:]
        var number = 0
        while !told.isOver.load(ordering: .relaxed) {
            number += 1
            let node = Int.random(in: 0..<nodeCount)
            guard let port = nodes.port(node) else { continue }
            if clients[node]?.port != port {
                clients[node] = (try? OperationClient(port: port)).map { (port, $0) }
            }
            guard let client = clients[node]?.client else { continue }
            let name = "\(writer)-\(number)"
            do {
                let answer = try client.answer(to: #"mutation { createTodo(input: {name: "\#(name)"}) { id } }"#)
                told.outcomes.withLock { outcomes in
                    if answer.contains("may have been made") {
                        outcomes.uncertain.append(answer)
                    } else if answer.contains(#""errors""#) {
                        outcomes.refused.insert(name)
                    } else {
                        outcomes.made.insert(name)
                    }
                }
            } catch {
                told.outcomes.withLock { _ = $0.unheard.insert(name) }
                clients[node] = nil
            }
        }
    }

    @Test("lose nothing that was acknowledged, do nothing twice, and leave no outcome open")
    func kills() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let url = server.url()
        let nodes = try await BlockingThread.run { try Nodes(url, count: Self.nodeCount) }
        let told = Told()
        let seed = SeededRandom.seed(test: "NodeKillTests")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<Self.writerCount {
                group.addTask {
                    try await BlockingThread.run { Self.write(writer, nodes, told) }
                }
            }
            group.addTask {
                try await BlockingThread.run {
                    defer { told.isOver.store(true, ordering: .relaxed) }
                    var random = SeededRandom(seed: seed)
                    for _ in 0..<Self.killCount {
                        pause(
                            .milliseconds(Int.random(in: 20...250, using: &random)),
                            because: "the moment of a kill is random")
                        try Self.killOne(server, nodes, &random)
                    }
                }
            }
            try await group.waitForAll()
        }
        let stored = try await BlockingThread.run { try Self.stored(nodes) }
        told.outcomes.withLock { outcomes in
            #expect(outcomes.uncertain == [])
            #expect(outcomes.made.count > Self.killCount, "\(outcomes.made.count) were made")
            #expect(outcomes.made.subtracting(stored.keys).isEmpty, "acknowledged and lost")
            #expect(outcomes.refused.intersection(stored.keys).isEmpty, "refused and made")
            #expect(stored.filter { $0.value > 1 }.isEmpty, "made twice")
            print(
                "\(Self.killCount) kills: \(outcomes.made.count) acknowledged, \(outcomes.refused.count) refused, "
                    + "\(outcomes.unheard.count) unheard")
        }
        try await BlockingThread.run { nodes.stop() }
    }

    private static func killOne(_ server: PostgresServer, _ nodes: Nodes, _ random: inout SeededRandom) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: try nodes.kill(Int.random(in: 0..<nodeCount, using: &random))
        case 4..<6:
            server.stop()
            try server.start()
        case 6:
            // Longer than others wait for a turn that it may hold.
            let number = Int.random(in: 0..<nodeCount, using: &random)
            nodes.signal(number, SIGSTOP)
            pause(.seconds(6), because: "a process that is stopped")
            nodes.signal(number, SIGCONT)
        default:
            let admin = try server.admin()
            defer { admin.close() }
            _ = try admin.answer(
                "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE usename = 'app' "
                    + "ORDER BY random() LIMIT 1) AS one")
        }
    }

    /// How often each name is stored, as the first of the nodes has it.
    private static func stored(_ nodes: Nodes) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var token: Any = NSNull()
        var client: OperationClient?
        try eventually("the first one answers") {
            client = try nodes.port(0).map { try OperationClient(port: $0) }
            return try client?.answer(to: "{ listTodos(limit: 1) { items { name } } }").contains(#""errors""#) == false
        }
        while true {
            let data = try #require(client).data(
                "query ($t: String) { listTodos(limit: 1000, nextToken: $t) { nextToken items { name } } }",
                ["t": token])
            let page = data["listTodos"] as? [String: Any]
            for item in page?["items"] as? [[String: Any]] ?? [] {
                counts[item["name"] as? String ?? "", default: 0] += 1
            }
            guard let next = page?["nextToken"] as? String else { return counts }
            token = next
        }
    }

    /// What senders and receivers of a queue were answered.
    private struct Mail {
        /// The bodies that were acknowledged; all others are sent again until they are.
        var sent: Set<String> = []
        /// In the order of the answers.
        var received: [String] = []
        var deleted: Set<String> = []
        /// What was received though its deletion had been acknowledged before it was asked for.
        var wrong: [String] = []
    }

    /// The senders and receivers of a queue with groups.
    private final class Post: Sendable {
        static let queue = "jobs.fifo"
        let nodes: Nodes
        let mail = Mutex(Mail())
        let isOver = Atomic(false)

        init(_ nodes: Nodes) { self.nodes = nodes }

        /// The answer of one of the nodes; nil: it has none.
        func call(_ operation: String, _ more: String) -> (status: Int, body: String)? {
            nodes.call(Int.random(in: 0..<NodeKillTests.nodeCount)) { server in
                .queue(operation, #"{"QueueUrl": "\#(server.queueURL(Self.queue))"\#(more)}"#, to: server)
            }
        }

        /// Sends numbers in a group of its own, each until it is acknowledged. A repetition is no second message.
        func send(_ group: String) {
            var number = -1
            while !isOver.load(ordering: .relaxed) {
                number += 1
                let body = "\(group)-\(number)"
                let more =
                    #", "MessageBody": "\#(body)", "MessageGroupId": "\#(group)", "MessageDeduplicationId": "\#(body)""#
                while call("SendMessage", more)?.status != 200 {}
                mail.withLock { _ = $0.sent.insert(body) }
            }
        }

        /// Receives and deletes until all that was sent has come. What nobody has heard of comes again.
        func receive() {
            while !isOver.load(ordering: .relaxed) || mail.withLock({ !$0.sent.isSubset(of: $0.received) }) {
                let deleted = mail.withLock { $0.deleted }
                guard let answer = call("ReceiveMessage", #", "MaxNumberOfMessages": 3, "VisibilityTimeout": 2"#),
                    answer.status == 200
                else { continue }
                for message in (try? JSONReader.value(of: answer.body))?["Messages"]?.array ?? [] {
                    let body = message["Body"]?.string ?? ""
                    mail.withLock { mail in
                        mail.received.append(body)
                        if deleted.contains(body) { mail.wrong.append(body) }
                    }
                    let handle = message["ReceiptHandle"]?.string ?? ""
                    // One that nobody has heard of is asked for again: it was made or not.
                    var status: Int?
                    while status == nil || status == 503 {
                        status = call("DeleteMessage", #", "ReceiptHandle": "\#(handle)""#)?.status
                    }
                    if status == 200 { mail.withLock { _ = $0.deleted.insert(body) } }
                }
            }
        }
    }

    @Test("keep each message of a queue until it is deleted, once, and the order of its group")
    func queues() async throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodequeuekills")
        let nodes = try await BlockingThread.run { try Nodes(url, count: Self.nodeCount) }
        let post = Post(nodes)
        let seed = SeededRandom.seed(test: "NodeKillTests.queues")
        let attributes = #"{"QueueName": "\#(Post.queue)", "Attributes": {"FifoQueue": "true"}}"#
        #expect(nodes.call(0) { .queue("CreateQueue", attributes, to: $0) }?.status == 200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { try await BlockingThread.run { post.send("g\(number)") } }
                group.addTask { try await BlockingThread.run { post.receive() } }
            }
            group.addTask {
                try await BlockingThread.run {
                    defer { post.isOver.store(true, ordering: .relaxed) }
                    var random = SeededRandom(seed: seed)
                    for _ in 0..<max(1, Self.killCount / 4) {
                        pause(
                            .milliseconds(Int.random(in: 20...250, using: &random)),
                            because: "the moment of a kill is random")
                        try nodes.kill(Int.random(in: 0..<Self.nodeCount, using: &random))
                    }
                }
            }
            try await group.waitForAll()
        }
        let mail = post.mail.withLock { $0 }
        #expect(mail.sent.count > Self.killCount / 4, "\(mail.sent.count) were sent")
        #expect(mail.wrong == [], "deleted and received")
        #expect(Set(mail.received) == mail.sent)
        for number in 0..<3 {
            // A message may come twice, where nobody heard of the first time.
            var seen: Set<String> = []
            let first = mail.received.filter { $0.hasPrefix("g\(number)-") && seen.insert($0).inserted }
            #expect(first == first.indices.map { "g\(number)-\($0)" })
        }
        print(
            "\(Self.killCount / 4) kills: \(mail.sent.count) messages, \(mail.received.count - mail.sent.count) came again"
        )
        try await BlockingThread.run { nodes.stop() }
    }

    /// How long the first one takes for a change, from a moment on.
    private static func waited(for nodes: Nodes, _ name: String, since begin: ContinuousClock.Instant) throws
        -> Duration
    {
        let answer = try OperationClient(port: try #require(nodes.port(0))).answer(
            to: #"mutation { createTodo(input: {name: "\#(name)"}) { id } }"#)
        #expect(!answer.contains("errors"), "\(answer)")
        return .now - begin
    }

    /// Stops one at a moment at which it holds the turn that others wait for. Gives the moment.
    private static func stopHolder(_ number: Int, of nodes: Nodes) throws -> ContinuousClock.Instant {
        let database = try PostgresServer.shared.get().app()
        defer { database.close() }
        return try eventualValue("it is stopped while it has the turn") {
            pause(.milliseconds(.random(in: 20...150)), because: "the moment of a stop within a commit")
            let begin = ContinuousClock.now
            nodes.signal(number, SIGSTOP)
            if try database.holdUpOthers("application_name = '\(Nodes.name(number))'") { return begin }
            nodes.signal(number, SIGCONT)
            return nil
        }
    }

    @Test("go on at once where one that has the turn is killed, and within six seconds where it is stopped")
    func stopped() async throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodestopped")
        let nodes = try await BlockingThread.run { try Nodes(url, count: Self.nodeCount) }
        let told = Told()
        let waits = try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.writerCount {
                group.addTask {
                    try await BlockingThread.run { Self.write(number, nodes, told) }
                }
            }
            let waits = try await BlockingThread.run {
                defer { told.isOver.store(true, ordering: .relaxed) }
                return try Self.waits(for: nodes)
            }
            try await group.waitForAll()
            return waits
        }
        #expect(waits.stops.isKept, "\(waits.stops)")
        #expect(waits.stops.longest < .seconds(30), "\(waits.stops)")
        // No timeout is waited for.
        #expect(waits.kills.isKept, "\(waits.kills)")
        #expect(waits.kills.longest < .seconds(4), "\(waits.kills)")
        told.outcomes.withLock { #expect($0.uncertain == []) }
        try await BlockingThread.run { nodes.stop() }
    }

    /// How long the first one has waited for each of the others that had the turn when it was stopped or killed.
    private static func waits(for nodes: Nodes) throws -> (stops: WaitTimes, kills: WaitTimes) {
        var stops = WaitTimes(promised: .seconds(6))
        while stops.goesOn {
            stops.note(try waited(for: nodes, "stop", since: stopHolder(1, of: nodes)))
            nodes.signal(1, SIGCONT)
        }
        var kills = WaitTimes(promised: .milliseconds(200), rounds: 3...8)
        while kills.goesOn {
            _ = try stopHolder(2, of: nodes)
            let begin = ContinuousClock.now
            nodes.signal(2, SIGKILL)
            kills.note(try waited(for: nodes, "kill", since: begin))
            try nodes.kill(2)
        }
        return (stops, kills)
    }
}
