import Foundation
import Testing

@testable import Network

struct MailMessageTests {
    static func message(
        from: String = "An App <app@app.test>", subject: String = "Your code", text: String = "It is 123456.",
        html: String? = nil, identifier: String = "7"
    ) throws -> MailMessage {
        try MailMessage(
            from: MailParty(from), to: MailAddress("user@example.com"), subject: subject, text: text, html: html,
            identifier: identifier, seconds: 1_700_000_000)
    }

    private static func text(_ message: MailMessage) -> String { String(decoding: message.bytes, as: UTF8.self) }

    @Test("a mail has the headers that readers and servers want")
    func whole() throws {
        #expect(
            Self.text(try Self.message())
                == """
                Date: Tue, 14 Nov 2023 22:13:20 +0000
                From: "An App"
                 <app@app.test>
                To: user@example.com
                Message-ID: <7@app.test>
                Subject: Your code
                Auto-Submitted: auto-generated
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                It is 123456.

                """.replacing("\n", with: "\r\n"))
    }

    @Test("a page stands beside the text, for readers that show it")
    func page() throws {
        let text = Self.text(try Self.message(from: "app@app.test", html: "<b class=\"x\">123456</b>"))
        #expect(
            text.hasSuffix(
                """
                From: app@app.test
                To: user@example.com
                Message-ID: <7@app.test>
                Subject: Your code
                Auto-Submitted: auto-generated
                MIME-Version: 1.0
                Content-Type: multipart/alternative; boundary="=_part_=_"

                --=_part_=_
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                It is 123456.
                --=_part_=_
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                <b class=3D"x">123456</b>
                --=_part_=_--

                """.replacing("\n", with: "\r\n")))
    }

    static let subjects: [(String, String)] = [
        ("Your code", "Subject: Your code"),
        ("", "Subject: "),
        ("Bcc: all@example.com", "Subject: Bcc: all@example.com"),
        ("Grüße", "Subject: =?UTF-8?B?R3LDvMOfZQ==?="),
        ("=?UTF-8?B?eA==?=", "Subject: =?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?="),
        ("a\r\nBcc: x", "Subject: a  Bcc: x"), ("a\nb\u{0}c", "Subject: a b c"),
        ("a\u{85}b\u{2028}c\u{2029}d\u{1B}e", "Subject: a b c d e"),
        (" a ", "Subject: =?UTF-8?B?IGEg?="),
        (String(repeating: "a", count: 67), "Subject: " + String(repeating: "a", count: 67)),
        (
            String(repeating: "a", count: 68),
            "Subject: =?UTF-8?B?\(String(repeating: "YWFh", count: 13))?=\r\n =?UTF-8?B?\(String(repeating: "YWFh", count: 9))YWE=?="
        ),
        (
            String(repeating: "€", count: 14),
            "Subject: =?UTF-8?B?\(String(repeating: "4oKs", count: 13))?=\r\n =?UTF-8?B?4oKs?="
        ),
    ]

    @Test("a subject is one header, whatever it is", arguments: subjects)
    func subject(text: String, header: String) throws {
        let lines = Self.text(try Self.message(subject: text)).replacing("\r\n ", with: "\u{1}").split(
            separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.filter { $0.hasPrefix("Subject:") } == [Substring(header.replacing("\r\n ", with: "\u{1}"))])
        #expect(lines.count == 12)
    }

    @Test("a sender's name is a part of one header, whatever it is")
    func name() throws {
        for (name, header) in [
            ("An \"App\" \\ <x@y.test>", "From: \"An \\\"App\\\" \\\\ <x@y.test>\"\r\n <app@app.test>\r\n"),
            ("Bücher", "From: =?UTF-8?B?QsO8Y2hlcg==?=\r\n <app@app.test>\r\n"),
            ("a\r\nBcc: b", "From: \"a  Bcc: b\"\r\n <app@app.test>\r\n"),
            ("", "From: app@app.test\r\n"),
        ] {
            let party = try MailParty(MailAddress("app@app.test"), name: name)
            let message = try MailMessage(
                from: party, to: MailAddress("u@e.test"), subject: "", text: "", identifier: "1", seconds: 0)
            #expect(Self.text(message).contains("\r\n\(header)To: u@e.test\r\n"))
        }
    }

    static let bodies: [(String, String)] = [
        ("", ""), ("a", "a\r\n"), ("a\n", "a\r\n"), ("a\r\nb\rc\nd", "a\r\nb\r\nc\r\nd\r\n"),
        ("a\n\nb", "a\r\n\r\nb\r\n"), ("a\r\r\nb", "a\r\n\r\nb\r\n"), (".\nQUIT", ".\r\nQUIT\r\n"),
        ("a=b é", "a=3Db =C3=A9\r\n"), ("a \nb\t", "a=20\r\nb=09\r\n"), (" a", " a\r\n"),
        ("\u{0}\u{1B}\u{7F}", "=00=1B=7F\r\n"), ("--=_part_=_--", "--=3D_part_=3D_--\r\n"),
        (String(repeating: "a", count: 75), String(repeating: "a", count: 75) + "\r\n"),
        (String(repeating: "a", count: 76), String(repeating: "a", count: 75) + "=\r\na\r\n"),
        (String(repeating: "a", count: 74) + "é", String(repeating: "a", count: 74) + "=\r\n=C3=A9\r\n"),
    ]

    @Test("a body is short lines of printing ASCII that readers take back to what it was", arguments: bodies)
    func body(text: String, encoded: String) throws {
        var bytes: [UInt8] = []
        MailQuotedPrintable.append(text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == encoded)
    }

    @Test("whatever texts there are, lines are short, of seven bits, and end with CRLF", arguments: [false, true])
    func isTame(hasPage: Bool) throws {
        let wild = [
            "\r\n.\r\n", "é€😀", String(repeating: "x ", count: 3_000), "=?UTF-8?Q?a?=", "\u{0}\u{8}\r\r\n\n",
            "--=_part_=_",
            "\u{2028}", "From x", String(repeating: "😀", count: 250),
        ]
        for subject in wild where subject.utf8.count <= MailMessage.subjectBytesMax {
            for text in wild {
                let bytes = try Self.message(
                    subject: subject, text: text, html: hasPage ? text : nil,
                    identifier: String(text.unicodeScalars.prefix(1))
                ).bytes
                #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 13 || $0 == 10 })
                #expect(bytes.suffix(2) == [13, 10])
                let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast()
                #expect(lines.allSatisfy { $0.last == 13 && $0.count <= 77 && !$0.dropLast().contains(13) })
                let head = lines.prefix { $0 != [13] }
                let names = head.compactMap { line in
                    line.first == 32 ? nil : String(decoding: line.prefix { $0 != 58 }, as: UTF8.self)
                }
                #expect(names.count == Set(names).count)
                #expect(names.count == (hasPage ? 8 : 9))
            }
        }
    }

    @Test("identifiers that differ stay different, and none ends the header")
    func identifiers() throws {
        let ids = ["7", "a.b", "a=2Eb", "a@b", "a>b\r\nBcc: c", "é", String(repeating: "é", count: 64)]
        var seen: Set<Substring> = []
        for id in ids {
            let text = Self.text(try Self.message(identifier: id))
            let line = try #require(text.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: <") })
            #expect(line.hasSuffix("@app.test>"))
            #expect(line.utf8.count < 998)
            seen.insert(line)
        }
        #expect(seen.count == ids.count)
    }

    @Test("a mail has limits")
    func limits() throws {
        let long = { String(repeating: "a", count: $0) }
        _ = try Self.message(
            subject: long(1_024), text: long(256 * 1024), html: long(256 * 1024), identifier: long(128))
        #expect(throws: MailMessageError.subjectTooLong(limit: 1_024)) { try Self.message(subject: long(1_025)) }
        #expect(throws: MailMessageError.bodyTooLong(limit: 262_144)) { try Self.message(text: long(262_145)) }
        #expect(throws: MailMessageError.bodyTooLong(limit: 262_144)) { try Self.message(html: long(262_145)) }
        #expect(throws: MailMessageError.badIdentifier(limit: 128)) { try Self.message(identifier: long(129)) }
        #expect(throws: MailMessageError.badIdentifier(limit: 128)) { try Self.message(identifier: "") }
    }
}
