import Crypto
import Foundation
import JSON
import Store
import TestSupport
import Testing

@testable import UserPool

@Suite("Users from files, and into some")
struct UserTransferTests {
    private static let bcrypt = "$2b$04$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"
    private static let scrypt =
        "$scrypt$ln=4,r=8,p=2$yMnKy8zNzs/Q0dLT1NXW1w$EQ3llv1ZjzUMiGw1jO9IRtndkbNMsoXFZPkedLaOVqI"
    /// Of both.
    private static let password = "Pässw0rd-☕"

    private struct Taken {
        var outcome = UserImport.Outcome()
        var refusals: [String] = []
        var progress: [Int] = []
    }

    private func load(_ text: String, into pool: TestPool) async throws -> Taken {
        let folder = TemporaryFolder()
        let file = UserFile(try LineReader(opening: try folder.write(text, to: "users")))
        var taken = Taken()
        taken.outcome = try await UserImport(into: pool.pool).run(
            file, on: pool.shard, report: { taken.progress.append($0.users) },
            refuse: { taken.refusals.append("\($0): \($1)") })
        return taken
    }

    private func export(_ pool: TestPool) throws -> String {
        let folder = TemporaryFolder()
        let path = try folder.write("", to: "users")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        _ = try UserExport(pool.pool.store.readerBeside(), of: pool.pool.identifiers)
            .run(to: file.fileDescriptor, name: path)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private func signInBySRP(_ name: String, _ password: String, in pool: TestPool) async throws -> JSONValue {
        let begun = try await pool.begin(
            "USER_SRP_AUTH", ["USERNAME": .string(name), "SRP_A": .string(client(name, password, pool).clientNumber)])
        let client = client(begun.parameter("USER_ID_FOR_SRP") ?? "", password, pool)
        return try await pool.respond("PASSWORD_VERIFIER", try pool.claim(of: client, begun), after: begun)
    }

    private func client(_ name: String, _ password: String, _ pool: TestPool) -> ReferenceClient {
        ReferenceClient(
            arithmetic: .fast, group: pool.pool.identifiers.poolName, user: name, password: password,
            secret: String(repeating: "7a", count: 32))
    }

    // MARK: Passwords of other servers

    @Test(
        "a password of another server lets in, and gets a verifier with which SRP works", arguments: [bcrypt, scrypt])
    func foreignPassword(hash: String) async throws {
        let pool = try TestPool()
        let taken = try await load(
            #"{"username":"ann","passwordHash":"\#(hash)","attributes":{"email":"ann@example.com"}}"#, into: pool)
        #expect(taken.outcome == UserImport.Outcome(made: 1, withForeignPassword: 1), "\(taken)")
        #expect(try await pool.user("ann").status == .confirmed)
        // Nothing can be proved by SRP yet: that is a wrong password.
        await #expect(throws: PoolError.wrongPassword) {
            try await signInBySRP("ann", Self.password, in: pool)
        }
        await #expect(throws: PoolError.wrongPassword) { try await pool.signIn("ann", "Wr0ng!Word") }
        #expect(try await pool.user("ann").foreignHash == hash)
        #expect(try await pool.signIn("ann", Self.password).signsIn)
        let user = try await pool.user("ann")
        #expect(user.foreignHash == nil && user.password != nil)
        #expect(try await signInBySRP("ann", Self.password, in: pool).signsIn)
        #expect(try await pool.signIn("ann", Self.password).signsIn)
        await #expect(throws: PoolError.wrongPassword) { try await pool.signIn("ann", "Wr0ng!Word") }
    }

    @Test("wrong tries of such a password count like others")
    func foreignPasswordTries() async throws {
        let pool = try TestPool()
        _ = try await load(#"{"username":"ann","passwordHash":"\#(Self.bcrypt)"}"#, into: pool)
        for _ in 0..<PoolLimits.freeTries { _ = try? await pool.signIn("ann", "Wr0ng!Word") }
        await #expect(throws: PoolError.tooManyPasswords) { try await pool.signIn("ann", Self.password) }
        #expect(try await pool.user("ann").foreignHash != nil)
    }

    @Test("whoever has such a password is offered what others are, and has to know it to change it")
    func foreignPasswordElsewhere() async throws {
        let pool = try TestPool()
        _ = try await load(
            """
            {"username":"ann","passwordHash":"\(Self.bcrypt)",\
            "attributes":{"email":"ann@example.com","email_verified":"true"}}
            """, into: pool)
        let asked = try await pool.begin("USER_AUTH", ["USERNAME": "ann"])
        #expect(asked["AvailableChallenges"] == ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP"])
        let mailed = try await pool.respond("SELECT_CHALLENGE", ["ANSWER": "EMAIL_OTP"], after: asked)
        let code = JSONValue.string(try await pool.code(to: "ann@example.com"))
        let done = try await pool.respond("EMAIL_OTP", ["EMAIL_OTP_CODE": code], after: mailed)
        let token = try #require(done.token("AccessToken"))
        let wish: JSONValue = ["AccessToken": token, "ProposedPassword": "N3w!Passw0rd"]
        await #expect(throws: PoolError.wrongPassword) {
            try await pool.call("ChangePassword", wish.adding(["PreviousPassword": "Wr0ng!Word"]))
        }
        try await pool.call("ChangePassword", wish.adding(["PreviousPassword": .string(Self.password)]))
        #expect(try await pool.signIn("ann", "N3w!Passw0rd").signsIn)
        await #expect(throws: PoolError.wrongPassword) { try await pool.signIn("ann", Self.password) }
    }

    @Test("a name that is nobody's has the work of somebody who is there, always the same")
    func work() async throws {
        let pool = try TestPool()
        try await pool.make("own")
        #expect(try pool.pool.store.readerBeside().foreignHash(ofSomebodyLike: 7) == nil)
        _ = try await load(#"{"username":"ann","passwordHash":"\#(Self.bcrypt)"}"#, into: pool)
        let found = try (0..<8).map { try pool.pool.store.readerBeside().foreignHash(ofSomebodyLike: $0) }
        #expect(found == [nil, Self.bcrypt, nil, Self.bcrypt, nil, Self.bcrypt, nil, Self.bcrypt])
        for name in ["nobody", "none", "no one"] {
            await #expect(throws: PoolError.wrongPassword) { try await pool.signIn(name, Self.password) }
        }
        #expect(try await pool.user("ann").foreignHash == Self.bcrypt)
    }

    // MARK: Lines

    @Test("who was exported can sign in where they are imported, and is exported the same again")
    func roundTrip() async throws {
        let source = try TestPool { $0.aliases = ["email"] }
        try await source.make(
            "ann", [("email", "ann@example.com"), ("email_verified", "true"), ("name", "Ann \"A\"\n")])
        try await source.make("bob", password: nil) {
            $0.isEnabled = false; $0.status = .mustReset
        }
        try await source.make("tom") { user in
            user.totpSecret = OneTimeCode.makeSecret()
            user.secondFactors = SecondFactorChoice(stored: "SOFTWARE_TOKEN_MFA*")
        }
        _ = try await load(
            """
            {"group":"admins","precedence":1,"role":"arn:aws:iam::123456789012:role/admins","description":"All"}
            {"username":"eve","passwordHash":"\(Self.bcrypt)","groups":["admins","new"],\
            "links":[{"provider":"Google","subject":"117"}]}
            """, into: source)
        let text = try export(source)
        let copy = try TestPool { $0.aliases = ["email"] }
        let taken = try await load(text, into: copy)
        #expect(taken.refusals.isEmpty && taken.outcome.made == 4)
        #expect(try export(copy) == text)
        #expect(try await signInBySRP("ann", TestPool.password, in: copy).signsIn)
        #expect(
            try await copy.signIn("eve", Self.password).claims(of: "IdToken")["cognito:groups"] == ["admins", "new"])
        #expect(try await copy.signIn("tom").challenge == "SOFTWARE_TOKEN_MFA")
        let again = try await load(text, into: copy)
        #expect(again.outcome == UserImport.Outcome(present: 4))

        // In a pool of another name clients make other proofs: by the password first, then by SRP.
        let other = try TestPool(id: "eu-west-1_other0000")
        #expect(try await load(text, into: other).outcome.withForeignPassword == 3)
        await #expect(throws: PoolError.wrongPassword) { try await signInBySRP("ann", TestPool.password, in: other) }
        #expect(try await other.signIn("ann").signsIn)
        #expect(try await signInBySRP("ann", TestPool.password, in: other).signsIn)
        #expect(try await other.user("ann").sub == source.user("ann").sub)
    }

    @Test("users of a pool that names them itself stay who they were")
    func namedByPool() async throws {
        let source = try TestPool { $0.signInNames = [.email] }
        try await source.call(
            "SignUp",
            [
                "ClientId": "client", "Username": "ann@example.com", "Password": .string(TestPool.password),
            ])
        try await source.call(
            "ConfirmSignUp",
            [
                "ClientId": "client", "Username": "ann@example.com",
                "ConfirmationCode": .string(try await source.code()),
            ])
        let copy = try TestPool { $0.signInNames = [.email] }
        #expect(try await load(try export(source), into: copy).outcome.made == 1)
        #expect(try await signInBySRP("ann@example.com", TestPool.password, in: copy).signsIn)
        #expect(try await copy.user("ann@example.com").sub == source.user("ann@example.com").sub)
    }

    @Test(
        "a line that cannot be is told with its number, and leaves nothing behind",
        arguments: [
            (#"{"username":"#, "2: column 13: expected"), ("[]", "2: expected an object"),
            (#"{"attributes":{}}"#, "2: the user has no username"),
            (#"{"username":"a b"}"#, "2: a username has at most 128 characters, no blanks among them"),
            (#"{"username":"x","colour":"red"}"#, #"2: there is no "colour" of a user; what there is: username"#),
            (#"{"username":"x","enabled":"yes"}"#, "2: enabled is a string, not true or false"),
            (#"{"username":"x","status":"GONE"}"#, "2: status is none of UNCONFIRMED, CONFIRMED"),
            (#"{"username":"x","created":"today"}"#, "2: created is no time such as"),
            (#"{"username":"x","sub":"1"}"#, "2: sub is no UUID"),
            (#"{"username":"x","passwordHash":"$1$abc"}"#, "2: passwordHash is neither a bcrypt text"),
            (#"{"username":"x","srp":{"salt":"01","verifier":"01"}}"#, "2: srp holds no salt and verifier"),
            (
                #"{"username":"x","srp":{"salt":"01","verifier":"05"},"passwordHash":"\#(bcrypt)"}"#,
                "2: passwordHash and srp are two traces"
            ),
            (#"{"username":"x","attributes":{"email":"none"}}"#, "2: Invalid email address format."),
            (#"{"username":"x","attributes":{"colour":"red"}}"#, "2: user.colour: Attribute does not exist"),
            (#"{"username":"x","attributes":{"identities":"[]"}}"#, "2: A client attempted to write"),
            (
                #"{"username":"x","groups":["y"],"attributes":{"email":"ann@example.com","email_verified":"true"}}"#,
                "2: the email ann@example.com is another user's"
            ),
            (#"{"username":"x","groups":["a b"]}"#, "2: a group's name has 1 to 128 characters"),
            (#"{"username":"x","mfa":{"enabled":["FACE"]}}"#, "2: mfa.enabled is none of SOFTWARE_TOKEN_MFA"),
            (#"{"username":"x","mfa":{"secret":"!"}}"#, "2: mfa.secret is no secret"),
            (#"{"group":"x","size":1}"#, #"2: there is no "size" of a group"#),
            (#"{"username":"x@example.com"}"#, "2: x@example.com is an address"),
            (
                #"{"username":"ann","sub":"11111111-2222-4333-8444-555555555555"}"#,
                "2: the name ann is that of another user"
            ),
        ])
    func faults(line: String, fault: String) async throws {
        let pool = try TestPool { $0.aliases = ["email"] }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        try await pool.write { change throws(PoolError) in
            let user = try change.session.user(named: UserName("ann", in: change.settings))
            if let user { try change.nameByAddresses(user, formerly: nil, movesAlias: false) }
        }
        let taken = try await load(#"{"username":"before"}"# + "\n\(line)\n" + #"{"username":"behind"}"#, into: pool)
        #expect(taken.refusals.count == 1 && taken.refusals.first?.hasPrefix(fault) == true, "\(taken.refusals)")
        #expect(taken.outcome.made == 2 && taken.outcome.refused == 1)
        let text = try export(pool)
        #expect(text.split(separator: "\n").count == 3, "\(text)")
    }

    @Test("many users come in with several transactions, and a line has a limit")
    func many() async throws {
        let pool = try TestPool()
        let count = PoolLimits.importedUsersPerTransaction * 2 + 1
        let text = (1...count).map { #"{"username":"u\#($0)"}"# }.joined(separator: "\n")
        let taken = try await load(text, into: pool)
        #expect(taken.outcome.made == count)
        #expect(taken.progress == [count / 2, count - 1, count])
        let long = #"{"username":"\#(String(repeating: "x", count: PoolLimits.importedLineBytesMax))"}"#
        let refused = try await load("\(long)\n" + #"{"username":"next"}"#, into: pool)
        #expect(refused.refusals.count == 1 && refused.refusals[0].hasPrefix("1: a line has at most"))
        #expect(refused.outcome.made == 1)
    }

    // MARK: Cognito's table

    private static let header = "cognito:username,name,email,email_verified,phone_number,cognito:mfa_enabled\r\n"

    @Test("the table of Cognito's own imports makes users who reset their passwords")
    func table() async throws {
        let pool = try TestPool { $0.existenceErrors = .shown }
        let taken = try await load(
            "\u{FEFF}" + Self.header + "ann,\"Ann, \"\"A\"\"\r\nof B\",ann@example.com,TRUE,,FALSE\r\n\r\n"
                + "bob,Bob\\, B,bob@example.com,false,+15555550100,TRUE\r\n", into: pool)
        #expect(taken.refusals.isEmpty)
        #expect(taken.outcome == UserImport.Outcome(made: 2, withoutPassword: 2))
        let ann = try await pool.user("ann")
        #expect(ann.status == .mustReset && ann.attribute("name") == "Ann, \"A\"\r\nof B" && ann.hasVerified("email"))
        let bob = try await pool.user("bob")
        #expect(bob.attribute("name") == "Bob, B" && bob.secondFactors.enabled == [.sms] && !bob.hasVerified("email"))
        await #expect(throws: PoolError.resetRequired) { try await pool.signIn("ann") }
        await #expect(throws: PoolError.resetRequired) { try await signInBySRP("ann", TestPool.password, in: pool) }
        try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "ann"])
        try await pool.call(
            "ConfirmForgotPassword",
            [
                "ClientId": "client", "Username": "ann", "ConfirmationCode": .string(try await pool.code()),
                "Password": .string(TestPool.password),
            ])
        #expect(try await pool.signIn("ann").signsIn)
    }

    @Test("a quotation mark within a value is a mark, and one at its beginning goes on over some lines only")
    func quotationMarks() async throws {
        let pool = try TestPool()
        let taken = try await load(
            Self.header + "ann,5\" tall,,,,\nbob,\\\"B\\\",,,,\neve,\"\"\"E\"\"\",,,,\n", into: pool)
        #expect(taken.refusals.isEmpty && taken.outcome.made == 3)
        #expect(try await pool.user("ann").attribute("name") == "5\" tall")
        #expect(try await pool.user("bob").attribute("name") == "\"B\"")
        #expect(try await pool.user("eve").attribute("name") == "\"E\"")
        let lines = String(repeating: "\n", count: PoolLimits.importedRowLinesMax + 1)
        let long = try await load(Self.header + "tom,\"\(lines)\",,,,\n", into: pool)
        #expect(long.refusals.first?.hasPrefix("2: a line has at most") == true, "\(long.refusals)")
        #expect(long.outcome.made == 0)
    }

    @Test("where existence is hidden, one who has to reset is refused like one who is not there")
    func hidden() async throws {
        let pool = try TestPool()
        _ = try await load(Self.header + "ann,,ann@example.com,true,,\n", into: pool)
        await #expect(throws: PoolError.wrongPassword) { try await pool.signIn("ann") }
    }

    @Test(
        "a row that cannot be is told with its number",
        arguments: [
            ("ann,Ann", "2: the row has 2 values, and the table 6 columns"),
            ("ann,\"Ann,,,,", "2: a value between quotation marks has no end"),
            ("ann,\"Ann\"x,,,,", "2: something follows a value behind its quotation mark"),
            ("ann,,ann@example.com,yes,,", #"2: email_verified is "yes", not true or false"#),
            ("ann,,,,,true", "2: cognito:mfa_enabled is true, and there is no phone_number"),
            (",,,,,", "2: the user has no username"), ("ann,,none,,,", "2: Invalid email address format."),
        ])
    func faultsOfRows(row: String, fault: String) async throws {
        let taken = try await load(Self.header + row, into: try TestPool())
        #expect(taken.refusals.count == 1 && taken.refusals.first?.hasPrefix(fault) == true, "\(taken.refusals)")
    }

    @Test(
        "a file of another form is refused as a whole",
        arguments: ["name,email\nann,a@b.c", "[\n{}\n]", "cognito:username,cognito:username\na,b", "users"])
    func otherForms(text: String) async throws {
        let pool = try TestPool()
        await #expect(throws: TransferError.self) { try await load(text, into: pool) }
    }
}
