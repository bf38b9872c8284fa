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

    /// What writers were told of the names of one kind.
    private struct Outcomes {
        var made: Set<String> = []
        var refused: Set<String> = []
        /// The connection to the server ended before its answer.
        var unheard: Set<String> = []

        mutating func note(_ name: String, isMade: Bool?) {
            switch isMade {
            case true?: made.insert(name)
            case false?: refused.insert(name)
            case nil: unheard.insert(name)
            }
        }
    }

    /// A number that one writer alone changes, each time to the next one and only from the last one.
    private struct Counter {
        var value = 0
        /// True if the last change was not answered: it was made or not.
        var isUnheard = false

        /// Takes the outcome of a change to the next number. Returns false where that cannot be.
        mutating func note(isMade: Bool?, hasAnotherValue: Bool) -> Bool {
            guard let isMade else {
                isUnheard = true
                return true
            }
            // By now it is known what has become of the one that was not answered.
            let wasMade = isMade || hasAnotherValue && isUnheard
            defer { if isMade || hasAnotherValue { isUnheard = false } }
            if wasMade { value += 1 }
            return wasMade || !hasAnotherValue
        }

        /// Returns whether this may be what is stored in the end.
        func fits(_ stored: Int?) -> Bool { stored == value || isUnheard && stored == value + 1 }
    }

    /// What all writers were told.
    private struct Answers {
        var records = Outcomes()
        /// Of records that were made before.
        var deletions = Outcomes()
        var items = Outcomes()
        var messages = Outcomes()
        /// By their ids.
        var recordCounters: [String: Counter] = [:]
        var itemCounters: [String: Counter] = [:]
        /// What no answer may say.
        var wrong: [String] = []
    }

    /// What all writers were told, and whether they are to end.
    private final class Told: Sendable {
        let answers = Mutex(Answers())
        let isOver = Atomic(false)

        func note(_ body: (inout Answers) -> Void) { answers.withLock { body(&$0) } }
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
                "\(url)\(url.hasSuffix("?") ? "" : "&")application_name=\(Self.name(number))",
                schema: NodeCutTests.schema, in: folders[number])
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

    private static let queue = "jobs"

    /// A client of all servers: each step asks another one.
    private struct Writer {
        let number: Int
        let nodes: Nodes
        let told: Told
        private var clients: [Int: (port: UInt16, client: OperationClient)] = [:]
        private var step = 0
        private var recordCounter = Counter()
        private var itemCounter = Counter()
        /// True once the record that this one counts in is there.
        private var hasRecord = false

        init(_ number: Int, _ nodes: Nodes, _ told: Told) {
            (self.number, self.nodes, self.told) = (number, nodes, told)
        }

        var goesOn: Bool { !told.isOver.load(ordering: .relaxed) }

        private var counter: String { "counter\(number)" }

        private mutating func nextName() -> String {
            step += 1
            return "\(number)-\(step)"
        }

        /// An answer is wrong where it leaves open whether a change was made.
        private func look(at answer: String) {
            if answer.contains("may have been") { told.note { $0.wrong.append(answer) } }
        }

        /// The answer of one of them that runs; nil: the connection ended before it.
        private mutating func graphQL(_ text: String) -> String? {
            let node = Int.random(in: 0..<nodeCount)
            guard let port = nodes.port(node) else { return goesOn ? graphQL(text) : nil }
            if clients[node]?.port != port {
                clients[node] = (try? OperationClient(port: port)).map { (port, $0) }
            }
            guard let answer = try? clients[node]?.client.answer(to: text) else {
                clients[node] = nil
                return nil
            }
            look(at: answer)
            return answer
        }

        private func call(_ call: (HomeportProcess) -> SignedCall) -> (status: Int, body: String)? {
            let answer = nodes.call(Int.random(in: 0..<nodeCount), call)
            if let answer { look(at: answer.body) }
            return answer
        }

        /// Makes a record. Gives its id where that is said to be done.
        @discardableResult
        mutating func create() -> String? {
            let name = nextName()
            let answer = graphQL(#"mutation { createTodo(input: {name: "\#(name)"}) { id name count } }"#)
            let isMade = answer.map { !$0.contains(#""errors""#) }
            told.note { $0.records.note(name, isMade: isMade) }
            return isMade == true ? answer?.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) } : nil
        }

        /// Makes a record and deletes it.
        mutating func delete() {
            guard let id = create() else { return }
            let name = "\(number)-\(step)"
            let answer = graphQL(#"mutation { deleteTodo(input: {id: "\#(id)"}) { id name count } }"#)
            told.note { $0.deletions.note(name, isMade: answer.map { !$0.contains(#""errors""#) }) }
        }

        /// Counts in a record.
        mutating func count() {
            guard hasRecord else {
                let answer = graphQL(
                    #"mutation { createTodo(input: {id: "\#(counter)", name: "c", count: 0}) { id name count } }"#)
                // It may be there by an answer that was not heard.
                hasRecord = answer.map { !$0.contains(#""errors""#) || $0.contains("ConditionalCheckFailed") } ?? false
                return
            }
            let answer = graphQL(
                #"mutation { updateTodo(input: {id: "\#(counter)", count: \#(recordCounter.value + 1)}, "#
                    + "condition: {count: {eq: \(recordCounter.value)}}) { id name count } }")
            let hasAnother = answer?.contains("ConditionalCheckFailed") == true
            let isRight = recordCounter.note(
                isMade: answer.map { !$0.contains(#""errors""#) }, hasAnotherValue: hasAnother)
            told.note { [recordCounter, counter] answers in
                answers.recordCounters[counter] = recordCounter
                if !isRight { answers.wrong.append("\(counter), \(recordCounter): \(answer ?? "")") }
            }
        }

        mutating func putItem() {
            let name = nextName()
            let put =
                #"{"TableName": "Things", "Item": {"id": {"S": "\#(name)"}}, "ConditionExpression": "attribute_not_exists(id)"}"#
            let answer = call { .item("PutItem", put, to: $0) }
            told.note { answers in
                answers.items.note(name, isMade: answer.map { $0.status == 200 })
                if answer?.body.contains("ConditionalCheckFailed") == true { answers.wrong.append("\(name): \(put)") }
            }
        }

        /// Counts in an item.
        mutating func countItem() {
            let next = itemCounter.value + 1
            let condition = next == 1 ? "attribute_not_exists(n)" : "n = :last"
            let last = next == 1 ? "" : #", ":last": {"N": "\#(next - 1)"}"#
            let update =
                #"{"TableName": "Things", "Key": {"id": {"S": "\#(counter)"}}, "UpdateExpression": "SET n = :next", "#
                + #""ConditionExpression": "\#(condition)", "ExpressionAttributeValues": {":next": {"N": "\#(next)"}\#(last)}}"#
            let answer = call { .item("UpdateItem", update, to: $0) }
            let hasAnother = answer?.body.contains("ConditionalCheckFailed") == true
            let isRight = itemCounter.note(isMade: answer.map { $0.status == 200 }, hasAnotherValue: hasAnother)
            told.note { [itemCounter, counter] answers in
                answers.itemCounters[counter] = itemCounter
                if !isRight { answers.wrong.append("item \(counter), \(itemCounter): \(answer?.body ?? "")") }
            }
        }

        mutating func send() {
            let name = nextName()
            let answer = call { server in
                .queue(
                    "SendMessage",
                    #"{"QueueUrl": "\#(server.queueURL(NodeKillTests.queue))", "MessageBody": "\#(name)"}"#, to: server)
            }
            told.note { $0.messages.note(name, isMade: answer.map { $0.status == 200 }) }
        }
    }

    @Test("lose nothing that was acknowledged, do nothing twice, and leave no outcome open")
    func kills() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let url = server.url()
        let nodes = try await BlockingThread.run { try Nodes(url, count: Self.nodeCount) }
        #expect(nodes.call(0) { .item("CreateTable", SignedCall.table, to: $0) }?.status == 200)
        #expect(nodes.call(0) { .queue("CreateQueue", #"{"QueueName": "\#(Self.queue)"}"#, to: $0) }?.status == 200)
        let told = Told()
        let seed = SeededRandom.seed(test: "NodeKillTests")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.writerCount {
                group.addTask {
                    try await BlockingThread.run {
                        var writer = Writer(number, nodes, told)
                        while writer.goesOn {
                            writer.create()
                            writer.count()
                            writer.putItem()
                            writer.countItem()
                            writer.delete()
                            writer.send()
                        }
                    }
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
        let answers = told.answers.withLock { $0 }
        #expect(answers.wrong == [])
        #expect(answers.records.made.count > Self.killCount, "\(answers.records.made.count) were made")
        let deletions = answers.deletions
        let gone = deletions.made.union(deletions.unheard)
        Self.check(answers.records, deleted: gone, are: stored.records, "records")
        #expect(deletions.made.isDisjoint(with: stored.records.keys), "a deletion was acknowledged and lost")
        #expect(deletions.refused.isSubset(of: stored.records.keys), "a deletion was refused and made")
        Self.check(answers.items, are: stored.items, "items")
        Self.check(answers.messages, are: stored.messages, "messages")
        #expect(answers.recordCounters.count == Self.writerCount && answers.itemCounters.count == Self.writerCount)
        for (id, counter) in answers.recordCounters {
            #expect(counter.fits(stored.recordCounts[id]), "\(counter), stored: \(stored.recordCounts)")
        }
        for (id, counter) in answers.itemCounters {
            #expect(counter.fits(stored.itemCounts[id]), "\(counter), stored: \(stored.itemCounts)")
        }
        let kinds = [answers.records, answers.deletions, answers.items, answers.messages]
        print(
            "\(Self.killCount) kills; records, deletions, items, messages: "
                + kinds.map {
                    "\($0.made.count) acknowledged, \($0.refused.count) refused, \($0.unheard.count) unheard"
                }
                .joined(separator: "; ") + "; counted to \(answers.recordCounters.values.map(\.value).sorted()) and "
                + "\(answers.itemCounters.values.map(\.value).sorted())")
        try await BlockingThread.run { nodes.stop() }
    }

    /// Expects the names of one kind to be stored as their writers were told.
    private static func check(
        _ outcomes: Outcomes, deleted: Set<String> = [], are stored: [String: Int], _ kind: Comment
    ) {
        #expect(!outcomes.made.isEmpty, kind)
        #expect(outcomes.made.subtracting(deleted).subtracting(stored.keys) == [], "acknowledged and lost: \(kind)")
        #expect(outcomes.refused.intersection(stored.keys) == [], "refused and made: \(kind)")
        #expect(stored.filter { $0.value > 1 } == [:], "made twice: \(kind)")
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

    /// What is stored in the end: how often each name of a kind is there, and the counters by their ids.
    private struct Stored {
        var records: [String: Int] = [:]
        var recordCounts: [String: Int] = [:]
        var items: [String: Int] = [:]
        var itemCounts: [String: Int] = [:]
        var messages: [String: Int] = [:]
    }

    /// What is stored, as the first of the nodes has it.
    private static func stored(_ nodes: Nodes) throws -> Stored {
        var stored = Stored()
        var client: OperationClient?
        try eventually("the first one answers") {
            client = try nodes.port(0).map { try OperationClient(port: $0) }
            return try client?.answer(to: "{ listTodos(limit: 1) { items { name } } }").contains(#""errors""#) == false
        }
        var token: Any? = NSNull()
        while let next = token {
            let data = try #require(client).data(
                "query ($t: String) { listTodos(limit: 1000, nextToken: $t) { nextToken items { id name count } } }",
                ["t": next])
            let page = data["listTodos"] as? [String: Any]
            for item in page?["items"] as? [[String: Any]] ?? [] {
                if let count = item["count"] as? Int {
                    stored.recordCounts[item["id"] as? String ?? ""] = count
                } else {
                    stored.records[item["name"] as? String ?? "", default: 0] += 1
                }
            }
            token = page?["nextToken"] as? String
        }
        func call(_ call: (HomeportProcess) -> SignedCall) throws -> JSONValue {
            let found = nodes.call(0, call)
            let answer = try #require(found)
            #expect(answer.status == 200, "\(answer)")
            return try JSONReader.value(of: answer.body)
        }
        var start: String? = ""
        while let begin = start {
            let page = try call { .item("Scan", #"{"TableName": "Things"\#(begin)}"#, to: $0) }
            for item in page["Items"]?.array ?? [] {
                let id = item["id"]?["S"]?.string ?? ""
                if let count = item["n"]?["N"]?.string {
                    stored.itemCounts[id] = Int(count)
                } else {
                    stored.items[id, default: 0] += 1
                }
            }
            start = page["LastEvaluatedKey"].map { #", "ExclusiveStartKey": \#(JSONWriter.text(of: $0))"# }
        }
        // Each comes once here: it is hidden from then on.
        while true {
            let more = #", "MaxNumberOfMessages": 10, "VisibilityTimeout": 43200"#
            let page = try call { .queue("ReceiveMessage", #"{"QueueUrl": "\#($0.queueURL(queue))"\#(more)}"#, to: $0) }
            let messages = page["Messages"]?.array ?? []
            for message in messages { stored.messages[message["Body"]?.string ?? "", default: 0] += 1 }
            if messages.isEmpty { return stored }
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
                    try await BlockingThread.run {
                        var writer = Writer(number, nodes, told)
                        while writer.goesOn { writer.create() }
                    }
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
        told.answers.withLock { #expect($0.wrong == []) }
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
