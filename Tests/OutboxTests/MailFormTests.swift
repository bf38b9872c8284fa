import JSON
import Testing

@testable import Outbox

@Suite("Mails as they are asked for")
struct MailFormTests {
    static let words: [(String, String)] = [
        ("plain", "plain"), ("=?UTF-8?Q?Gr=C3=BC=C3=9Fe_x?=", "Grüße x"),
        ("=?utf-8?B?SMOp?= =?utf-8?b?SMOp?= y", "HéHé y"),
        ("=?ISO-8859-1?Q?=E9?=", "=?ISO-8859-1?Q?=E9?="), ("=?UTF-8?Q?=C3?=", "=?UTF-8?Q?=C3?="),
        ("=?UTF-8?X?a?=", "=?UTF-8?X?a?="), ("=?UTF-8?B?!?=", "=?UTF-8?B?!?="), ("=?", "=?"), ("=?UTF-8?Q?=?=", "="),
    ]

    @Test("encoded words are read, and what is none stays", arguments: words)
    func decodes(text: String, decoded: String) { #expect(EncodedWords.decoded(text) == decoded) }

    @Test("a whole mail says who it is from and who reads it, and hides those in blind copy")
    func raw() throws {
        let text =
            "From: =?UTF-8?Q?=C3=A4?= <a@app.test>\r\nTo: ann@x.test,\r\n \"x, y\" <y@x.test>\r\nBCC: z@x.test\r\n"
            + "Subject: =?utf-8?B?SMOp?=\r\n\r\nBody\r\nBcc: not a field\r\n"
        let mail = try RawMail(Array(text.utf8))
        #expect(mail.from?.address.text == "a@app.test" && mail.from?.name == "ä")
        #expect(mail.readers.map(\.address.text) == ["ann@x.test", "y@x.test", "z@x.test"])
        #expect(mail.subject == "Hé" && mail.text == "Body\r\nBcc: not a field\r\n")
        let sent = String(decoding: mail.bytes, as: UTF8.self)
        #expect(!sent.contains("z@x.test") && sent.hasSuffix("\r\n\r\nBody\r\nBcc: not a field\r\n"))
        #expect(sent.contains("To: ann@x.test,\r\n \"x, y\" <y@x.test>\r\n"))
    }

    @Test(
        "whatever is sent as a mail is one, or refused",
        arguments: ["", "\n", ":", " x", "From: a\n", "To: ,,\n\n", "no field"])
    func odd(text: String) {
        if let mail = try? RawMail(Array(text.utf8)) { #expect(mail.readers.isEmpty) }
    }

    @Test("a mail has its limits")
    func limits() {
        let long = [UInt8](repeating: 0x61, count: OutboxLimits.mailBytesMax + 1)
        #expect { try RawMail(long) } throws: { ($0 as? OutboxError)?.code == "InvalidParameterValue" }
        let readers = JSONValue.array((0...OutboxLimits.readersMax).map { .string("u\($0)@x.test") })
        #expect { try MailWish(from: "a@b.test", to: ["ToAddresses": readers], answersTo: []) } throws: {
            ($0 as? OutboxError)?.message == "Recipient count exceeds 50."
        }
        var wish = try? MailWish(from: "a@b.test", to: ["ToAddresses": ["c@d.test"]], answersTo: [])
        let subject = String(repeating: "s", count: OutboxLimits.subjectBytesMax + 1)
        #expect(throws: OutboxError.self) { try wish?.fill(subject: subject, text: "", html: nil) }
    }

    static let addresses: [(String, String?)] = [
        ("a@b.test", nil), ("A B <a@b.test>", nil), ("", "Missing final '@domain'"), ("a", "Missing final '@domain'"),
        ("a@b.test\r\nBcc: c@d.test", "Illegal address"), ("a@b@c.test", "Illegal address"),
        (String(repeating: "a", count: 300) + "@b.test", "Address length is more than 254 characters long"),
    ]

    @Test("addresses are read as strictly as a header needs it", arguments: addresses)
    func readsAddresses(text: String, refusal: String?) {
        do throws(OutboxError) {
            _ = try MailWish.party(text)
            #expect(refusal == nil)
        } catch {
            #expect(refusal.map { error.message.hasPrefix($0) } == true, "\(error.message)")
        }
    }
}
