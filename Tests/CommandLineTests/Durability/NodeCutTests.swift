import Foundation
import JSON
import PostgresSupport
import Synchronization
import TestSupport
import Testing

/// Two servers over one database, each by a line of its own that is cut or held up behind any message.
@Suite(
    "Several servers whose lines are cut", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized
)
struct NodeCutTests {
    /// HOMEPORT_KILLS, or a few dozen.
    private static var cutCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 40 }

    static let schema =
        "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! count: Int }"
    private static let queue = "jobs.fifo"
    private static let last = "the last one"

    /// What the clients of one kind were answered.
    private struct Outcomes {
        var made: Set<String> = []
        var refused: Set<String> = []

        mutating func note(_ name: String, isMade: Bool) {
            if isMade { made.insert(name) } else { refused.insert(name) }
        }
    }

    /// What all clients were answered, and whether they are to end.
    private struct Answers {
        var records = Outcomes()
        var items = Outcomes()
        var messages = Outcomes()
        /// The bodies in the order in which they were received.
        var received: [String] = []
        /// What no answer may say or show, wherever lines are cut.
        var wrong: [String] = []
    }

    /// The servers with their clients' answers.
    ///
    /// Unchecked: each client makes its own connections, and the processes are only asked for their ports.
    private final class Run: @unchecked Sendable {
        let servers: [HomeportProcess]
        let lines: [CutLine]
        let answers = Mutex(Answers())
        let isOver = Atomic(false)

        init() throws {
            let postgres = try PostgresServer.shared.get()
            let name = "nodecuts"
            _ = try postgres.url(ofNewSchema: name)
            lines = try (0..<2).map { _ in try CutLine(to: postgres.port) }
            servers = try lines.map {
                try NodeTests.serve(
                    "postgres://app@127.0.0.1:\($0.port)/blog?sslmode=disable&options=-c%20search_path%3D\(name)",
                    schema: NodeCutTests.schema)
            }
        }

        var goesOn: Bool { !isOver.load(ordering: .relaxed) }

        func note(_ body: (inout Answers) -> Void) { answers.withLock { body(&$0) } }

        func wrong(_ text: String) { note { $0.wrong.append(text) } }

        /// Asks one of the servers for a signed call. Their own connections are not cut, so each has an answer.
        func call(_ call: (HomeportProcess) -> SignedCall, at node: Int) throws -> (status: Int, body: String) {
            let answer = try call(servers[node]).answer(from: servers[node])
            if answer.body.contains("may have been") { wrong(answer.body) }
            return (answer.status, answer.body)
        }

        func queue(_ operation: String, _ more: String, at node: Int) throws -> (status: Int, body: String) {
            try call(
                { .queue(operation, #"{"QueueUrl": "\#($0.queueURL(NodeCutTests.queue))"\#(more)}"#, to: $0) }, at: node
            )
        }
    }

    /// A client: its number and its random choices.
    private struct Client {
        let run: Run
        let number: Int
        var random: SeededRandom
        private var operations: [OperationClient]

        init(_ run: Run, _ number: Int, seed: UInt64) throws {
            (self.run, self.number) = (run, number)
            random = SeededRandom(seed: seed &+ UInt64(number))
            operations = try run.servers.map { try OperationClient(port: $0.port) }
        }

        private mutating func node() -> Int { Int.random(in: 0..<run.servers.count, using: &random) }

        private mutating func graphQL(_ text: String) throws -> String {
            let answer = try operations[node()].answer(to: text)
            if answer.contains("may have been") { run.wrong(answer) }
            return answer
        }

        /// Makes records of which nobody knows the keys before, and counts in one that only this client changes.
        mutating func changeRecords() throws {
            let counter = "counter\(number)"
            var (count, step) = (0, 0)
            while try graphQL(#"mutation { createTodo(input: {id: "\#(counter)", name: "c", count: 0}) { id name } }"#)
                .contains(#""errors""#)
            {}
            while run.goesOn {
                step += 1
                let name = "\(number)-\(step)"
                let made = try graphQL(#"mutation { createTodo(input: {name: "\#(name)"}) { id name } }"#)
                run.note { $0.records.note(name, isMade: !made.contains(#""errors""#)) }
                let answer = try graphQL(
                    #"mutation { updateTodo(input: {id: "\#(counter)", count: \#(count + 1)}, condition: {count: {eq: \#(count)}}) "#
                        + "{ id name count } }")
                // A change that was made and is said to have failed would be found here, and one that is made again.
                if answer.contains("ConditionalCheckFailed") { run.wrong("record \(counter), \(count): \(answer)") }
                if !answer.contains(#""errors""#) { count += 1 }
            }
        }

        /// The same with items.
        mutating func changeItems() throws {
            var (count, step) = (0, 0)
            while run.goesOn {
                step += 1
                let name = "\(number)-\(step)"
                let put =
                    #"{"TableName": "Things", "Item": {"id": {"S": "\#(name)"}}, "ConditionExpression": "attribute_not_exists(id)"}"#
                let made = try run.call({ .item("PutItem", put, to: $0) }, at: node())
                if made.body.contains("ConditionalCheckFailed") { run.wrong("item \(name): \(made)") }
                run.note { $0.items.note(name, isMade: made.status == 200) }
                let add =
                    #"{"TableName": "Things", "Key": {"id": {"S": "counter\#(number)"}}, "UpdateExpression": "ADD n :one", "#
                    + #""ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "UPDATED_NEW"}"#
                let answer = try run.call({ .item("UpdateItem", add, to: $0) }, at: node())
                guard answer.status == 200 else { continue }
                count += 1
                if !answer.body.contains(#"{"n":{"N":"\#(count)"}}"#) { run.wrong("item, \(count): \(answer)") }
            }
        }

        mutating func send() throws {
            var step = 0
            while run.goesOn {
                step += 1
                let name = "\(number)-\(step)"
                let more =
                    #", "MessageBody": "\#(name)", "MessageGroupId": "\#(number)", "MessageDeduplicationId": "\#(name)""#
                let status = try run.queue("SendMessage", more, at: node()).status
                run.note { $0.messages.note(name, isMade: status == 200) }
            }
        }

        /// Receives until all that was sent has come. What it has not received by an answer must be there for the next call.
        mutating func receive() throws {
            var idle = 0
            while run.goesOn || idle < 5 {
                let answer = try run.queue(
                    "ReceiveMessage", #", "MaxNumberOfMessages": 3, "VisibilityTimeout": 43200"#, at: node())
                guard answer.status == 200 else { continue }
                let messages = try JSONReader.value(of: answer.body)["Messages"]?.array ?? []
                idle = messages.isEmpty ? idle + 1 : 0
                for message in messages {
                    run.note { $0.received.append(message["Body"]?.string ?? "") }
                    let handle = message["ReceiptHandle"]?.string ?? ""
                    while try run.queue("DeleteMessage", #", "ReceiptHandle": "\#(handle)""#, at: node()).status != 200
                    {}
                }
            }
        }
    }

    /// Cuts lines and holds them up.
    private static func cut(_ run: Run, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<cutCount {
            guard let line = run.lines.randomElement(using: &random) else { return }
            let before = line.faultCount
            let fault: CutLine.Fault =
                Int.random(in: 0..<4, using: &random) == 0
                ? .delay(.milliseconds(Int.random(in: 1...300, using: &random))) : .cut
            // Often soon, so that connections end at their start too.
            line.arm(fault, behind: Int.random(in: 1...(Bool.random(using: &random) ? 20 : 500), using: &random))
            try eventually("messages pass") { line.faultCount > before }
        }
    }

    /// The names of the records that a subscriber hears of, up to the last one.
    private static func heard(_ subscriber: RawClient) throws -> [String] {
        var names: [String] = []
        while names.last != last {
            let text = try subscriber.read(through: "\n\n")
            if text.contains("errors") { names.append(text) }
            if let match = text.firstMatch(of: /"name":"([^"]*)"/) { names.append(String(match.1)) }
        }
        return names
    }

    /// The values of a field of all items or records, page by page.
    private static func all(_ page: (_ token: String?) throws -> (values: [String], next: String?)) throws -> [String] {
        var (values, token) = ([String](), String?.none)
        repeat {
            let found = try page(token)
            values += found.values
            token = found.next
        } while token != nil
        return values
    }

    private static func records(_ run: Run) throws -> [String] {
        let client = try OperationClient(port: run.servers[0].port)
        return try all { token in
            let data = try client.data(
                "query ($t: String) { listTodos(limit: 1000, nextToken: $t) { nextToken items { name } } }",
                ["t": token ?? NSNull()])
            let page = data["listTodos"] as? [String: Any]
            return (
                (page?["items"] as? [[String: String]] ?? []).compactMap { $0["name"] }, page?["nextToken"] as? String
            )
        }
    }

    private static func items(_ run: Run) throws -> [String] {
        try all { token in
            let start = token.map { #", "ExclusiveStartKey": {"id": {"S": "\#($0)"}}"# } ?? ""
            let answer = try run.call({ .item("Scan", #"{"TableName": "Things"\#(start)}"#, to: $0) }, at: 1)
            let body = try JSONReader.value(of: answer.body)
            return (
                (body["Items"]?.array ?? []).compactMap { $0["id"]?["S"]?.string },
                body["LastEvaluatedKey"]?["id"]?["S"]?.string
            )
        }
    }

    private static func check(_ outcomes: Outcomes, are stored: [String], _ kind: Comment) {
        #expect(!outcomes.made.isEmpty, kind)
        #expect(outcomes.made.subtracting(stored) == [], "acknowledged and lost: \(kind)")
        #expect(outcomes.refused.intersection(stored) == [], "refused and made: \(kind)")
        #expect(Set(stored).count == stored.count, "made twice: \(kind)")
    }

    @Test("lose nothing, do nothing twice and leave no outcome open, whatever message is the last that passes")
    func cuts() async throws {
        let run = try await BlockingThread.run { try Run() }
        let seed = SeededRandom.seed(test: "NodeCutTests")
        let subscribers = try await BlockingThread.run {
            #expect(try run.call({ .item("CreateTable", SignedCall.table, to: $0) }, at: 0).status == 200)
            let attributes = #"{"QueueName": "\#(Self.queue)", "Attributes": {"FifoQueue": "true"}}"#
            #expect(try run.call({ .queue("CreateQueue", attributes, to: $0) }, at: 0).status == 200)
            return try run.servers.map {
                try NodeTests.subscriber(of: $0, #"{"query":"subscription { onCreateTodo { name } }"}"#)
            }
        }
        let heard = try await withThrowingTaskGroup(of: Void.self) { group in
            let roles: [@Sendable (inout Client) throws -> Void] = [
                { try $0.changeRecords() }, { try $0.changeRecords() }, { try $0.changeItems() },
                { try $0.changeItems() },
                { try $0.send() }, { try $0.send() }, { try $0.receive() }, { try $0.receive() },
            ]
            for (number, role) in roles.enumerated() {
                group.addTask {
                    try await BlockingThread.run {
                        var client = try Client(run, number, seed: seed)
                        try role(&client)
                    }
                }
            }
            group.addTask {
                try await BlockingThread.run {
                    defer { run.isOver.store(true, ordering: .relaxed) }
                    try Self.cut(run, seed: seed)
                }
            }
            async let heard = Self.heard(by: subscribers)
            try await group.waitForAll()
            try await BlockingThread.run {
                let client = try OperationClient(port: run.servers[0].port)
                _ = try client.data(#"mutation { createTodo(input: {name: "\#(Self.last)"}) { name } }"#)
            }
            return try await heard
        }
        let stored = try await BlockingThread.run { (records: try Self.records(run), items: try Self.items(run)) }
        let answers = run.answers.withLock { $0 }
        #expect(answers.wrong == [])
        Self.check(answers.records, are: stored.records.filter { $0 != "c" && $0 != Self.last }, "records")
        Self.check(answers.items, are: stored.items, "items")
        Self.check(answers.messages, are: answers.received, "messages")
        // Each group is one client's, which has sent them in this order.
        let groups = Dictionary(grouping: answers.received) { $0.split(separator: "-").first ?? "" }
        for messages in groups.values {
            let numbers = messages.compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
            #expect(numbers == numbers.sorted())
        }
        #expect(heard[0] == heard[1], "both hear the same")
        #expect(heard[0].sorted() == stored.records.sorted(), "each record's event comes once")
        print(
            "\(run.lines.reduce(0) { $0 + $1.faultCount }) faults in \(run.lines.reduce(0) { $0 + $1.messageCount }) messages; "
                + "records, items, messages: "
                + [answers.records, answers.items, answers.messages].map {
                    "\($0.made.count) acknowledged and \($0.refused.count) refused"
                }.joined(separator: ", "))
        try await BlockingThread.run {
            for server in run.servers { server.signal(SIGTERM) }
            for server in run.servers { #expect(server.exitStatus() == 0) }
            for line in run.lines { line.close() }
        }
    }

    private static func heard(by subscribers: [RawClient]) async throws -> [[String]] {
        var all: [[String]] = []
        for subscriber in subscribers { all.append(try await BlockingThread.run { try Self.heard(subscriber) }) }
        return all
    }
}
