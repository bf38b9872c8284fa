import JSON
import Store

/// A user as another provider knows them.
struct ForeignUser: Sendable {
    let provider: String
    /// What the provider's tokens say as `sub`.
    let subject: String

    /// What the service calls the pool itself, among providers.
    static let ownProvider = "Cognito"
    /// What it calls the `sub` of a provider's tokens.
    static let subjectAttribute = "Cognito_Subject"
    /// Where a user's record says by whom they sign in.
    static let attribute = "identities"

    fileprivate static let linked = RoomStatement(
        "SELECT user, isOwn FROM _homeport_user_links WHERE provider = ? AND subject = ?")
    fileprivate static let linking = RoomStatement(
        "INSERT INTO _homeport_user_links (provider, subject, user, isOwn, created) VALUES (?, ?, ?, ?, ?)")
    fileprivate static let unlinking = RoomStatement(
        "DELETE FROM _homeport_user_links WHERE provider = ? AND subject = ?")
    fileprivate static let countOfProvider = RoomStatement(
        "SELECT count(*) FROM _homeport_user_links WHERE user = ? AND provider = ?")
    fileprivate static let countOfUser = RoomStatement("SELECT count(*) FROM _homeport_user_links WHERE user = ?")
    fileprivate static let ofUser = RoomStatement(
        """
        SELECT provider, subject, isOwn, created FROM _homeport_user_links WHERE user = ?
        ORDER BY isOwn DESC, created, provider, subject
        """)

    fileprivate var values: [StoredValue] { [.text(provider), .text(subject)] }
}

extension RoomReading {
    /// Who a user of another provider is here; nil where nobody has been told.
    func user(linkedTo source: ForeignUser) throws(PoolError) -> User? {
        try link(of: source).flatMap { link throws(PoolError) in try user(link.user) }
    }

    /// Who a user is elsewhere.
    func links(of user: User) throws(PoolError) -> [ForeignUser] {
        var links: [ForeignUser] = []
        try rows(ForeignUser.ofUser, [.integer(user.number)]) { row throws(PoolError) in
            links.append(ForeignUser(provider: row.text(0), subject: row.text(1)))
            return true
        }
        return links
    }

    /// Returns whether a user is one of that provider's.
    func isLinked(_ user: User, to provider: String) throws(PoolError) -> Bool {
        try count(ForeignUser.countOfProvider, [.integer(user.number), .text(provider)]) > 0
    }

    fileprivate func link(of source: ForeignUser) throws(PoolError) -> (user: Int64, isOwn: Bool)? {
        var link: (user: Int64, isOwn: Bool)?
        try rows(ForeignUser.linked, source.values) { row throws(PoolError) in
            link = (row.integer(0), row.boolean(1))
            return false
        }
        return link
    }
}

extension PoolWriting {
    /// Says who a user of another provider is here.
    func link(_ source: ForeignUser, to user: User) throws(PoolError) {
        if let link = try session.link(of: source) {
            throw .invalidParameter(
                link.isOwn
                    ? "Merging is not currently supported, provide a SourceUser that doesn't exist yet."
                    : "SourceUser is already linked to DestinationUser")
        }
        guard try session.count(ForeignUser.countOfUser, [.integer(user.number)]) < PoolLimits.linksPerUserMax else {
            throw PoolError("LimitExceededException", "The user is linked to as many others as they can be.")
        }
        try make(source, user, isOwn: false)
    }

    /// The same for a user who comes out of another pool: who came by a provider there is that provider's own here too.
    func bring(_ source: ForeignUser, to user: User) throws(PoolError) {
        guard user.status == .external else { return try link(source, to: user) }
        guard try session.link(of: source) == nil else {
            throw .invalidParameter("SourceUser is already linked to DestinationUser")
        }
        try make(source, user, isOwn: true)
    }

    /// Ends that.
    func unlink(_ source: ForeignUser) throws(PoolError) {
        guard let link = try session.link(of: source), let user = try session.user(link.user) else {
            throw .userNotFound
        }
        // Nothing else leads to that user: without it a new one could not be made, for its name is taken.
        guard !link.isOwn else {
            throw .invalidParameter("The user is linked to no other. Disable or delete it instead.")
        }
        try change(ForeignUser.unlinking, source.values)
        try tellIdentities(of: user)
    }

    private func make(_ source: ForeignUser, _ user: User, isOwn: Bool) throws(PoolError) {
        try change(ForeignUser.linking, source.values + [.integer(user.number), .boolean(isOwn), .integer(now)])
        try tellIdentities(of: user)
    }

    /// Writes into a user's record by whom they sign in.
    private func tellIdentities(of user: User) throws(PoolError) {
        var identities: [JSONValue] = []
        try session.rows(ForeignUser.ofUser, [.integer(user.number)]) { row throws(PoolError) in
            let provider = row.text(0)
            identities.append(
                .object(
                    JSONObject([
                        ("userId", .string(row.text(1))), ("providerName", .string(provider)),
                        ("providerType", .string(settings.typeOfProvider(provider))), ("issuer", .null),
                        ("primary", .bool(row.boolean(2))), ("dateCreated", .integer(row.integer(3))),
                    ])))
            return true
        }
        var user = user
        if identities.isEmpty {
            user.attributes.remove(ForeignUser.attribute)
        } else {
            user.attributes.set(ForeignUser.attribute, to: .string(JSONWriter.text(of: .array(identities))))
        }
        try save(user)
    }

    /// Makes the user of somebody who has come by a provider for the first time: in the provider's own group, and meant by none
    /// of their addresses, which nobody has proved here.
    func create(_ newcomer: Newcomer, for source: ForeignUser, inPool pool: String) throws(PoolError) -> User {
        let user = try create(newcomer.user, names: newcomer.names)
        try make(source, user, isOwn: true)
        let name = "\(pool)_\(source.provider)"
        let group = Group(
            name: name, description: "Autogenerated group for users who sign in using \(source.provider)", role: nil,
            precedence: nil, created: now, modified: now)
        try create(group)
        try add(user, to: group)
        guard let made = try session.user(user.number) else {
            throw PoolError(StoreError(.unexpected, "a user who was made is not there"))
        }
        return made
    }
}

extension PoolSettings {
    /// What the service calls the kind of a provider, also of one that is not set up any more.
    fileprivate func typeOfProvider(_ name: String) -> String {
        let kind = provider(name)?.kind ?? IdentityProvider.Kind.allCases.first { $0.serviceName == name } ?? .oidc
        return kind.serviceType
    }
}

extension User {
    /// Those by whom the user signs in, as ID tokens tell of them: all of it in texts.
    var identityClaims: JSONValue? {
        guard let text = attribute(ForeignUser.attribute), let identities = (try? JSONReader.value(of: text))?.array
        else { return nil }
        return .array(
            identities.map { identity in
                var claims = JSONObject()
                for member in identity.object?.members ?? [] {
                    switch member.value {
                    case .null, .string: claims.set(member.key, to: member.value)
                    default: claims.set(member.key, to: .string(JSONWriter.text(of: member.value)))
                    }
                }
                return .object(claims)
            })
    }
}
