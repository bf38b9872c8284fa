import Crypto
import JSON

/// A line of a file of users: what there is to know of a user, or of a group.
///
///     {"group":"admins","precedence":1}
///     {"username":"ann","attributes":{"email":"ann@example.com","email_verified":"true"},"groups":["admins"],
///      "passwordHash":"$2b$10$N9qo8uLOickgx2ZMRZoMyeDcyTu.Nr6vUoF9FuTn655w2h94VGm4S"}
///
/// Only `username` and `group` have to be there. Of a password a line holds one trace, `passwordHash` or `srp`, or none: then
/// the user has to reset it. Exports write all of it.
package struct UserEntry: Sendable {
    /// Why a line is none.
    package struct Fault: Error, Sendable, Equatable {
        package let message: String

        init(_ message: String) {
            self.message = message
        }
    }

    /// What proves a password by SRP, and of whom: of a user of another name or pool it proves nothing to clients.
    struct Verifier: Sendable {
        var poolName: String?
        var userID: String?
        let verifier: SRPVerifier
    }

    /// What the other pool called them: a name, or an address that they sign in by.
    var username = ""
    var sub: String?
    var status: User.Status?
    var isEnabled = true
    /// In milliseconds since 1970.
    var created: Int64?
    var modified: Int64?
    var temporaryUntil: Int64?
    var attributes = JSONObject()
    var groups: [String] = []
    var passwordHash: String?
    var verifier: Verifier?
    var secondFactors = SecondFactorChoice()
    var totpSecret: [UInt8]?
    /// Who they are elsewhere.
    var links: [ForeignUser] = []
}

extension UserEntry {
    /// The user of a JSON object.
    init(_ object: JSONObject) throws(Fault) {
        for member in object {
            let value = FieldValue(name: member.key, value: member.value)
            switch member.key {
            case "username": username = try value.text()
            case "sub": sub = try value.text()
            case "status":
                status = User.Status(rawValue: try value.text())
                if status == nil { throw value.fault("is none of \(Self.statusNames)") }
            case "enabled": isEnabled = try value.flag()
            case "created": created = try value.time()
            case "modified": modified = try value.time()
            case "temporaryUntil": temporaryUntil = try value.time()
            case "attributes":
                for attribute in try value.object() {
                    attributes.set(
                        attribute.key,
                        to: .string(
                            try FieldValue(name: "attributes.\(attribute.key)", value: attribute.value).text()))
                }
            case "groups": groups = try value.texts()
            case "passwordHash":
                let text = try value.text()
                guard ForeignHash(text) != nil else {
                    throw value.fault(
                        "is neither a bcrypt text ($2b$COST$…, of a cost of at most \(Bcrypt.costMax)) nor one of scrypt "
                            + "($scrypt$ln=…,r=…,p=…$SALT$KEY, of at most \(Scrypt.memoryBytesMax >> 20) MiB)")
                }
                passwordHash = text
            case "srp": verifier = try Self.verifier(of: value)
            case "mfa": try readFactors(of: value)
            case "links":
                for element in try value.array() {
                    guard let provider = element["provider"]?.string, let subject = element["subject"]?.string,
                        !provider.isEmpty, !subject.isEmpty
                    else { throw value.fault("is no list of {\"provider\": …, \"subject\": …}") }
                    links.append(ForeignUser(provider: provider, subject: subject))
                }
            default:
                throw Fault("there is no \"\(member.key)\" of a user; what there is: \(Self.names)")
            }
        }
        guard passwordHash == nil || verifier == nil else {
            throw Fault("passwordHash and srp are two traces of a password; a user has one")
        }
        // Lists of the service tell it among the attributes.
        if let text = attributes["sub"]?.string {
            guard sub == nil || sub.map({ ByteText($0) }) == ByteText(text) else {
                throw Fault("sub and attributes.sub are two")
            }
            sub = text
            attributes.remove("sub")
        }
    }

    private static let names =
        "username, sub, status, enabled, created, modified, temporaryUntil, attributes, groups, passwordHash, srp, mfa, links"

    private static var statusNames: String {
        [User.Status.unconfirmed, .confirmed, .mustChangePassword, .mustReset, .external].map(\.rawValue)
            .joined(separator: ", ")
    }

    private static func verifier(of value: FieldValue) throws(Fault) -> Verifier {
        let object = try value.object()
        guard let salt = object["salt"]?.string.flatMap({ Hexadecimal.bytes(of: $0.utf8) }),
            let number = object["verifier"]?.string.flatMap({ Hexadecimal.bytes(of: $0.utf8) }),
            let verifier = SRPVerifier(salt: salt, number: number)
        else {
            throw value.fault(
                "holds no salt and verifier of group 15 of RFC 3526, in hexadecimal digits, that a proof can use")
        }
        return Verifier(poolName: object["pool"]?.string, userID: object["user"]?.string, verifier: verifier)
    }

    private mutating func readFactors(of value: FieldValue) throws(Fault) {
        let object = try value.object()
        func factor(_ value: JSONValue, _ name: String) throws(Fault) -> PoolSettings.SecondFactor {
            guard let factor = value.string.flatMap(PoolSettings.SecondFactor.init(rawValue:)) else {
                let names = PoolSettings.SecondFactor.allCases.map(\.rawValue).joined(separator: ", ")
                throw Fault("\(name) is none of \(names)")
            }
            return factor
        }
        for element in object["enabled"]?.array ?? [] {
            let factor = try factor(element, "mfa.enabled")
            if !secondFactors.enabled.contains(factor) { secondFactors.enabled.append(factor) }
        }
        if let preferred = object["preferred"] {
            secondFactors.preferred = try factor(preferred, "mfa.preferred")
        }
        if let secret = object["secret"] {
            guard let bytes = secret.string.flatMap(Base32.bytes), Self.secretBytes.contains(bytes.count) else {
                throw Fault("mfa.secret is no secret of an authenticator app, in base32")
            }
            totpSecret = bytes
        }
    }

    private static let secretBytes = 10...64
}

/// A value of a line, with the name that messages call it.
struct FieldValue {
    let name: String
    let value: JSONValue

    func fault(_ message: String) -> UserEntry.Fault { UserEntry.Fault("\(name) \(message)") }

    func text() throws(UserEntry.Fault) -> String {
        guard let text = value.string else { throw fault("is \(value.kind), not a text") }
        guard text.unicodeScalars.count <= AttributeSchema.valueBytesMax else {
            throw fault("has more than \(AttributeSchema.valueBytesMax) characters")
        }
        return text
    }

    func flag() throws(UserEntry.Fault) -> Bool {
        guard let flag = value.bool else { throw fault("is \(value.kind), not true or false") }
        return flag
    }

    func object() throws(UserEntry.Fault) -> JSONObject {
        guard let object = value.object else { throw fault("is \(value.kind), not an object") }
        return object
    }

    func array() throws(UserEntry.Fault) -> [JSONValue] {
        guard let array = value.array, array.count <= PoolLimits.attributesMax else {
            throw fault("is no list of at most \(PoolLimits.attributesMax)")
        }
        return array
    }

    func texts() throws(UserEntry.Fault) -> [String] {
        let texts = try array().compactMap(\.string)
        guard texts.count == value.array?.count else { throw fault("is no list of texts") }
        return texts
    }

    /// In milliseconds since 1970.
    func time() throws(UserEntry.Fault) -> Int64 {
        guard let time = value.string.flatMap(Timestamp.init) else {
            throw fault("is no time such as 2026-11-23T07:30:00Z")
        }
        return time.millisecondsSince1970
    }
}
