import Crypto
import JSON

/// `WEB_AUTHN`: a passkey proves who somebody is.
///
///     USER_AUTH ─▶ WEB_AUTHN with a challenge ─▶ what an authenticator has signed ─▶ the next step
///
/// The challenge is good for one answer, right or wrong. It is bound to the user by the session, and to the pages of the pool's
/// domain by what authenticator and browser say and sign.
extension PoolRun {
    private static let member = "ChallengeResponses"

    /// The first round. `details` are what the end of the way has to know.
    func beginPasskey(
        of user: User, given: String, details: JSONObject, for client: AppClient
    ) async throws(PoolError) -> JSONObject {
        guard let ceremony = PasskeyCeremony(settings.passkeys) else {
            throw .invalidParameter("WEB_AUTHN is not enabled for this user pool.")
        }
        let number = Base64.text(of: RandomBytes.make(count: Self.challengeBytes))
        let passkeys = try await passkeys(of: user).filter { $0.isOf(ceremony) }
        let options: JSONValue = [
            "challenge": .string(number), "timeout": .integer(client.sessionSeconds * 1_000),
            "rpId": .string(ceremony.relyingPartyID), "allowCredentials": .array(passkeys.map(\.descriptor)),
            "userVerification": .string(settings.passkeys.userVerification.rawValue),
        ]
        var details = details
        details.set("g", to: .string(given))
        details.set("h", to: .string(number))
        return challenge(
            .passkey, JSONObject([("CREDENTIAL_REQUEST_OPTIONS", .string(JSONWriter.text(of: options)))]), details,
            of: user.number, for: client)
    }

    private static let challengeBytes = 32

    /// Returns whether somebody has a passkey that lets them in here.
    func hasPasskey(_ user: User) async throws(PoolError) -> Bool {
        guard let ceremony = PasskeyCeremony(settings.passkeys), user.status == .confirmed || user.status == .external
        else { return false }
        return try await passkeys(of: user).contains { $0.isOf(ceremony) }
    }

    func passkeys(of user: User) async throws(PoolError) -> [Passkey] {
        try await read { reader throws(PoolError) in try reader.passkeys(of: user.number) }
    }

    /// The answer to `WEB_AUTHN`.
    func answerPasskey(for client: AppClient) async throws(PoolError) -> JSONObject {
        let state = try await waiting(for: .passkey, of: client)
        guard let number = state.user, let given = state.text("g"),
            let challenge = state.text("h").flatMap({ Base64.bytes(of: $0.utf8) }),
            let ceremony = PasskeyCeremony(settings.passkeys)
        else { throw .invalidSession }
        let text = try demandedParameter("CREDENTIAL", of: Self.member)
        guard let content = try? JSONReader.value(of: text) else {
            throw .invalidParameter("CREDENTIAL is no JSON.")
        }
        let answer = try PasskeyAnswer(content)
        guard let clientData = answer.bytes("clientDataJSON"), let data = answer.bytes("authenticatorData"),
            let signature = answer.bytes("signature")
        else { throw .invalidParameter("CREDENTIAL is none that WebAuthn describes.") }
        guard let user = try await user(number) else { throw .invalidSession }
        try await askBeforeSignIn(user, given: given)
        let isOpen = try await write { change throws(PoolError) in try change.use(state.id, until: state.expires) }
        guard isOpen else { throw .usedSession }
        let found = try await read { reader throws(PoolError) in try reader.passkey(answer.id) }
        guard let passkey = found, passkey.user == number, passkey.isOf(ceremony),
            answer.userHandle.map({ ByteText($0) == ByteText(user.passkeyHandle) }) ?? true
        else { throw .wrongPassword }
        let outcome = try await aside {
            try? ceremony.asserted(
                clientData: clientData, authenticatorData: data, signature: signature, challenge: challenge,
                key: passkey.key)
        }
        guard let asserted = outcome else { throw .wrongPassword }
        var progress = SignInProgress(user: number, client: client, firstFactor: .passkey)
        progress.device = try deviceKey(of: Self.member)
        progress.details = state.details
        return try await lead(number, client) { [progress] change throws(PoolError) in
            // It may have been deleted meanwhile, or have signed something else.
            guard let present = try change.session.passkey(passkey.id), present.user == number,
                try change.count(asserted.counter, of: present)
            else { return .refused(.wrongPassword) }
            return try change.step(progress)
        }
    }
}

extension Passkey {
    fileprivate func isOf(_ ceremony: PasskeyCeremony) -> Bool {
        ByteText(relyingPartyID) == ByteText(ceremony.relyingPartyID)
    }
}
