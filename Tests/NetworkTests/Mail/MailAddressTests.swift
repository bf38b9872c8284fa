import Network
import Testing

struct MailAddressTests {
    private static let longName = String(repeating: "n", count: 64)
    private static let longLabel = String(repeating: "d", count: 63)

    @Test(
        "an address is one mailbox, as it is",
        arguments: [
            "a@b.test", "a.b+c_d-e@sub.b-c.test", "!#$%&'*+-/=?^_`{|}~@b.test", "User@Example.TEST", "a@localhost",
            "1@1.test", "a@xn--bcher-kva.test", "a@1.2.3.4a", "\(longName)@\(longLabel).test",
        ])
    func isRead(text: String) throws {
        let address = try MailAddress(text)
        #expect(address.text == text)
        #expect("\(address)" == text)
        #expect(text.hasSuffix("@" + address.domain))
    }

    static let refused: [(String, MailAddressError)] = [
        ("", .noAt), ("a", .noAt), ("@b.test", .badName), ("a@", .badDomain), ("a@b@c.test", .severalAts),
        ("a@b.test,c@d.test", .badCharacter(offset: 8)), ("a@b.test c", .badCharacter(offset: 8)),
        (" a@b.test", .badCharacter(offset: 0)), ("a@b.test\r\nDATA", .badCharacter(offset: 8)),
        ("a@b.test\n", .badCharacter(offset: 8)), ("a\u{0}@b.test", .badCharacter(offset: 1)),
        ("a\t@b.test", .badCharacter(offset: 1)), ("a\u{7F}@b.test", .notASCII(offset: 1)),
        ("<a@b.test>", .badCharacter(offset: 0)), ("a@b.test>", .badCharacter(offset: 8)),
        ("A <a@b.test>", .badCharacter(offset: 1)), ("\"a b\"@b.test", .badCharacter(offset: 0)),
        ("a(c)@b.test", .badCharacter(offset: 1)), ("a;@b.test", .badCharacter(offset: 1)),
        ("a\\@b.test", .badCharacter(offset: 1)), ("a:@b.test", .badCharacter(offset: 1)),
        ("a@[127.0.0.1]", .badCharacter(offset: 2)), ("é@b.test", .notASCII(offset: 0)),
        ("a@bücher.test", .notASCII(offset: 3)), ("a@b.test\u{2028}", .notASCII(offset: 8)),
        (".a@b.test", .badName), ("a.@b.test", .badName), ("a..b@b.test", .badName),
        ("a@.b.test", .badDomain), ("a@b.test.", .badDomain), ("a@b..test", .badDomain), ("a@-b.test", .badDomain),
        ("a@b-.test", .badDomain), ("a@b_c.test", .badDomain), ("a@127.0.0.1", .badDomain), ("a@b.1", .badDomain),
        ("n\(longName)@b.test", .badName), ("a@d\(longLabel).test", .badDomain),
        ("a@\((0..<4).map { _ in longLabel }.joined(separator: "."))", .tooLong(limit: 254)),
    ]

    @Test("whatever another reader could take for something else is no address", arguments: refused)
    func isRefused(text: String, error: MailAddressError) {
        #expect(throws: error) { try MailAddress(text) }
        // Nor is it with a name before it.
        if !text.contains("<"), !text.contains(">") {
            #expect(throws: MailAddressError.self) { try MailParty("Name <\(text)>") }
        }
    }

    @Test(
        "a name may stand before an address",
        arguments: [
            ("a@b.test", nil, "a@b.test"), ("An App <a@b.test>", "An App", "An App <a@b.test>"),
            ("\"App, Inc.\" <a@b.test>", "App, Inc.", "App, Inc. <a@b.test>"), ("<a@b.test>", nil, "a@b.test"),
            ("Bücher<a@b.test>", "Bücher", "Bücher <a@b.test>"),
        ])
    func hasName(text: String, name: String?, shown: String) throws {
        let party = try MailParty(text)
        #expect(party.name == name)
        #expect(party.address.text == "a@b.test")
        #expect("\(party)" == shown)
    }

    @Test("a name that is none is refused")
    func badNames() throws {
        for text in ["A\r\nBcc: x <a@b.test>", "A <b> <a@b.test>", "\"A <a@b.test>", "A\u{0} <a@b.test>"] {
            #expect(throws: MailAddressError.badDisplayName) { try MailParty(text) }
        }
        let address = try MailAddress("a@b.test")
        #expect(try MailParty(address, name: String(repeating: "n", count: 256)).name != nil)
        #expect(throws: MailAddressError.nameTooLong(limit: 256)) {
            try MailParty(address, name: String(repeating: "n", count: 257))
        }
    }
}
