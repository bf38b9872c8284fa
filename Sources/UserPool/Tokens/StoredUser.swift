import JSON
import Store

/// A user of the pool as tokens show them, read beside the server that has the database open: for tokens that are made without a sign-in.
package struct StoredUser: Sendable, Equatable {
    package let sub: String
    /// What tokens call the user.
    package let name: String
    /// Those that count most first.
    package let groups: [String]
    /// The attributes, as an ID token has them.
    package let attributes: JSONObject

    /// What a pool knows of a name.
    package enum Finding: Sendable, Equatable {
        case user(StoredUser)
        /// The pool has users, and none is called so.
        case nobody
        /// The pool has no users.
        case emptyPool
    }

    /// Whom a name means: the user's own name, their `sub`, or an address that they sign in by.
    package static func finding(
        of name: String, in reader: Reader, _ settings: PoolSettings
    ) throws(StoreError) -> Finding {
        guard try reader.has(PoolTables.all) else { return .emptyPool }
        do throws(PoolError) {
            guard let user = try reader.user(named: UserName(name, in: settings)) else {
                return try reader.count(UserRow.countOfAll) > 0 ? .nobody : .emptyPool
            }
            return .user(
                StoredUser(
                    sub: user.sub, name: user.name, groups: try reader.groups(of: user.number).map(\.name),
                    attributes: user.shownAttributes(where: { _ in true })))
        } catch {
            throw error.ofStore ?? StoreError(.unexpected, error.message)
        }
    }
}

extension User {
    /// The attributes of which a condition holds, as ID tokens have them.
    func shownAttributes(where isShown: (String) -> Bool) -> JSONObject {
        var claims = JSONObject()
        for attribute in attributes where isShown(attribute.key) {
            switch attribute.key {
            case "email_verified", "phone_number_verified":
                claims.set(attribute.key, to: .bool(attribute.value.text == "true"))
            default: claims.set(attribute.key, to: attribute.value)
            }
        }
        return claims
    }
}
