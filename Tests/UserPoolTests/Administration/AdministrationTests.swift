import JSON
import Store
import Testing

@testable import UserPool

/// What administrators do with users and groups.
@Suite("Administration of the user pool")
struct AdministrationTests {
    private static let id: JSONValue = "us-east-1_abcDEF123"

    /// An operation with the pool's name in it.
    @discardableResult
    private func run(
        _ pool: TestPool, _ operation: String, _ members: [(String, JSONValue)]
    ) async throws(PoolError) -> JSONValue {
        try await pool.call(operation, .object(JSONObject([("UserPoolId", Self.id)] + members)), by: true)
    }

    private func invite(
        _ pool: TestPool, _ name: String, _ attributes: [(String, String)] = [],
        _ others: [(String, JSONValue)] = [("MessageAction", "SUPPRESS")]
    ) async throws(PoolError) -> JSONValue {
        try await run(
            pool, "AdminCreateUser",
            [("Username", .string(name)), ("UserAttributes", Self.attributes(attributes))] + others)
    }

    private static func attributes(_ attributes: [(String, String)]) -> JSONValue {
        .array(attributes.map { .object(JSONObject([("Name", .string($0.0)), ("Value", .string($0.1))])) })
    }

    /// What an operation is refused with; nil where it is not.
    private func refusal(
        _ pool: TestPool, _ operation: String, _ members: [(String, JSONValue)]
    ) async -> String? {
        do throws(PoolError) {
            try await run(pool, operation, members)
            return nil
        } catch {
            return "\(error.type): \(error.message)"
        }
    }

    private func record(_ pool: TestPool, _ name: String) async throws(PoolError) -> JSONValue {
        try await run(pool, "AdminGetUser", [("Username", .string(name))])
    }

    private func attribute(_ name: String, of record: JSONValue) -> String? {
        (record["UserAttributes"] ?? record["Attributes"])?.array?.first { $0["Name"]?.string == name }?["Value"]?
            .string
    }

    @Test("every operation for administrators is refused to others before its members are looked at")
    func unsigned() async throws {
        let pool = try TestPool()
        let all =
            PoolOperation.users + PoolOperation.groups + PoolOperation.lists + PoolOperation.links
            + PoolOperation.descriptions
        #expect(all.count == 28)
        for operation in all {
            #expect(operation.access == .administrators)
            await #expect(throws: PoolError("MissingAuthenticationTokenException", "Missing Authentication Token")) {
                try await pool.call(operation.name, ["UserPoolId": 1, "Username": .null])
            }
        }
    }

    @Test("another pool is not there")
    func otherPool() async throws {
        let pool = try TestPool()
        for operation in ["AdminGetUser", "AdminDeleteUser", "AdminDisableUser"] {
            await #expect(throws: PoolError("ResourceNotFoundException", "User pool us-east-1_other does not exist.")) {
                try await pool.call(operation, ["UserPoolId": "us-east-1_other", "Username": "ann"], by: true)
            }
        }
    }

    // MARK: Inviting

    @Test("an invited user has to change the password, which the message tells")
    func invitation() async throws {
        let pool = try TestPool()
        let made = try await invite(
            pool, "ann", [("email", "ann@example.com"), ("email_verified", "true")],
            [("DesiredDeliveryMediums", ["EMAIL"])])
        let user = try #require(made["User"])
        #expect(user["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        #expect(user["Enabled"] == true)
        #expect(user["Username"] == "ann")
        #expect(attribute("email_verified", of: user) == "true")
        let temporary = try await pool.code(to: "ann@example.com")
        #expect(pool.pool.settings.password.fault(of: temporary) == nil)
        #expect(temporary.utf8.count >= 16)
        let wrong = await #expect(throws: PoolError.self) { try await pool.signIn("ann", "Wr0ng!Password") }
        #expect(wrong == .wrongPassword)
        let again = try await invite(pool, "ann", [], [("MessageAction", "RESEND")])
        #expect(again["User"]?["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        #expect(try await pool.code(to: "ann@example.com") != temporary)
        let old = await #expect(throws: PoolError.self) { try await pool.signIn("ann", temporary) }
        #expect(old == .wrongPassword)
    }

    @Test("invitations that cannot be are refused")
    func refusedInvitations() async throws {
        let pool = try TestPool()
        _ = try await invite(pool, "ann")
        try await run(
            pool, "AdminSetUserPassword", [("Username", "ann"), ("Password", "Str0ng!Passw0rd"), ("Permanent", true)])
        let cases: [(name: String, members: [(String, JSONValue)], refusal: String)] = [
            ("ann", [], "UsernameExistsException: User already exists"),
            ("ANN", [], "UsernameExistsException: User already exists"),
            (
                "bob", [("TemporaryPassword", "weak")],
                "InvalidPasswordException: Password did not conform with policy: Password not long enough"
            ),
            ("bob", [("MessageAction", "RESEND")], "UserNotFoundException: User does not exist."),
            (
                "ann", [("MessageAction", "RESEND")],
                "UnsupportedUserStateException: Resend not possible. The user's status is CONFIRMED, not FORCE_CHANGE_PASSWORD."
            ),
            (
                "bob", [("UserAttributes", Self.attributes([("name", "x"), ("name", "y")]))],
                "InvalidParameterException: Attributes did not conform to the schema: name: Attribute is named more than once"
            ),
            (
                "bob", [("UserAttributes", Self.attributes([("sub", "x")]))],
                "NotAuthorizedException: A client attempted to write unauthorized attribute"
            ),
            (
                "bob", [("UserAttributes", Self.attributes([("custom:x", "x")]))],
                "InvalidParameterException: user.custom:x: Attribute does not exist in the schema."
            ),
        ]
        for (name, members, wanted) in cases {
            #expect(
                await refusal(pool, "AdminCreateUser", [("Username", .string(name))] + members) == wanted, "\(name)")
        }
        #expect(try await pool.messageCount() == 0)
    }

    @Test("a temporary password ends, and nobody is told of one that is to be kept quiet")
    func temporaryPassword() async throws {
        let pool = try TestPool()
        _ = try await invite(
            pool, "ann", [("email", "ann@example.com")],
            [("MessageAction", "SUPPRESS"), ("TemporaryPassword", "Str0ng!Passw0rd")])
        #expect(try await pool.messageCount() == 0)
        pool.clock.pass(seconds: 8 * 86_400)
        let ended = await #expect(throws: PoolError.self) { try await pool.signIn("ann") }
        #expect(ended?.message == "Temporary password has expired and must be reset by an administrator.")
    }

    @Test("in a pool whose users sign in by mail the address is the name, and nobody else's")
    func addressAsName() async throws {
        let pool = try TestPool { $0.signInNames = [.email] }
        let made = try await invite(pool, "ann@example.com")
        let name = try #require(made["User"]?["Username"]?.string)
        #expect(attribute("sub", of: try #require(made["User"])) == name)
        #expect(try await record(pool, "ann@example.com")["Username"]?.string == name)
        #expect(
            await refusal(pool, "AdminCreateUser", [("Username", "Ann@example.com")])
                == "UsernameExistsException: An account with the given email already exists.")
        #expect(
            await refusal(pool, "AdminCreateUser", [("Username", "ann")])
                == "InvalidParameterException: Username should be an email.")
        // The address moves with the attribute.
        try await run(
            pool, "AdminUpdateUserAttributes",
            [("Username", .string(name)), ("UserAttributes", Self.attributes([("email", "new@example.com")]))])
        #expect(try await record(pool, "new@example.com")["Username"]?.string == name)
        #expect(await refusal(pool, "AdminGetUser", [("Username", "ann@example.com")]) != nil)
        _ = try await invite(pool, "bob@example.com")
        #expect(
            await refusal(
                pool, "AdminUpdateUserAttributes",
                [
                    ("Username", "bob@example.com"),
                    ("UserAttributes", Self.attributes([("email", "new@example.com")])),
                ]) == "AliasExistsException: An account with the given email already exists.")
    }

    @Test("an alias that is another's moves only where that is wished")
    func aliases() async throws {
        let pool = try TestPool { $0.aliases = ["email"] }
        let verified = [("email", "ann@example.com"), ("email_verified", "true")]
        _ = try await invite(pool, "ann", verified)
        #expect(try await record(pool, "ann@example.com")["Username"] == "ann")
        #expect(
            await refusal(
                pool, "AdminCreateUser", [("Username", "bob"), ("UserAttributes", Self.attributes(verified))])
                == "AliasExistsException: An account with the given email already exists.")
        #expect(
            await refusal(pool, "AdminGetUser", [("Username", "bob")]) == "UserNotFoundException: User does not exist.")
        _ = try await invite(pool, "bob", verified, [("ForceAliasCreation", true), ("MessageAction", "SUPPRESS")])
        #expect(try await record(pool, "ann@example.com")["Username"] == "bob")
        #expect(attribute("email_verified", of: try await record(pool, "ann")) == "false")
    }

    // MARK: The life of users

    @Test("a password that is set for good lets its user in, and another asks for a new one")
    func passwords() async throws {
        let pool = try TestPool()
        _ = try await invite(pool, "ann")
        let set: [(String, JSONValue)] = [("Username", "ann"), ("Password", .string(TestPool.password))]
        try await run(pool, "AdminSetUserPassword", set + [("Permanent", true)])
        #expect(try await record(pool, "ann")["UserStatus"] == "CONFIRMED")
        #expect(try await pool.signIn("ann").signsIn)
        try await run(pool, "AdminSetUserPassword", set)
        #expect(try await record(pool, "ann")["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        #expect(
            await refusal(pool, "AdminSetUserPassword", [("Username", "ann"), ("Password", "Weakpassw0rd")])
                == "InvalidPasswordException: Password did not conform with policy: Password must have symbol characters"
        )
        #expect(
            await refusal(
                pool, "AdminSetUserPassword", [("Username", "bob"), ("Password", .string(TestPool.password))])
                == "UserNotFoundException: User does not exist.")
    }

    @Test("whoever has signed up can be confirmed once")
    func confirmation() async throws {
        let pool = try TestPool()
        try await pool.call(
            "SignUp", ["ClientId": "client", "Username": "ann", "Password": .string(TestPool.password)])
        let unconfirmed = await #expect(throws: PoolError.self) { try await pool.signIn("ann") }
        #expect(unconfirmed == .notConfirmed)
        try await run(pool, "AdminConfirmSignUp", [("Username", "ann")])
        #expect(try await pool.signIn("ann").signsIn)
        #expect(
            await refusal(pool, "AdminConfirmSignUp", [("Username", "ann")])
                == "NotAuthorizedException: User cannot be confirmed. Current status is CONFIRMED")
    }

    @Test(
        "nothing of a user who was deleted, signed out or disabled is good any more",
        arguments: [
            "AdminDeleteUser", "AdminUserGlobalSignOut", "AdminDisableUser",
        ])
    func ended(operation: String) async throws {
        let pool = try TestPool()
        let old = try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        let tokens = try await pool.signIn("ann")
        let refresh = try #require(tokens.token("RefreshToken"))
        let access = try #require(tokens.token("AccessToken"))
        try await pool.call("GetUser", ["AccessToken": access])
        try await run(pool, operation, [("Username", "ann")])
        if operation == "AdminDeleteUser" {
            #expect(await refusal(pool, "AdminGetUser", [("Username", "ann")]) != nil)
            #expect(await refusal(pool, "AdminGetUser", [("Username", .string(old.sub))]) != nil)
            #expect(try await pool.make("ann").sub != old.sub)
        } else {
            #expect(try await record(pool, "ann")["Enabled"] == .bool(operation != "AdminDisableUser"))
            try await run(pool, "AdminEnableUser", [("Username", "ann")])
        }
        // Whatever it has become, what was given out before stays ended.
        await #expect(throws: PoolError.self) { try await pool.call("GetUser", ["AccessToken": access]) }
        await #expect(throws: PoolError.self) {
            try await pool.call("GetTokensFromRefreshToken", ["RefreshToken": refresh, "ClientId": "client"])
        }
        #expect(try await pool.signIn("ann").signsIn)
    }

    @Test("a sign-in on its way when its user is disabled is over, also when they are enabled again")
    func endedOnTheWay() async throws {
        let pool = try TestPool()
        for name in ["ann", "bob"] { try await pool.make(name) { $0.status = .mustChangePassword } }
        let (ann, bob) = (try await pool.signIn("ann"), try await pool.signIn("bob"))
        try await run(pool, "AdminDisableUser", [("Username", "ann")])
        try await run(pool, "AdminEnableUser", [("Username", "ann")])
        let answer: JSONValue = ["NEW_PASSWORD": "N3w!Passw0rd"]
        await #expect(throws: PoolError.invalidSession) {
            _ = try await pool.respond("NEW_PASSWORD_REQUIRED", answer, after: ann)
        }
        #expect(try await pool.respond("NEW_PASSWORD_REQUIRED", answer, after: bob).signsIn)
        pool.clock.pass(seconds: 1)
        let later = try await pool.signIn("ann")
        #expect(try await pool.respond("NEW_PASSWORD_REQUIRED", answer, after: later).signsIn)
    }

    @Test("a deleted user leaves nothing behind but messages")
    func traces() async throws {
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        try await run(pool, "CreateGroup", [("GroupName", "editors")])
        try await run(pool, "AdminAddUserToGroup", [("Username", "ann"), ("GroupName", "editors")])
        try await run(
            pool, "AdminLinkProviderForUser",
            [
                ("DestinationUser", ["ProviderName": "Cognito", "ProviderAttributeValue": "ann"]),
                ("SourceUser", ["ProviderName": "Google", "ProviderAttributeValue": "1"]),
            ])
        _ = try await pool.signIn("ann")
        _ = try? await pool.signIn("ann", "Wr0ng!Password")
        try await run(pool, "AdminResetUserPassword", [("Username", "ann")])
        #expect(try await rows(of: pool).values.allSatisfy { $0 > 0 })
        try await run(pool, "AdminDeleteUser", [("Username", "ann")])
        #expect(try await rows(of: pool).filter { $0.value > 0 }.isEmpty)
        try await pool.make("ann")
        #expect(
            try await run(pool, "AdminListGroupsForUser", [("Username", "ann")])["Groups"] == .array([]))
    }

    /// How many rows there are in the tables that have something of users.
    private func rows(of pool: TestPool) async throws -> [String: Int64] {
        try await pool.write { change throws(PoolError) in
            [
                "users": try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_users")),
                "names": try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_user_names")),
                "codes": try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_user_codes")),
                "tries": try change.session.count(
                    RoomStatement("SELECT count(*) FROM _homeport_user_tries WHERE subject NOT LIKE '% of %'")),
                "sign-ins": try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_sign_ins")),
                "members": try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_group_members")),
                "links": try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_user_links")),
            ]
        }
    }

    @Test("a reset sends a code to an address that is verified, and the old password is no good")
    func reset() async throws {
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        try await run(pool, "AdminResetUserPassword", [("Username", "ann")])
        #expect(try await record(pool, "ann")["UserStatus"] == "RESET_REQUIRED")
        #expect(try await pool.code(to: "ann@example.com").utf8.count == 6)
        let refused = await #expect(throws: PoolError.self) { try await pool.signIn("ann") }
        #expect(refused == .resetRequired)
        try await pool.make("bob", [("email", "bob@example.com")])
        #expect(
            await refusal(pool, "AdminResetUserPassword", [("Username", "bob")])
                == "InvalidParameterException: Cannot reset password for the user as there is no registered/verified email or "
                + "phone_number")
        _ = try await invite(pool, "eve", [("email", "eve@example.com"), ("email_verified", "true")])
        #expect(
            await refusal(pool, "AdminResetUserPassword", [("Username", "eve")])
                == "NotAuthorizedException: User password cannot be reset in the current state.")
    }

    @Test("a changed address is not verified, unless it is said to be, and its codes end")
    func addresses() async throws {
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        func update(_ attributes: [(String, String)]) async throws(PoolError) -> JSONValue {
            try await run(
                pool, "AdminUpdateUserAttributes",
                [("Username", "ann"), ("UserAttributes", Self.attributes(attributes))])
            return try await record(pool, "ann")
        }
        #expect(attribute("email_verified", of: try await update([("email", "ann@example.com")])) == "true")
        #expect(attribute("email_verified", of: try await update([("email", "new@example.com")])) == "false")
        let verified = try await update([("email_verified", "True"), ("email", "newer@example.com")])
        #expect(attribute("email_verified", of: verified) == "true")
        #expect(attribute("email", of: verified) == "newer@example.com")
        let removed = try await run(
            pool, "AdminDeleteUserAttributes", [("Username", "ann"), ("UserAttributeNames", ["email"])])
        #expect(removed == .object(JSONObject()))
        #expect(attribute("email_verified", of: try await record(pool, "ann")) == nil)
        #expect(
            await refusal(
                pool, "AdminUpdateUserAttributes",
                [("Username", "ann"), ("UserAttributes", Self.attributes([("email_verified", "yes")]))])
                == "InvalidParameterException: Attribute value for email_verified must be true or false.")
    }

    @Test("what was given once is no user's to take away, and what there is not is nobody's")
    func removals() async throws {
        var once = AttributeSchema.Custom()
        once.isMutable = false
        let tier = once
        let pool = try TestPool {
            $0.attributes.custom = [ByteText("tier"): tier, ByteText("plan"): AttributeSchema.Custom()]
            $0.attributes.immutable = ["birthdate"]
        }
        let all = ["custom:tier", "custom:plan", "birthdate", "nickname"]
        try await pool.make("ann", all.map { ($0, "2000-01-01") })
        let token = try #require(try await pool.signIn("ann")["AuthenticationResult"]?["AccessToken"])
        func removal(_ name: String) async -> String {
            do throws(PoolError) {
                try await pool.call(
                    "DeleteUserAttributes", ["AccessToken": token, "UserAttributeNames": [.string(name)]])
                return "removed"
            } catch {
                return "\(error.type): \(error.message)"
            }
        }
        #expect(await removal("nickname") == "removed")
        #expect(await removal("custom:plan") == "removed")
        for name in ["custom:tier", "birthdate"] {
            #expect(
                await removal(name) == "InvalidParameterException: user.\(name): Attribute cannot be updated.")
        }
        for name in ["custom:other", "sub", "identities", "dev:plan"] {
            #expect(
                await removal(name)
                    == "InvalidParameterException: user.\(name): Attribute does not exist in the schema.")
        }
        try await run(
            pool, "AdminDeleteUserAttributes",
            [("Username", "ann"), ("UserAttributeNames", ["custom:tier", "birthdate"])])
        let record = try await record(pool, "ann")
        for name in all { #expect(attribute(name, of: record) == nil, "\(name)") }
    }

    @Test("a second factor is chosen by whoever has one")
    func factors() async throws {
        let pool = try TestPool()
        try await pool.make("ann", [("email", "ann@example.com"), ("email_verified", "true")])
        let on: JSONValue = ["Enabled": true, "PreferredMfa": true]
        let cases: [(member: String, refusal: String?)] = [
            ("SoftwareTokenMfaSettings", "InvalidParameterException: User has not verified software token mfa"),
            (
                "SMSMfaSettings",
                "InvalidParameterException: User does not have delivery config set to turn on SMS_MFA"
            ),
            ("EmailMfaSettings", nil),
        ]
        for (member, wanted) in cases {
            #expect(await refusal(pool, "AdminSetUserMFAPreference", [("Username", "ann"), (member, on)]) == wanted)
        }
        #expect(try await record(pool, "ann")["PreferredMfaSetting"] == "EMAIL_OTP")
        #expect(try await record(pool, "ann")["UserMFASettingList"] == ["EMAIL_OTP"])
        #expect(
            await refusal(
                pool, "AdminSetUserMFAPreference",
                [("Username", "ann"), ("EmailMfaSettings", ["Enabled": false, "PreferredMfa": true])]) != nil)
        try await run(
            pool, "AdminSetUserMFAPreference", [("Username", "ann"), ("EmailMfaSettings", ["Enabled": false])])
        #expect(try await record(pool, "ann")["UserMFASettingList"] == nil)
    }

    // MARK: Groups

    @Test("groups are made, changed, told and deleted")
    func groups() async throws {
        let pool = try TestPool()
        let made = try await run(
            pool, "CreateGroup",
            [
                ("GroupName", "editors"), ("Description", "who edit"), ("Precedence", 3),
                ("RoleArn", "arn:aws:iam::123456789012:role/editors"),
            ])
        #expect(made["Group"]?["Precedence"] == 3)
        #expect(made["Group"]?["UserPoolId"] == Self.id)
        let changed = try await run(pool, "UpdateGroup", [("GroupName", "editors"), ("Precedence", 1)])
        #expect(changed["Group"]?["Precedence"] == 1)
        #expect(changed["Group"]?["Description"] == "who edit")
        #expect(try await run(pool, "GetGroup", [("GroupName", "editors")]) == changed)
        try await pool.make("ann")
        try await run(pool, "AdminAddUserToGroup", [("Username", "ann"), ("GroupName", "editors")])
        try await run(pool, "AdminAddUserToGroup", [("Username", "ann"), ("GroupName", "editors")])
        #expect(try await pool.signIn("ann").claims(of: "IdToken")["cognito:groups"] == ["editors"])
        #expect(try await run(pool, "ListUsersInGroup", [("GroupName", "editors")])["Users"]?.array?.count == 1)
        try await run(pool, "AdminRemoveUserFromGroup", [("Username", "ann"), ("GroupName", "editors")])
        try await run(pool, "AdminRemoveUserFromGroup", [("Username", "ann"), ("GroupName", "editors")])
        #expect(try await run(pool, "ListUsersInGroup", [("GroupName", "editors")])["Users"]?.array?.isEmpty == true)
        try await run(pool, "AdminAddUserToGroup", [("Username", "ann"), ("GroupName", "editors")])
        try await run(pool, "DeleteGroup", [("GroupName", "editors")])
        let missing = "ResourceNotFoundException: Group not found."
        for operation in ["GetGroup", "UpdateGroup", "DeleteGroup", "ListUsersInGroup"] {
            #expect(await refusal(pool, operation, [("GroupName", "editors")]) == missing)
        }
        for operation in ["AdminAddUserToGroup", "AdminRemoveUserFromGroup"] {
            #expect(await refusal(pool, operation, [("Username", "ann"), ("GroupName", "editors")]) == missing)
            #expect(
                await refusal(pool, operation, [("Username", "bob"), ("GroupName", "editors")])
                    == "UserNotFoundException: User does not exist.")
        }
        // Who was in it is not in the next one of that name.
        try await run(pool, "CreateGroup", [("GroupName", "editors")])
        #expect(try await run(pool, "ListUsersInGroup", [("GroupName", "editors")])["Users"]?.array?.isEmpty == true)
        #expect(
            await refusal(pool, "CreateGroup", [("GroupName", "editors")])
                == "GroupExistsException: A group with the name already exists.")
        for role in ["arn:aws:iam::x:role/editors", "role/editors/and/so/on/and/on", "arn:aws:iam::1:"] {
            #expect(
                await refusal(pool, "CreateGroup", [("GroupName", "x"), ("RoleArn", .string(role))])?
                    .hasPrefix("InvalidParameterException") == true)
        }
    }

    @Test("a user is in so many groups and no more")
    func manyGroups() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        for number in 0...PoolLimits.groupsPerUserMax {
            let group: JSONValue = .string("group\(number)")
            try await run(pool, "CreateGroup", [("GroupName", group)])
            let refused = await refusal(pool, "AdminAddUserToGroup", [("Username", "ann"), ("GroupName", group)])
            #expect((refused == nil) == (number < PoolLimits.groupsPerUserMax))
        }
        let names = try await pages(pool, "AdminListGroupsForUser", "NextToken", [("Username", "ann"), ("Limit", 7)]) {
            $0["Groups"]?.array?.compactMap { $0["GroupName"]?.string } ?? []
        }
        #expect(names.count == PoolLimits.groupsPerUserMax && Set(names).count == names.count)
    }

    // MARK: Lists

    /// All elements of a list, page by page.
    private func pages(
        _ pool: TestPool, _ operation: String, _ token: String, _ members: [(String, JSONValue)],
        _ elements: (JSONValue) -> [String]
    ) async throws -> [String] {
        var all: [String] = []
        var next: JSONValue?
        repeat {
            let answer = try await run(pool, operation, members + (next.map { [(token, $0)] } ?? []))
            all += elements(answer)
            next = answer[token]
        } while next != nil && all.count < 10_000
        return all
    }

    @Test("users are listed in the order in which they came, page by page, as the filter wants them")
    func lists() async throws {
        let pool = try TestPool()
        for number in 0..<25 {
            try await pool.make(
                "user\(number)", password: nil,
                [
                    ("email", .string("u\(number)@example.com")),
                    ("name", .string(number % 2 == 0 ? "Even" : "Odd \"\(number)\"")),
                ])
        }
        try await run(pool, "AdminDisableUser", [("Username", "user3")])
        func names(_ filter: String?, limit: Int64 = 60) async throws -> [String] {
            try await pages(
                pool, "ListUsers", "PaginationToken",
                [("Limit", .integer(limit))] + (filter.map { [("Filter", .string($0))] } ?? [])
            ) { $0["Users"]?.array?.compactMap { $0["Username"]?.string } ?? [] }
        }
        let all = (0..<25).map { "user\($0)" }
        for limit: Int64 in [0, 1, 7, 24, 25, 60] { #expect(try await names(nil, limit: limit) == all) }
        let cases: [(filter: String, names: [String])] = [
            ("", all), (#"username = "user7""#, ["user7"]), (#"username="USER7""#, ["user7"]),
            (#"username ^= "user2""#, ["user2", "user20", "user21", "user22", "user23", "user24"]),
            (#"  email   =   "u4@example.com"  "#, ["user4"]), (#"email ^= "u1@""#, ["user1"]),
            (#"name = "Odd \"5\"""#, ["user5"]), (#"status = "Disabled""#, ["user3"]),
            (#"status = "disabled""#, []), (#"cognito:user_status = "confirmed""#, all), (#"sub = "user1""#, []),
            (#"email = "nobody@example.com""#, []), (#"username = "u4@example.com""#, []),
        ]
        for (filter, wanted) in cases {
            for limit: Int64 in [1, 60] { #expect(try await names(filter, limit: limit) == wanted, "\(filter)") }
        }
        for filter in [
            "username", "username =", "username = user1", #"username = "user1"#, #"username == "user1""#,
            #"username ^ "user1""#, #"custom:x = "1""#, #"= "x""#, #"username = "a" and"#, #"username = "a\"#,
        ] {
            #expect(
                await refusal(pool, "ListUsers", [("Filter", .string(filter))])?.hasPrefix("InvalidParameterException")
                    == true, "\(filter)")
        }
        let some = try await run(pool, "ListUsers", [("Limit", 1), ("AttributesToGet", ["email"])])
        #expect(some["Users"]?.array?.first?["Attributes"] == [["Name": "email", "Value": "u0@example.com"]])
        #expect(await refusal(pool, "ListUsers", [("AttributesToGet", ["nothing"])]) != nil)
        #expect(await refusal(pool, "ListUsers", [("Limit", 61)]) != nil)
        // A token leads on in its own list only.
        let token = try #require(some["PaginationToken"])
        for members: [(String, JSONValue)] in [
            [("PaginationToken", token), ("Filter", #"name ^= "E""#)], [("PaginationToken", "AAAA")],
            [("PaginationToken", .string("x" + (token.string ?? "")))],
        ] { #expect(await refusal(pool, "ListUsers", members)?.hasPrefix("InvalidParameterException") == true) }
        #expect(await refusal(pool, "ListGroups", [("NextToken", token)]) != nil)
    }

    @Test("the pool and its clients describe themselves")
    func descriptions() async throws {
        var app = AppClient("app")
        app.redirectURIs = ["http://localhost:3000/"]
        app.logoutURIs = ["http://localhost:3000/bye"]
        app.scopes = ["openid", "shop/read"]
        let known = app
        let pool = try TestPool {
            $0.attributes.required = ["email"]
            $0.clients = [AppClient("client"), known]
        }
        let description = try await run(pool, "DescribeUserPool", [])
        #expect(description["UserPool"]?["Id"] == Self.id)
        #expect(description["UserPool"]?["Policies"]?["PasswordPolicy"]?["MinimumLength"] == 8)
        let email = description["UserPool"]?["SchemaAttributes"]?.array?.first { $0["Name"] == "email" }
        #expect(email?["Required"] == true)
        let client = try await run(pool, "DescribeUserPoolClient", [("ClientId", "client")])
        #expect(client["UserPoolClient"]?["ClientId"] == "client")
        #expect(client["UserPoolClient"]?["ClientSecret"] == nil)
        #expect(client["UserPoolClient"]?["AllowedOAuthFlowsUserPoolClient"] == false)
        let onPages = try await run(pool, "DescribeUserPoolClient", [("ClientId", "app")])
        #expect(onPages["UserPoolClient"]?["CallbackURLs"] == ["http://localhost:3000/"])
        #expect(onPages["UserPoolClient"]?["LogoutURLs"] == ["http://localhost:3000/bye"])
        #expect(onPages["UserPoolClient"]?["AllowedOAuthFlows"] == ["code"])
        #expect(onPages["UserPoolClient"]?["AllowedOAuthScopes"] == ["openid", "shop/read"])
        #expect(await refusal(pool, "DescribeUserPoolClient", [("ClientId", "other")]) != nil)
        let clients = try await run(pool, "ListUserPoolClients", [("MaxResults", 2)])
        #expect(clients["UserPoolClients"]?.array?.count == 2 && clients["NextToken"] == nil)
        let pools = try await pool.call("ListUserPools", ["MaxResults": 10], by: true)
        #expect(pools["UserPools"]?.array?.first?["Id"] == Self.id)
    }

    // MARK: Links

    @Test("a user of another provider is one user here")
    func links() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        try await pool.make("bob")
        func link(
            _ user: String, provider: String = "Google", _ subject: String = "1", by attribute: String? = nil
        ) -> [(String, JSONValue)] {
            var source = JSONObject([("ProviderName", .string(provider)), ("ProviderAttributeValue", .string(subject))])
            source["ProviderAttributeName"] = attribute.map(JSONValue.string)
            return [
                ("DestinationUser", ["ProviderName": "Cognito", "ProviderAttributeValue": .string(user)]),
                ("SourceUser", .object(source)),
            ]
        }
        #expect(await refusal(pool, "AdminLinkProviderForUser", link("ann", by: "Cognito_Subject")) == nil)
        for refused in [
            link("bob"), link("ann"), link("ann", provider: "Cognito", "2"), link("ann", "2", by: "email"),
            link("eve", "2"), link("ann", ""),
        ] { #expect(await refusal(pool, "AdminLinkProviderForUser", refused) != nil) }
        let linked = try await pool.write { change throws(PoolError) in
            try change.session.user(linkedTo: ForeignUser(provider: "Google", subject: "1"))?.name
        }
        #expect(linked == "ann")
        let user: JSONValue = ["ProviderName": "Google", "ProviderAttributeValue": "1"]
        #expect(await refusal(pool, "AdminDisableProviderForUser", [("User", user)]) == nil)
        #expect(
            await refusal(pool, "AdminDisableProviderForUser", [("User", user)])
                == "UserNotFoundException: User does not exist.")
    }
}
