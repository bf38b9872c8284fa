import Access
import Blueprint
import JSON
import Network
import PostgresSupport
import Store
import Testing

@testable import Outbox

@Suite("The queue of the outbox")
struct OutboxQueueTests {
    static func outbox(sending media: Set<OutboxMessage.Medium>) throws -> Outbox {
        let reading = SDLReader.read("type Song @model { id: ID! }", settings: Settings())
        let store = try Store(TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0) {
            error in
            Issue.record("the store failed: \(error.message)")
        }
        return Outbox(over: store, sending: media, region: "us-east-1", accountID: "123456789012", clock: { 1_000 })
    }

    private static func letter(_ readers: [String], mail: [UInt8]? = nil) -> OutgoingLetter {
        OutgoingLetter(
            id: "id", service: "ses", medium: .email, sender: "A <a@app.test>", readers: readers, subject: "s",
            text: "t",
            mail: mail)
    }

    static func messages(_ outbox: Outbox) async throws -> [OutboxMessage] {
        try await outbox.read({ reader throws(StoreError) in try OutboxMessage.all(in: reader) }, ifNone: [])
    }

    @Test("a message to each reader waits until it was taken, or given up")
    func fates() async throws {
        let outbox = try Self.outbox(sending: [.email])
        let queue = OutboxQueue(outbox, .email, report: { _ in })
        #expect(try await queue.due(at: 1_000, max: 10).isEmpty)
        #expect(try await queue.nextDue() == nil)
        try await outbox.queue([Self.letter(["b@x.test", "c@x.test", "d@x.test"], mail: [1, 2])])
        let due = try await queue.due(at: 1_000, max: 10)
        #expect(due.map(\.to) == ["b@x.test", "c@x.test", "d@x.test"])
        #expect(due.allSatisfy { $0.whole == (try? WholeMail(from: MailAddress("a@app.test"), [1, 2])) })
        try await queue.sent(due[0].id)
        try await queue.failed(due[1].id, .at(5_000), words: "later")
        try await queue.failed(due[2].id, .never, words: "no")
        #expect(try await queue.due(at: 4_999, max: 10).isEmpty)
        #expect(try await queue.nextDue() == 5_000)
        #expect(try await queue.due(at: 5_000, max: 10).map(\.tries) == [1])
        #expect(try await Self.messages(outbox).map(\.state) == [.sent, .waiting, .failed])
        #expect(try await Self.messages(outbox).map(\.problem) == [nil, "later", "no"])
    }

    @Test("what waits to be sent stays and is bounded; of all else the latest is kept")
    func bounds() async throws {
        let outbox = try Self.outbox(sending: [.email])
        let batch = Self.letter((0..<1_000).map { "u\($0)@x.test" }, mail: [1])
        for _ in 0..<OutboxLimits.waitingMax / 1_000 { try await outbox.queue([batch]) }
        await #expect { try await outbox.queue([Self.letter(["v@x.test"])]) } throws: {
            ($0 as? OutboxError)?.code == "Throttling"
        }
        #expect(try await Self.messages(outbox).count == OutboxLimits.waitingMax)
        let kept = try Self.outbox(sending: [])
        for _ in 0..<3 { try await kept.queue([batch]) }
        let messages = try await Self.messages(kept)
        #expect(messages.count == OutboxLimits.messagesMax && messages.allSatisfy { $0.state == .kept })
        #expect(try await OutboxQueue(kept, .email, report: { _ in }).due(at: .max, max: 10).isEmpty)
    }

    @Test("a topic has so many followers, each once, and there are so many topics")
    func topics() async throws {
        let outbox = try Self.outbox(sending: [])
        let service = NoticeService(outbox) { _ in nil }
        let arn = "arn:aws:sns:us-east-1:123456789012:t"
        func follow(_ number: Int) async throws {
            _ = try await service.answer(
                "Subscribe", [("TopicArn", arn), ("Protocol", "email"), ("Endpoint", "u\(number)@x.test")])
        }
        await #expect { try await follow(0) } throws: { ($0 as? OutboxError)?.code == "NotFound" }
        _ = try await service.answer("CreateTopic", [("Name", "t")])
        for _ in 0..<2 { try await follow(0) }
        for number in 1..<OutboxLimits.followersMax { try await follow(number) }
        await #expect { try await follow(-1) } throws: { ($0 as? OutboxError)?.code == "SubscriptionLimitExceeded" }
        _ = try await service.answer("Publish", [("TopicArn", arn), ("Message", "m")])
        #expect(try await Self.messages(outbox).count == OutboxLimits.followersMax)
        _ = try await service.answer("DeleteTopic", [("TopicArn", arn)])
        await #expect { try await service.answer("Publish", [("TopicArn", arn), ("Message", "m")]) } throws: {
            ($0 as? OutboxError)?.code == "NotFound"
        }
        for number in 0..<OutboxLimits.topicsMax { try await outbox.addTopic("t\(number)") }
        await #expect { try await outbox.addTopic("one more") } throws: {
            ($0 as? OutboxError)?.code == "TopicLimitExceeded"
        }
    }

    @Test("topics of a project are there with their followers, again where other data hold")
    func kept() async throws {
        let outbox = try Self.outbox(sending: [])
        let follower = "arn:aws:lambda:us-east-1:123456789012:function:f"
        for _ in 0..<2 { try await outbox.keepTopic("news", followedBy: [KeptFollower("f")]) }
        #expect(try await outbox.followers(of: "news")?.map(\.endpoint) == [follower])
        try await outbox.removeTopic("news")
        #expect(try await outbox.followers(of: "news") == nil)
        try await outbox.beginAnew()
        #expect(try await outbox.followers(of: "news")?.map(\.endpoint) == [follower])
    }

    @Test("the project's filters hold for its functions, and one that is wrong lets nothing through")
    func keptFilters() async throws {
        let outbox = try Self.outbox(sending: [])
        func policies() async throws -> [String?] { try await outbox.followers(of: "news")?.map(\.policy) ?? [] }
        try await outbox.keepTopic("news", followedBy: [KeptFollower("f"), KeptFollower("g", policy: #"{"a":[1]}"#)])
        #expect(try await policies() == [nil, #"{"a":[1]}"#])
        try await outbox.keepTopic(
            "news",
            followedBy: [KeptFollower("f", policy: #"{"b":{"c":[1]}}"#, isPolicyOfBody: true), KeptFollower("g")])
        #expect(try await policies() == [#"{"b":{"c":[1]}}"#, nil])
        #expect(try await outbox.followers(of: "news")?.map(\.scope) == [.body, .attributes])
        for wrong in [KeptFollower("f", policy: "{"), KeptFollower("g", isUnread: true)] {
            await #expect { try await outbox.keepTopic("news", followedBy: [wrong, KeptFollower("h")]) } throws: {
                ($0 as? OutboxError)?.message.hasPrefix("\(wrong.function) does not follow it") == true
            }
        }
        #expect(try await outbox.followers(of: "news")?.map(\.endpoint).map { $0.suffix(2) } == [":h"])
    }

    @Test("a database of before filters has its followers still")
    func older() async throws {
        let outbox = try Self.outbox(sending: [])
        try await outbox.store.writer.write(turn: .all, key: nil) { session in
            try session.bring(OutboxTables.all)
            try session.change(RoomStatement("INSERT INTO _homeport_topics (name, created) VALUES ('old', 1)"))
            try session.change(
                RoomStatement(
                    """
                    INSERT INTO _homeport_topic_followers (topic, protocol, endpoint, id)
                    VALUES ('old', 'email', 'a@x.test', 'i')
                    """))
        }
        #expect(try await outbox.followers(of: "old")?.map(\.id) == ["i"])
        #expect(try await outbox.title(of: "old") == nil)
        #expect(try await outbox.setFilter(FollowerFilter(policy: #"{"a":[1]}"#), of: "old", id: "i"))
        #expect(try await outbox.followers(of: "old")?.map(\.policy) == [#"{"a":[1]}"#])
    }
}
