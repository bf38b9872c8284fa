import Cloud
import Crypto
import JSON

extension PoolOperation {
    /// Devices that users let be known.
    static let devices: [PoolOperation] = [
        PoolOperation(
            "ConfirmDevice", .open,
            .ofCaller + [
                .deviceKey, .init("DeviceName", .text(1...PoolLimits.deviceNameMax)),
                .init(
                    "DeviceSecretVerifierConfig",
                    .object([
                        .init("PasswordVerifier", .text(0...PoolLimits.authParameterMax, isSecret: true)),
                        .init("Salt", .text(0...PoolLimits.authParameterMax, isSecret: true)),
                    ])),
            ]
        ) { run throws(PoolError) in try await run.confirmDevice() },
        PoolOperation("UpdateDeviceStatus", .open, .ofCaller + [.deviceKey, .rememberedStatus]) {
            run throws(PoolError) in
            try await run.updateDeviceStatus(of: run.signedInUser().user)
        },
        PoolOperation("ForgetDevice", .open, .ofCaller + [.deviceKey]) { run throws(PoolError) in
            try await run.forgetDevice(of: run.signedInUser().user)
        },
        PoolOperation("GetDevice", .open, .ofCaller + [.deviceKey]) { run throws(PoolError) in
            try await run.getDevice(of: run.signedInUser().user)
        },
        PoolOperation("ListDevices", .open, .ofCaller + .pageOfDevices) { run throws(PoolError) in
            try await run.listDevices(of: run.signedInUser().user)
        },
        PoolOperation("AdminUpdateDeviceStatus", .administrators, .ofNamedUser + [.deviceKey, .rememberedStatus]) {
            run throws(PoolError) in
            try await run.updateDeviceStatus(of: run.namedUser())
        },
        PoolOperation("AdminForgetDevice", .administrators, .ofNamedUser + [.deviceKey]) { run throws(PoolError) in
            try await run.forgetDevice(of: run.namedUser())
        },
        PoolOperation("AdminGetDevice", .administrators, .ofNamedUser + [.deviceKey]) { run throws(PoolError) in
            try await run.getDevice(of: run.namedUser())
        },
        PoolOperation("AdminListDevices", .administrators, .ofNamedUser + .pageOfDevices) { run throws(PoolError) in
            try await run.listDevices(of: run.namedUser())
        },
    ]

    static let devicesPageMax: Int64 = 60
}

extension MemberShape.Member {
    fileprivate static let deviceKey = Self(
        "DeviceKey", .text(1...PoolLimits.deviceKeyBytesMax, .deviceKey), isRequired: true)
    fileprivate static let rememberedStatus = Self("DeviceRememberedStatus", .choice(["remembered", "not_remembered"]))
}

extension [MemberShape.Member] {
    fileprivate static let ofCaller: Self = [.init("AccessToken", .accessToken, isRequired: true)]
    fileprivate static let ofNamedUser: Self = [
        .init("UserPoolId", .poolID, isRequired: true), .init("Username", .username, isRequired: true),
    ]
    fileprivate static let pageOfDevices: Self = [
        .init("Limit", .integer(0...PoolOperation.devicesPageMax)),
        .init("PaginationToken", .text(1...PoolLimits.authParameterMax, .solid)),
    ]
}

extension PoolRun {
    /// The user whom an administrator names.
    fileprivate func namedUser() async throws(PoolError) -> User {
        try demandOwnPool()
        return try await knownUser(input.required("Username"))
    }

    fileprivate func confirmDevice() async throws(PoolError) -> JSONObject {
        let caller = try await signedInUser()
        guard settings.deviceTracking != .off else {
            throw .invalidParameter("The user pool does not keep track of devices.")
        }
        let key = try input.required("DeviceKey")
        guard key == newDeviceKey(of: caller.signIn.id) else { throw .unknownDevice }
        guard let config = input.object("DeviceSecretVerifierConfig"),
            let number = config["PasswordVerifier"]?.string.flatMap({ Base64.bytes(of: $0.utf8, .standard) }),
            let salt = config["Salt"]?.string.flatMap({ Base64.bytes(of: $0.utf8, .standard) }),
            let verifier = SRPVerifier(salt: salt, number: number)
        else { throw .invalidParameter("DeviceSecretVerifierConfig holds no verifier and salt that a proof can use.") }
        let isRemembered = settings.deviceTracking == .always
        let device = Device(
            key: key, of: caller.user, name: input.text("DeviceName") ?? "", verifier: verifier,
            isRemembered: isRemembered, now: now, address: call.address)
        try await write { change throws(PoolError) in
            guard try change.session.user(caller.user.number) != nil,
                let signIn = try change.session.signIn(caller.signIn.id), !signIn.isRevoked
            else { throw .notAuthorized("Access Token has been revoked") }
            guard try change.create(device) else {
                throw PoolError("DeviceKeyExistsException", "Device already exists")
            }
            try change.bind(signIn, to: key)
        }
        return JSONObject([("UserConfirmationNecessary", .bool(!isRemembered))])
    }

    fileprivate func updateDeviceStatus(of user: User) async throws(PoolError) -> JSONObject {
        let key = try input.required("DeviceKey")
        let isRemembered = input.text("DeviceRememberedStatus") == "remembered"
        try await write { change throws(PoolError) in try change.remember(isRemembered, key, of: user) }
        return JSONObject()
    }

    /// Its answer has no body.
    fileprivate func forgetDevice(of user: User) async throws(PoolError) -> JSONObject? {
        let key = try input.required("DeviceKey")
        try await write { change throws(PoolError) in try change.forget(key, of: user) }
        return nil
    }

    fileprivate func getDevice(of user: User) async throws(PoolError) -> JSONObject {
        let key = try input.required("DeviceKey")
        let found = try await read { reader throws(PoolError) in try reader.device(key, of: user) }
        guard let device = found else { throw .unknownDevice }
        return JSONObject([("Device", device.record)])
    }

    fileprivate func listDevices(of user: User) async throws(PoolError) -> JSONObject {
        let limit = input.integer("Limit").flatMap { $0 == 0 ? nil : Int($0) } ?? Int(PoolOperation.devicesPageMax)
        var after = ""
        if let token = input.text("PaginationToken") {
            guard let bytes = Base64.bytes(of: token.utf8), bytes.count <= PoolLimits.deviceKeyBytesMax,
                let key = String(validating: bytes, as: UTF8.self)
            else { throw .invalidParameter("Invalid pagination token given.") }
            after = key
        }
        let first = after
        let devices = try await read { reader throws(PoolError) in
            try reader.devices(of: user, after: first, limit: limit + 1)
        }
        var answer = JSONObject([("Devices", .array(devices.prefix(limit).map(\.record)))])
        if devices.count > limit, let last = devices.prefix(limit).last {
            answer.set("PaginationToken", to: .string(Base64.text(of: Array(last.key.utf8))))
        }
        return answer
    }
}
