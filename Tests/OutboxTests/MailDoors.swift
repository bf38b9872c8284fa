import Blueprint
import Crypto
import JSON
import Network
import Store
import TestSupport
import Testing

@testable import Outbox

/// Calls for mails and topics: see docs/architecture.md, "What may hold a loop or the writer". They are read and put together beside the
/// loops, whatever they are; these rows are what the one writer does for them.
@Suite("No call for mails or topics holds the writer")
struct MailDoors {
    private static let readers: JSONValue = .array((0..<OutboxLimits.readersMax).map { .string("u\($0)@x.test") })
    /// A build that checks everything has a shorter mail, so that the suite stays quick.
    private static let text = String(
        repeating: "t", count: (HeldTime.factor > 1 ? 200_000 : OutboxLimits.mailBytesMax) / 2 - 1_000)
    private static let templateBytes = (HeldTime.factor > 1 ? 20_000 : OutboxLimits.templateBytesMax) / 2 - 100
    private static let notice = String(
        repeating: "m", count: HeldTime.factor > 1 ? 20_000 : OutboxLimits.noticeBytesMax - 1_000)
    private static let arn = "arn:aws:sns:us-east-1:123456789012:t"

    private static func mail(_ text: String) -> JSONValue {
        [
            "Subject": ["Data": "s"], "Body": ["Text": ["Data": .string(text)], "Html": ["Data": .string(text)]],
        ]
    }

    private static let rows: [(name: String, path: String, body: JSONValue)] = [
        (
            "a mail of the largest size to the most readers", "outbound-emails",
            [
                "FromEmailAddress": "a@app.test", "Destination": ["ToAddresses": readers],
                "Content": ["Simple": mail(text)],
            ]
        ),
        (
            "a raw mail of the largest size to the most readers", "outbound-emails",
            [
                "FromEmailAddress": "a@app.test", "Destination": ["ToAddresses": readers],
                "Content": [
                    "Raw": [
                        "Data": .string(
                            Base64.text(
                                of: Array(("Subject: s\r\n\r\n" + text + text).utf8), .standard))
                    ]
                ],
            ]
        ),
        (
            "the largest template", "templates",
            [
                "TemplateName": "t",
                "TemplateContent": [
                    "Subject": "s",
                    "Text": .string(String(repeating: "t", count: templateBytes)),
                    "Html": .string(String(repeating: "h", count: templateBytes)),
                ],
            ]
        ),
        (
            "as many mails as a call may have, each of a long template", "outbound-bulk-emails",
            [
                "FromEmailAddress": "a@app.test",
                "DefaultContent": ["Template": ["TemplateName": "t", "TemplateData": "{}"]],
                "BulkEmailEntries": .array(
                    (0..<OutboxLimits.bulkMax).map { ["Destination": ["ToAddresses": [.string("u\($0)@x.test")]]] }),
            ]
        ),
    ]

    private static let writerMilliseconds: Double = HeldTime.factor > 1 ? 150 : 50

    /// The processor time that the writer has had, in milliseconds, as in a release build.
    private static func writerMilliseconds(_ store: Store) async throws -> Double {
        Double(try await store.writer.write(turn: .all, key: nil) { _ in HeldTime.threadNanoseconds }) / 1_000_000
            / HeldTime.factor
    }

    @Test("whatever it asks")
    func doors() async throws {
        let reading = SDLReader.read("type Song @model { id: ID! }", settings: Settings())
        let store = try Store(.memory, for: try #require(reading.blueprint), nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
        let outbox = Outbox(
            over: store, sending: [.email], region: "us-east-1", accountID: "123456789012", clock: { 1_000 })
        let mails = MailService(outbox)
        for row in Self.rows {
            let body = JSONWriter.bytes(of: row.body)
            let before = try await Self.writerMilliseconds(store)
            _ = try await mails.answer(.post, "/v2/email/\(row.path)", body)
            let held = try await Self.writerMilliseconds(store) - before
            #expect(held < Self.writerMilliseconds, "\(row.name) holds the writer for \(held) ms")
        }
        let notices = NoticeService(outbox) { $0 }
        _ = try await notices.answer("CreateTopic", [("Name", "t")])
        for number in 0..<OutboxLimits.followersMax {
            _ = try await notices.answer(
                "Subscribe", [("TopicArn", Self.arn), ("Protocol", "email"), ("Endpoint", "f\(number)@x.test")])
        }
        let before = try await Self.writerMilliseconds(store)
        _ = try await notices.answer(
            "Publish",
            [("TopicArn", Self.arn), ("Message", Self.notice)])
        let held = try await Self.writerMilliseconds(store) - before
        #expect(held < Self.writerMilliseconds, "a long notice to all followers holds the writer for \(held) ms")
    }

    @Test("each reader's row has the start of a long mail, and the mail has all of it")
    func shown() async throws {
        let outbox = try OutboxQueueTests.outbox(sending: [.email])
        let wish = try MailWish(from: "a@app.test", to: ["ToAddresses": ["b@x.test", "c@x.test"]], answersTo: [])
        var filled = wish
        try filled.fill(subject: "s", text: Self.text, html: nil)
        try await outbox.queue([filled.outgoing("id", now: 1_000)])
        let messages = try await OutboxQueueTests.messages(outbox)
        #expect(messages.map(\.text.utf8.count) == [OutboxLimits.shownBytesMax, OutboxLimits.shownBytesMax])
        let queue = OutboxQueue(outbox, .email, report: { _ in })
        let sent = try await queue.due(at: 1_000, max: 10)
        #expect(sent.count == 2)
    }
}
