import Cloud
import JSON
import Store

extension PoolOperation {
    /// Users whom the app's own backend signs in. The backend asks, by a signature, and hands the token on to its app.
    static let developerIdentities: [PoolOperation] = [
        PoolOperation(
            "GetOpenIdTokenForDeveloperIdentity", .administrators,
            [
                .init("IdentityPoolId", .identityID, isRequired: true), .init("IdentityId", .identityID),
                .init("Logins", .logins, isRequired: true),
                .init("PrincipalTags", .texts(keyMax: 128, valueMax: 256)),
                .init("TokenDuration", .integer(1...PoolLimits.developerTokenSecondsMax)),
            ]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            let logins = try await run.developerLogins()
            let identity = try await run.identity(of: logins.login, logins.user)
            let seconds = run.input.integer("TokenDuration") ?? PoolLimits.developerTokenSeconds
            return JSONObject([
                ("IdentityId", .string(identity)),
                ("Token", .string(try await run.openIDToken(of: identity, logins.login, seconds: seconds))),
            ])
        },
        PoolOperation(
            "LookupDeveloperIdentity", .administrators,
            [
                .init("IdentityPoolId", .identityID, isRequired: true), .init("IdentityId", .identityID),
                .init("DeveloperUserIdentifier", .developerUser), .init("MaxResults", .integer(1...60)),
                .init("NextToken", .text(1...65_535, .solid, isSecret: true)),
            ]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            return try await run.lookUp()
        },
        PoolOperation(
            "MergeDeveloperIdentities", .administrators,
            [
                .init("SourceUserIdentifier", .developerUser, isRequired: true),
                .init("DestinationUserIdentifier", .developerUser, isRequired: true),
                .init("DeveloperProviderName", .developerProvider, isRequired: true),
                .init("IdentityPoolId", .identityID, isRequired: true),
            ]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            return JSONObject([("IdentityId", .string(try await run.merge()))])
        },
        PoolOperation(
            "UnlinkDeveloperIdentity", .administrators,
            [
                .init("IdentityId", .identityID, isRequired: true),
                .init("IdentityPoolId", .identityID, isRequired: true),
                .init("DeveloperProviderName", .developerProvider, isRequired: true),
                .init("DeveloperUserIdentifier", .developerUser, isRequired: true),
            ]
        ) { run throws(PoolError) in
            try run.checkIdentityPool()
            let id = try run.input.required("IdentityId")
            let login = try run.developerLogin("DeveloperUserIdentifier")
            try await run.write { change throws(PoolError) in
                guard let known = try change.session.identity(of: login) else { throw .unknownDeveloperUser }
                guard try change.unlink(login, from: id) else {
                    throw ByteText(known) == ByteText(id) ? .unknownDeveloperUser : .loginOfAnother
                }
            }
            return nil
        },
    ]
}

extension MemberShape {
    fileprivate static let developerUser = MemberShape.text(1...PoolLimits.developerUserMax)
    fileprivate static let developerProvider = MemberShape.text(
        1...128, MemberPattern(#"[\w._-]+"#, lettersAnd: "._-"))
}

extension PoolRun {
    /// Refuses a call for an identity pool that is not this one.
    func checkIdentityPool() throws(PoolError) {
        let id = try input.required("IdentityPoolId")
        guard ByteText(id) == ByteText(pool.identifiers.identityPoolID) else {
            throw .notFound("IdentityPool '\(id)' not found.")
        }
    }

    /// The backend's name as a provider, where the pool has one.
    fileprivate func developerProvider() throws(PoolError) -> String {
        guard let provider = settings.developerProvider else { throw .unsupportedDeveloperProvider }
        return provider
    }

    /// The user of the backend's that a member names, whose provider the request names as well.
    fileprivate func developerLogin(_ member: String) throws(PoolError) -> DeveloperLogin {
        let provider = try developerProvider()
        guard try ByteText(input.required("DeveloperProviderName")) == ByteText(provider) else {
            throw .unsupportedDeveloperProvider
        }
        return DeveloperLogin(provider: provider, user: try input.required(member))
    }

    /// The logins of a backend's request: one user of its own, and perhaps the same user's login of the user pool.
    fileprivate func developerLogins() async throws(PoolError) -> (login: DeveloperLogin, user: LoginToken?) {
        let provider = try developerProvider()
        var logins = input.object("Logins") ?? JSONObject()
        guard let name = logins[provider]?.string else { throw .unsupportedDeveloperProvider }
        guard (1...PoolLimits.developerUserMax).contains(name.unicodeScalars.count) else {
            throw .invalidParameter(
                "1 validation error detected: Value at 'logins' failed to satisfy constraint: Member must have length less than "
                    + "or equal to \(PoolLimits.developerUserMax), and greater than or equal to 1")
        }
        logins.remove(provider)
        let shown = try await self.logins(logins, takingDeveloperTokens: false)
        return (DeveloperLogin(provider: provider, user: name), shown.user)
    }

    /// The identity of a user of the backend's, which has all logins of the request from then on. The one that the request names has to
    /// be theirs, a guest's, or that of a login that is shown.
    fileprivate func identity(of login: DeveloperLogin, _ user: LoginToken?) async throws(PoolError) -> String {
        let wanted = input.text("IdentityId")
        let (names, subject) = (pool.identityNames, user?.subject)
        if let wanted { guard names.isWellFormed(wanted) else { throw .unknownIdentity(wanted) } }
        // Who comes again finds what they have.
        if subject == nil {
            let known = try await read { reader throws(PoolError) in try reader.identity(of: login) }
            if let known, wanted.map({ ByteText($0) == ByteText(known) }) ?? true { return known }
        }
        return try await write { change throws(PoolError) in
            let session = change.session
            let known = try session.identity(of: login)
            var own: String?
            if let subject {
                _ = try session.owner(of: subject, change.settings)
                own = try session.identity(of: subject)?.id
            }
            if let known, let wanted, ByteText(known) != ByteText(wanted) { throw .registeredDeveloperUser }
            for other in [known, wanted] {
                if let own, let other, ByteText(own) != ByteText(other) { throw .loginOfAnother }
            }
            let id: String
            if let linked = known ?? own {
                id = linked
            } else if let wanted {
                // Names of identities are no secrets: one that has a login is reached by that login alone.
                guard try session.identity(wanted) == nil else { throw .loginsDoNotMatch }
                let isWaiting = try session.isWaiting(wanted)
                let isOwn = names.isOwn(wanted) && !isWaiting
                guard isOwn || change.settings.adoptsUnknownGuests else { throw .unknownIdentity(wanted) }
                id = isOwn ? wanted : names.make()
            } else {
                id = names.make()
            }
            if let record = try session.identity(id) {
                if let subject, !record.isOf(subject) {
                    guard record.subject == nil else { throw .loginOfAnother }
                    try change.change(IdentityRecord.linking, [.text(subject), .text(id)])
                }
            } else {
                try change.make(id, for: subject)
            }
            if known == nil { try change.link(login, to: id) }
            return id
        }
    }

    /// The identity of a user of the backend's, or the users who have an identity.
    fileprivate func lookUp() async throws(PoolError) -> JSONObject {
        let (id, user) = (input.text("IdentityId"), input.text("DeveloperUserIdentifier"))
        let provider = try developerProvider()
        if let user {
            let login = DeveloperLogin(provider: provider, user: user)
            let known = try await read { reader throws(PoolError) in try reader.identity(of: login) }
            guard let known else { throw .unknownDeveloperUser }
            if let id, ByteText(id) != ByteText(known) { throw .loginOfAnother }
            return JSONObject([
                ("DeveloperUserIdentifierList", .array([.string(user)])), ("IdentityId", .string(known)),
            ])
        }
        guard let id else {
            throw .invalidParameter("Please provide either an IdentityId or a DeveloperUserIdentifier.")
        }
        let list = "LookupDeveloperIdentity"
        let count = pageCount("MaxResults")
        let position = try position("NextToken", of: list, id) ?? ""
        let found = try await read { reader throws(PoolError) -> [String]? in
            guard try reader.identity(id) != nil else { return nil }
            return try reader.developerUsers(of: id, provider, behind: position, max: count + 1)
        }
        guard let users = found else { throw .unknownIdentity(id) }
        var answer = JSONObject([
            ("DeveloperUserIdentifierList", .array(users.prefix(count).map(JSONValue.string))),
            ("IdentityId", .string(id)),
        ])
        if users.count > count, let last = users.prefix(count).last {
            answer.set("NextToken", to: token(behind: last, of: list, id))
        }
        return answer
    }

    /// Makes two users of the backend's one. Answers with the identity that they have from then on.
    fileprivate func merge() async throws(PoolError) -> String {
        let (source, destination) = (
            try developerLogin("SourceUserIdentifier"), try developerLogin("DestinationUserIdentifier")
        )
        return try await write { change throws(PoolError) in
            guard let from = try change.session.identity(of: source),
                let to = try change.session.identity(of: destination),
                let left = try change.session.identity(from), let kept = try change.session.identity(to)
            else { throw .unknownDeveloperUser }
            if ByteText(left.id) != ByteText(kept.id) { try change.merge(left, into: kept) }
            return kept.id
        }
    }
}

extension PoolError {
    static let unsupportedDeveloperProvider = invalidParameter(
        "This identity pool does not support the specified developer provider.")
    fileprivate static let unknownDeveloperUser = notFound("Developer user identifier not found.")
    fileprivate static let registeredDeveloperUser = PoolError(
        "DeveloperUserAlreadyRegisteredException",
        "The developer user identifier is already registered under a different identity ID.")
}
