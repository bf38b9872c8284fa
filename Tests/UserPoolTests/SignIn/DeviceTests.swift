import Crypto
import JSON
import Store
import Testing

@testable import UserPool

@Suite("Devices")
struct DeviceTests {
    private static let totp = Array("12345678901234567890".utf8)

    private func pool(_ change: (inout PoolSettings) -> Void = { _ in }) async throws -> TestPool {
        let pool = try TestPool { settings in
            settings.deviceTracking = .onRequest
            change(&settings)
        }
        try await pool.make("ann")
        try await pool.make("bob")
        return pool
    }

    /// A device that was confirmed.
    private struct Confirmed {
        let key: JSONValue
        let token: JSONValue
        let client: ReferenceClient
        let answer: JSONValue
    }

    private func confirm(_ pool: TestPool, _ name: String = "ann") async throws -> Confirmed {
        let done = try await pool.signIn(name)
        return try await confirm(pool, after: done)
    }

    private func confirm(_ pool: TestPool, after done: JSONValue) async throws -> Confirmed {
        let token = try #require(done.token("AccessToken"))
        let metadata = try #require(done.token("NewDeviceMetadata"))
        let key = try #require(metadata["DeviceKey"])
        let client = ReferenceClient(
            arithmetic: .fast, group: try #require(metadata["DeviceGroupKey"]?.string), user: try #require(key.string),
            password: "random password of a device", secret: String(repeating: "3c", count: 32))
        let answer = try await pool.call("ConfirmDevice", confirmation(key, token, client))
        return Confirmed(key: key, token: token, client: client, answer: answer)
    }

    private func confirmation(_ key: JSONValue, _ token: JSONValue, _ client: ReferenceClient) -> JSONValue {
        let salt = "9f2e3d4c5b6a79880102030405060708"
        let verifier = ReferenceClient.Arithmetic.fast.power([2], bytes(client.exponent(salt: salt)))
        return [
            "AccessToken": token, "DeviceKey": key, "DeviceName": "Phone",
            "DeviceSecretVerifierConfig": [
                "Salt": .string(Base64.text(of: bytes(salt), .standard)),
                "PasswordVerifier": .string(Base64.text(of: [0] + verifier, .standard)),
            ],
        ]
    }

    private func signIn(_ pool: TestPool, with key: JSONValue, _ name: String = "ann") async throws -> JSONValue {
        try await pool.begin(
            "USER_PASSWORD_AUTH",
            ["USERNAME": .string(name), "PASSWORD": .string(TestPool.password), "DEVICE_KEY": key])
    }

    private func prove(
        _ pool: TestPool, _ device: Confirmed, after asked: JSONValue
    ) async throws -> JSONValue {
        let begun = try await pool.respond(
            "DEVICE_SRP_AUTH",
            ["USERNAME": "ann", "DEVICE_KEY": device.key, "SRP_A": .string(device.client.clientNumber)], after: asked)
        #expect(begun.challenge == "DEVICE_PASSWORD_VERIFIER")
        #expect(begun["ChallengeParameters"]?["DEVICE_KEY"] == device.key)
        return try await pool.respond(
            "DEVICE_PASSWORD_VERIFIER", try pool.claim(of: device.client, begun).adding(["DEVICE_KEY": device.key]),
            after: begun)
    }

    @Test("a confirmed device proves itself, and its tokens name it")
    func proof() async throws {
        let pool = try await pool()
        let device = try await confirm(pool)
        #expect(device.answer["UserConfirmationNecessary"] == true)
        let asked = try await signIn(pool, with: device.key)
        #expect(asked.challenge == "DEVICE_SRP_AUTH")
        let done = try await prove(pool, device, after: asked)
        #expect(try done.claims(of: "AccessToken")["device_key"] == device.key)
        #expect(try done.claims(of: "IdToken")["device_key"] == nil)
        #expect(done.token("NewDeviceMetadata") == nil)
        let refreshed = try await pool.call(
            "GetTokensFromRefreshToken",
            ["ClientId": "client", "RefreshToken": try #require(done.token("RefreshToken")), "DeviceKey": device.key])
        #expect(try refreshed.claims(of: "AccessToken")["device_key"] == device.key)
        await #expect(throws: PoolError.usedSession) {
            try await pool.respond(
                "DEVICE_SRP_AUTH", ["DEVICE_KEY": device.key, "SRP_A": .string(device.client.clientNumber)],
                after: asked)
        }
    }

    @Test("a wrong proof lets nobody in, and the session is good for another")
    func wrongProof() async throws {
        let pool = try await pool()
        let device = try await confirm(pool)
        let asked = try await signIn(pool, with: device.key)
        let begun = try await pool.respond(
            "DEVICE_SRP_AUTH", ["DEVICE_KEY": device.key, "SRP_A": .string(device.client.clientNumber)], after: asked)
        let stranger = ReferenceClient(
            arithmetic: .fast, group: device.client.group, user: device.client.user, password: "another password",
            secret: device.client.secret)
        let wrong = try pool.claim(of: stranger, begun).adding(["DEVICE_KEY": device.key])
        let right = try pool.claim(of: device.client, begun).adding(["DEVICE_KEY": device.key])
        for claim in [wrong, right] {
            // The block was used up by the wrong claim.
            await #expect(throws: PoolError.wrongPassword) {
                try await pool.respond("DEVICE_PASSWORD_VERIFIER", claim, after: begun)
            }
        }
        #expect(try await prove(pool, device, after: asked).signsIn)
        // Neither is the block one of a password, nor does it go without the session.
        let again = try await signIn(pool, with: device.key)
        let block = try await pool.respond(
            "DEVICE_SRP_AUTH", ["DEVICE_KEY": device.key, "SRP_A": .string(device.client.clientNumber)], after: again)
        let claim = try pool.claim(of: device.client, block).adding(["DEVICE_KEY": device.key])
        for (challenge, session) in [
            ("PASSWORD_VERIFIER", block), ("DEVICE_PASSWORD_VERIFIER", .object(JSONObject())),
            ("DEVICE_PASSWORD_VERIFIER", again),
        ] {
            await #expect(throws: PoolError.self) { try await pool.respond(challenge, claim, after: session) }
        }
    }

    @Test("a device that is not known is told so, an empty key is none")
    func unknown() async throws {
        let pool = try await pool()
        let bobs = try await confirm(pool, "bob")
        for key in [
            bobs.key, "us-east-1_11111111-2222-4333-8444-555555555555", "x",
            .string(String(repeating: "x", count: 9_000)),
        ] {
            await #expect(throws: PoolError.notFound("Device does not exist.")) { try await signIn(pool, with: key) }
        }
        #expect(try await signIn(pool, with: "").signsIn)
    }

    @Test("without tracking nothing is told of devices, and none is confirmed")
    func off() async throws {
        let pool = try await pool { $0.deviceTracking = .off }
        let done = try await pool.signIn("ann")
        #expect(done.signsIn && done.token("NewDeviceMetadata") == nil)
        let token = try #require(done.token("AccessToken"))
        let client = ReferenceClient(arithmetic: .fast, group: "group", user: "x_1", password: "secret", secret: "5a")
        await #expect(throws: PoolError.self) {
            try await pool.call("ConfirmDevice", confirmation("x_1", token, client))
        }
    }

    @Test("a sign-in confirms the device that it was given, once, and no other's")
    func confirmation() async throws {
        let pool = try await pool { $0.deviceTracking = .always }
        let device = try await confirm(pool)
        #expect(device.answer["UserConfirmationNecessary"] == false)
        await #expect(throws: PoolError("DeviceKeyExistsException", "Device already exists")) {
            try await pool.call("ConfirmDevice", confirmation(device.key, device.token, device.client))
        }
        let bob = try #require(try await pool.signIn("bob").token("AccessToken"))
        for token in [bob, try #require(try await pool.signIn("ann").token("AccessToken"))] {
            await #expect(throws: PoolError.unknownDevice) {
                try await pool.call("ConfirmDevice", confirmation(device.key, token, device.client))
            }
        }
        let other = try await pool.signIn("ann")
        let key = try #require(other.token("NewDeviceMetadata")?["DeviceKey"])
        let configs: [JSONValue] = [
            [:], ["Salt": "AQ=="], ["Salt": "AQ==", "PasswordVerifier": "AA=="],
            ["Salt": "AQ==", "PasswordVerifier": "AQ=="],
            ["Salt": "", "PasswordVerifier": "Ag=="], ["Salt": "!", "PasswordVerifier": "Ag=="],
        ]
        for config in configs {
            await #expect(throws: PoolError.self) {
                try await pool.call(
                    "ConfirmDevice",
                    [
                        "AccessToken": try #require(other.token("AccessToken")), "DeviceKey": key,
                        "DeviceSecretVerifierConfig": config,
                    ])
            }
        }
    }

    @Test("users and administrators list, remember and forget devices")
    func records() async throws {
        let pool = try await pool()
        let device = try await confirm(pool)
        let second = try await confirm(pool)
        let admin: JSONValue = ["UserPoolId": "us-east-1_abcDEF123", "Username": "ann"]
        func devices(_ operation: String, _ members: JSONValue) async throws -> [JSONValue] {
            try await pool.call(operation, members, by: operation.hasPrefix("Admin"))["Devices"]?.array ?? []
        }
        let keys = [device.key, second.key].compactMap(\.string).sorted().map { JSONValue.string($0) }
        let own = try await devices("ListDevices", ["AccessToken": device.token, "Limit": 60])
        #expect(own.compactMap { $0["DeviceKey"] } == keys)
        #expect(try await devices("AdminListDevices", admin) == own)
        let page = try await pool.call("ListDevices", ["AccessToken": device.token, "Limit": 1])
        let next = try await pool.call(
            "ListDevices",
            ["AccessToken": device.token, "Limit": 1, "PaginationToken": try #require(page["PaginationToken"])])
        #expect((page["Devices"]?.array ?? []) + (next["Devices"]?.array ?? []) == own)
        #expect(next["PaginationToken"] == nil)
        await #expect(throws: PoolError.self) {
            try await pool.call("ListDevices", ["AccessToken": device.token, "PaginationToken": "!!"])
        }
        let status: JSONValue = [
            "AccessToken": device.token, "DeviceKey": device.key, "DeviceRememberedStatus": "remembered",
        ]
        try await pool.call("UpdateDeviceStatus", status)
        let told = try await pool.call("GetDevice", ["AccessToken": device.token, "DeviceKey": device.key])["Device"]
        #expect(told?["DeviceCreateDate"] == .integer(pool.clock.now / 1_000))
        #expect(
            told?["DeviceAttributes"] == [
                ["Name": "device_status", "Value": "valid"], ["Name": "device_name", "Value": "Phone"],
                ["Name": "dev:device_remembered_status", "Value": "remembered"],
                ["Name": "last_ip_used", "Value": "192.0.2.1"],
            ])
        let named = admin.adding(["DeviceKey": device.key])
        #expect(try await pool.call("AdminGetDevice", named, by: true)["Device"] == told)
        // Nobody touches another user's.
        let bob = try #require(try await pool.signIn("bob").token("AccessToken"))
        for operation in ["GetDevice", "ForgetDevice", "UpdateDeviceStatus"] {
            await #expect(throws: PoolError.unknownDevice) {
                try await pool.call(operation, status.adding(["AccessToken": bob]))
            }
        }
        try await pool.call("AdminForgetDevice", named, by: true)
        try await pool.call("ForgetDevice", ["AccessToken": second.token, "DeviceKey": second.key])
        #expect(try await devices("ListDevices", ["AccessToken": second.token]).isEmpty)
        await #expect(throws: PoolError.unknownDevice) { try await signIn(pool, with: device.key) }
    }

    @Test("administrators alone see the devices of others")
    func administrators() async throws {
        let pool = try await pool()
        let device = try await confirm(pool)
        for operation in ["AdminListDevices", "AdminGetDevice", "AdminForgetDevice", "AdminUpdateDeviceStatus"] {
            await #expect(throws: PoolError.self) {
                try await pool.call(
                    operation,
                    ["UserPoolId": "us-east-1_abcDEF123", "Username": "ann", "DeviceKey": device.key])
            }
        }
    }

    // MARK: Second factors

    @Test("a device stands in for the second factor only where the pool says so and it is remembered", arguments: 0..<8)
    func standsIn(row: Int) async throws {
        let (isAllowed, isRemembered, isProved) = (row & 1 > 0, row & 2 > 0, row & 4 > 0)
        let pool = try await pool { $0.rememberedDevicesStandIn = isAllowed }
        let device = try await confirm(pool)
        if isRemembered {
            try await pool.call(
                "UpdateDeviceStatus",
                ["AccessToken": device.token, "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"])
        }
        try await pool.edit("ann") { user in
            user.secondFactors.enabled = [.totp]
            user.totpSecret = Self.totp
        }
        let asked = try await signIn(pool, with: device.key)
        guard isAllowed && isRemembered else {
            #expect(asked.challenge == "SOFTWARE_TOKEN_MFA")
            let step = pool.clock.now / 30_000
            let code = String(decoding: OneTimeCode(secret: Self.totp).code(of: step), as: UTF8.self)
            let next = try await pool.respond(
                "SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": .string(code)], after: asked)
            #expect(next.challenge == "DEVICE_SRP_AUTH")
            if isProved { #expect(try await prove(pool, device, after: next).signsIn) }
            return
        }
        #expect(asked.challenge == "DEVICE_SRP_AUTH")
        if isProved {
            #expect(try await prove(pool, device, after: asked).signsIn)
        } else {
            // Forgotten meanwhile, it stands in for nothing.
            try await pool.call(
                "UpdateDeviceStatus",
                ["AccessToken": device.token, "DeviceKey": device.key, "DeviceRememberedStatus": "not_remembered"])
            #expect(try await prove(pool, device, after: asked).challenge == "SOFTWARE_TOKEN_MFA")
        }
    }

    @Test("a device stands in for no second factor behind a code that has come by mail")
    func standsBehindPasswords() async throws {
        let pool = try await pool { $0.rememberedDevicesStandIn = true }
        try await pool.make("eve", [("email", "eve@example.com"), ("email_verified", "true")])
        let device = try await confirm(pool, "eve")
        try await pool.call(
            "UpdateDeviceStatus",
            ["AccessToken": device.token, "DeviceKey": device.key, "DeviceRememberedStatus": "remembered"])
        try await pool.edit("eve") { user in
            user.secondFactors.enabled = [.totp]
            user.totpSecret = Self.totp
        }
        #expect(try await signIn(pool, with: device.key, "eve").challenge == "DEVICE_SRP_AUTH")
        let asked = try await pool.begin(
            "USER_AUTH", ["USERNAME": "eve", "PREFERRED_CHALLENGE": "EMAIL_OTP", "DEVICE_KEY": device.key])
        #expect(asked.challenge == "EMAIL_OTP")
        let message = try #require(try await pool.pool.messages(after: 0, max: 10).last)
        let next = try await pool.respond(
            "EMAIL_OTP",
            ["USERNAME": "eve", "EMAIL_OTP_CODE": .string(message.code), "DEVICE_KEY": device.key], after: asked)
        #expect(next.challenge == "SOFTWARE_TOKEN_MFA", "\(next)")
    }

    @Test("a user has so many devices, of which the one that was used longest ago goes")
    func limit() async throws {
        let pool = try await pool()
        var first: Confirmed?
        for _ in 0...PoolLimits.devicesPerUserMax {
            let device = try await confirm(pool)
            first = first ?? device
            pool.clock.pass(seconds: 1)
        }
        let token = try #require(try await pool.signIn("ann").token("AccessToken"))
        let count = try await pool.call("ListDevices", ["AccessToken": token])["Devices"]?.array?.count
        #expect(count == Int(PoolLimits.devicesPerUserMax))
        await #expect(throws: PoolError.unknownDevice) {
            try await pool.call("GetDevice", ["AccessToken": token, "DeviceKey": try #require(first?.key)])
        }
    }

    // MARK: Passkeys

    @Test("passkeys are not enabled")
    func passkeys() async throws {
        let pool = try await pool()
        let token = try #require(try await pool.signIn("ann").token("AccessToken"))
        for operation in [
            "StartWebAuthnRegistration", "CompleteWebAuthnRegistration", "ListWebAuthnCredentials",
            "DeleteWebAuthnCredential",
        ] {
            do throws(PoolError) {
                try await pool.call(operation, ["AccessToken": token, "Credential": [:], "CredentialId": "x"])
                Issue.record("\(operation) was answered")
            } catch {
                #expect(error.type == "WebAuthnNotEnabledException")
            }
        }
    }
}
