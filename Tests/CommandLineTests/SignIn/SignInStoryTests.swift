import Crypto
import Foundation
import JSON
import TestSupport
import Testing

/// What becomes of two users of an app, from their sign-up on, each step over a socket of a real server: what one of them may,
/// and what nobody may by what is another's.
@Suite("Two users of an app")
struct SignInStoryTests {
    @Test("sign up, sign in, get records and identities, and leave")
    func story() async throws {
        try await BlockingThread.run {
            let story = try SignInStory()
            try story.findsThePool()
            try story.signsUp()
            try story.signsIn()
            try story.looksAtTokens()
            try story.refreshes()
            try story.joinsGroups()
            try story.isInvited()
            try story.getsIdentities()
            try story.keepsRecords()
            try story.changesPasswords()
            try story.leaves()
        }
    }
}

private final class SignInStory {
    private struct Person {
        let name: String
        var sub = ""
        var tokens: JSONValue = .null
        var identity = ""

        var email: String { "\(name)@example.com" }
        func token(_ name: String) -> String { tokens[name]?.string ?? "" }
        var idToken: String { token("IdToken") }
        var accessToken: String { token("AccessToken") }
        var refreshToken: String { token("RefreshToken") }
    }

    private let server: HomeportProcess
    private let client: IdentityClient
    private var ann = Person(name: "ann")
    private var bob = Person(name: "bob")

    private static let password = "Str0ng!Passw0rd"
    private static let otherPassword = "An0ther!Passw0rd"
    private static let exchanges = 12
    private static let clientID = JSONValue.string(IdentityClient.clientID)
    private static let pool = JSONValue.string(IdentityClient.userPoolID)
    private static let identityPool = JSONValue.string(IdentityClient.identityPoolID)
    private static let wrong = "Incorrect username or password."

    init() throws {
        let credentials = #"[{"accessKeyId":"local","secretAccessKey":"local","role":"admin"}]"#
        server = try HomeportProcess(
            environment: IdentityClient.environment.merging([
                "HOMEPORT_AUTH_DEFAULT": "AMAZON_COGNITO_USER_POOLS", "HOMEPORT_AUTH_ADDITIONAL": #"["API_KEY"]"#,
                "HOMEPORT_AUTH_IAM_CREDENTIALS": credentials,
            ]) { $1 },
            schema: "type Song @model @auth(rules: [{ allow: public }, { allow: owner }]) { id: ID! name: String! }")
        client = IdentityClient(server: server)
    }

    // MARK: Steps

    func findsThePool() throws {
        let path = "/\(IdentityClient.userPoolID)/.well-known"
        let keys = try get("\(path)/jwks.json")["keys"]?.array ?? []
        #expect(!keys.isEmpty)
        for key in keys {
            #expect(key["kty"] == "RSA" && key["alg"] == "RS256" && key["use"] == "sig")
            #expect(["kid", "n", "e"].allSatisfy { !(key[$0]?.string ?? "").isEmpty })
        }
        let about = try get("\(path)/openid-configuration")
        #expect(about["id_token_signing_alg_values_supported"] == ["RS256"])
        #expect(about["issuer"]?.string?.hasSuffix("/\(IdentityClient.userPoolID)") == true)
        #expect(about["jwks_uri"]?.string?.hasSuffix("\(path)/jwks.json") == true)
        let preflight = try client.send(
            "OPTIONS /",
            [
                "Origin: http://localhost:5173", "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: cache-control,content-type,x-amz-target,x-amz-user-agent",
            ])
        #expect([200, 204].contains(preflight.head.status))
        #expect(["*", "http://localhost:5173"].contains(preflight.head.fields["access-control-allow-origin"] ?? ""))
        #expect(preflight.head.fields["access-control-allow-headers"]?.contains("x-amz-target") == true)
    }

    func signsUp() throws {
        var codes: [String] = []
        for person in [\SignInStory.ann, \.bob] {
            let answer = try call("SignUp", signUp(self[keyPath: person].name))
            #expect(answer["UserConfirmed"] == false)
            self[keyPath: person].sub = answer["UserSub"]?.string ?? ""
            #expect(self[keyPath: person].sub.utf8.count == 36)
            #expect(answer["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL")
            #expect(answer["CodeDeliveryDetails"]?["AttributeName"] == "email")
            let place = answer["CodeDeliveryDetails"]?["Destination"]?.string ?? ""
            #expect(place.contains("***") && !place.contains(self[keyPath: person].name))
            codes.append(try client.lastCode())
        }
        try refuse("SignUp", signUp("ann"), "UsernameExistsException")
        try refuse("SignUp", signUp("cem", password: "alllowercase"), "InvalidPasswordException")
        try refuse("SignUp", signUp("cem", client: "nosuchclient"), "ResourceNotFoundException")
        #expect(try prove("ann").type == "UserNotConfirmedException")
        let again = try call("ResendConfirmationCode", ["ClientId": Self.clientID, "Username": "ann"])
        #expect(again["CodeDeliveryDetails"]?["AttributeName"] == "email")
        let new = try client.lastCode()
        let other = new == "000000" ? "000001" : "000000"
        try refuse("ConfirmSignUp", confirmation("ann", other), "CodeMismatchException")
        // A new code ends the one before.
        if codes[0] != new { try refuse("ConfirmSignUp", confirmation("ann", codes[0]), "CodeMismatchException") }
        try call("ConfirmSignUp", confirmation("ann", new))
        try refuse("ConfirmSignUp", confirmation("bob", new), "CodeMismatchException")
        try call("ConfirmSignUp", confirmation("bob", codes[1]))
        let second = try administrate("AdminConfirmSignUp", ["UserPoolId": Self.pool, "Username": "ann"])
        #expect(second.type == "NotAuthorizedException")
        #expect(second.message.contains("Current status is CONFIRMED"))
    }

    func signsIn() throws {
        let first = try call("InitiateAuth", srp("ann", SRPSignIn(pool: IdentityClient.userPoolID, password: "x")))
        #expect(first["ChallengeName"] == "PASSWORD_VERIFIER")
        for name in ["SALT", "SRP_B", "SECRET_BLOCK", "USERNAME", "USER_ID_FOR_SRP"] {
            #expect(first["ChallengeParameters"]?[name]?.string?.isEmpty == false, "\(name)")
        }
        // Some clients hash a salt as it came, some as a number.
        #expect(first["ChallengeParameters"]?["SALT"]?.string?.hasPrefix("00") == false)
        for person in [\SignInStory.ann, \.bob] {
            let tokens = try prove(self[keyPath: person].name)["AuthenticationResult"] ?? .null
            for name in ["AccessToken", "IdToken", "RefreshToken"] { #expect(tokens[name]?.string != nil) }
            #expect(tokens["TokenType"] == "Bearer")
            #expect(tokens["ExpiresIn"]?.integer != nil)
            self[keyPath: person].tokens = tokens
        }
        // Mistakes with leading zeros show in some of many exchanges.
        for _ in 0..<Self.exchanges { #expect(try prove("ann")["AuthenticationResult"] != nil) }
        let changes: [(String, (inout JSONObject) -> Void)] = [
            ("a signature", { $0.flip("PASSWORD_CLAIM_SIGNATURE") }),
            ("a block", { $0.flip("PASSWORD_CLAIM_SECRET_BLOCK") }),
            ("another time", { $0.set("TIMESTAMP", to: "Mon Jan 1 00:00:00 UTC 2001") }),
        ]
        for (name, change) in changes {
            #expect(try prove("ann", change: change).type == "NotAuthorizedException", "\(name)")
        }
        let refused = try prove("ann", password: Self.otherPassword)
        #expect(refused.type == "NotAuthorizedException" && refused.message == Self.wrong)
        #expect(try prove("nobody").message == Self.wrong)
        #expect(try call("InitiateAuth", byPassword("ann", Self.password))["AuthenticationResult"] != nil)
        try refuse("InitiateAuth", byPassword("ann", Self.otherPassword), "NotAuthorizedException", Self.wrong)
    }

    func looksAtTokens() throws {
        let id = try ann.idToken.claims
        let access = try ann.accessToken.claims
        #expect(id["token_use"] == "id" && access["token_use"] == "access")
        #expect(id["aud"] == Self.clientID && id["client_id"] == nil)
        #expect(access["client_id"] == Self.clientID && access["aud"] == nil)
        #expect(id["sub"] == .string(ann.sub) && access["sub"] == id["sub"])
        #expect(id["cognito:username"] == "ann" && access["username"] == "ann")
        #expect(id["iss"]?.string?.hasSuffix("/\(IdentityClient.userPoolID)") == true && access["iss"] == id["iss"])
        #expect(access["scope"] == "aws.cognito.signin.user.admin")
        #expect(id["email"] == .string(ann.email) && id["email_verified"] == true)
        for name in ["event_id", "origin_jti", "auth_time", "iat"] {
            #expect(id[name] != nil && id[name] == access[name])
        }
        #expect(id["jti"] != access["jti"])
        let user = try call("GetUser", ["AccessToken": .string(ann.accessToken)])
        #expect(user["Username"] == "ann")
        #expect(user.attribute("sub") == ann.sub && user.attribute("email") == ann.email)
        let bobs = try ann.accessToken.withClaims(["username": "bob", "sub": .string(bob.sub)])
        for token in [bobs, ann.idToken, "x.y.z"] {
            try refuse("GetUser", ["AccessToken": .string(token)], "NotAuthorizedException")
        }
    }

    func refreshes() throws {
        let answer = try call("InitiateAuth", refresh(ann.refreshToken))["AuthenticationResult"] ?? .null
        #expect(answer["IdToken"] != nil && answer["RefreshToken"] == nil)
        let (former, new) = (try ann.accessToken.claims, try (answer["AccessToken"]?.string ?? "").claims)
        #expect(new["sub"] == former["sub"] && new["origin_jti"] == former["origin_jti"] && new["jti"] != former["jti"])
        let current = try call(
            "GetTokensFromRefreshToken", ["RefreshToken": .string(ann.refreshToken), "ClientId": Self.clientID])
        #expect(current["AuthenticationResult"]?["AccessToken"] != nil)
        try refuse("InitiateAuth", refresh("garbage"), "NotAuthorizedException")
    }

    func joinsGroups() throws {
        #expect(try administrate("CreateGroup", ["UserPoolId": Self.pool, "GroupName": "Editors"]).type == nil)
        let member: JSONValue = ["UserPoolId": Self.pool, "GroupName": "Editors", "Username": "ann"]
        #expect(try administrate("AdminAddUserToGroup", member).type == nil)
        let listed = try administrate("AdminListGroupsForUser", ["UserPoolId": Self.pool, "Username": "ann"])
        #expect(listed["Groups"]?.array?.map { $0["GroupName"] } == ["Editors"])
        let answer = try call("InitiateAuth", refresh(ann.refreshToken))["AuthenticationResult"] ?? .null
        for name in ["IdToken", "AccessToken"] {
            #expect(try (answer[name]?.string ?? "").claims["cognito:groups"] == ["Editors"])
        }
    }

    func isInvited() throws {
        let invitation: JSONValue = [
            "UserPoolId": Self.pool, "Username": "dia", "TemporaryPassword": .string(Self.password),
            "MessageAction": "SUPPRESS",
        ]
        // Whoever may invite signs for it.
        try refuse("AdminCreateUser", invitation, nil)
        #expect(try administrate("AdminCreateUser", invitation)["User"]?["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        let challenge = try prove("dia")
        #expect(challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED")
        let answer = try call(
            "RespondToAuthChallenge",
            [
                "ClientId": Self.clientID, "ChallengeName": "NEW_PASSWORD_REQUIRED",
                "Session": challenge["Session"] ?? .null,
                "ChallengeResponses": ["USERNAME": "dia", "NEW_PASSWORD": .string(Self.otherPassword)],
            ])
        #expect(answer["AuthenticationResult"]?["IdToken"] != nil)
        let user = try administrate("AdminGetUser", ["UserPoolId": Self.pool, "Username": "dia"])
        #expect(user["UserStatus"] == "CONFIRMED")
        #expect(try prove("dia", password: Self.otherPassword)["AuthenticationResult"] != nil)
        #expect(try prove("dia").type == "NotAuthorizedException")
    }

    func getsIdentities() throws {
        for person in [\SignInStory.ann, \.bob] {
            let keys = try client.keys(idToken: self[keyPath: person].idToken)
            #expect(keys.accessKeyID.hasPrefix("ASIA") && keys.sessionToken?.isEmpty == false)
            self[keyPath: person].identity = keys.identity
        }
        #expect(ann.identity != bob.identity)
        // Of the two names for the pool, some clients take the one and some the other.
        let issuer = try ann.idToken.claims["iss"]?.string ?? ""
        for name in [IdentityClient.provider, String(issuer.dropFirst("http://".count))] {
            #expect(try id([name: ann.idToken])["IdentityId"] == .string(ann.identity), "\(name)")
        }
        let forged = try bob.idToken.withClaims(["sub": .string(ann.sub)])
        for token in [forged, ann.accessToken] {
            #expect(try id([IdentityClient.provider: token]).type == "NotAuthorizedException")
        }
        for logins: JSONValue in [[:], [IdentityClient.provider: .string(bob.idToken)]] {
            try refuse(
                "GetCredentialsForIdentity", ["IdentityId": .string(ann.identity), "Logins": logins],
                "NotAuthorizedException")
        }
        let guest = try client.keys()
        #expect(guest.identity != ann.identity && guest.identity != bob.identity)
    }

    func keepsRecords() throws {
        let made = try graphQL(
            "mutation { createSong(input: { name: \"Anthem\" }) { id name owner } }", ann.accessToken)
        let song = made.members["data"]?["createSong"]
        #expect(song?["name"] == "Anthem")
        let query = "{ getSong(id: \"\(song?["id"]?.string ?? "")\") { id } }"
        for token in [ann.accessToken, ann.idToken] {
            #expect(try graphQL(query, token).members["data"]?["getSong"]?["id"] == song?["id"])
            let forged = try graphQL(query, token.withClaims(["sub": .string(bob.sub), "username": "bob"]))
            #expect(forged.head.status == 401)
            #expect(forged.members["errors"]?.array?.first?["errorType"] == "UnauthorizedException")
        }
        // The record is ann's.
        let change = "mutation { updateSong(input: { id: \"\(song?["id"]?.string ?? "")\", name: \"Mine\" }) { id } }"
        #expect(try graphQL(change, bob.accessToken).members["data"]?["updateSong"]?.isNull != false)
        #expect(try graphQL(query, nil).head.status == 401)
        #expect(try graphQL(query, nil, fields: ["x-api-key: da2-wrong"]).head.status == 401)
    }

    func changesPasswords() throws {
        let token = JSONValue.string(ann.accessToken)
        try call(
            "UpdateUserAttributes", ["AccessToken": token, "UserAttributes": [["Name": "name", "Value": "Ann A."]]])
        #expect(try call("GetUser", ["AccessToken": token]).attribute("name") == "Ann A.")
        let listed = try administrate("ListUsers", ["UserPoolId": Self.pool, "Filter": "username = \"ann\""])
        #expect(listed["Users"]?.array?.map { $0["Username"] } == ["ann"])
        #expect(listed["Users"]?.array?.first?["UserStatus"] == "CONFIRMED")
        func change(from former: String, to new: String) -> JSONValue {
            ["AccessToken": token, "PreviousPassword": .string(former), "ProposedPassword": .string(new)]
        }
        try refuse("ChangePassword", change(from: "Wr0ng!Password", to: Self.otherPassword), "NotAuthorizedException")
        try call("ChangePassword", change(from: Self.password, to: Self.otherPassword))
        #expect(try prove("ann", password: Self.otherPassword)["AuthenticationResult"] != nil)
        #expect(try prove("ann").type == "NotAuthorizedException")
        let sent = try call("ForgotPassword", ["ClientId": Self.clientID, "Username": "ann"])
        #expect(sent["CodeDeliveryDetails"]?["AttributeName"] == "email")
        try call(
            "ConfirmForgotPassword",
            [
                "ClientId": Self.clientID, "Username": "ann", "ConfirmationCode": .string(try client.lastCode()),
                "Password": .string(Self.password),
            ])
        // A new password ends the sign-ins from before it.
        try refuse("GetUser", ["AccessToken": token], "NotAuthorizedException", "Access Token has been revoked")
        try refuse(
            "InitiateAuth", refresh(ann.refreshToken), "NotAuthorizedException", "Refresh Token has been revoked")
        ann.tokens = try prove("ann")["AuthenticationResult"] ?? .null
        #expect(!ann.tokens.isNull)
    }

    func leaves() throws {
        let other = try prove("bob")["AuthenticationResult"] ?? .null
        try call("RevokeToken", ["Token": other["RefreshToken"] ?? .null, "ClientId": Self.clientID])
        try refuse(
            "InitiateAuth", refresh(other["RefreshToken"]?.string ?? ""), "NotAuthorizedException",
            "Refresh Token has been revoked")
        try refuse(
            "GetUser", ["AccessToken": other["AccessToken"] ?? .null], "NotAuthorizedException",
            "Access Token has been revoked")
        // Only that one.
        #expect(try call("GetUser", ["AccessToken": .string(bob.accessToken)])["Username"] == "bob")
        let before = try prove("ann")["AuthenticationResult"] ?? .null
        try call("GlobalSignOut", ["AccessToken": .string(ann.accessToken)])
        for tokens in [ann.tokens, before] {
            try refuse(
                "InitiateAuth", refresh(tokens["RefreshToken"]?.string ?? ""), "NotAuthorizedException",
                "Refresh Token has been revoked")
            try refuse(
                "GetUser", ["AccessToken": tokens["AccessToken"] ?? .null], "NotAuthorizedException",
                "Access Token has been revoked")
        }
        let bobs = bob.idToken
        try call("DeleteUser", ["AccessToken": .string(bob.accessToken)])
        #expect(try prove("bob").message == Self.wrong)
        #expect(try id([IdentityClient.provider: bobs]).type == "NotAuthorizedException")
        // Another one of the same name is somebody else.
        let answer = try call("SignUp", signUp("bob"))
        #expect(answer["UserSub"]?.string != bob.sub)
        try refuse("GetUser", ["AccessToken": .string(bob.accessToken)], nil)
    }

    // MARK: Calls

    @discardableResult
    private func call(_ operation: String, _ members: JSONValue) throws -> JSONValue {
        let answer = try client.call(operation, members)
        #expect(answer.head.status == 200, "\(operation): \(answer.members)")
        return answer.members
    }

    /// Expects a refusal; of any type where none is named.
    private func refuse(_ operation: String, _ members: JSONValue, _ type: String?, _ message: String? = nil) throws {
        let answer = try client.call(operation, members)
        #expect(answer.head.status == 400, "\(operation): \(answer.members)")
        #expect(answer.members.type != nil)
        if let type { #expect(answer.members.type == type, "\(operation): \(answer.members)") }
        if let message { #expect(answer.members.message == message) }
    }

    private func administrate(_ operation: String, _ members: JSONValue) throws -> JSONValue {
        let body = String(decoding: JSONWriter.bytes(of: members), as: UTF8.self)
        let answer = try SignedCall(operation, body, to: server).answer(from: server)
        return try JSONReader.value(of: answer.body.isEmpty ? "{}" : answer.body)
    }

    private func get(_ path: String) throws -> JSONValue {
        let answer = try client.send("GET \(path)", [])
        #expect(answer.head.status == 200)
        return try JSONReader.value(of: answer.body)
    }

    private func graphQL(
        _ query: String, _ token: String?, fields: [String] = []
    ) throws -> (head: AnswerHead, members: JSONValue) {
        let body = String(decoding: JSONWriter.bytes(of: ["query": .string(query)]), as: UTF8.self)
        let all = fields + ["Content-Type: application/json"] + (token.map { ["Authorization: \($0)"] } ?? [])
        let answer = try client.send("POST /graphql", all, body)
        return (answer.head, try JSONReader.value(of: answer.body))
    }

    private func id(_ logins: [String: String]) throws -> JSONValue {
        try client.call(
            "GetId",
            [
                "IdentityPoolId": Self.identityPool,
                "Logins": .object(JSONObject(logins.map { ($0.key, JSONValue.string($0.value)) })),
            ]
        ).members
    }

    // MARK: Requests

    private func signUp(
        _ name: String, password: String = SignInStory.password, client: String = IdentityClient.clientID
    ) -> JSONValue {
        [
            "ClientId": .string(client), "Username": .string(name), "Password": .string(password),
            "UserAttributes": [["Name": "email", "Value": .string("\(name)@example.com")]],
        ]
    }

    private func confirmation(_ name: String, _ code: String) -> JSONValue {
        ["ClientId": Self.clientID, "Username": .string(name), "ConfirmationCode": .string(code)]
    }

    private func byPassword(_ name: String, _ password: String) -> JSONValue {
        [
            "ClientId": Self.clientID, "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": ["USERNAME": .string(name), "PASSWORD": .string(password)],
        ]
    }

    private func refresh(_ token: String) -> JSONValue {
        [
            "ClientId": Self.clientID, "AuthFlow": "REFRESH_TOKEN_AUTH",
            "AuthParameters": ["REFRESH_TOKEN": .string(token)],
        ]
    }

    private func srp(_ name: String, _ proof: SRPSignIn) -> JSONValue {
        [
            "ClientId": Self.clientID, "AuthFlow": "USER_SRP_AUTH",
            "AuthParameters": ["USERNAME": .string(name), "SRP_A": .string(proof.clientNumber)],
        ]
    }

    /// Both rounds of a sign-in by SRP, and what they came to. The change is made to the answer before it is sent.
    private func prove(
        _ name: String, password: String = SignInStory.password, change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JSONValue {
        let proof = SRPSignIn(pool: IdentityClient.userPoolID, password: password)
        let first = try client.call("InitiateAuth", srp(name, proof)).members
        guard let parameters = first["ChallengeParameters"] else { return first }
        var responses = proof.responses(to: parameters)
        change(&responses)
        var members = JSONObject([
            ("ClientId", Self.clientID), ("ChallengeName", "PASSWORD_VERIFIER"),
            ("ChallengeResponses", .object(responses)),
        ])
        members["Session"] = first["Session"]
        return try client.call("RespondToAuthChallenge", .object(members)).members
    }
}

extension JSONValue {
    /// What a refusal is called.
    fileprivate var type: String? { self["__type"]?.string }
    fileprivate var message: String { self["message"]?.string ?? "" }

    fileprivate func attribute(_ name: String) -> String? {
        self["UserAttributes"]?.array?.first { $0["Name"] == .string(name) }?["Value"]?.string
    }
}

extension JSONObject {
    /// Changes the first character of a text.
    fileprivate mutating func flip(_ name: String) {
        let text = self[name]?.string ?? ""
        set(name, to: .string((text.hasPrefix("A") ? "B" : "A") + text.dropFirst()))
    }
}

extension String {
    /// What a token says.
    fileprivate var claims: JSONValue {
        get throws {
            let parts = split(separator: ".")
            try #require(parts.count == 3)
            return try JSONReader.value(of: try #require(Base64.bytes(of: parts[1].utf8)))
        }
    }

    /// The token with other claims, under the signature of what it said before.
    fileprivate func withClaims(_ changes: [String: JSONValue]) throws -> String {
        var claims = try #require(try claims.object)
        for (name, value) in changes { claims.set(name, to: value) }
        let parts = split(separator: ".")
        return "\(parts[0]).\(Base64.text(of: JSONWriter.bytes(of: .object(claims)))).\(parts[2])"
    }
}
