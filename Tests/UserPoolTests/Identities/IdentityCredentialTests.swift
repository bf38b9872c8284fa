import Access
import Cloud
import Crypto
import JSON
import Testing

@testable import UserPool

@Suite("Access keys of identities")
struct IdentityCredentialTests {
    private typealias Pool = TestIdentityPool

    private func resolve(_ answer: JSONObject, by test: Pool) throws -> TemporaryCredential? {
        let credentials = try #require(answer["Credentials"], "\(answer)")
        return test.pool.temporaryCredentials.credential(
            ofKey: try #require(credentials["AccessKeyId"]?.string),
            sessionToken: try #require(credentials["SessionToken"]?.string))
    }

    @Test("keys say whose they are, for a guest, a user and a group, and after a new start")
    func holders() async throws {
        let test = try await Pool()
        let ann = try await test.makeUser("ann")
        let identity = try await test.identity(of: test.token(ann))
        let guest = try await test.newGuest()
        let provider = "\"\(Pool.provider)\",\"\(Pool.provider):CognitoSignIn:\(ann)\""
        let roles: (inout JSONObject) -> Void = {
            $0.set("cognito:roles", to: [.string(Pool.group), .string(Pool.other)])
            $0.set("cognito:preferred_role", to: .string(Pool.group))
        }
        let arn = "arn:aws:sts::123456789012:assumed-role"
        let rows:
            [(
                answer: JSONObject, role: IAMPrincipal.Role, identity: String, arn: String, provider: String?,
                isGroup: Bool
            )] = [
                (await test.ask(guest, of: test), .unauthenticated, guest, "\(arn)/unauthRole", nil, false),
                (
                    await test.ask("GetCredentialsForIdentity", identity, token: test.token(ann)), .authenticated,
                    identity,
                    "\(arn)/authRole", provider, false
                ),
                (
                    await test.ask("GetCredentialsForIdentity", identity, token: test.token(ann, roles)),
                    .authenticated,
                    identity, "\(arn)/admins", provider, true
                ),
                (
                    await test.ask(
                        "GetCredentialsForIdentity", identity, token: test.token(ann, roles), role: Pool.other),
                    .authenticated, identity, "\(arn)/others", provider, true
                ),
            ]
        let again = try await Pool(over: test.store)
        for row in rows {
            for pool in [test, again] {
                let given = try #require(try resolve(row.answer, by: pool))
                #expect(given.secret == row.answer["Credentials"]?["SecretKey"]?.string)
                #expect(given.expires == test.time.seconds + 3_600)
                let principal = given.principal
                #expect(principal.role == row.role)
                #expect(principal.identityID == row.identity)
                #expect(principal.identityPoolID == Pool.identifiers.identityPoolID)
                #expect(principal.userARN == "\(row.arn)/CognitoIdentityCredentials")
                #expect(
                    principal.username.hasPrefix("AROA") && principal.username.hasSuffix(":CognitoIdentityCredentials"))
                #expect(principal.authProvider == row.provider)
                #expect(principal.isInGroupRole == row.isGroup)
            }
        }
        let keys = Set(rows.compactMap { $0.answer["Credentials"]?["AccessKeyId"]?.string })
        #expect(keys.count == rows.count)
    }

    @Test("a role is only one that the token names")
    func customRoles() async throws {
        let test = try await Pool()
        let ann = try await test.makeUser("ann")
        let identity = try await test.identity(of: test.token(ann))
        let token = test.token(ann) { $0.set("cognito:roles", to: [.string(Pool.group)]) }
        for role in [Pool.other, Pool.group + "x", Pool.group.uppercased(), "arn:aws:iam::123456789012:role/authRole"] {
            let answer = await test.ask("GetCredentialsForIdentity", identity, token: token, role: role)
            #expect(answer["!"]?.string?.hasPrefix("NotAuthorizedException: ") == true, "\(role)")
        }
        let guest = await test.ask("GetCredentialsForIdentity", try await test.newGuest(), role: Pool.group)
        #expect(guest["!"]?.string?.hasPrefix("NotAuthorizedException: ") == true)
        let short = await test.ask("GetCredentialsForIdentity", identity, token: token, role: "arn")
        #expect(short["!"]?.string?.hasPrefix("InvalidParameterException: ") == true)
    }

    @Test("a token is good for its own key alone, and only as it was given")
    func forgeries() async throws {
        let test = try await Pool()
        let guest = try await test.newGuest()
        let one = try #require(await test.ask(guest, of: test)["Credentials"])
        let two = try #require(await test.ask(guest, of: test)["Credentials"])
        let (key, token) = (try #require(one["AccessKeyId"]?.string), try #require(one["SessionToken"]?.string))
        let door = test.pool.temporaryCredentials
        #expect(door.credential(ofKey: key, sessionToken: token) != nil)
        let changed = Array(token).indices.filter { $0 % 7 == 0 }.map { place -> String in
            var letters = Array(token)
            letters[place] = letters[place] == "A" ? "B" : "A"
            return String(letters)
        }
        for other in changed + ["", "x", token + "A", String(token.dropLast(4)), two["SessionToken"]?.string ?? ""] {
            #expect(door.credential(ofKey: key, sessionToken: other) == nil)
        }
        for other in [
            "", "ASIA", key.lowercased(), key + "A", two["AccessKeyId"]?.string ?? "", "AKIA" + key.dropFirst(4),
        ] {
            #expect(door.credential(ofKey: other, sessionToken: token) == nil)
        }
        let long = String(repeating: "A", count: 1 << 20)
        #expect(door.credential(ofKey: key, sessionToken: long) == nil)
        // Another data folder made them: they are nobody's here.
        let elsewhere = try await Pool()
        #expect(elsewhere.pool.temporaryCredentials.credential(ofKey: key, sessionToken: token) == nil)
    }

    // MARK: STS

    private func assume(_ test: Pool, _ changes: [String: String?], token: String) async -> String {
        var parameters: [String: String] = [
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleSessionName": "session",
            "RoleArn": "arn:aws:iam::123456789012:role/authRole", "WebIdentityToken": token,
        ]
        for (name, value) in changes { parameters[name] = value }
        do throws(CloudError) {
            let call = try AssumeRoleCall(form: parameters.map { ($0.key, $0.value) })
            let role = try await test.pool.assumeRole(call, on: PoolShard())
            let given = test.pool.temporaryCredentials.credential(
                ofKey: role.accessKeyID, sessionToken: role.sessionToken)
            guard let given, given.secret == role.secret, given.expires == role.expires,
                given.principal.userARN == role.userARN, given.principal.identityID == role.subject
            else { return "keys that do not resolve" }
            return "\(role.userARN) \(role.expires - test.time.seconds)"
        } catch {
            return "\(error.status) \(error.code)"
        }
    }

    @Test(
        "STS refuses parameters in the service's words",
        arguments: [
            (
                [],
                "3 validation errors detected: Value null at 'roleArn' failed to satisfy constraint: Member must not be null; "
                    + "Value null at 'roleSessionName' failed to satisfy constraint: Member must not be null; "
                    + "Value null at 'webIdentityToken' failed to satisfy constraint: Member must not be null"
            ),
            (
                [("RoleSessionName", "a b"), ("DurationSeconds", "1")],
                "2 validation errors detected: Value 'a b' at 'roleSessionName' failed to satisfy constraint: Member must satisfy "
                    + #"regular expression pattern: [\w+=,.@-]*; Value '1' at 'durationSeconds' failed to satisfy constraint: "#
                    + "Member must have value greater than or equal to 900"
            ),
            ([("PolicyArns.member.1.arn", "arn:aws:iam::aws:policy/x")], "Policies of a session are not supported."),
            ([("Policy.x", "{}")], "START_OBJECT can not be converted to a String"),
        ] as [([(String, String)], String)])
    func securityTokenWords(given: [(String, String)], message: String) {
        var parameters = given
        if !given.isEmpty {
            parameters += [("RoleArn", "arn:aws:iam::123456789012:role/authRole"), ("WebIdentityToken", "token")]
            if given[0].0 != "RoleSessionName" { parameters.append(("RoleSessionName", "session")) }
        }
        do throws(CloudError) {
            _ = try AssumeRoleCall(form: parameters.map { (name: $0.0, value: $0.1) })
            Issue.record("the call is taken")
        } catch {
            #expect(error.message == message)
        }
    }

    @Test("STS gives keys for the pool's own token, in a role that the identity has, and for nothing else")
    func securityTokens() async throws {
        let test = try await Pool()
        let ann = try await test.makeUser("ann")
        try await test.join(ann, "Admins", role: Pool.group)
        let identity = try await test.identity(of: test.token(ann))
        func own(_ id: String, _ token: String?) async throws -> String {
            try #require(await test.ask("GetOpenIdToken", id, token: token)["Token"]?.string)
        }
        let signedIn = try await own(identity, test.token(ann))
        let guest = try await own(try await test.newGuest(), nil)
        let unauth = "arn:aws:iam::123456789012:role/unauthRole"
        let arn = "arn:aws:sts::123456789012:assumed-role"
        #expect(await assume(test, [:], token: signedIn) == "\(arn)/authRole/session 3600")
        #expect(await assume(test, ["DurationSeconds": "900"], token: signedIn) == "\(arn)/authRole/session 900")
        #expect(await assume(test, ["RoleArn": Pool.group], token: signedIn) == "\(arn)/admins/session 3600")
        #expect(await assume(test, ["RoleArn": unauth], token: guest) == "\(arn)/unauthRole/session 3600")
        let rows: [(changes: [String: String?], token: String, says: String)] = [
            ([:], guest, "403 AccessDenied"), (["RoleArn": Pool.group], guest, "403 AccessDenied"),
            (["RoleArn": unauth], signedIn, "403 AccessDenied"),
            (["RoleArn": Pool.other], signedIn, "403 AccessDenied"),
            ([:], test.token(ann), "400 InvalidIdentityToken"),
            ([:], test.token(ann) { $0.set("iss", to: .string(OpenIDToken.issuer)) }, "400 InvalidIdentityToken"),
            ([:], "none", "400 InvalidIdentityToken"),
            ([:], String(signedIn.dropLast(4)) + "AAAA", "400 InvalidIdentityToken"),
            (["DurationSeconds": "899"], signedIn, "400 ValidationError"),
            (["DurationSeconds": "3601"], signedIn, "400 ValidationError"),
            (["DurationSeconds": "x"], signedIn, "400 ValidationError"),
            (["DurationSeconds": "+900"], signedIn, "400 ValidationError"),
            (["RoleSessionName": "a b"], signedIn, "400 ValidationError"),
            (["RoleSessionName": "a"], signedIn, "400 ValidationError"),
            (["RoleSessionName": nil], signedIn, "400 ValidationError"),
            (["RoleArn": nil], signedIn, "400 ValidationError"),
            (["WebIdentityToken": nil], signedIn, "400 ValidationError"),
            (["Policy": "{}"], signedIn, "400 ValidationError"),
        ]
        for row in rows { #expect(await assume(test, row.changes, token: row.token) == row.says, "\(row.changes)") }
        let twice = [("Action", "A"), ("RoleArn", Pool.group), ("RoleArn", Pool.group)]
        #expect(throws: CloudError.self) {
            try AssumeRoleCall(form: twice.map { (name: $0.0, value: $0.1) })
        }
        // The token is good for STS alone.
        #expect(await test.ask("GetId", token: signedIn)["!"]?.string?.hasPrefix("NotAuthorizedException") == true)
        test.time.seconds += 600
        #expect(await assume(test, [:], token: signedIn) == "400 ExpiredTokenException")
    }

    @Test("who was disabled, deleted or parted from their identity since gets nothing of STS")
    func endedUsers() async throws {
        let test = try await Pool()
        for (place, end) in ["disable", "delete", "unlink"].enumerated() {
            let sub = try await test.makeUser("u\(place)")
            let identity = try await test.identity(of: test.token(sub))
            let token = try #require(
                await test.ask("GetOpenIdToken", identity, token: test.token(sub))["Token"]?.string)
            #expect(await assume(test, [:], token: token).hasPrefix("arn:"))
            switch end {
            case "disable": try await test.disable(sub)
            case "delete": try await test.delete(sub)
            default: _ = await test.ask("UnlinkIdentity", identity, token: test.token(sub), remove: [Pool.provider])
            }
            #expect(await assume(test, [:], token: token) == "403 AccessDenied", "\(end)")
        }
    }
}

extension TestIdentityPool {
    fileprivate func ask(_ guest: String, of test: TestIdentityPool) async -> JSONObject {
        await ask("GetCredentialsForIdentity", guest)
    }
}
