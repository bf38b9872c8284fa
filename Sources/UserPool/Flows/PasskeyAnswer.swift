import Crypto
import JSON

/// What a client has got from its authenticator, in the form that browsers give it in (`PublicKeyCredential.toJSON`).
struct PasskeyAnswer: Sendable {
    let id: [UInt8]
    let attachment: String
    /// Names with blanks between them.
    let transports: String
    private let response: JSONObject

    private static let attachments: Set<ByteText> = ["platform", "cross-platform"]
    private static let transportsMax = 8
    private static let transportBytesMax = 32

    /// Throws for what is none.
    init(_ value: JSONValue) throws(PoolError) {
        guard let object = value.object, object["type"]?.text == "public-key",
            let response = object["response"]?.object,
            let text = object["id"]?.string, let id = Base64.bytes(of: text.utf8), !id.isEmpty,
            id.count <= AuthenticatorData.idBytesMax, object["rawId"].map({ $0.text == ByteText(text) }) ?? true
        else { throw .invalidParameter("Credential is none that WebAuthn describes.") }
        self.id = id
        self.response = response
        let attachment = object["authenticatorAttachment"]?.string ?? ""
        self.attachment = Self.attachments.contains(attachment) ? attachment : ""
        let names = (response["transports"]?.array ?? []).prefix(Self.transportsMax).compactMap(\.string).filter {
            name in
            (1...Self.transportBytesMax).contains(name.utf8.count)
                && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
        transports = names.joined(separator: " ")
    }

    /// A part that is bytes.
    func bytes(_ name: String) -> [UInt8]? {
        response[name]?.string.flatMap { Base64.bytes(of: $0.utf8) }
    }

    /// Which user the authenticator says that the passkey is of; nil where it says nothing.
    var userHandle: String? { response["userHandle"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// The challenge that a client says it has answered: nothing has proved that yet.
    static func challenge(of clientData: [UInt8]) -> [UInt8]? {
        guard clientData.count <= CBORValue.bytesMax, let content = try? JSONReader.value(of: clientData) else {
            return nil
        }
        return content["challenge"]?.string.flatMap { Base64.bytes(of: $0.utf8) }
    }
}

/// What a new passkey signs: random bytes that say by themselves that this server gave them to this user, and until when they are
/// good. They are stored when they are used, so that they are used once.
struct PasskeyChallenge: Sendable {
    private let random: [UInt8]
    private let user: Int64
    /// In milliseconds since 1970.
    let expires: Int64

    private static let randomBytes = 32
    private static let timeBytes = 8

    init(for user: User, until expires: Int64) {
        random = RandomBytes.make(count: Self.randomBytes)
        self.user = user.number
        self.expires = expires
    }

    /// Nil for bytes that were given to nobody, or to somebody else.
    init?(_ bytes: [UInt8], for user: User, sealedWith secret: [UInt8]) {
        guard bytes.count == Self.randomBytes + Self.timeBytes + HMACSHA256.count else { return nil }
        random = Array(bytes.prefix(Self.randomBytes))
        let time = bytes.dropFirst(Self.randomBytes).prefix(Self.timeBytes)
        expires = Int64(bitPattern: time.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        self.user = user.number
        guard ConstantTime.areEqual(self.bytes(sealedWith: secret), bytes) else { return nil }
    }

    /// What it is called when it is used.
    var id: String { Base64.text(of: random) }

    func bytes(sealedWith secret: [UInt8]) -> [UInt8] {
        let content = random + withUnsafeBytes(of: expires.bigEndian) { Array($0) }
        return content + HMACSHA256.code(of: Array("new passkey of \(user) ".utf8) + content, key: secret)
    }
}
