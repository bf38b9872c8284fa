import Access
import JSON
import Network
import Testing

@testable import Outbox

@Suite("Headers and attachments of mails")
struct MailExtrasTests {
    private static func extras(headers: [JSONValue]? = nil, attachments: [JSONValue]? = nil) throws -> MailExtras {
        var content = JSONObject()
        content["Headers"] = headers.map { .array($0) }
        content["Attachments"] = attachments.map { .array($0) }
        return try MailExtras(.object(content))
    }

    private static func attachment(_ change: [(String, JSONValue)] = []) -> JSONValue {
        var object = JSONObject([("FileName", "a.txt"), ("RawContent", "aGk=")])
        for (name, value) in change { object.set(name, to: value) }
        return .object(object)
    }

    static let headers: [(name: String, value: String, isTaken: Bool)] = [
        ("List-Unsubscribe", "<mailto:x@app.test>", true), ("X-Kind", "", true),
        (String(repeating: "N", count: 126), String(repeating: "v", count: 870), true),
        (String(repeating: "N", count: 127), "v", false), ("X-Kind", String(repeating: "v", count: 871), false),
        ("X-Kind", "a\r\nBcc: b@x.test", false), ("X-Kind", "a\nb", false), ("X-Kind", "ü", false),
        ("X-Kind\r\nBcc", "b@x.test", false), ("X Kind", "v", false), ("X:", "v", false), ("", "v", false),
        ("From", "v", false), ("to", "v", false), ("BCC", "v", false), ("Subject", "v", false),
        ("Content-Type", "v", false), ("MIME-Version", "v", false), ("Return-Path", "v", false), ("Sender", "v", false),
        ("Resent-To", "v", false), ("Message-ID", "v", false), ("Date", "v", false), ("Reply-To", "v", false),
    ]

    @Test("a header is taken that is none of the mail's own, and no more than itself", arguments: headers)
    func takesHeader(name: String, value: String, isTaken: Bool) throws {
        let header: JSONValue = ["Name": .string(name), "Value": .string(value)]
        if isTaken {
            #expect(try Self.extras(headers: [header]).fields.map(\.name) == [name])
        } else {
            #expect(throws: OutboxError.self) { try Self.extras(headers: [header]) }
        }
    }

    static let attachments: [(name: String, value: JSONValue, isTaken: Bool)] = [
        ("ContentType", "text/plain; charset=utf-8", true), ("ContentType", "text", false),
        ("ContentType", "multipart/mixed; boundary=x", false), ("ContentType", "text/plain\r\nX: y", false),
        ("ContentType", "te xt/plain", false),
        ("ContentType", .string("a/" + String(repeating: "b", count: 77)), false),
        ("ContentDisposition", "INLINE", true), ("ContentDisposition", "inline", false),
        ("ContentTransferEncoding", "QUOTED_PRINTABLE", true), ("ContentTransferEncoding", "SEVEN_BIT", true),
        ("ContentTransferEncoding", "EIGHT_BIT", false), ("ContentId", "logo@app", true), ("ContentId", "<logo>", true),
        ("ContentId", "a b", false), ("ContentId", "a>\r\nX: y", false), ("ContentDescription", "Größe", true),
        ("ContentDescription", .string(String(repeating: "a", count: OutboxLimits.noteBytesMax + 1)), false),
        ("FileName", "größe.txt", true), ("FileName", "a\r\nb", false), ("FileName", "", false),
        ("FileName", .string(String(repeating: "a", count: OutboxLimits.nameBytesMax + 1)), false),
        ("RawContent", "!", false), ("RawContent", "", true),
    ]

    @Test("an attachment is taken that can be written", arguments: attachments)
    func takesAttachment(name: String, value: JSONValue, isTaken: Bool) throws {
        let attachment = Self.attachment([(name, value)])
        if isTaken {
            #expect(try Self.extras(attachments: [attachment]).parts.count == 1)
        } else {
            #expect(throws: OutboxError.self) { try Self.extras(attachments: [attachment]) }
        }
    }

    @Test("there are so many of them, and so much")
    func limits() throws {
        let header: JSONValue = ["Name": "X", "Value": "v"]
        #expect(
            try Self.extras(headers: Array(repeating: header, count: OutboxLimits.headersMax)).fields.count
                == OutboxLimits.headersMax)
        #expect(throws: OutboxError.self) {
            try Self.extras(headers: Array(repeating: header, count: OutboxLimits.headersMax + 1))
        }
        let attachment = Self.attachment()
        #expect(throws: OutboxError.self) {
            try Self.extras(attachments: Array(repeating: attachment, count: OutboxLimits.attachmentsMax + 1))
        }
        #expect(throws: OutboxError.self) {
            try Self.extras(attachments: [
                Self.attachment([("ContentTransferEncoding", "SEVEN_BIT"), ("RawContent", "/w==")])
            ])
        }
        var wish = try MailWish(from: "a@b.test", to: ["ToAddresses": ["c@d.test"]], answersTo: [])
        var extras = MailExtras()
        extras.parts = [
            MailPart("a", type: "a/b", [UInt8](repeating: 0, count: OutboxLimits.mailBytesMax / 4 * 3 - 3))
        ]
        try wish.add(extras)
        try wish.fill(subject: "s", text: String(repeating: "t", count: 8), html: nil)
        #expect(throws: OutboxError.self) { try wish.add(extras) }
    }

    private static func call(_ path: String, _ body: JSONValue) async throws -> (answer: JSONObject, mails: [String]) {
        let outbox = try OutboxQueueTests.outbox(sending: [.email])
        let answer = try await MailService(outbox).answer(.post, path, JSONWriter.bytes(of: body))
        let due = try await OutboxQueue(outbox, .email, report: { _ in }).due(at: 1_000, max: 10)
        return (answer, due.map { String(decoding: $0.whole?.bytes ?? [], as: UTF8.self) })
    }

    private static let headersAndAttachments: [(String, JSONValue)] = [
        ("Headers", [["Name": "X-Kind", "Value": "usual"]]), ("Attachments", [attachment()]),
    ]

    @Test("mails of texts, of templates and to many have them")
    func mails() async throws {
        let texts: [(String, JSONValue)] = [("Subject", ["Data": "s"]), ("Body", ["Text": ["Data": "t"]])]
        let template: [(String, JSONValue)] = [("TemplateContent", ["Subject": "s", "Text": "t"])]
        let contents: [JSONValue] = [
            ["Simple": .object(JSONObject(texts + Self.headersAndAttachments))],
            ["Template": .object(JSONObject(template + Self.headersAndAttachments))],
        ]
        let destination: JSONValue = ["ToAddresses": ["c@d.test"]]
        for content in contents {
            let (_, mails) = try await Self.call(
                "/v2/email/outbound-emails",
                ["FromEmailAddress": "a@b.test", "Destination": destination, "Content": content])
            #expect(mails.count == 1)
            let mail = mails.first ?? ""
            #expect(mail.contains("\r\nX-Kind: usual\r\n") && mail.contains("multipart/mixed"), "\(mail)")
            #expect(mail.contains("filename=\"a.txt\"\r\n") && mail.contains("\r\n\r\naGk=\r\n"), "\(mail)")
        }
        let (answer, mails) = try await Self.call(
            "/v2/email/outbound-bulk-emails",
            [
                "FromEmailAddress": "a@b.test", "DefaultContent": contents[1],
                "BulkEmailEntries": [
                    ["Destination": destination],
                    ["Destination": destination, "ReplacementHeaders": [["Name": "x-kind", "Value": "own"]]],
                    ["Destination": destination, "ReplacementHeaders": [["Name": "To", "Value": "e@f.test"]]],
                ],
            ])
        #expect(
            answer["BulkEmailEntryResults"]?.array?.map { $0["Status"]?.string } == ["SUCCESS", "SUCCESS", "FAILED"])
        #expect(mails.map { $0.contains("X-Kind: usual\r\n") } == [true, false])
        #expect(mails.map { $0.contains("x-kind: own\r\n") } == [false, true])
        #expect(mails.allSatisfy { $0.contains("filename=\"a.txt\"") })
    }

    @Test("attachments of many mails are bounded together, and lists are refused")
    func refusals() async throws {
        let content = String(repeating: "AAAA", count: 300_000)
        let entries = JSONValue.array(Array(repeating: ["Destination": ["ToAddresses": ["c@d.test"]]], count: 50))
        let template: JSONValue = [
            "TemplateContent": ["Subject": "s", "Text": "t"],
            "Attachments": [Self.attachment([("RawContent", .string(content))])],
        ]
        await #expect {
            try await Self.call(
                "/v2/email/outbound-bulk-emails",
                [
                    "FromEmailAddress": "a@b.test", "DefaultContent": ["Template": template],
                    "BulkEmailEntries": entries,
                ])
        } throws: {
            ($0 as? OutboxError)?.code == "BadRequestException"
        }
        await #expect {
            try await Self.call(
                "/v2/email/outbound-emails",
                [
                    "FromEmailAddress": "a@b.test", "Destination": ["ToAddresses": ["c@d.test"]],
                    "Content": ["Simple": ["Subject": ["Data": "s"], "Body": ["Text": ["Data": "t"]]]],
                    "ListManagementOptions": ["ContactListName": "news"],
                ])
        } throws: {
            ($0 as? OutboxError)?.code == "NotFoundException"
                && ($0 as? OutboxError)?.message.hasPrefix("List with name: news doesn't exist.") == true
        }
    }
}
