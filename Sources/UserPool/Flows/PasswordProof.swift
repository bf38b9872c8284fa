import Crypto
import JSON

/// The two rounds in which a client proves that it knows a password, and the flow in which it sends it.
extension PoolRun {
    /// The first round: `PASSWORD_VERIFIER`.
    func beginProof(for client: AppClient, details: JSONObject = JSONObject()) async throws(PoolError) -> JSONObject {
        let member = input.object("AuthParameters") == nil ? "ChallengeResponses" : "AuthParameters"
        let given = try demandedParameter("USERNAME", of: member)
        let text = try demandedParameter("SRP_A", of: member)
        let user = try await userToProve(given)
        return try await beginProof(text, of: user, given: given, for: client, details: details)
    }

    /// The same for a user who is known already; nil: for one who is not there.
    func beginProof(
        _ text: String, of user: User?, given: String, for client: AppClient, details: JSONObject
    ) async throws(PoolError) -> JSONObject {
        let userID = user?.name ?? standInName(given)
        let verifier = self.verifier(of: user, given)
        let begun = try await aside { () -> (exchange: SRPExchange, number: SRPNumber)? in
            guard let number = SRPClientNumber(text) else { return nil }
            let begun = SRPExchange.begin(with: number, verifier: verifier)
            return (begun.exchange, begun.serverNumber)
        }
        guard let begun else { throw .invalidParameter("SRP_A is no number that a proof can begin with.") }
        var details = details
        details.set("x", to: .string(Base64.text(of: begun.exchange.bytes)))
        details.set("g", to: .string(given))
        let state = SealedState(.proof, client: client, user: user?.number, now: now, details: details)
        return JSONObject([
            ("ChallengeName", .string(Challenge.passwordVerifier.rawValue)),
            (
                "ChallengeParameters",
                .object(
                    JSONObject([
                        ("SALT", .string(verifier.saltText)),
                        ("SECRET_BLOCK", .string(Base64.text(of: state.sealed(by: pool.seal), .standard))),
                        ("SRP_B", .string(begun.number.hexadecimal)), ("USERNAME", .string(userID)),
                        ("USER_ID_FOR_SRP", .string(userID)),
                    ]))
            ),
        ])
    }

    /// The second round.
    func finishProof(for client: AppClient) async throws(PoolError) -> JSONObject {
        let member = "ChallengeResponses"
        let block = try demandedParameter("PASSWORD_CLAIM_SECRET_BLOCK", of: member)
        let timestamp = try demandedParameter("TIMESTAMP", of: member)
        let signature = try demandedParameter("PASSWORD_CLAIM_SIGNATURE", of: member)
        guard let blockBytes = Base64.bytes(of: block.utf8, .standard),
            let state = SealedState(blockBytes, .proof, openedBy: pool.seal),
            ByteText(state.client) == ByteText(client.id), state.expires > now, let given = state.text("g"),
            let exchangeBytes = state.text("x").flatMap({ Base64.bytes(of: $0.utf8) }),
            let exchange = SRPExchange(bytes: exchangeBytes)
        else { throw .wrongPassword }
        guard ClaimTimestamp.isTimely(timestamp, now: now) else { throw try await untimely(state) }
        let user = try await user(state.user)
        try await askBeforeSignIn(user, given: given)
        // Whatever comes of it, the block has had its use, and the try counts.
        let subject = WrongTries.subject(user, name(given), .password)
        let gate = try await write { change throws(PoolError) -> PoolError? in
            guard try change.beginTry(subject) else { return .tooManyPasswords }
            return try change.use(state.id, until: state.expires) ? nil : .wrongPassword
        }
        if let gate { throw gate }
        let verifier = self.verifier(of: user, given)
        let identity = SRPIdentity(
            poolName: pool.identifiers.poolName, userID: user?.name ?? standInName(given))
        let claim = Base64.bytes(of: signature.utf8, .standard) ?? []
        let isRight = try await aside {
            exchange.accepts(
                claim: claim, of: identity, verifier: verifier, secretBlock: blockBytes, timestamp: timestamp)
        }
        let isMeant = try await isMeant(user?.number ?? 0)
        guard isRight, isMeant, let user, let password = user.password else { throw refusal(ofPasswordOf: user) }
        if state.details["f"]?.text == "custom" {
            try await write { change throws(PoolError) in try change.endTries(subject) }
            return try await continueCustom(user, given: given, for: client)
        }
        var progress = SignInProgress(
            user: user.number, client: client, firstFactor: .password(password.verifier), triesSubject: subject)
        progress.device = try deviceKey(of: member)
        progress.details = state.details
        return try await proceed(progress)
    }

    /// What is told of a claim of another time: it is a wrong one, and the block has had its use. No password was compared, so it
    /// does not count as a try.
    func untimely(_ state: SealedState) async throws(PoolError) -> PoolError {
        _ = try await write { change throws(PoolError) in try change.use(state.id, until: state.expires) }
        return .wrongPassword
    }

    /// The flow in which a client sends the password itself.
    func signInByPassword(
        _ given: String, _ password: String, for client: AppClient, details: JSONObject = JSONObject()
    ) async throws(PoolError) -> JSONObject {
        var user = try await user(named: name(given), orLike: standInNumber(given))
        if user == nil { user = try await migrated(given, password: password, "Authentication") }
        if user == nil, settings.existenceErrors == .shown { throw .userNotFound }
        return try await signInByPassword(
            of: user, given: given, password, for: client, details: details, device: deviceKey(of: "AuthParameters"))
    }

    /// The same for a user who is known already; nil: for one who is not there.
    func signInByPassword(
        of user: User?, given: String, _ password: String, for client: AppClient, details: JSONObject, device: String?
    ) async throws(PoolError) -> JSONObject {
        try await askBeforeSignIn(user, given: given)
        guard let proof = try await provedPassword(password, of: user, given: given), let user else {
            throw refusal(ofPasswordOf: user)
        }
        var progress = SignInProgress(
            user: user.number, client: client, firstFactor: .password(proof.verifier),
            triesSubject: WrongTries.subject(user, name(given), .password))
        progress.device = device
        progress.details = details
        return try await proceed(progress)
    }

    /// What proves a password, if it is that of a user; nil for a wrong one. A user who is not there takes as long. Counts
    /// the try.
    ///
    /// Of users who came from another server its hash is asked, once: the right password gets a verifier of ours. Somebody who
    /// is not there takes as long as one of those who are: some of them have such a hash, whose work can be felt.
    func provedPassword(
        _ password: String, of user: User?, given: String
    ) async throws(PoolError) -> StoredPassword? {
        let subject = WrongTries.subject(user, name(given), .password)
        let isOpen = try await write { change throws(PoolError) in try change.beginTry(subject) }
        guard isOpen else { throw .tooManyPasswords }
        if let user, !user.hasPassword, user.status == .mustReset, hasTrigger(.userMigration) {
            return try await adoptMigrated(password, of: user, given: given)
        }
        let like = standInNumber(given)
        let standIn = try await read { reader throws(PoolError) in try reader.foreignHash(ofSomebodyLike: like) }
        let identity = SRPIdentity(
            poolName: pool.identifiers.poolName, userID: user?.name ?? standInName(given))
        guard user?.password == nil, let text = user?.foreignHash ?? standIn, let hash = ForeignHash(text) else {
            let verifier = self.verifier(of: user, given)
            let isRight = try await aside { verifier.accepts(password: password, of: identity) }
            return isRight ? user?.password : nil
        }
        let (isRight, verifier) = try await aside {
            (hash.accepts(password: password), SRPVerifier(password: password, of: identity))
        }
        guard isRight, let user, user.foreignHash != nil else { return nil }
        return try await adopt(
            StoredPassword(salt: verifier.salt, verifier: verifier.number), of: user, insteadOf: text, password,
            identity)
    }

    /// Asks the system that a user came from without a password whether it is this one, and keeps it then.
    private func adoptMigrated(
        _ password: String, of user: User, given: String
    ) async throws(PoolError) -> StoredPassword? {
        guard let response = try await knownElsewhere(user, given: given, password: password),
            let proof = try await storedPassword(password, name: user.name)
        else { return nil }
        return try await write { change throws(PoolError) -> StoredPassword? in
            // Whoever has set a password meanwhile has it.
            guard var present = try change.session.user(user.number), !present.hasPassword, present.status == .mustReset
            else { return nil }
            present.password = proof
            present.status = .confirmed
            try change.save(present)
            try takeIdentity(response, of: present, change)
            return proof
        }
    }

    /// Lets a verifier take the place of another server's hash.
    private func adopt(
        _ proof: StoredPassword, of user: User, insteadOf hash: String, _ password: String, _ identity: SRPIdentity
    ) async throws(PoolError) -> StoredPassword? {
        let present = try await write { change throws(PoolError) -> StoredPassword? in
            guard var present = try change.session.user(user.number) else { return nil }
            guard present.password == nil, present.foreignHash.map({ ByteText($0) }) == ByteText(hash) else {
                return present.password
            }
            present.password = proof
            present.foreignHash = nil
            try change.save(present)
            return proof
        }
        guard let present, present.verifier != proof.verifier else { return present }
        // Somebody was quicker: with the same password, or with a new one.
        guard let verifier = SRPVerifier(salt: present.salt, number: present.verifier) else { return nil }
        return try await aside { verifier.accepts(password: password, of: identity) } ? present : nil
    }

    /// Chooses whose work is done for a name, always the same.
    func standInNumber(_ given: String) -> Int64 {
        let code = HMACSHA256.code(of: Array("work \(name(given).folded)".utf8), key: pool.standInSecret)
        return Int64(code.prefix(7).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The user whom a sign-in names. Nil for one who is not there, where nobody is to learn that.
    func userToProve(_ given: String) async throws(PoolError) -> User? {
        if let user = try await user(named: name(given), orLike: standInNumber(given)) { return user }
        guard settings.existenceErrors == .hidden else { throw .userNotFound }
        return nil
    }

    /// What is told of a wrong password. Whoever came from another pool without one has to reset it: said where anybody may
    /// learn that they are there.
    private func refusal(ofPasswordOf user: User?) -> PoolError {
        guard let user, !user.hasPassword, user.status == .mustReset, settings.existenceErrors == .shown else {
            return .wrongPassword
        }
        return .resetRequired
    }

    /// What a password is proved against: for those who are not there, or have none, something that looks the same.
    ///
    /// What stands in is made for everybody, or making it could be felt.
    private func verifier(of user: User?, _ given: String) -> SRPVerifier {
        let standIn = SRPVerifier.standIn(for: user?.name ?? name(given).folded, secret: pool.standInSecret)
        return user?.password.flatMap { SRPVerifier(salt: $0.salt, number: $0.verifier) } ?? standIn
    }

    /// Who stands in for somebody who is not there: with a number that no user has, always the same.
    func standInUser(_ given: String) -> User {
        let code = HMACSHA256.code(of: Array("number \(name(given).folded)".utf8), key: pool.standInSecret)
        let number = -1 - Int64(code.prefix(7).reduce(0) { $0 << 8 | UInt64($1) })
        return User(
            number: number, sub: "", name: standInName(given), status: .unconfirmed, isEnabled: true, created: now,
            modified: now, attributes: JSONObject(), password: nil, foreignHash: nil, temporaryUntil: nil,
            secondFactors: SecondFactorChoice(), totpSecret: nil, totpCounter: 0)
    }

    /// The name of somebody who is not there, as those have it who are.
    func standInName(_ given: String) -> String {
        guard settings.namesUsersItself else { return given }
        let code = HMACSHA256.code(of: Array("name \(name(given).folded)".utf8), key: pool.standInSecret)
        return UUIDText.versionFour(of: Array(code.prefix(16)))
    }
}
