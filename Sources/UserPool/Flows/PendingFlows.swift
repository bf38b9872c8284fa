import JSON

// Ways in that are refused until they are there.
extension PoolRun {
    private static func missing(_ name: String) -> PoolError {
        .invalidParameter("\(name) is not enabled for this user pool.")
    }

    func beginChoice(for client: AppClient) async throws(PoolError) -> JSONObject { throw Self.missing("USER_AUTH") }

    func answerNewPassword(for client: AppClient) async throws(PoolError) -> JSONObject {
        throw Self.missing("NEW_PASSWORD_REQUIRED")
    }

    func answerSelection(for client: AppClient) async throws(PoolError) -> JSONObject {
        throw Self.missing("SELECT_CHALLENGE")
    }

    func answerFactorSelection(for client: AppClient) async throws(PoolError) -> JSONObject {
        throw Self.missing("SELECT_MFA_TYPE")
    }

    func answerSecondFactor(_ challenge: Challenge, for client: AppClient) async throws(PoolError) -> JSONObject {
        throw Self.missing(challenge.rawValue)
    }

    func answerCode(_ challenge: Challenge, for client: AppClient) async throws(PoolError) -> JSONObject {
        throw Self.missing(challenge.rawValue)
    }

    func answerFactorSetUp(for client: AppClient) async throws(PoolError) -> JSONObject {
        throw Self.missing("MFA_SETUP")
    }

    func beginDeviceProof(for client: AppClient) async throws(PoolError) -> JSONObject {
        throw .notFound("Device does not exist.")
    }

    func finishDeviceProof(for client: AppClient) async throws(PoolError) -> JSONObject {
        throw .notFound("Device does not exist.")
    }
}

extension PoolWriting {
    /// The second factor that is asked for; nil where none is.
    func secondFactorStep(_ user: User, _ progress: SignInProgress) throws(PoolError) -> SignInStep? {
        guard settings.secondFactorDemand != .off, !user.secondFactors.enabled.isEmpty else { return nil }
        return .refused(.notAuthorized("A second factor is needed, and none can be asked for."))
    }
}
