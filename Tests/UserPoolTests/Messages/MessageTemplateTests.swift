import JSON
import Testing

@testable import UserPool

@Suite("The words of messages")
struct MessageTemplateTests {
    private static func messages(_ pool: TestPool) async throws -> [StoredMessage] {
        try await pool.pool.messages(after: 0, max: 50)
    }

    @Test("are the configuration's for each purpose, and those of verification where forgotten passwords have none")
    func words() async throws {
        let pool = try TestPool { settings in
            settings.messages.verification = MessageTemplate(
                subject: "Prove it", email: "{username}: {####} proves it", sms: "{####}!")
            settings.messages.forgotPassword = MessageTemplate(subject: "Forgot?", email: nil, sms: nil)
            settings.messages.signIn = MessageTemplate(subject: "In", email: "Enter with {####}", sms: "In: {####}")
            settings.messages.invitation = MessageTemplate(
                subject: "Come in", email: "Be {username} by {####}", sms: "{username} {####}")
            settings.secondFactors = [.email, .sms]
        }
        try await pool.call(
            "SignUp",
            [
                "ClientId": "client", "Username": "ann", "Password": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": "ann@example.com"]],
            ])
        try await pool.make(
            "bob", [("email", "bob@example.com"), ("email_verified", "true"), ("phone_number", "+15550001111")]
        ) { $0.secondFactors = SecondFactorChoice(stored: "SMS_MFA*") }
        try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "bob"])
        try await pool.signIn("bob")
        try await pool.call(
            "AdminCreateUser",
            [
                "UserPoolId": "us-east-1_abcDEF123", "Username": "cem", "TemporaryPassword": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": "cem@example.com"]], "DesiredDeliveryMediums": ["EMAIL"],
            ], by: true)
        let sent = try await Self.messages(pool)
        #expect(sent.map(\.subject) == ["Prove it", "Forgot?", "In", "Come in"])
        #expect(
            sent.map { $0.body.replacing($0.code, with: "CODE") } == [
                "ann: CODE proves it", "bob: CODE proves it", "In: CODE", "Be cem by CODE",
            ])
        #expect(sent.allSatisfy { $0.html == nil })
    }

    @Test("name those who sign in by an address by it")
    func namesByAddress() async throws {
        let pool = try TestPool { settings in
            settings.signInNames = [.email]
            settings.messages.verification.email = "{username} {####}"
        }
        try await pool.call(
            "SignUp", ["ClientId": "client", "Username": "ann@example.com", "Password": .string(TestPool.password)])
        let message = try #require(try await Self.messages(pool).first)
        #expect(message.body == "ann@example.com \(message.code)")
    }

    @Test("with markup go as a page and as plain text, and what users are called is text in both")
    func page() async throws {
        let pool = try TestPool { settings in
            settings.messages.verification.email =
                "<style>p { color: red }</style><p>Hello {username},</p><p>5 &lt; 6: "
                + "<a href=\"https://app.test/?code={####}\">Go</a><br/>Bye</p>"
        }
        try await pool.call(
            "SignUp",
            [
                "ClientId": "client", "Username": "<b>&{####}", "Password": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": "ann@example.com"]],
            ])
        let message = try #require(try await Self.messages(pool).first)
        #expect(
            message.body == "Hello <b>&{####},\n5 < 6: Go (https://app.test/?code=\(message.code))\nBye")
        #expect(
            message.html == "<style>p { color: red }</style><p>Hello &lt;b&gt;&amp;{####},</p><p>5 &lt; 6: "
                + "<a href=\"https://app.test/?code=\(message.code)\">Go</a><br/>Bye</p>")
    }

    static let plainRows: [(markup: String, plain: String)] = [
        ("no tag: 1 < 2 > 0", "no tag: 1 < 2 > 0"),
        ("a <", "a <"), ("a <b", "a <b"), ("</", "</"), ("<!", "<!"),
        ("<b>x</b>", "x"), ("<B CLASS='y'>x</B >", "x"),
        ("x<!-- hidden -->y", "xy"),
        ("<a href='u'>t</a>", "t (u)"), ("<a>t</a>", "t"), ("<a href=u>t</a>", "t"),
        ("&amp;lt;<i></i>", "&lt;"),
        ("<script>if (a < b) { x() }</script>z", "z"),
        ("<div>a</div><div>b</div>", "a\nb"),
    ]

    @Test("are read as plain text without their tags", arguments: plainRows)
    func plain(_ row: (markup: String, plain: String)) {
        #expect(MarkupText.plain(row.markup) == row.plain)
    }
}
