import Cloud
import JSON

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
            let user = try await run.ownUser("DestinationUser")
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
                try change.unlink(source)
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

extension PoolRun {
    /// The user of this pool whom a member names.
    fileprivate func ownUser(_ member: String) async throws(PoolError) -> User {
        let given = input.object(member)
        guard let provider = given?["ProviderName"]?.text, provider == ByteText(ForeignUser.ownProvider),
            let name = given?["ProviderAttributeValue"]?.string, !name.isEmpty
        else {
            throw .invalidParameter("\(member) has to be a user of the provider Cognito, with their user name.")
        }
        return try await knownUser(name)
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
