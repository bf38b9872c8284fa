import JSON
import Testing

@testable import UserPool

@Suite("Addresses that codes are sent to")
struct ContactAddressTests {
    @Test(
        "are one mailbox of letters that can be seen",
        arguments: [
            "ann@example.com", "ann+tag@example.com", "o'neil@example.co.uk", "jörg@example.com", "ann@bücher.example",
            "用户@例子.example", "a.b-c_d@x-y.example",
        ])
    func taken(address: String) {
        #expect(ContactAddress.isEmail(address))
    }

    @Test(
        "hold nothing that separates, breaks a line, or is not seen",
        arguments: [
            // What separates mailboxes, or comments on them.
            "a,b@example.com", "a@example.com,b@example.com", "a;b@example.com", "<a@example.com>", "A <a@example.com>",
            "a(b)@example.com", "\"a b\"@example.com", "a@b@example.com", "a:b@example.com", "a\\@example.com",
            // Blanks of every script.
            "a b@example.com", "a@example.com ", " a@example.com", "a\tb@example.com", "a\u{A0}b@example.com",
            "a\u{3000}b@example.com", "a\u{2003}b@example.com", "a@exam\u{202F}ple.com",
            // Ends of lines, and other control characters.
            "a@example.com\r\nBcc: b@example.com", "a\nb@example.com", "a\u{0}@example.com", "a@example.com\u{85}",
            "a@example.com\u{2028}", "a\u{2029}b@example.com", "a\u{7F}@example.com", "a@example\u{9F}.com",
            // Marks that are not seen: of direction, joiners, the mark of a byte order.
            "a\u{202E}moc@example.com", "a@example.com\u{200B}", "a\u{2066}b@example.com", "\u{FEFF}a@example.com",
            "a\u{AD}b@example.com", "a@exa\u{200D}mple.com",
            // What is no address at all.
            "", "a", "@example.com", "a@", "a@example", "a@.com", "a@example..com", "a@-example.com", ".a@example.com",
        ])
    func refused(address: String) async throws {
        #expect(!ContactAddress.isEmail(address), "\(address.debugDescription)")
        guard !address.isEmpty else { return }
        let pool = try TestPool()
        await #expect(throws: PoolError.invalidParameter("Invalid email address format.")) {
            _ = try await pool.call(
                "SignUp",
                [
                    "ClientId": "client", "Username": "ann", "Password": .string(TestPool.password),
                    "UserAttributes": [["Name": "email", "Value": .string(address)]],
                ])
        }
        #expect(try await pool.messageCount() == 0)
    }
}
