import Cloud
import Crypto
import JSON

extension PoolOperation {
    /// Passkeys. Where the pool has no domain for them, apps that ask are told so in Cognito's words.
    static let passkeys: [PoolOperation] = [
        PoolOperation("StartWebAuthnRegistration", .open, [accessToken]) { run throws(PoolError) in
            try await run.startPasskey()
        },
        PoolOperation(
            "CompleteWebAuthnRegistration", .open, [accessToken, .init("Credential", .anything, isRequired: true)]
        ) { run throws(PoolError) in try await run.completePasskey() },
        PoolOperation(
            "ListWebAuthnCredentials", .open,
            [
                accessToken, .init("MaxResults", .integer(0...20)),
                .init("NextToken", .text(1...PoolLimits.authParameterMax, .solid)),
            ]
        ) { run throws(PoolError) in try await run.listPasskeys() },
        PoolOperation(
            "DeleteWebAuthnCredential", .open,
            [accessToken, .init("CredentialId", .text(0...PoolLimits.authParameterMax), isRequired: true)]
        ) { run throws(PoolError) in try await run.deletePasskey() },
    ]

    private static let accessToken = MemberShape.Member("AccessToken", .accessToken, isRequired: true)
}

extension PoolRun {
    /// Who calls, and what holds for their passkeys.
    private func callerWithPasskeys() async throws(PoolError) -> (SignedInUser, PasskeyCeremony) {
        let caller = try await signedInUser()
        guard let ceremony = PasskeyCeremony(settings.passkeys) else {
            throw PoolError("WebAuthnNotEnabledException", "Passkeys are not enabled for this user pool.")
        }
        return (caller, ceremony)
    }

    fileprivate func startPasskey() async throws(PoolError) -> JSONObject {
        let (caller, ceremony) = try await callerWithPasskeys()
        let user = caller.user
        let challenge = PasskeyChallenge(for: user, until: now + PoolLimits.passkeyMilliseconds)
        let present = try await passkeys(of: user)
        let shown = user.attribute("email") ?? user.attribute("preferred_username") ?? user.name
        let options: JSONValue = [
            "rp": ["id": .string(ceremony.relyingPartyID), "name": .string(ceremony.relyingPartyID)],
            "user": [
                "id": .string(user.passkeyHandle), "name": .string(shown),
                "displayName": .string(user.attribute("name") ?? shown),
            ],
            "challenge": .string(Base64.text(of: challenge.bytes(sealedWith: pool.standInSecret))),
            "pubKeyCredParams": .array(
                PasskeyKey.algorithms.map { ["type": "public-key", "alg": .integer(Int64($0.number))] }),
            "timeout": .integer(PoolLimits.passkeyMilliseconds),
            "excludeCredentials": .array(present.map(\.descriptor)),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true,
                "userVerification": .string(settings.passkeys.userVerification.rawValue),
            ],
            "attestation": "none",
        ]
        return JSONObject([("CredentialCreationOptions", options)])
    }

    fileprivate func completePasskey() async throws(PoolError) -> JSONObject {
        let (caller, ceremony) = try await callerWithPasskeys()
        let answer = try PasskeyAnswer(input.members["Credential"] ?? .null)
        guard let clientData = answer.bytes("clientDataJSON"), let attestation = answer.bytes("attestationObject")
        else {
            throw .malformedPasskey
        }
        guard let given = PasskeyAnswer.challenge(of: clientData),
            let challenge = PasskeyChallenge(given, for: caller.user, sealedWith: pool.standInSecret),
            challenge.expires > now
        else { throw .unknownPasskeyChallenge }
        // Whatever comes of it, the challenge has had its use.
        let isOpen = try await write { change throws(PoolError) in
            try change.use(challenge.id, until: challenge.expires)
        }
        guard isOpen else { throw .unknownPasskeyChallenge }
        let outcome = try await aside {
            Result { () throws(PasskeyCeremony.Fault) in
                try ceremony.registered(clientData: clientData, attestation: attestation, challenge: given)
            }
        }
        let (data, credential): (AuthenticatorData, AuthenticatorData.Credential)
        do throws(PasskeyCeremony.Fault) { (data, credential) = try outcome.get() } catch { throw .registration(error) }
        guard credential.id == answer.id else { throw .malformedPasskey }
        let passkey = Passkey(
            id: credential.id, user: caller.user.number, relyingPartyID: ceremony.relyingPartyID,
            key: credential.keyBytes, counter: Int64(data.counter), name: "Passkey", attachment: answer.attachment,
            transports: answer.transports, created: now)
        try await write { change throws(PoolError) in
            guard try change.session.user(caller.user.number) != nil else { throw .userNotFound }
            guard try change.session.passkeys(of: passkey.user).count < PoolLimits.passkeysPerUserMax else {
                throw PoolError("LimitExceededException", "The user has as many passkeys as they can have.")
            }
            guard try change.create(passkey) else {
                throw .invalidParameter("The passkey is registered already.")
            }
        }
        return JSONObject()
    }

    fileprivate func listPasskeys() async throws(PoolError) -> JSONObject {
        let (caller, _) = try await callerWithPasskeys()
        let limit = input.integer("MaxResults").flatMap { $0 == 0 ? nil : Int($0) } ?? PoolLimits.passkeysPerUserMax
        var after: [UInt8] = []
        if let token = input.text("NextToken") {
            guard let bytes = Base64.bytes(of: token.utf8), bytes.count <= AuthenticatorData.idBytesMax else {
                throw .invalidParameter("Invalid pagination token given.")
            }
            after = bytes
        }
        let (number, first) = (caller.user.number, after)
        let found = try await read { reader throws(PoolError) in
            try reader.passkeys(of: number, after: first, limit: limit + 1)
        }
        let passkeys = found.prefix(limit)
        var answer = JSONObject([("Credentials", .array(passkeys.map(\.record)))])
        if found.count > limit, let last = passkeys.last {
            answer.set("NextToken", to: .string(Base64.text(of: last.id)))
        }
        return answer
    }

    fileprivate func deletePasskey() async throws(PoolError) -> JSONObject {
        let (caller, _) = try await callerWithPasskeys()
        let id = Base64.bytes(of: try input.required("CredentialId").utf8) ?? []
        try await write { change throws(PoolError) in
            guard try change.deletePasskey(id, of: caller.user) else {
                throw .notFound("Requested resource not found.")
            }
        }
        return JSONObject()
    }
}

extension Passkey {
    /// As options name it.
    var descriptor: JSONValue {
        [
            "type": "public-key", "id": .string(Base64.text(of: id)),
            "transports": .array(transports.parts(separatedBy: " ").filter { !$0.isEmpty }.map { .string($0) }),
        ]
    }

    /// As the service tells of it.
    fileprivate var record: JSONValue {
        var record = JSONObject([
            ("CredentialId", .string(Base64.text(of: id))), ("FriendlyCredentialName", .string(name)),
            ("RelyingPartyId", .string(relyingPartyID)),
            (
                "AuthenticatorTransports",
                .array(transports.parts(separatedBy: " ").filter { !$0.isEmpty }.map { .string($0) })
            ),
            ("CreatedAt", .moment(created)),
        ])
        if !attachment.isEmpty { record.set("AuthenticatorAttachment", to: .string(attachment)) }
        return .object(record)
    }
}

extension User {
    /// What authenticators know the user by.
    var passkeyHandle: String { Base64.text(of: Array(sub.utf8)) }
}

extension PoolError {
    fileprivate static let malformedPasskey = invalidParameter("Credential is none that WebAuthn describes.")
    fileprivate static let unknownPasskeyChallenge = PoolError(
        "WebAuthnChallengeNotFoundException", "The challenge of the passkey is not known, or was used already.")

    /// Why a passkey is not registered.
    fileprivate static func registration(_ fault: PasskeyCeremony.Fault) -> PoolError {
        switch fault {
        case .malformed, .wrongSignature: malformedPasskey
        case .otherChallenge: unknownPasskeyChallenge
        case .otherOrigin:
            PoolError(
                "WebAuthnOriginNotAllowedException",
                "The page is none that passkeys of this user pool may be used from.")
        case .otherRelyingParty:
            PoolError(
                "WebAuthnRelyingPartyMismatchException", "The passkey was made for another domain.")
        case .notPresent, .notVerified:
            PoolError(
                "WebAuthnCredentialNotSupportedException",
                "The authenticator has not made sure that its user is there, as this user pool demands.")
        case .unsupported(let why): PoolError("WebAuthnCredentialNotSupportedException", why)
        }
    }
}
