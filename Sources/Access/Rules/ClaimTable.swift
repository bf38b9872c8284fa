import Blueprint
import JSON

/// The claims that the rules of a schema compare, numbered, so that each is read from a token once for a request.
struct ClaimTable: Sendable {
    private(set) var owners: [OwnerClaim] = []
    private(set) var groups: [String] = []
    private var ownerNumbers: [ByteText: Int] = [:]
    private var groupNumbers: [ByteText: Int] = [:]
    private let version: RuleVersion

    init(_ version: RuleVersion = .granting) { self.version = version }

    var count: Int { owners.count + groups.count }

    mutating func number(ofOwner claim: String) -> Int {
        if let number = ownerNumbers[claim] { return number }
        ownerNumbers[claim] = owners.count
        owners.append(version.ownerClaim(claim))
        return owners.count - 1
    }

    mutating func number(ofGroups claim: String) -> Int {
        if let number = groupNumbers[claim] { return number }
        groupNumbers[claim] = groups.count
        groups.append(claim)
        return groups.count - 1
    }
}

/// The claim that names an owner: one of the token's, or several, joined by `::`.
struct OwnerClaim: Sendable {
    let parts: [String]

    init(_ claim: String) {
        parts = claim.parts(separatedBy: AccessRule.claimSeparator)
    }

    /// A claim that is one, whatever its name.
    init(whole claim: String) { parts = [claim] }

    /// What the token says. An empty claim is none: it would own every record with an empty owner.
    func values(in claims: JSONObject) -> OwnerValues {
        OwnerValues(
            parts.map { name in
                let value =
                    name == "username"
                    ? claims[name]?.string ?? claims["cognito:username"]?.string : claims[name]?.string
                return value.flatMap { $0.isEmpty ? nil : $0 }
            })
    }
}

/// What a token says of its owner's identity, for one claim.
struct OwnerValues: Sendable, Equatable {
    /// What is stored as the owner: all parts, joined. Nil when a part is missing.
    let full: ByteText?
    /// The parts that stand for the owner by themselves, in the order of the claim.
    let parts: [ByteText]
    /// Everything that a stored owner may be, the full value last.
    let all: [ByteText]
    /// What an owner is shown as, and subscriptions are filtered by: the last part.
    let last: ByteText?

    init(_ values: [String?]) {
        let present = values.compactMap { $0 }
        full =
            present.count == values.count ? ByteText(present.joined(separator: AccessRule.claimSeparator)) : nil
        last = values.last.flatMap { $0 }.map { ByteText($0) }
        // A user who chose a name like `sub::name` of another one must not become them.
        parts = values.count == 1 ? [] : present.filter { !$0.hasClaimSeparator }.map { ByteText($0) }
        all = parts + (full.map { [$0] } ?? [])
    }

    static let none = OwnerValues([nil])

    func contains(_ owner: ByteText) -> Bool { owner == full || parts.contains(owner) }
}

extension String {
    /// True if two colons follow each other. Hot path: asked of every caller's claims.
    fileprivate var hasClaimSeparator: Bool {
        var wasColon = false
        for byte in utf8 {
            let isColon = byte == UInt8(ascii: ":")
            if isColon, wasColon { return true }
            wasColon = isColon
        }
        return false
    }
}
