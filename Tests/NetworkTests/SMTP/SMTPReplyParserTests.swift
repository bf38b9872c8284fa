import Testing

@testable import Network

struct SMTPReplyParserTests {
    /// What the parser makes of the bytes, cut into pieces of that size.
    private static func replies(_ text: String, cut: Int, limits: SMTPLimits = .init()) throws(SMTPReplyError)
        -> [String]
    {
        var parser = SMTPReplyParser(limits)
        var replies: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var piece = rest.prefix(cut)
            rest = rest.dropFirst(cut)
            while let reply = try parser.next(&piece) { replies.append("\(reply)") }
        }
        return replies
    }

    @Test(
        "replies are read however they are cut",
        arguments: [
            ("220 hello\r\n", ["220 hello"]), ("250\r\n", ["250"]), ("250 \r\n", ["250"]),
            ("250-a\r\n250-b c\r\n250 d\r\n", ["250 a b c d"]), ("250-a\r\n250\r\n", ["250 a"]),
            ("250 a\r\n550 5.1.1 b\r\n", ["250 a", "550 5.1.1 b"]),
            ("550-5.1.1 no\r\n550-5.1.1\r\n550 5.1.1 user\r\n", ["550 5.1.1 no user"]),
            ("250 a\u{1B}[31mb\u{7}\tc\rd\r\n", ["250 a [31mb  c d"]), ("250 é\u{85}\u{2028}x\r\n", ["250 é  x"]),
        ])
    func reads(text: String, expected: [String]) throws {
        for cut in [1, 2, 3, 7, 1_000] { #expect(try Self.replies(text, cut: cut) == expected) }
    }

    @Test(
        "what is no reply is refused",
        arguments: [
            ("hello\r\n", SMTPReplyError.noCode), ("\r\n", .noCode), ("25\r\n", .noCode), ("25x a\r\n", .noCode),
            ("150 a\r\n", .noCode), ("600 a\r\n", .noCode), ("2500 a\r\n", .noCode), ("250_a\r\n", .noCode),
            ("-250 a\r\n", .noCode), ("+25 a\r\n", .noCode), ("250 a\n", .bareLineFeed), ("\n", .bareLineFeed),
            ("250-a\r\n251 b\r\n", .severalCodes), ("250-a\r\n550 b\r\n", .severalCodes),
        ])
    func refuses(text: String, error: SMTPReplyError) {
        for cut in [1, 2, 1_000] { #expect(throws: error) { try Self.replies(text, cut: cut) } }
    }

    @Test("lines and their number have limits")
    func limits() throws {
        var limits = SMTPLimits()
        (limits.replyLineBytes, limits.replyLines) = (20, 3)
        let line = "250-" + String(repeating: "a", count: 14) + "\r\n"
        #expect(try Self.replies("\(line)\(line)250 \r\n", cut: 5, limits: limits).count == 1)
        #expect(throws: SMTPReplyError.lineTooLong(limit: 20)) {
            try Self.replies("250 " + String(repeating: "a", count: 17), cut: 5, limits: limits)
        }
        #expect(throws: SMTPReplyError.tooManyLines(limit: 3)) {
            try Self.replies("\(line)\(line)\(line)250 \r\n", cut: 5, limits: limits)
        }
    }

    @Test("the enhanced status is one of the code's class")
    func status() {
        for (words, status) in [
            ("5.1.1 no", "5.1.1"), ("5.7.509 no", "5.7.509"), ("2.1.1 no", nil), ("5.1 no", nil), ("5.1.1x no", nil),
            ("", nil),
            ("55.1.1 no", nil), ("5.1.1000 no", nil),
        ] as [(String, String?)] {
            #expect(SMTPReply(code: 550, lines: [words]).status == status)
        }
    }

    @Test("long words are cut before they are told on")
    func isCut() {
        let reply = SMTPReply(code: 550, lines: [String](repeating: String(repeating: "é", count: 400), count: 10))
        #expect(reply.description.utf8.count < 520)
        #expect(reply.description.hasSuffix("..."))
    }
}
