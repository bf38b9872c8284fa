import JSON

/// Signing in by challenges of the app's own: one function says what comes next, one makes it, one looks at the answer.
extension PoolRun {
    /// What was asked and answered so far, as the functions are told.
    private struct Rounds {
        var entries: [JSONValue]

        mutating func add(_ name: String, _ isRight: Bool, metadata: String? = nil) {
            entries.append(
                .object(
                    JSONObject([
                        ("challengeName", .string(name)), ("challengeResult", .bool(isRight)),
                        ("challengeMetadata", metadata.map(JSONValue.string) ?? .null),
                    ])))
        }
    }

    func beginCustom(for client: AppClient) async throws(PoolError) -> JSONObject {
        let member = "AuthParameters"
        guard hasTrigger(.defineAuthChallenge) else {
            throw .invalidParameter("Custom auth lambda trigger is not configured for the user pool.")
        }
        let given = try demandedParameter("USERNAME", of: member)
        let user = try await userToProve(given)
        var rounds = Rounds(entries: [])
        if let number = parameter("SRP_A", of: member), parameter("CHALLENGE_NAME", of: member) == "SRP_A" {
            rounds.add("SRP_A", true)
            let next = try await nextChallenge(rounds, user, given)
            guard next["challengeName"]?.text == "PASSWORD_VERIFIER" else {
                return try await lead(next, rounds, user, given, for: client)
            }
            return try await beginProof(
                number, of: user, given: given, for: client, details: JSONObject([("f", "custom")]))
        }
        return try await lead(nextChallenge(rounds, user, given), rounds, user, given, for: client)
    }

    /// Goes on behind the proof of a password that a function asked for.
    func continueCustom(_ user: User, given: String, for client: AppClient) async throws(PoolError) -> JSONObject {
        var rounds = Rounds(entries: [])
        rounds.add("SRP_A", true)
        rounds.add("PASSWORD_VERIFIER", true)
        return try await lead(nextChallenge(rounds, user, given), rounds, user, given, for: client)
    }

    func answerCustom(for client: AppClient) async throws(PoolError) -> JSONObject {
        let answer = try demandedParameter("ANSWER", of: "ChallengeResponses")
        let state = try await state(input.text("Session"), .challenge, of: client)
        guard state.details["n"]?.text == ByteText(Challenge.custom.rawValue), let given = state.text("g"),
            let entries = state.details["s"]?.array
        else { throw .invalidSession }
        let user = try await user(state.user)
        let subject = WrongTries.subject(user, name(given), .code)
        let refusal = try await write { change throws(PoolError) -> PoolError? in
            guard try change.beginTry(subject) else { return .tooManyAttempts }
            return try change.use(state.id, until: state.expires) ? nil : .usedSession
        }
        if let refusal { throw refusal }
        var request = JSONObject([
            ("privateChallengeParameters", state.details["p"] ?? .null), ("challengeAnswer", .string(answer)),
            ("clientMetadata", clientMetadata),
        ])
        if user == nil { request.set("userNotFound", to: true) }
        let response = try await call(
            .verifyAuthChallengeResponse, "Authentication", about: subjectOfCustom(user, given), request: request,
            response: JSONObject([("answerCorrect", .null)]))
        let isRight = response?["answerCorrect"]?.bool == true
        var rounds = Rounds(entries: entries)
        rounds.add(Challenge.custom.rawValue, isRight, metadata: state.text("m"))
        guard rounds.entries.count <= PoolLimits.customRoundsMax else { throw .wrongPassword }
        if isRight, user != nil {
            try await write { change throws(PoolError) in try change.endTries(subject) }
        }
        return try await lead(nextChallenge(rounds, user, given), rounds, user, given, for: client)
    }

    private func subjectOfCustom(_ user: User?, _ given: String) -> TriggerSubject {
        user.map { TriggerSubject($0) } ?? TriggerSubject(name: given, attributes: JSONObject())
    }

    /// Asks the function that decides what comes next.
    private func nextChallenge(_ rounds: Rounds, _ user: User?, _ given: String) async throws(PoolError) -> JSONObject {
        var request = JSONObject([("session", .array(rounds.entries)), ("clientMetadata", clientMetadata)])
        if user == nil { request.set("userNotFound", to: true) }
        let response = try await call(
            .defineAuthChallenge, "Authentication", about: subjectOfCustom(user, given), request: request,
            response: JSONObject([("challengeName", .null), ("issueTokens", .null), ("failAuthentication", .null)]))
        return response ?? JSONObject()
    }

    /// Does what that function has decided.
    private func lead(
        _ decision: JSONObject, _ rounds: Rounds, _ user: User?, _ given: String, for client: AppClient
    ) async throws(PoolError) -> JSONObject {
        if decision["failAuthentication"]?.bool == true { throw .wrongPassword }
        if decision["issueTokens"]?.bool == true {
            // Nobody gets tokens of a user who is not there, whatever a function says.
            guard let user else { throw .wrongPassword }
            return try await proceed(SignInProgress(user: user.number, client: client, firstFactor: .custom))
        }
        guard decision["challengeName"]?.text == ByteText(Challenge.custom.rawValue) else {
            throw PoolError("InvalidLambdaResponseException", "Unrecognizable lambda output")
        }
        var request = JSONObject([
            ("challengeName", .string(Challenge.custom.rawValue)), ("session", .array(rounds.entries)),
            ("clientMetadata", clientMetadata),
        ])
        if user == nil { request.set("userNotFound", to: true) }
        let made = try await call(
            .createAuthChallenge, "Authentication", about: subjectOfCustom(user, given), request: request,
            response: JSONObject([
                ("publicChallengeParameters", .null), ("privateChallengeParameters", .null),
                ("challengeMetadata", .null),
            ]))
        var parameters = JSONObject()
        for member in made?["publicChallengeParameters"]?.object?.members ?? [] {
            if let text = member.value.string { parameters.set(member.key, to: .string(text)) }
        }
        parameters.set("USERNAME", to: .string(user?.name ?? standInName(given)))
        var details = JSONObject([
            ("n", .string(Challenge.custom.rawValue)), ("s", .array(rounds.entries)), ("g", .string(given)),
            ("p", made?["privateChallengeParameters"] ?? .null),
        ])
        if let metadata = made?["challengeMetadata"]?.string { details.set("m", to: .string(metadata)) }
        let state = SealedState(.challenge, client: client, user: user?.number, now: now, details: details)
        let session = session(state)
        guard session.utf8.count <= PoolLimits.sessionBytesMax else {
            throw PoolError(
                "InvalidLambdaResponseException", "Unrecognizable lambda output",
                reason: "the parameters of a custom challenge are too long for a session")
        }
        return JSONObject([
            ("ChallengeName", .string(Challenge.custom.rawValue)), ("ChallengeParameters", .object(parameters)),
            ("Session", .string(session)),
        ])
    }
}
