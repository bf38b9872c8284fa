import Crypto
import JSON

/// The two rounds in which a device proves to be one that the user knows, behind the user's own proofs.
///
///     tokens, DeviceKey, DeviceGroupKey ─▶ ConfirmDevice: salt and verifier
///     the next time, with DEVICE_KEY    ─▶ DEVICE_SRP_AUTH ─▶ DEVICE_PASSWORD_VERIFIER ─▶ tokens that name the device
extension PoolRun {
    private static let member = "ChallengeResponses"

    /// The key of a device that a sign-in may be confirmed to come from: it follows from the sign-in, and is no other's.
    func newDeviceKey(of signIn: String) -> String {
        let code = HMACSHA256.code(of: Array("device of \(signIn)".utf8), key: pool.standInSecret)
        return "\(pool.identifiers.region)_\(UUIDText.versionFour(of: Array(code.prefix(16))))"
    }

    /// The name of a user's devices in their proofs.
    func deviceGroupKey(of user: User) -> String {
        let code = HMACSHA256.code(of: Array("devices of \(user.sub)".utf8), key: pool.standInSecret)
        return "-\(Hexadecimal.text(of: Array(code.prefix(4))))-"
    }

    /// `DEVICE_SRP_AUTH`: the first round.
    func beginDeviceProof(for client: AppClient) async throws(PoolError) -> JSONObject {
        let progress = try await progress(waitingFor: .deviceSRP, of: client)
        let text = try demandedParameter("SRP_A", of: Self.member)
        let (user, device) = try await provingDevice(progress)
        guard let verifier = SRPVerifier(salt: device.salt, number: device.verifier) else { throw .unknownDevice }
        let begun = try await aside { () -> (exchange: SRPExchange, number: SRPNumber)? in
            guard let number = SRPClientNumber(text) else { return nil }
            let begun = SRPExchange.begin(with: number, verifier: verifier)
            return (begun.exchange, begun.serverNumber)
        }
        guard let begun else { throw .invalidParameter("SRP_A is no number that a proof can begin with.") }
        // The session before stays good until the device has proved itself; block and session belong together.
        var details = progress.carried
        if let former = progress.usedState {
            details.set("s", to: .string(former.id))
            details.set("e", to: .integer(former.expires))
        }
        let block = SealedState(
            .deviceProof, client: client, user: user.number, now: now,
            details: JSONObject([
                ("k", .string(device.key)), ("x", .string(Base64.text(of: begun.exchange.bytes))),
            ]))
        details.set("b", to: .string(block.id))
        let parameters = JSONObject([
            ("DEVICE_KEY", .string(device.key)), ("SALT", .string(verifier.saltText)),
            ("SECRET_BLOCK", .string(Base64.text(of: block.sealed(by: pool.seal), .standard))),
            ("SRP_B", .string(begun.number.hexadecimal)), ("USERNAME", .string(user.name)),
        ])
        return challenge(.devicePassword, parameters, details, of: user.number, for: client)
    }

    /// `DEVICE_PASSWORD_VERIFIER`: the second round.
    func finishDeviceProof(for client: AppClient) async throws(PoolError) -> JSONObject {
        let block = try demandedParameter("PASSWORD_CLAIM_SECRET_BLOCK", of: Self.member)
        let timestamp = try demandedParameter("TIMESTAMP", of: Self.member)
        let signature = try demandedParameter("PASSWORD_CLAIM_SIGNATURE", of: Self.member)
        var progress = try await progress(waitingFor: .devicePassword, of: client)
        let (user, device) = try await provingDevice(progress)
        guard let blockBytes = Base64.bytes(of: block.utf8, .standard),
            let state = SealedState(blockBytes, .deviceProof, openedBy: pool.seal),
            state.user == user.number, state.expires > now, state.text("k") == device.key,
            state.id == progress.usedState?.text("b"),
            let exchange = state.text("x").flatMap({ Base64.bytes(of: $0.utf8) }).flatMap(SRPExchange.init(bytes:)),
            let verifier = SRPVerifier(salt: device.salt, number: device.verifier)
        else { throw .wrongPassword }
        guard ClaimTimestamp.isTimely(timestamp, now: now) else { throw try await untimely(state) }
        let subject = WrongTries.subject(user, name(user.name), .password)
        let gate = try await write { change throws(PoolError) -> PoolError? in
            guard try change.beginTry(subject) else { return .tooManyPasswords }
            return try change.use(state.id, until: state.expires) ? nil : .wrongPassword
        }
        if let gate { throw gate }
        let identity = SRPIdentity(deviceGroupKey: deviceGroupKey(of: user), deviceKey: device.key)
        let claim = Base64.bytes(of: signature.utf8, .standard) ?? []
        let isRight = try await aside {
            exchange.accepts(
                claim: claim, of: identity, verifier: verifier, secretBlock: blockBytes, timestamp: timestamp)
        }
        guard isRight else { throw .wrongPassword }
        progress.deviceAddress = call.address
        progress.triesSubject = subject
        progress.details = progress.usedState?.details ?? JSONObject()
        return try await proceed(progress)
    }

    /// User and device of a session that waits for the device's proof. What the request names has to be that device.
    private func provingDevice(_ progress: SignInProgress) async throws(PoolError) -> (User, Device) {
        guard let key = progress.device, let named = parameter("DEVICE_KEY", of: Self.member) else {
            throw .invalidParameter("Missing required parameter DEVICE_KEY")
        }
        let (holder, device) = try await read { reader throws(PoolError) -> (User?, Device?) in
            let user = try reader.user(progress.user)
            return (user, try user.flatMap { user throws(PoolError) in try reader.device(key, of: user) })
        }
        guard let user = holder, progress.firstFactor.holds(for: user) else {
            throw .invalidSession
        }
        guard named == key, let device else { throw .unknownDevice }
        return (user, device)
    }
}
