import Access
import Cloud
import Crypto
import JSON

/// The role in which an identity acts.
enum IdentityRole: Sendable, Equatable {
    /// That of guests.
    case guest
    /// That of whoever has signed in.
    case signedIn
    /// That of a group, by its ARN. It takes the place of the other one.
    case group(String)

    private static let account = IAMPrincipal.exampleAccountID

    /// The name of the role: what stands at the end of its ARN.
    var name: String {
        switch self {
        case .guest: "unauthRole"
        case .signedIn: "authRole"
        case .group(let arn):
            arn.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(arn[arn.utf8.index(after: $0)...]) } ?? arn
        }
    }

    var arn: String {
        switch self {
        case .guest, .signedIn: ARN("iam", region: "", account: Self.account, "role/\(name)").description
        case .group(let arn): arn
        }
    }

    /// The role as somebody who acts in it.
    func userARN(session: String) -> String {
        ARN("sts", region: "", account: Self.account, "assumed-role/\(name)/\(session)").description
    }

    /// What the role is called where it cannot be mistaken for a later one of its name.
    func sessionName(_ session: String) -> String {
        "AROA\(Base32.text(of: Array(Digest.sha256.of(Array(arn.utf8)).prefix(11))).prefix(17)):\(session)"
    }

    var principalRole: IAMPrincipal.Role { self == .guest ? .unauthenticated : .authenticated }

    // As it is sealed.

    var stored: String {
        switch self {
        case .guest: "guest"
        case .signedIn: "signed in"
        case .group(let arn): "group \(arn)"
        }
    }

    init?(stored: String) {
        switch stored {
        case "guest": self = .guest
        case "signed in": self = .signedIn
        default:
            guard stored.hasPrefix("group ") else { return nil }
            self = .group(String(stored.dropFirst("group ".count)))
        }
    }
}
