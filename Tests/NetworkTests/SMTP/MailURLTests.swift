import Network
import Testing

struct MailURLTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let isSecure: Bool
        let (host, port): (String, UInt16)
        var credentials: MailCredentials?
        var startTLS = MailURL.StartTLS.unlessLocal
    }

    static let good = [
        Row(testDescription: "smtp://mail.test", isSecure: false, host: "mail.test", port: 587),
        Row(testDescription: "smtps://mail.test", isSecure: true, host: "mail.test", port: 465),
        Row(testDescription: "SMTP://Mail.Test:2525/", isSecure: false, host: "mail.test", port: 2525),
        Row(testDescription: "smtps://[::1]:1025", isSecure: true, host: "::1", port: 1025),
        Row(
            testDescription: "smtp://app:p%40ss%3A%2F%3F%25%23é".replacing("é", with: "%C3%A9") + "@127.0.0.1",
            isSecure: false, host: "127.0.0.1", port: 587,
            credentials: MailCredentials(user: "app", password: "p@ss:/?%#é")),
        Row(
            testDescription: "smtps://app%40mail.test:a:b@mail.test", isSecure: true, host: "mail.test", port: 465,
            credentials: MailCredentials(user: "app@mail.test", password: "a:b")),
        Row(
            testDescription: "smtp://mail.test?starttls=never", isSecure: false, host: "mail.test", port: 587,
            startTLS: .never),
        Row(
            testDescription: "smtp://localhost:25/?starttls=always", isSecure: false, host: "localhost", port: 25,
            startTLS: .always),
        Row(
            testDescription: "smtp://a:b@localhost?starttls=never", isSecure: false, host: "localhost", port: 587,
            credentials: MailCredentials(user: "a", password: "b"), startTLS: .never),
    ]

    @Test("says where the server is, and how to come to it", arguments: good)
    func reads(row: Row) throws {
        let url = try MailURL(row.testDescription)
        #expect(url.isSecure == row.isSecure)
        #expect(url.host == row.host)
        #expect(url.port == row.port)
        #expect(url.credentials == row.credentials)
        #expect(url.startTLS == row.startTLS)
    }

    static let bad: [(String, MailURLError)] = [
        ("", .noScheme), ("mail.test", .noScheme), ("app:hunter2@mail.test", .noScheme),
        ("hunter2://mail.test", .noScheme),
        ("http://app:hunter2@mail.test", .noScheme), ("smtp:app:hunter2@mail.test", .noScheme),
        ("smtp://", .badHost), ("smtp://:25", .badHost), ("smtp://app:hunter2@", .badHost),
        ("smtp://app:hunter2@mail..test", .badHost), ("smtp://app:hunter2@1.2.3", .badHost),
        ("smtp://app:hunter2@[::1", .badHost), ("smtp://app:hunter2@mail.test:0", .badPort),
        ("smtp://app:hunter2@mail.test:65536", .badPort), ("smtp://app:hunter2@mail.test:x", .badPort),
        ("smtp://app:hunter2", .badPort), ("smtp://app:hun/ter2@mail.test", .unescaped),
        ("smtp://app:hun?ter2@mail.test", .unescaped), ("smtp://app:hun#ter2@mail.test", .unescaped),
        ("smtp://app:hunter@2@mail.test", .unescaped), ("smtp://app:hunter2%@mail.test", .unescaped),
        ("smtp://app:hunter2%0@mail.test", .unescaped), ("smtp://app:hunter2%00@mail.test", .unescaped),
        ("smtp://app:hunter2%0D%0A@mail.test", .badCredentials), ("smtp://app:hunter2%FF@mail.test", .badCredentials),
        ("smtp://hunter2@mail.test", .noPassword), ("smtp://:hunter2@mail.test", .noPassword),
        ("smtp://app:@mail.test", .noPassword), ("smtp://@mail.test", .noPassword),
        ("smtp://app:hunter2 @mail.test", .badCharacter(offset: 18)), ("smtp://é@mail.test", .badCharacter(offset: 7)),
        ("smtp://app:hunter2@mail.test\n", .badCharacter(offset: 28)),
        ("smtp://mail.test/path", .rest), ("smtp://mail.test?hunter2", .rest),
        ("smtp://mail.test?starttls=maybe", .rest),
        ("smtp://mail.test#hunter2", .rest), ("smtps://mail.test?starttls=always", .rest),
        ("smtp://app:hunter2@mail.test?starttls=never", .passwordInClear),
        ("smtp://app:hunter2@10.0.0.1?starttls=never", .passwordInClear),
        ("smtp://" + String(repeating: "a", count: 5_000), .tooLong(limit: 4_096)),
    ]

    @Test("what is wrong is told, and the password is not", arguments: bad)
    func refuses(text: String, error: MailURLError) {
        #expect(throws: error) { try MailURL(text) }
        #expect(!"\(error)".contains("hun"))
    }

    @Test("the password is in nothing that is shown")
    func hides() throws {
        let url = try MailURL("smtp://app:hunter2@[::1]:2525?starttls=always")
        #expect("\(url)" == "smtp://********@[::1]:2525?starttls=always")
        var dumped = ""
        dump(url, to: &dumped)
        for shown in [dumped, String(reflecting: url), "\([url])", "\(String(describing: url.credentials))"] {
            #expect(!shown.contains("hunter2"))
        }
        // What is shown is a URL where nothing is hidden.
        for text in ["smtp://mail.test:587", "smtps://[::1]:465", "smtp://mail.test:25?starttls=never"] {
            #expect("\(try MailURL(text))" == text)
        }
    }
}
