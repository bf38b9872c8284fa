import Cloud
import Crypto
import JSON

/// What came of a line of an import.
enum UserAdmission: Sendable, Equatable {
    enum Password: Sendable {
        case own
        case foreign
        case none
    }

    case made(Password)
    case group
    /// They were there, and stay as they are.
    case present
    case refused(String)
}

extension PoolWriting {
    /// Puts a group of a file in.
    func admit(_ group: Group) throws(PoolError) -> UserAdmission {
        if let fault = try faultOfMaking(group.name) { return .refused(fault) }
        try create(
            Group(
                name: group.name, description: group.description, role: group.role, precedence: group.precedence,
                created: now, modified: now))
        return .group
    }

    /// Puts a user of a file in. Everything is looked at before anything is written, so that nothing is left of one who is
    /// refused.
    func admit(_ entry: UserEntry, poolName: String) throws(PoolError) -> UserAdmission {
        let (sub, name): (String, String)
        let attributes: JSONObject
        switch identity(of: entry) {
        case .failure(let fault): return .refused(fault.message)
        case .success(let identity): (sub, name, attributes) = identity
        }
        var present = try session.user(named: UserName(sub, in: settings))
        if present == nil { present = try session.user(named: UserName(entry.username, in: settings)) }
        if let user = present {
            guard entry.sub == nil || ByteText(user.sub) == ByteText(sub) else {
                return .refused("the name \(entry.username) is that of another user, \(user.sub)")
            }
            return .present
        }
        for attribute in attributes {
            let value = attribute.value.string ?? ""
            if let fault = settings.attributes.fault(of: attribute.key, value, isByAdministrator: true, isNew: true) {
                return .refused(fault.message)
            }
        }
        let password = password(of: entry, name: name, poolName: poolName)
        let status = entry.status ?? (password.kind == .none ? .mustReset : .confirmed)
        let temporaryUntil =
            status == .mustChangePassword
            ? entry.temporaryUntil ?? now + settings.temporaryPasswordDays * 86_400_000 : nil
        let user = User(
            number: 0, sub: sub, name: name, status: status, isEnabled: entry.isEnabled, created: entry.created ?? now,
            modified: entry.modified ?? now, attributes: attributes, password: password.proof,
            foreignHash: password.hash, temporaryUntil: temporaryUntil, secondFactors: entry.secondFactors,
            totpSecret: entry.totpSecret, totpCounter: 0)
        if let fault = try fault(ofAdmitting: user, entry) { return .refused(fault) }
        var names: [(name: UserName, kind: String)] = [(UserName(sub, in: settings), "sub")]
        if !settings.namesUsersItself { names.append((UserName(name, in: settings), "username")) }
        let made = try create(user, names: names)
        try nameByAddresses(made, formerly: nil, movesAlias: false)
        for group in entry.groups {
            try create(Group(name: group, description: nil, role: nil, precedence: nil, created: now, modified: now))
            try add(made, to: session.knownGroup(group))
        }
        for link in entry.links { try bring(link, to: made) }
        if !entry.links.isEmpty, let modified = entry.modified, let linked = try session.user(made.number) {
            try save(linked, modified: modified)
        }
        return .made(password.kind)
    }

    /// What a user is called here, and their attributes.
    private func identity(
        of entry: UserEntry
    ) -> Result<(sub: String, name: String, attributes: JSONObject), UserEntry.Fault> {
        let given = entry.username
        guard (1...PoolLimits.usernameLengthMax).contains(given.unicodeScalars.count),
            MemberPattern.name.admits(given)
        else {
            return .failure(
                UserEntry.Fault(
                    given.isEmpty
                        ? "the user has no username"
                        : "a username has at most \(PoolLimits.usernameLengthMax) characters, no blanks among them"))
        }
        var attributes = JSONObject()
        for attribute in entry.attributes where !(attribute.value.string ?? "").isEmpty {
            attributes.set(attribute.key, to: attribute.value)
        }
        var sub = entry.sub
        if settings.namesUsersItself {
            let kinds: [(PoolSettings.SignInName, String, Bool)] = [
                (.email, "email", ContactAddress.isEmail(given)),
                (.phone, "phone_number", ContactAddress.isPhone(given)),
            ]
            let own = kinds.filter { settings.signInNames.contains($0.0) }
            if let attribute = own.first(where: \.2)?.1 {
                if let other = attributes[attribute]?.text, other != ByteText(given) {
                    return .failure(UserEntry.Fault("username and \(attribute) are two addresses"))
                }
                attributes.set(attribute, to: .string(given))
            } else if sub == nil, UUIDText.isOne(given) {
                // Pools of this kind call their users by it.
                sub = given
            } else if sub.map({ ByteText($0) }) != ByteText(given) {
                return .failure(
                    UserEntry.Fault(
                        "users of this pool are called by their \(own.map(\.1).joined(separator: " or ")), not \(given)"
                    ))
            }
            guard own.contains(where: { attributes[$0.1] != nil }) else {
                return .failure(
                    UserEntry.Fault("the user has no \(own.map(\.1).joined(separator: " or ")) to sign in by"))
            }
        } else if settings.aliases.contains("email") && ContactAddress.isEmail(given)
            || settings.aliases.contains("phone_number") && ContactAddress.isPhone(given)
        {
            return .failure(
                UserEntry.Fault("\(given) is an address: in this pool users have a name, and sign in by addresses too"))
        }
        if let sub, !UUIDText.isOne(sub) {
            return .failure(UserEntry.Fault("sub is no UUID in small letters: \(sub)"))
        }
        for address in ["email", "phone_number"] {
            if attributes[address] == nil {
                attributes.remove("\(address)_verified")
            } else if attributes["\(address)_verified"] == nil {
                attributes.set("\(address)_verified", to: "false")
            }
        }
        let made = sub ?? UUIDText.random()
        return .success((made, settings.namesUsersItself ? made : given, attributes))
    }

    /// What is kept of a user's password. What proves it by SRP does so for one name in one pool; of another it is as good as
    /// any other trace.
    private func password(
        of entry: UserEntry, name: String, poolName: String
    ) -> (proof: StoredPassword?, hash: String?, kind: UserAdmission.Password) {
        if let given = entry.verifier {
            let pool = given.poolName ?? poolName
            let user = given.userID ?? name
            guard ByteText(pool) == ByteText(poolName), ByteText(user) == ByteText(name) else {
                return (nil, ForeignHash.text(of: given.verifier, poolName: pool, userID: user), .foreign)
            }
            return (StoredPassword(salt: given.verifier.salt, verifier: given.verifier.number), nil, .own)
        }
        return (nil, entry.passwordHash, entry.passwordHash == nil ? .none : .foreign)
    }

    private func fault(ofAdmitting user: User, _ entry: UserEntry) throws(PoolError) -> String? {
        for name in settings.namesUsersItself ? [user.sub] : [user.sub, user.name] {
            if try session.isTaken(UserName(name, in: settings)) { return "the name \(name) is taken" }
        }
        for name in addressNames(of: user) {
            let folded = UserName(name.address, in: settings)
            let isTaken: Bool =
                if settings.namesUsersItself {
                    try session.isTaken(folded)
                } else {
                    try session.user(named: folded) != nil
                }
            if isTaken {
                return "the \(name.attribute) \(name.address) is another user's"
            }
        }
        guard Set(texts: entry.groups).count <= PoolLimits.groupsPerUserMax else {
            return "a user is in at most \(PoolLimits.groupsPerUserMax) groups"
        }
        for group in entry.groups {
            if let fault = try faultOfMaking(group) { return fault }
        }
        guard entry.links.count <= PoolLimits.linksPerUserMax else {
            return "a user is linked to at most \(PoolLimits.linksPerUserMax) others"
        }
        for (index, link) in entry.links.enumerated() {
            let isTwice = entry.links[..<index].contains {
                ByteText($0.provider) == ByteText(link.provider) && ByteText($0.subject) == ByteText(link.subject)
            }
            let linked = try session.user(linkedTo: link)
            if isTwice || linked != nil {
                return "\(link.subject) of \(link.provider) is linked to a user already"
            }
        }
        return nil
    }

    private func faultOfMaking(_ group: String) throws(PoolError) -> String? {
        guard (1...PoolLimits.usernameLengthMax).contains(group.unicodeScalars.count),
            MemberPattern.name.admits(group)
        else { return "a group's name has 1 to \(PoolLimits.usernameLengthMax) characters, no blanks among them" }
        if (try? session.knownGroup(group)) != nil { return nil }
        return try session.count(Group.countOfAll) < PoolLimits.groupsMax
            ? nil : "the pool has as many groups as it can have"
    }
}
