import JSON
import Testing

@testable import UserPool

/// What apps show and branch on: Amplify's JavaScript hands type and text of a refusal on as they are, goes to another page for some
/// types (`UserNotConfirmedException`, `PasswordResetRequiredException`), and signs out for others of a refresh.
@Suite("What refusals are called and say")
struct RefusalTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let call: String
        let members: JSONValue
        let type: String
        let message: String
        var change: @Sendable (inout PoolSettings) -> Void = { _ in }
        /// What comes before.
        var before: @Sendable (TestPool) async throws -> [String: JSONValue] = { _ in [:] }
        var testDescription: String { "\(call): \(message)" }
    }

    private static let wrong = "Incorrect username or password."
    private static let password = JSONValue.string(TestPool.password)
    private static let identityPool: JSONValue = "us-east-1:11111111-2222-4333-8444-555555555555"

    private static func byPassword(_ name: String, _ password: JSONValue = Self.password) -> JSONValue {
        [
            "ClientId": "client", "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": ["USERNAME": .string(name), "PASSWORD": password],
        ]
    }

    /// The tokens of a sign-in, under the names by which rows mean them.
    @Sendable private static func tokens(of pool: TestPool) async throws -> [String: JSONValue] {
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        let answer = try await pool.signIn("ann")
        var tokens: [String: JSONValue] = [:]
        for name in ["AccessToken", "IdToken", "RefreshToken"] { tokens["<\(name)>"] = answer.token(name) ?? .null }
        return tokens
    }

    @Sendable private static func unconfirmed(_ pool: TestPool) async throws -> [String: JSONValue] {
        try await pool.call(
            "SignUp",
            [
                "ClientId": "client", "Username": "ann", "Password": password,
                "UserAttributes": [["Name": "email", "Value": "ann@example.com"]],
            ])
        return [:]
    }

    static let rows: [Row] = signIns + accounts + tokens + identities

    private static let signIns = [
        Row(call: "InitiateAuth", members: byPassword("ann"), type: "NotAuthorizedException", message: wrong),
        Row(
            call: "InitiateAuth", members: byPassword("ann", "Wr0ng!Password"), type: "NotAuthorizedException",
            message: wrong, before: tokens),
        Row(
            call: "InitiateAuth", members: byPassword("ann"), type: "UserNotFoundException",
            message: "User does not exist.", change: { $0.existenceErrors = .shown }),
        Row(
            call: "InitiateAuth", members: byPassword("ann"), type: "UserNotConfirmedException",
            message: "User is not confirmed.", before: unconfirmed),
        Row(
            call: "InitiateAuth", members: byPassword("ann"), type: "PasswordResetRequiredException",
            message: "Password reset required for the user",
            before: { pool in
                try await pool.make("ann") { $0.status = .mustReset }
                return [:]
            }),
        Row(
            call: "InitiateAuth", members: byPassword("ann"), type: "NotAuthorizedException",
            message: "User is disabled.",
            before: { pool in
                try await pool.make("ann") { $0.isEnabled = false }
                return [:]
            }),
        Row(
            call: "InitiateAuth",
            members: [
                "ClientId": "x", "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "ann", "PASSWORD": password],
            ], type: "ResourceNotFoundException", message: "User pool client x does not exist."),
        Row(
            call: "InitiateAuth", members: byPassword("ann"), type: "InvalidParameterException",
            message: "USER_PASSWORD_AUTH flow not enabled for this client",
            change: { settings in
                var client = AppClient("client")
                client.flows.remove(.password)
                settings.clients = [client]
            }),
    ]

    private static let accounts = [
        Row(
            call: "SignUp", members: ["ClientId": "client", "Username": "ann", "Password": password],
            type: "UsernameExistsException", message: "User already exists", before: unconfirmed),
        Row(
            call: "SignUp", members: ["ClientId": "client", "Username": "ann", "Password": "Sh0rt!"],
            type: "InvalidPasswordException",
            message: "Password did not conform with policy: Password not long enough"),
        Row(
            call: "SignUp",
            members: [
                "ClientId": "client", "Username": "ann", "Password": password,
                "UserAttributes": [
                    ["Name": "email", "Value": "ann@example.com"], ["Name": "email", "Value": "eve@example.com"],
                ],
            ], type: "InvalidParameterException",
            message: "Attributes did not conform to the schema: email: Attribute is named more than once"),
        Row(
            call: "ConfirmSignUp", members: ["ClientId": "client", "Username": "ann", "ConfirmationCode": "<code>"],
            type: "ExpiredCodeException", message: "Invalid code provided, please request a code again.",
            before: { pool in
                _ = try await unconfirmed(pool)
                let code = try await pool.code()
                pool.clock.pass(seconds: 25 * 3_600)
                return ["<code>": .string(code)]
            }),
        Row(
            call: "ForgotPassword", members: ["ClientId": "client", "Username": "ann"],
            type: "LimitExceededException", message: "Attempt limit exceeded, please try after some time.",
            before: { pool in
                let names = try await tokens(of: pool)
                for _ in 0..<PoolLimits.messagesPerAddressMax {
                    try await pool.call("ForgotPassword", ["ClientId": "client", "Username": "ann"])
                }
                return names
            }),
    ]

    private static let refresh: JSONValue = ["ClientId": "client", "RefreshToken": "<RefreshToken>"]

    private static let tokens =
        [
            Row(
                call: "GetTokensFromRefreshToken", members: refresh, type: "NotAuthorizedException",
                message: "Refresh Token has been revoked",
                before: { pool in
                    let names = try await tokens(of: pool)
                    try await pool.call(
                        "RevokeToken", ["ClientId": "client", "Token": names["<RefreshToken>"] ?? .null])
                    return names
                }),
            Row(
                call: "GetTokensFromRefreshToken", members: refresh, type: "NotAuthorizedException",
                message: "Refresh Token has expired",
                before: { pool in
                    let names = try await tokens(of: pool)
                    pool.clock.pass(seconds: 31 * 86_400)
                    return names
                }),
            Row(
                call: "GetTokensFromRefreshToken", members: refresh, type: "RefreshTokenReuseException",
                message: "Refresh token has been reused",
                change: { settings in
                    var client = AppClient("client")
                    client.rotationGraceSeconds = 0
                    settings.clients = [client]
                },
                before: { pool in
                    let names = try await tokens(of: pool)
                    try await pool.call(
                        "GetTokensFromRefreshToken",
                        ["ClientId": "client", "RefreshToken": names["<RefreshToken>"] ?? .null])
                    pool.clock.pass(seconds: 1)
                    return names
                }),
            Row(
                call: "GetTokensFromRefreshToken", members: refresh, type: "NotAuthorizedException",
                message: "Invalid Refresh Token.",
                before: { _ in ["<RefreshToken>": "11111111-2222-4333-8444-555555555555.x"] }),
        ]
        + ["GetUser", "DeleteUser", "GlobalSignOut"].map { call in
            Row(
                call: call, members: ["AccessToken": "<AccessToken>"], type: "NotAuthorizedException",
                message: "Access Token has been revoked",
                before: { pool in
                    let names = try await tokens(of: pool)
                    try await pool.call("GlobalSignOut", ["AccessToken": names["<AccessToken>"] ?? .null])
                    return names
                })
        } + [
            Row(
                call: "GetUser", members: ["AccessToken": "<AccessToken>"], type: "NotAuthorizedException",
                message: "Access Token has expired",
                before: { pool in
                    let names = try await tokens(of: pool)
                    pool.clock.pass(seconds: 2 * 3_600)
                    return names
                })
        ]

    private static let identities = [
        Row(
            call: "GetId", members: ["IdentityPoolId": identityPool], type: "NotAuthorizedException",
            message: "Unauthenticated access is not supported for this identity pool.",
            change: { $0.allowsGuests = false }),
        Row(
            call: "GetId", members: ["IdentityPoolId": "us-east-1:00000000-0000-4000-8000-000000000000"],
            type: "ResourceNotFoundException",
            message: "IdentityPool 'us-east-1:00000000-0000-4000-8000-000000000000' not found."),
        Row(
            call: "GetCredentialsForIdentity",
            members: ["IdentityId": "us-east-1:00000000-0000-4000-8000-000000000000"],
            type: "ResourceNotFoundException",
            message: "Identity 'us-east-1:00000000-0000-4000-8000-000000000000' not found.",
            change: { $0.adoptsUnknownGuests = false }),
        Row(
            call: "GetId",
            members: [
                "IdentityPoolId": identityPool,
                "Logins": ["cognito-idp.us-east-1.amazonaws.com/us-east-1_abcDEF123": "<IdToken>"],
            ], type: "NotAuthorizedException",
            message: "Invalid login token. Token expired: 1800003600 >= 1800007200",
            before: { pool in
                let names = try await tokens(of: pool)
                pool.clock.pass(seconds: 2 * 3_600)
                return names
            }),
    ]

    @Test("is what Amplify's clients know", arguments: rows)
    func refused(_ row: Row) async throws {
        let pool = try TestPool { row.change(&$0) }
        let names = try await row.before(pool)
        let service = row.call == "GetId" || row.call == "GetCredentialsForIdentity"
        let target = "\(service ? "AWSCognitoIdentityService" : "AWSCognitoIdentityProviderService").\(row.call)"
        do throws(PoolError) {
            let answer = try await pool.answer(target, Self.filled(row.members, names))
            Issue.record("answered: \(answer)")
        } catch {
            #expect(error.type == row.type)
            #expect(error.message == row.message)
            #expect(error.status == 400)
        }
    }

    private static func filled(_ value: JSONValue, _ names: [String: JSONValue]) -> JSONValue {
        guard case .object(let members) = value else { return value.string.flatMap { names[$0] } ?? value }
        var filled = JSONObject()
        for member in members { filled.set(member.key, to: self.filled(member.value, names)) }
        return .object(filled)
    }

    @Test(
        "half of a surrogate pair is no part of a name or a password: two of them would be the same",
        arguments: [
            #"{"ClientId":"client","Username":"ann\ud800","Password":"Str0ng!Passw0rd"}"#,
            #"{"ClientId":"client","Username":"ann","Password":"Str0ng!Passw0rd\udc00"}"#,
            #"{"ClientId":"client","Username":"ann","Password":"Str0ng!Passw0rd","\udfff":1}"#,
        ])
    func loneSurrogates(body: String) async throws {
        let pool = try TestPool()
        let call = PoolCall(
            target: "AWSCognitoIdentityProviderService.SignUp", body: Array(body.utf8), base: "http://localhost:20002",
            address: "192.0.2.1", isByAdministrator: false)
        guard case .refusal(let error) = await pool.pool.answer(call, on: pool.shard) else {
            Issue.record("it was taken")
            return
        }
        #expect(error.type == "SerializationException" && error.status == 400)
    }
}
