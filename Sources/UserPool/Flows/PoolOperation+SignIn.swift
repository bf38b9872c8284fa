import Cloud
import Crypto
import JSON

extension PoolOperation {
    /// Signing in: a flow begins it, answers to challenges lead on.
    static let signIn: [PoolOperation] = [
        PoolOperation(
            "InitiateAuth", .open,
            [
                .init("AuthFlow", .choice(AuthFlow.allCases.map(\.rawValue)), isRequired: true),
                .init("ClientId", .clientID, isRequired: true), .init("AuthParameters", .authParameters),
                .init("Session", .session),
            ] + .clientNotes
        ) { run throws(PoolError) in try await run.initiateAuth(isByAdministrator: false) },
        PoolOperation(
            "AdminInitiateAuth", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true),
                .init("AuthFlow", .choice(AuthFlow.allCases.map(\.rawValue)), isRequired: true),
                .init("ClientId", .clientID, isRequired: true), .init("AuthParameters", .authParameters),
                .init("Session", .session),
                .init("ContextData", .object([])),
            ] + .clientNotes
        ) { run throws(PoolError) in
            try run.demandOwnPool()
            return try await run.initiateAuth(isByAdministrator: true)
        },
        PoolOperation(
            "RespondToAuthChallenge", .open,
            [
                .init("ClientId", .clientID, isRequired: true),
                .init("ChallengeName", .choice(Challenge.allCases.map(\.rawValue)), isRequired: true),
                .init("Session", .session), .init("ChallengeResponses", .authParameters),
            ] + .clientNotes
        ) { run throws(PoolError) in try await run.respondToChallenge() },
        PoolOperation(
            "AdminRespondToAuthChallenge", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true), .init("ClientId", .clientID, isRequired: true),
                .init("ChallengeName", .choice(Challenge.allCases.map(\.rawValue)), isRequired: true),
                .init("Session", .session), .init("ChallengeResponses", .authParameters),
                .init("ContextData", .object([])),
            ] + .clientNotes
        ) { run throws(PoolError) in
            try run.demandOwnPool()
            return try await run.respondToChallenge()
        },
    ]
}

extension MemberShape {
    fileprivate static let authParameters = MemberShape.texts(keyMax: 128, valueMax: PoolLimits.authParameterMax)
}

/// The ways in which a sign-in begins.
enum AuthFlow: String, Sendable, CaseIterable {
    case srp = "USER_SRP_AUTH"
    case password = "USER_PASSWORD_AUTH"
    case refresh = "REFRESH_TOKEN_AUTH"
    case refreshToken = "REFRESH_TOKEN"
    case custom = "CUSTOM_AUTH"
    case choice = "USER_AUTH"
    case adminPassword = "ADMIN_USER_PASSWORD_AUTH"
    case adminPasswordFormerly = "ADMIN_NO_SRP_AUTH"

    /// What the client has to allow.
    var demanded: AppClient.Flow {
        switch self {
        case .srp: .srp
        case .password: .password
        case .refresh, .refreshToken: .refresh
        case .custom: .custom
        case .choice: .choice
        case .adminPassword, .adminPasswordFormerly: .adminPassword
        }
    }
}

/// What a client is asked for on its way in.
enum Challenge: String, Sendable, CaseIterable {
    case passwordVerifier = "PASSWORD_VERIFIER"
    case password = "PASSWORD"
    case passwordSRP = "PASSWORD_SRP"
    case select = "SELECT_CHALLENGE"
    case newPassword = "NEW_PASSWORD_REQUIRED"
    case smsCode = "SMS_MFA"
    case smsFirst = "SMS_OTP"
    case emailCode = "EMAIL_OTP"
    case totp = "SOFTWARE_TOKEN_MFA"
    case selectFactor = "SELECT_MFA_TYPE"
    case setUpFactor = "MFA_SETUP"
    case custom = "CUSTOM_CHALLENGE"
    case passkey = "WEB_AUTHN"
    case deviceSRP = "DEVICE_SRP_AUTH"
    case devicePassword = "DEVICE_PASSWORD_VERIFIER"
}

extension PoolRun {
    /// Throws unless the request names this pool.
    func demandOwnPool() throws(PoolError) {
        let id = try input.required("UserPoolId")
        guard ByteText(id) == ByteText(pool.identifiers.userPoolID) else { throw .unknownPool(id) }
    }

    /// The parameters of a flow, or the answers to a challenge.
    func parameter(_ name: String, of member: String) -> String? { input.object(member)?[name]?.string }

    func demandedParameter(_ name: String, of member: String) throws(PoolError) -> String {
        guard let value = parameter(name, of: member) else {
            throw .invalidParameter("Missing required parameter \(name)")
        }
        return value
    }

    fileprivate func initiateAuth(isByAdministrator: Bool) async throws(PoolError) -> JSONObject {
        let member = "AuthParameters"
        guard let flow = AuthFlow(rawValue: try input.required("AuthFlow")) else { throw .invalidParameter("AuthFlow") }
        let isForAdministrators = flow == .adminPassword || flow == .adminPasswordFormerly
        if isForAdministrators, !isByAdministrator {
            throw .invalidParameter("Initiate Auth method not supported.")
        }
        if flow == .refresh || flow == .refreshToken {
            return try await refreshByFlow()
        }
        let client = try client(
            username: parameter("USERNAME", of: member), secretHash: parameter("SECRET_HASH", of: member))
        guard client.flows.contains(flow.demanded) else {
            throw .invalidParameter(
                flow == .srp
                    ? "USER_SRP_AUTH is not enabled for the client."
                    : "\(flow.rawValue) flow not enabled for this client")
        }
        switch flow {
        case .srp: return try await beginProof(for: client)
        case .password, .adminPassword, .adminPasswordFormerly:
            return try await signInByPassword(
                demandedParameter("USERNAME", of: member), demandedParameter("PASSWORD", of: member), for: client)
        case .custom: return try await beginCustom(for: client)
        case .choice: return try await beginChoice(for: client)
        case .refresh, .refreshToken: return try await refreshByFlow()
        }
    }

    fileprivate func respondToChallenge() async throws(PoolError) -> JSONObject {
        let member = "ChallengeResponses"
        guard let challenge = Challenge(rawValue: try input.required("ChallengeName")) else {
            throw .invalidParameter("ChallengeName")
        }
        let client = try client(
            username: parameter("USERNAME", of: member), secretHash: parameter("SECRET_HASH", of: member))
        switch challenge {
        case .passwordVerifier: return try await finishProof(for: client)
        case .newPassword: return try await answerNewPassword(for: client)
        case .select: return try await answerSelection(for: client)
        case .selectFactor: return try await answerFactorSelection(for: client)
        case .smsCode, .totp: return try await answerSecondFactor(challenge, for: client)
        case .smsFirst, .emailCode: return try await answerCode(challenge, for: client)
        case .setUpFactor: return try await answerFactorSetUp(for: client)
        case .custom: return try await answerCustom(for: client)
        case .deviceSRP: return try await beginDeviceProof(for: client)
        case .devicePassword: return try await finishDeviceProof(for: client)
        case .passkey: return try await answerPasskey(for: client)
        case .password, .passwordSRP:
            throw .invalidParameter("\(challenge.rawValue) is not a challenge that can be answered here.")
        }
    }
}
