import Cloud
import JSON

extension PoolOperation {
    /// The identity pool: names for users and guests, and access keys for these.
    static let identities: [PoolOperation] = [
        PoolOperation(
            "GetId", .open,
            [
                .init("AccountId", .text(1...15, .digits)),
                .init("IdentityPoolId", .identityID, isRequired: true), .init("Logins", .logins),
            ]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            return JSONObject([("IdentityId", .string(try await run.newIdentity()))])
        },
        PoolOperation(
            "GetCredentialsForIdentity", .open,
            [
                .init("IdentityId", .identityID, isRequired: true), .init("Logins", .logins),
                .init("CustomRoleArn", .text(20...2_048)),
            ]
        ) { run throws(PoolError) in
            let identity = try await run.shownIdentity(takingDeveloperTokens: true)
            let role = try run.role(of: identity)
            let group = try await run.group(of: role, identity)
            let made = run.pool.credentials.make(
                for: IdentityCredentials.Holder(
                    identity: identity.id, role: role, group: group,
                    subject: identity.login?.subject, developer: identity.login == nil ? identity.developer : nil),
                until: run.now / 1_000 + IdentityCredentials.lifeSeconds)
            return JSONObject([
                (
                    "Credentials",
                    .object(
                        JSONObject([
                            ("AccessKeyId", .string(made.accessKeyID)), ("Expiration", .integer(made.expires)),
                            ("SecretKey", .string(made.secret)), ("SessionToken", .string(made.sessionToken)),
                        ]))
                ), ("IdentityId", .string(identity.id)),
            ])
        },
        PoolOperation(
            "GetOpenIdToken", .open,
            [.init("IdentityId", .identityID, isRequired: true), .init("Logins", .logins)]
        ) { run throws(PoolError) in
            let identity = try await run.shownIdentity()
            return JSONObject([
                ("IdentityId", .string(identity.id)), ("Token", .string(try await run.openIDToken(of: identity))),
            ])
        },
        PoolOperation(
            "UnlinkIdentity", .open,
            [
                .init("IdentityId", .identityID, isRequired: true), .init("Logins", .logins, isRequired: true),
                .init(
                    "LoginsToRemove", .list(.text(1...128), max: PoolLimits.loginsMax), isRequired: true),
            ]
        ) { run throws(PoolError) in
            try await run.unlink()
            return nil
        },
        PoolOperation(
            "ListIdentityPools", .administrators,
            [
                .init("MaxResults", .integer(1...60), isRequired: true),
                .init("NextToken", .text(1...65_535, .solid, isSecret: true)),
            ]
        ) { run throws(PoolError) in
            let names = run.identityPoolNames
            return JSONObject([("IdentityPools", .array([.object(JSONObject(names))]))])
        },
        PoolOperation(
            "DescribeIdentityPool", .administrators, [.init("IdentityPoolId", .identityID, isRequired: true)]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            return run.identityPool
        },
        PoolOperation(
            "GetIdentityPoolRoles", .administrators, [.init("IdentityPoolId", .identityID, isRequired: true)]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            return run.identityPoolRoles
        },
        PoolOperation(
            "DescribeIdentity", .administrators, [.init("IdentityId", .identityID, isRequired: true)]
        ) { run throws(PoolError) in
            let id = try run.input.required("IdentityId")
            // Guests are nowhere.
            let found = try await run.read { reader throws(PoolError) in try reader.datedIdentity(id) }
            guard let (record, created) = found else { throw .unknownIdentity(id) }
            var logins: [JSONValue] = record.subject == nil ? [] : [.string(run.providerName)]
            if let provider = run.settings.developerProvider,
                try await run.read({ reader throws(PoolError) in try reader.developerLoginCount(of: id) }) > 0
            {
                logins.append(.string(provider))
            }
            return JSONObject([
                ("IdentityId", .string(id)), ("Logins", .array(logins)),
                ("CreationDate", .double(Double(created) / 1_000)),
                ("LastModifiedDate", .double(Double(created) / 1_000)),
            ])
        },
    ]
}

extension PoolRun {
    fileprivate var identityPoolNames: [(String, JSONValue)] {
        [
            ("IdentityPoolId", .string(pool.identifiers.identityPoolID)),
            ("IdentityPoolName", .string(pool.identifiers.poolName)),
        ]
    }

    /// The user pool as a provider of logins.
    fileprivate var providerName: String {
        "cognito-idp.\(pool.identifiers.region).amazonaws.com/\(pool.identifiers.userPoolID)"
    }

    /// The roles in which identities act. Those of groups come with the tokens of their users.
    fileprivate var identityPoolRoles: JSONObject {
        var roles = JSONObject([("authenticated", .string(IdentityRole.signedIn.arn))])
        if settings.allowsGuests { roles.set("unauthenticated", to: .string(IdentityRole.guest.arn)) }
        let mappings = pool.clients.keys.sorted().map { client -> (String, JSONValue) in
            (
                "\(providerName):\(client.string)",
                ["Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"]
            )
        }
        return JSONObject([
            ("IdentityPoolId", .string(pool.identifiers.identityPoolID)), ("Roles", .object(roles)),
            ("RoleMappings", .object(JSONObject(mappings))),
        ])
    }

    /// What the identity pool is, for tools that ask.
    fileprivate var identityPool: JSONObject {
        let provider = providerName
        let clients = pool.clients.keys.sorted().map { client -> JSONValue in
            [
                "ClientId": .string(client.string), "ProviderName": .string(provider), "ServerSideTokenCheck": false,
            ]
        }
        var description = JSONObject(
            identityPoolNames + [
                ("AllowUnauthenticatedIdentities", .bool(settings.allowsGuests)), ("AllowClassicFlow", false),
                ("CognitoIdentityProviders", .array(clients)), ("IdentityPoolTags", .object(JSONObject())),
            ])
        if let provider = settings.developerProvider {
            description.set("DeveloperProviderName", to: .string(provider))
        }
        return description
    }
}

extension MemberShape {
    static let identityID = MemberShape.text(1...55, .identity)
    static let logins = MemberShape.texts(keyMax: 128, valueMax: 50_000)
}

/// An identity that a request has the right to.
struct ShownIdentity: Sendable {
    let id: String
    /// That of the user pool. Without it, and without one of the app's backend, it is a guest's.
    let login: LoginToken?
    var developer: DeveloperLogin?
}

extension PoolRun {
    /// The identity of a login, which is made with the first call; or that of a new guest.
    fileprivate func newIdentity() async throws(PoolError) -> String {
        guard let login = try await logins().user else {
            guard settings.allowsGuests else { throw .noGuests }
            return pool.identityNames.make()
        }
        return try await identity(of: login, orNew: pool.identityNames.make())
    }

    /// The identity of a login; where it has none, it gets the one of that name, if that is nobody's.
    private func identity(of login: LoginToken, orNew id: String) async throws(PoolError) -> String {
        let subject = login.subject
        let known = try await read { reader throws(PoolError) in try reader.identity(of: subject) }
        if let known { return known.id }
        // Whoever asks at the same time, for this user or with this name: one is first, and the others find it.
        return try await write { change throws(PoolError) in
            _ = try change.session.owner(of: subject, change.settings)
            if let known = try change.session.identity(of: subject) { return known.id }
            guard try change.session.identity(id) == nil else { throw .loginsDoNotMatch }
            try change.make(id, for: subject)
            return id
        }
    }

    /// The identity that the request names and has the right to: a guest's, or that of its login. A guest's becomes the login's
    /// where the login has none; where it has one, that is the answer, and clients take it over.
    ///
    /// - Parameter takingDeveloperTokens: true where the call takes tokens of the app's backend.
    fileprivate func shownIdentity(takingDeveloperTokens: Bool = false) async throws(PoolError) -> ShownIdentity {
        let id = try input.required("IdentityId")
        let names = pool.identityNames
        guard names.isWellFormed(id) else { throw .unknownIdentity(id) }
        let logins = try await logins(takingDeveloperTokens: takingDeveloperTokens)
        if let developer = logins.developer { return try await identity(id, of: developer, logins.user) }
        let login = logins.user
        // One that waits for its user is nobody's, whoever names it.
        let (record, isWaiting) = try await read { reader throws(PoolError) -> (IdentityRecord?, Bool) in
            if let record = try reader.identity(id) { return (record, false) }
            return (nil, try reader.isWaiting(id))
        }
        let isOwn = names.isOwn(id) && !isWaiting
        guard record != nil || isOwn || settings.adoptsUnknownGuests else { throw .unknownIdentity(id) }
        guard let login else {
            guard record == nil else { throw .forbiddenIdentity(id) }
            // Clients that had it as guests forget it then, and ask for another.
            guard !isWaiting else { throw .unknownIdentity(id) }
            guard settings.allowsGuests else { throw .noGuests }
            return ShownIdentity(id: id, login: nil)
        }
        if let record {
            guard record.isOf(login.subject) else { throw .loginsDoNotMatch }
            return ShownIdentity(id: id, login: login)
        }
        // A name that somebody has made up becomes nobody's.
        return ShownIdentity(id: try await identity(of: login, orNew: isOwn ? id : names.make()), login: login)
    }

    /// The identity that a token of the app's backend names. A login of the user pool that is shown beside it is the identity's from
    /// then on.
    private func identity(
        _ id: String, of token: DeveloperToken, _ user: LoginToken?
    ) async throws(PoolError) -> ShownIdentity {
        guard ByteText(id) == ByteText(token.identity) else { throw .loginsDoNotMatch }
        let developer = token.login
        guard let user else { return ShownIdentity(id: id, login: nil, developer: developer) }
        let subject = user.subject
        try await write { change throws(PoolError) in
            _ = try change.session.owner(of: subject, change.settings)
            guard let record = try change.session.identity(id), try change.session.has(developer, id) else {
                throw .loginsDoNotMatch
            }
            guard !record.isOf(subject) else { return }
            let own = try change.session.identity(of: subject)
            guard record.subject == nil, own == nil else { throw .loginsDoNotMatch }
            try change.change(IdentityRecord.linking, [.text(subject), .text(id)])
        }
        return ShownIdentity(id: id, login: user, developer: developer)
    }

    /// The role in which an identity acts: that of the group that counts most, or another one that the token names and the
    /// request asks for.
    fileprivate func role(of identity: ShownIdentity) throws(PoolError) -> IdentityRole {
        let wanted = input.text("CustomRoleArn")
        guard let login = identity.login else {
            guard wanted == nil else {
                throw .notAuthorized(
                    identity.developer == nil
                        ? "Guests cannot choose a role." : "The login does not name the role of CustomRoleArn.")
            }
            return identity.developer == nil ? .guest : .signedIn
        }
        if let wanted {
            guard login.roles.contains(where: { ByteText($0) == ByteText(wanted) }) else {
                throw .notAuthorized("The login does not name the role of CustomRoleArn.")
            }
            return .group(wanted)
        }
        return login.preferredRole.map(IdentityRole.group) ?? .signedIn
    }

    /// The group whose role that is.
    fileprivate func group(of role: IdentityRole, _ identity: ShownIdentity) async throws(PoolError) -> String? {
        guard case .group(let arn) = role, let login = identity.login else { return nil }
        let settings = settings
        let groups = try await read { reader throws(PoolError) in
            try reader.groups(of: reader.owner(of: login.subject, settings).number)
        }
        return pool.group(ofRole: arn, among: groups)
    }

    /// Takes the login from its identity, which nobody has any right to after that.
    fileprivate func unlink() async throws(PoolError) {
        let id = try input.required("IdentityId")
        let logins = try await logins(takingDeveloperTokens: true)
        let removed = input.texts("LoginsToRemove") ?? []
        let (users, others) = (removed.filter(isOwnProvider), removed.filter { !isOwnProvider($0) })
        guard !removed.isEmpty, others.allSatisfy(isDeveloperProvider), users.isEmpty || logins.user != nil,
            others.isEmpty || logins.developer != nil
        else { throw .loginsDoNotMatch }
        try await write { change throws(PoolError) in
            guard let record = try change.session.identity(id) else { throw .unknownIdentity(id) }
            if let subject = logins.user?.subject {
                guard record.isOf(subject) else { throw .loginsDoNotMatch }
                if !users.isEmpty { try change.change(IdentityRecord.unlinking, [.text(id), .text(subject)]) }
            }
            if let login = logins.developer?.login {
                guard try change.session.has(login, id) else { throw .loginsDoNotMatch }
                if !others.isEmpty { try change.unlink(login, from: id) }
            }
        }
    }

    /// Returns whether a provider of logins is the app's backend: by its own name, or by that of its tokens.
    private func isDeveloperProvider(_ name: String) -> Bool {
        [settings.developerProvider, settings.developerProvider == nil ? nil : OpenIDToken.providerName]
            .contains { $0.map { ByteText($0) == ByteText(name) } ?? false }
    }
}
