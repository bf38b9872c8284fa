import JSON
import Store

extension PoolOperation {
    /// Users of other providers who are users of this pool.
    static let links: [PoolOperation] = [
        PoolOperation(
            "AdminLinkProviderForUser", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true),
                .init("DestinationUser", .providerUser, isRequired: true),
                .init("SourceUser", .providerUser, isRequired: true),
            ]
        ) { run throws(PoolError) in
            let run = try run.administrator()
            let user = try run.ownUser("DestinationUser")
            let source = try run.foreignUser("SourceUser")
            try await run.write { change throws(PoolError) in
                guard let user = try change.session.user(user.number) else { throw .userNotFound }
                try change.link(source, to: user)
            }
            return JSONObject()
        },
        PoolOperation(
            "AdminDisableProviderForUser", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true), .init("User", .providerUser, isRequired: true),
            ]
        ) { run throws(PoolError) in
            let run = try run.administrator()
            let source = try run.foreignUser("User")
            try await run.write { change throws(PoolError) in
                guard try change.unlink(source) else { throw .userNotFound }
            }
            return JSONObject()
        },
    ]
}

extension MemberShape {
    fileprivate static let providerUser = MemberShape.object([
        .init("ProviderName", .text(1...32)), .init("ProviderAttributeName", .text(0...131_072)),
        .init("ProviderAttributeValue", .text(0...2_048, isSecret: true)),
    ])
}

/// A user as another provider knows them.
struct ForeignUser: Sendable {
    let provider: String
    /// What the provider's tokens say as `sub`.
    let subject: String

    /// What the service calls the pool itself, among providers.
    static let ownProvider = "Cognito"
    /// What it calls the `sub` of a provider's tokens.
    static let subjectAttribute = "Cognito_Subject"

    fileprivate static let linked = RoomStatement(
        "SELECT user FROM _homeport_user_links WHERE provider = ? AND subject = ?")
    fileprivate static let linking = RoomStatement(
        "INSERT INTO _homeport_user_links (provider, subject, user) VALUES (?, ?, ?)")
    fileprivate static let unlinking = RoomStatement(
        "DELETE FROM _homeport_user_links WHERE provider = ? AND subject = ?")
    fileprivate static let ofUser = RoomStatement(
        "SELECT provider, subject FROM _homeport_user_links WHERE user = ? ORDER BY provider, subject")
    fileprivate static let countOfUser = RoomStatement("SELECT count(*) FROM _homeport_user_links WHERE user = ?")

    fileprivate var values: [StoredValue] { [.text(provider), .text(subject)] }
}

extension PoolRun {
    /// The user of this pool whom a member names.
    fileprivate func ownUser(_ member: String) throws(PoolError) -> User {
        let given = input.object(member)
        guard let provider = given?["ProviderName"]?.text, provider == ByteText(ForeignUser.ownProvider),
            let name = given?["ProviderAttributeValue"]?.string, !name.isEmpty
        else {
            throw .invalidParameter("\(member) has to be a user of the provider Cognito, with their user name.")
        }
        return try knownUser(name)
    }

    /// The user of another provider whom a member names.
    fileprivate func foreignUser(_ member: String) throws(PoolError) -> ForeignUser {
        let given = input.object(member)
        guard let provider = given?["ProviderName"]?.string, !provider.isEmpty,
            let subject = given?["ProviderAttributeValue"]?.string, !subject.isEmpty
        else { throw .invalidParameter("\(member) has to name a provider, and a user as the provider does.") }
        guard ByteText(provider) != ByteText(ForeignUser.ownProvider) else {
            throw .invalidParameter("\(member) has to be a user of another provider.")
        }
        let attribute = given?["ProviderAttributeName"]?.string ?? ForeignUser.subjectAttribute
        guard ByteText(attribute) == ByteText(ForeignUser.subjectAttribute) else {
            throw .invalidParameter(
                "\(member) can be found by \(ForeignUser.subjectAttribute) only, not by another attribute.")
        }
        return ForeignUser(provider: provider, subject: subject)
    }
}

extension RoomReading {
    /// Who a user of another provider is here; nil where nobody has been told.
    func user(linkedTo source: ForeignUser) throws(PoolError) -> User? {
        var number: Int64?
        try rows(ForeignUser.linked, source.values) { row throws(PoolError) in
            number = row.integer(0)
            return false
        }
        guard let number else { return nil }
        return try user(number)
    }
}

extension RoomReading {
    /// Who a user is elsewhere.
    func links(of user: User) throws(PoolError) -> [ForeignUser] {
        var links: [ForeignUser] = []
        try rows(ForeignUser.ofUser, [.integer(user.number)]) { row throws(PoolError) in
            links.append(ForeignUser(provider: row.text(0), subject: row.text(1)))
            return true
        }
        return links
    }
}

extension PoolWriting {
    /// Says who a user of another provider is here.
    func link(_ source: ForeignUser, to user: User) throws(PoolError) {
        guard try session.user(linkedTo: source) == nil else {
            throw .invalidParameter("SourceUser is already linked to DestinationUser")
        }
        guard try session.count(ForeignUser.countOfUser, [.integer(user.number)]) < PoolLimits.linksPerUserMax else {
            throw PoolError("LimitExceededException", "The user is linked to as many others as they can be.")
        }
        try change(ForeignUser.linking, source.values + [.integer(user.number)])
    }

    /// Ends that. False where there was nothing to end.
    func unlink(_ source: ForeignUser) throws(PoolError) -> Bool {
        try change(ForeignUser.unlinking, source.values) > 0
    }
}
