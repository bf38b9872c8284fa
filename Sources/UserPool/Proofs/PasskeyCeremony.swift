import Crypto
import JSON

/// What must hold of the answer of an authenticator, whether it makes a passkey or signs in with one (WebAuthn, 7.1 and 7.2).
struct PasskeyCeremony: Sendable {
    /// Why an answer is refused.
    enum Fault: Error, Equatable {
        /// It is none, or not of this kind.
        case malformed(String)
        case otherChallenge
        case otherOrigin(String)
        case otherRelyingParty
        case notPresent
        case notVerified
        case unsupported(String)
        case wrongSignature
    }

    enum Kind: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    let settings: PasskeySettings
    let relyingPartyID: String

    /// Nil where passkeys are not on.
    init?(_ settings: PasskeySettings) {
        guard let id = settings.relyingPartyID else { return nil }
        self.settings = settings
        relyingPartyID = id
    }

    private static let clientDataBytesMax = 16 << 10
    private static let clientDataNestingMax = 8

    /// Statements of authenticators about their make that are taken. Only that of the passkey's own key is proved: nobody relies on
    /// the others, as if there were none.
    private static let formats: Set<ByteText> = [
        "none", "packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple",
    ]

    /// The passkey that an authenticator has made for a challenge.
    func registered(
        clientData: [UInt8], attestation: [UInt8], challenge: [UInt8]
    ) throws(Fault) -> (data: AuthenticatorData, credential: AuthenticatorData.Credential) {
        try checkClientData(clientData, .create, challenge)
        guard let object = CBORValue(attestation), object.count == 3, let format = object["fmt"]?.text,
            let statement = object["attStmt"], let statementCount = statement.count,
            let dataBytes = object["authData"]?.bytes, let data = AuthenticatorData(dataBytes)
        else { throw .malformed("attestationObject") }
        try check(data)
        guard let credential = data.credential else { throw .malformed("attestationObject") }
        guard let key = PasskeyKey(credential.key) else {
            throw .unsupported("The key of the passkey is neither of ES256 nor of RS256.")
        }
        guard Self.formats.contains(format) else { throw .unsupported("The attestation format is not supported.") }
        switch ByteText(format) {
        case "none": guard statementCount == 0 else { throw .malformed("attestationObject") }
        case "packed" where statement["x5c"] == nil:
            guard statementCount == 2, statement["alg"]?.number == key.number, let signature = statement["sig"]?.bytes
            else { throw .malformed("attestationObject") }
            guard key.verifies(signature, of: dataBytes + Digest.sha256.of(clientData)) else { throw .wrongSignature }
        default: break
        }
        return (data, credential)
    }

    /// What an authenticator says that has signed a challenge.
    func asserted(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], challenge: [UInt8], key: [UInt8]
    ) throws(Fault) -> AuthenticatorData {
        try checkClientData(clientData, .get, challenge)
        guard let data = AuthenticatorData(authenticatorData), data.credential == nil else {
            throw .malformed("authenticatorData")
        }
        try check(data)
        guard let key = CBORValue(key).flatMap(PasskeyKey.init),
            key.verifies(signature, of: authenticatorData + Digest.sha256.of(clientData))
        else { throw .wrongSignature }
        return data
    }

    private func check(_ data: AuthenticatorData) throws(Fault) {
        guard ConstantTime.areEqual(data.relyingPartyHash, Digest.sha256.of(Array(relyingPartyID.utf8))) else {
            throw .otherRelyingParty
        }
        guard data.flags.contains(.userPresent) else { throw .notPresent }
        guard settings.userVerification == .preferred || data.flags.contains(.userVerified) else { throw .notVerified }
    }

    private func checkClientData(_ bytes: [UInt8], _ kind: Kind, _ challenge: [UInt8]) throws(Fault) {
        let limits = JSONLimits(bytesMax: Self.clientDataBytesMax, nestingMax: Self.clientDataNestingMax)
        guard bytes.count <= Self.clientDataBytesMax,
            let content = (try? JSONReader.value(of: bytes, limits: limits))?.object,
            content["type"]?.text == ByteText(kind.rawValue), let origin = content["origin"]?.string,
            let given = content["challenge"]?.string.flatMap({ Base64.bytes(of: $0.utf8) })
        else { throw .malformed("clientDataJSON") }
        guard ConstantTime.areEqual(given, challenge) else { throw .otherChallenge }
        // A page within another one's frame: whoever sees it does not see who asks.
        guard content["crossOrigin"]?.bool != true, content["topOrigin"] == nil, settings.admits(origin: origin) else {
            throw .otherOrigin(origin)
        }
    }
}
