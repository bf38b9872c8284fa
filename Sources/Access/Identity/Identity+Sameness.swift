import JSON

extension Identity {
    /// Claims that differ from one token to the next of one sign-in, and that no rule looks at.
    private static let claimsOfOneToken = [
        "iat", "nbf", "exp", "auth_time", "jti", "origin_jti", "event_id", "at_hash", "nonce",
    ]

    /// Returns whether another proof is of the same caller, with the same rights: a token that was renewed is, one that names another
    /// group is not. Texts are the same when their bytes are.
    package func isSameCaller(as other: Identity) -> Bool {
        guard mode == other.mode else { return false }
        switch (proof, other.proof) {
        case (.apiKey, .apiKey): return true
        case (.token(let one), .token(let other)):
            return Self.lasting(one.claims).hasSameBytes(as: Self.lasting(other.claims))
        case (.principal(let one), .principal(let other)): return one == other || one.isSameIdentity(as: other)
        case (.authorizer(let one), .authorizer(let other)):
            return one.deniedFields == other.deniedFields
                && one.resolverContext.hasSameBytes(as: other.resolverContext)
        default: return false
        }
    }

    private static func lasting(_ claims: JSONObject) -> JSONObject {
        var lasting = claims
        for name in claimsOfOneToken { lasting.remove(name) }
        return lasting
    }
}

extension JSONObject {
    /// Returns whether both have the same members, in whatever order, with values that are written alike.
    fileprivate func hasSameBytes(as other: JSONObject) -> Bool {
        count == other.count
            && members.allSatisfy { member in
                other[member.key].map(JSONWriter.bytes) == JSONWriter.bytes(of: member.value)
            }
    }
}
