import Access
import Crypto
import JSON
import Store
import Testing

@testable import UserPool

/// The app's functions, called at their points of a sign-up and a sign-in.
@Suite("The app's functions")
struct TriggerTests {
    private static func signUp(_ pool: TestPool, _ name: String = "ann") async throws(PoolError) -> JSONValue {
        try await pool.call(
            "SignUp",
            [
                "ClientId": "client", "Username": .string(name), "Password": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": .string("\(name)@example.com")]],
                "ClientMetadata": ["from": "web"], "ValidationData": [["Name": "captcha", "Value": "7"]],
            ])
    }

    @Test("before a sign-up one confirms, and takes addresses for proved")
    func confirms() async throws {
        let functions = TestFunctions { source, event in
            if source == "PreSignUp_SignUp" {
                event.respond("autoConfirmUser", true)
                event.respond("autoVerifyEmail", true)
            }
            return nil
        }
        let pool = try functions.pool([.preSignUp, .postConfirmation])
        let answer = try await Self.signUp(pool)
        #expect(answer["UserConfirmed"] == true)
        #expect(answer["CodeDeliveryDetails"] == nil)
        #expect(functions.sources == ["PreSignUp_SignUp", "PostConfirmation_ConfirmSignUp"])
        let request = try #require(functions.events.first?["request"])
        #expect(request["userAttributes"]?["email"] == "ann@example.com")
        #expect(request["clientMetadata"]?["from"] == "web")
        #expect(request["validationData"]?["captcha"] == "7")
        #expect(try await pool.user("ann").hasVerified("email"))
        #expect(try await pool.signIn("ann").signsIn)
    }

    @Test("what one fails with comes to the app in Cognito's words, and nobody is made")
    func refuses() async throws {
        let rows: [(answer: OutsideResponse, type: String, message: String)] = [
            (
                OutsideResponse(status: 200, body: Array(#"{"errorMessage":"no robots","errorType":"Error"}"#.utf8)),
                "UserLambdaValidationException", "PreSignUp failed with error no robots."
            ),
            (
                OutsideResponse(
                    status: 200, fields: [("X-Amz-Function-Error", "Unhandled")],
                    body: Array(#"{"errorMessage":"boom"}"#.utf8)),
                "UserLambdaValidationException", "PreSignUp failed with error boom."
            ),
            (
                OutsideResponse(status: 200, body: Array("not JSON".utf8)), "InvalidLambdaResponseException",
                "Unrecognizable lambda output"
            ),
            (
                OutsideResponse(status: 200, body: Array("{}".utf8)), "InvalidLambdaResponseException",
                "Unrecognizable lambda output"
            ),
        ]
        for row in rows {
            let pool = try TestFunctions { _, _ in row.answer }.pool([.preSignUp])
            do throws(PoolError) {
                _ = try await Self.signUp(pool)
                Issue.record("\(row.message) was no refusal")
            } catch {
                #expect(error.type == row.type)
                #expect(error.message == row.message)
            }
            await #expect(throws: PoolError.self) { _ = try await pool.signIn("ann") }
        }
    }

    @Test("around a sign-in they are called in their order, and the first may refuse it")
    func signsIn() async throws {
        let functions = TestFunctions { source, event in
            guard source == "PreAuthentication_Authentication",
                event["userName"] == "bob"
            else { return nil }
            return OutsideResponse(status: 200, body: Array(#"{"errorMessage":"not bob","errorType":"E"}"#.utf8))
        }
        let pool = try functions.pool([.preAuthentication, .postAuthentication, .preTokenGeneration])
        try await pool.make("ann")
        try await pool.make("bob")
        let before = functions.sources.count
        #expect(try await pool.signIn("ann").signsIn)
        #expect(
            Array(functions.sources[before...]) == [
                "PreAuthentication_Authentication", "PostAuthentication_Authentication",
                "TokenGeneration_Authentication",
            ])
        await #expect(
            throws: PoolError("UserLambdaValidationException", "PreAuthentication failed with error not bob.")
        ) {
            _ = try await pool.signIn("bob")
        }
    }

    @Test("one says what is in tokens, but not whose they are, nor for how long")
    func customizes() async throws {
        let functions = TestFunctions { source, event in
            event.respond(
                "claimsOverrideDetails",
                [
                    "claimsToAddOrOverride": ["tenant": "t1", "sub": "somebody", "exp": "9999999999"],
                    "claimsToSuppress": ["email", "iss"],
                    "groupOverrideDetails": ["groupsToOverride": ["Editors"]],
                ])
            return nil
        }
        let pool = try functions.pool([.preTokenGeneration])
        let user = try await pool.make("ann", [("email", "ann@example.com")])
        let answer = try await pool.signIn("ann")
        let claims = try answer.claims(of: "IdToken")
        #expect(claims["tenant"] == "t1")
        #expect(claims["sub"] == .string(user.sub))
        #expect(claims["exp"]?.integer != nil)
        #expect(claims["email"] == nil)
        #expect(claims["iss"] != nil)
        #expect(claims["cognito:groups"] == ["Editors"])
        let access = try answer.claims(of: "AccessToken")
        #expect(access["cognito:groups"] == ["Editors"])
        // The first form is for ID tokens.
        #expect(access["tenant"] == nil)
    }

    @Test("in the second form one adds to access tokens too, but no scope of the pool's own")
    func customizesAccess() async throws {
        let functions = TestFunctions { _, event in
            event.respond(
                "claimsAndScopeOverrideDetails",
                [
                    "accessTokenGeneration": [
                        "claimsToAddOrOverride": ["level": 3],
                        "scopesToAdd": ["app/read", "aws.cognito.signin.user.admin.more"],
                    ]
                ])
            return nil
        }
        let pool = try functions.pool([.preTokenGeneration]) { $0.triggers.tokenVersion = 2 }
        try await pool.make("ann")
        let access = try await pool.signIn("ann").claims(of: "AccessToken")
        #expect(access["level"] == 3)
        #expect(access["scope"] == "aws.cognito.signin.user.admin app/read")
        #expect(functions.events.last?["version"] == "2")
    }

    @Test("one brings users over who are not there, by their password")
    func migrates() async throws {
        let functions = TestFunctions { _, event in
            if event["request"]?["password"] == .string(TestPool.password) {
                event.respond("userAttributes", ["email": "old@example.com", "email_verified": "true"])
                event.respond("finalUserStatus", "CONFIRMED")
            }
            return nil
        }
        let pool = try functions.pool([.userMigration])
        await #expect(throws: PoolError.self) { _ = try await pool.signIn("old", "Wr0ng!Password") }
        #expect(try await pool.signIn("old").signsIn)
        #expect(try await pool.user("old").hasVerified("email"))
        // They are there now: nobody is asked again.
        let calls = functions.events.count
        #expect(try await pool.signIn("old").signsIn)
        #expect(functions.events.count == calls)
    }

    @Test("one is asked for the password of a user who came without one, and has to know the same person")
    func provesImported() async throws {
        let functions = TestFunctions { _, event in
            if event["request"]?["password"] == .string(TestPool.password) {
                event.respond("userAttributes", ["email": "ann@example.com"])
                event.respond("finalUserStatus", "CONFIRMED")
            }
            return nil
        }
        let pool = try functions.pool([.userMigration])
        var names = ["ann", "eve"]
        let file = UserFile(name: "users") { () throws(TransferError) in
            guard let name = names.popLast() else { return nil }
            return (
                1,
                JSONObject([
                    ("username", .string(name)), ("status", "RESET_REQUIRED"),
                    ("attributes", ["email": .string("\(name)@example.com"), "email_verified": "true"]),
                ])
            )
        }
        let outcome = try await UserImport(into: pool.pool).run(file, on: PoolShard()) { _, why in
            Issue.record("\(why)")
        }
        #expect(outcome.made == 2)
        await #expect(throws: PoolError.self) { _ = try await pool.signIn("ann", "Wr0ng!Password") }
        #expect(try await pool.signIn("ann").signsIn)
        #expect(try await pool.user("ann").status == .confirmed)
        // The password is known here now.
        let calls = functions.events.count
        #expect(try await pool.signIn("ann").signsIn)
        #expect(functions.events.count == calls)
        // Somebody else has the name there.
        await #expect(throws: PoolError.self) { _ = try await pool.signIn("eve") }
        #expect(try await pool.user("eve").status == .mustReset)
    }

    @Test(
        "a first sign-in brings the identity that the function has found at the old identity pool, if it is nobody else's"
    )
    func identities() async throws {
        let moved = "us-east-1:99999999-2222-4333-8444-555555555555"
        let functions = TestFunctions { _, event in
            event.respond("userAttributes", ["email_verified": "true"])
            event.respond("finalUserStatus", "CONFIRMED")
            event.respond("identityId", .string(moved))
            return nil
        }
        let reports = TestPool.Reports()
        let pool = try TestPool(outside: functions, reports: reports) {
            $0.triggers.urls[.userMigration] = "http://functions.test/userMigration"
        }
        let owners = IdentityImport(into: pool.pool)
        #expect(try await owners.hold([moved], on: PoolShard()) == [moved])
        var names = ["ann"]
        let file = UserFile(name: "users") { () throws(TransferError) in
            names.popLast().map { (1, JSONObject([("username", .string($0)), ("status", "RESET_REQUIRED")])) }
        }
        _ = try await UserImport(into: pool.pool).run(file, on: PoolShard()) { _, why in Issue.record("\(why)") }
        // A user who came without a password.
        #expect(try await pool.signIn("ann").signsIn)
        #expect(try await owners.hold([moved], on: PoolShard()) == [])
        let ann = try await pool.user("ann").sub
        let owner = try await pool.pool.write { session throws(PoolError) in try session.identity(moved)?.subject }
        #expect(owner == ann)
        // One who comes with the first sign-in, for whom the function says the same: it is reported, and they sign in without.
        #expect(try await pool.signIn("eve").signsIn)
        #expect(reports.all == ["userMigration: the identity \(moved) is another user's"])
        let eve = try await pool.user("eve").sub
        let none = try await pool.pool.write { session throws(PoolError) in try session.identity(of: eve)?.id }
        #expect(none == nil)
    }

    @Test("challenges of the app's own lead in, round by round, and never somebody who is not there")
    func challenges() async throws {
        let functions = TestFunctions { source, event in
            let rounds = event["request"]?["session"]?.array ?? []
            switch source {
            case "DefineAuthChallenge_Authentication":
                let isRight = rounds.allSatisfy { $0["challengeResult"] == true }
                if rounds.count == 2, isRight {
                    event.respond("issueTokens", true)
                } else if !isRight {
                    event.respond("failAuthentication", true)
                } else {
                    event.respond("challengeName", "CUSTOM_CHALLENGE")
                }
            case "CreateAuthChallenge_Authentication":
                event.respond("publicChallengeParameters", ["round": .string("\(rounds.count + 1)")])
                event.respond("privateChallengeParameters", ["answer": .string("\(2 * (rounds.count + 1))")])
            case "VerifyAuthChallengeResponse_Authentication":
                let request = event["request"]
                event.respond(
                    "answerCorrect",
                    .bool(request?["challengeAnswer"] == request?["privateChallengeParameters"]?["answer"]))
            default: break
            }
            return nil
        }
        let pool = try functions.pool([.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse])
        try await pool.make("ann")
        func answer(_ answers: [String], as name: String) async throws(PoolError) -> JSONValue {
            var answer = try await pool.begin("CUSTOM_AUTH", ["USERNAME": .string(name)])
            for text in answers {
                answer = try await pool.respond(
                    "CUSTOM_CHALLENGE", ["USERNAME": .string(name), "ANSWER": .string(text)], after: answer)
            }
            return answer
        }
        #expect(try await answer(["2"], as: "ann").parameter("round") == "2")
        #expect(try await answer(["2", "4"], as: "ann").signsIn)
        await #expect(throws: PoolError.wrongPassword) { _ = try await answer(["2", "5"], as: "ann") }
        await #expect(throws: PoolError.wrongPassword) { _ = try await answer(["2", "4"], as: "nobody") }
    }

    @Test("one words the messages that bring codes, and has to leave a place for them")
    func words() async throws {
        let functions = TestFunctions { _, event in
            event.respond("emailSubject", "Hello")
            event.respond("emailMessage", "Type {####}, please")
            return nil
        }
        let pool = try functions.pool([.customMessage])
        _ = try await Self.signUp(pool)
        let code = try await pool.code(to: "ann@example.com")
        #expect(try await pool.pool.messages(after: 0, max: 10).map(\.body) == ["Type \(code), please"])
        let placeless = try TestFunctions { _, event in
            event.respond("emailMessage", "No place")
            return nil
        }.pool([.customMessage])
        await #expect(throws: PoolError.self) { _ = try await Self.signUp(placeless) }
        #expect(try await placeless.messageCount() == 0)
    }

    @Test("one words the codes that sign in, and is asked only where one is sent", arguments: [false, true])
    func wordsSignIns(isFirst: Bool) async throws {
        let functions = TestFunctions { source, event in
            event.respond("emailMessage", .string("\(source): {####}"))
            return nil
        }
        let pool = try functions.pool([.customMessage]) { $0.secondFactors = [.email] }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")]) { user in
            if !isFirst { user.secondFactors = SecondFactorChoice(stored: "EMAIL_OTP*") }
        }
        try await pool.make("bob", [("email", "bob@example.com"), ("email_verified", "true")])
        #expect(try await pool.signIn("bob").signsIn)
        #expect(functions.events.isEmpty)
        let asked =
            isFirst
            ? try await pool.begin("USER_AUTH", ["USERNAME": "ann", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
            : try await pool.signIn("ann")
        #expect(asked.challenge == "EMAIL_OTP")
        #expect(functions.sources == ["CustomMessage_Authentication"])
        #expect(functions.events.first?["userName"] == "ann")
        let message = try #require(try await pool.pool.messages(after: 0, max: 10).last)
        #expect(message.body == "CustomMessage_Authentication: \(message.code)")
        let done = try await pool.respond(
            "EMAIL_OTP", ["USERNAME": "ann", "EMAIL_OTP_CODE": .string(message.code)], after: asked)
        #expect(done.signsIn)
        #expect(functions.events.count == 1)
    }

    @Test("one that fails about a code leaves nothing behind: no message, and the session good for another try")
    func failsAtSignIn() async throws {
        let functions = TestFunctions { _, event in
            guard event["request"]?["clientMetadata"]?["fail"] == "yes" else { return nil }
            return OutsideResponse(status: 200, body: Array(#"{"errorMessage":"no words"}"#.utf8))
        }
        let pool = try functions.pool([.customMessage]) { $0.secondFactors = [.email, .totp] }
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")]) { user in
            user.secondFactors = SecondFactorChoice(stored: "EMAIL_OTP SOFTWARE_TOKEN_MFA")
            user.totpSecret = Array(0..<20)
        }
        let choice = try await pool.signIn("ann")
        #expect(choice.challenge == "SELECT_MFA_TYPE")
        func choose(_ metadata: JSONValue) async throws(PoolError) -> JSONValue {
            try await pool.call(
                "RespondToAuthChallenge",
                [
                    "ClientId": "client", "ChallengeName": "SELECT_MFA_TYPE", "Session": choice["Session"] ?? .null,
                    "ChallengeResponses": ["USERNAME": "ann", "ANSWER": "EMAIL_OTP"], "ClientMetadata": metadata,
                ])
        }
        await #expect(throws: PoolError("UserLambdaValidationException", "CustomMessage failed with error no words.")) {
            _ = try await choose(["fail": "yes"])
        }
        #expect(try await pool.messageCount() == 0)
        #expect(try await choose(["fail": "no"]).challenge == "EMAIL_OTP")
        #expect(try await pool.messageCount() == 1)
    }

    @Test("one that sends gets the code in the event of its kind, and nobody asks for words")
    func sends() async throws {
        let functions = TestFunctions()
        let pool = try functions.pool([.customMessage, .customEmailSender])
        _ = try await Self.signUp(pool)
        try await pool.make("bob", [("email", "bob@example.com"), ("email_verified", "true")]) { user in
            user.secondFactors = SecondFactorChoice(stored: "EMAIL_OTP*")
        }
        try await pool.signIn("bob")
        try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "bob"])
        try await pool.call(
            "AdminCreateUser",
            [
                "UserPoolId": "us-east-1_abcDEF123", "Username": "cem", "TemporaryPassword": .string(TestPool.password),
                "UserAttributes": [["Name": "email", "Value": "cem@example.com"]], "DesiredDeliveryMediums": ["EMAIL"],
            ], by: true)
        // It is called behind the change, by whoever sends.
        #expect(functions.events.isEmpty)
        let messages = try await pool.pool.messages(after: 0, max: 10)
        let events = try messages.map { try JSONReader.value(of: try #require($0.event)) }
        #expect(
            events.map { $0["triggerSource"] } == [
                "CustomEmailSender_SignUp", "CustomEmailSender_Authentication", "CustomEmailSender_ForgotPassword",
                "CustomEmailSender_AdminCreateUser",
            ])
        for (event, message) in zip(events, messages) {
            #expect(event["request"]?["type"] == "customEmailSenderRequestV1")
            let code = try #require(event["request"]?["code"]?.string)
            #expect(Base64.bytes(of: code.utf8, .standard) == Array(message.code.utf8))
            #expect(event["userName"] == .string(message.user))
            #expect(event["request"]?["userAttributes"]?["email"] == .string(message.address))
        }
        #expect(events.first?["request"]?["clientMetadata"] == ["from": "web"])
        #expect(events.first?["callerContext"]?["clientId"] == "client")
    }

    @Test("one that sends mails leaves the words of messages to telephones to the one for words")
    func sendsMailsAlone() async throws {
        let functions = TestFunctions { _, event in
            event.respond("smsMessage", "Say {####}")
            return nil
        }
        let pool = try functions.pool([.customMessage, .customEmailSender]) { $0.secondFactors = [.sms] }
        try await pool.make("ann", [("phone_number", "+15550001111")]) { user in
            user.secondFactors = SecondFactorChoice(stored: "SMS_MFA*")
        }
        #expect(try await pool.signIn("ann").challenge == "SMS_MFA")
        let message = try #require(try await pool.pool.messages(after: 0, max: 10).last)
        #expect(message.event == nil)
        #expect(message.body == "Say \(message.code)")
    }
}
