import JSON

/// What a sign-in asks for behind the password, as it stands in a form.
struct SignInFormStep: Sendable {
    let challenge: Challenge
    var session: String
    let user: String
    /// Where a code went.
    var destination: String?
    /// Attributes that are missing, by name.
    var missing: [String] = []
    /// Of what there is a choice.
    var choices: [String] = []
    /// What an authenticator app is to be given.
    var secret: String?

    /// The step of a flow's answer; nil for one that has no form.
    init?(_ result: JSONObject) {
        guard let challenge = result["ChallengeName"]?.string.flatMap(Challenge.init), Self.formOf(challenge) != nil,
            let session = result["Session"]?.string, let parameters = result["ChallengeParameters"]?.object
        else { return nil }
        self.challenge = challenge
        self.session = session
        user = parameters["USER_ID_FOR_SRP"]?.string ?? parameters["USERNAME"]?.string ?? ""
        destination = parameters["CODE_DELIVERY_DESTINATION"]?.string
        missing = Self.list(parameters["requiredAttributes"]).map { name in
            let prefix = "userAttributes."
            return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        }
        choices = Self.list(parameters["MFAS_CAN_CHOOSE"])
        if challenge == .setUpFactor {
            guard Self.list(parameters["MFAS_CAN_SETUP"]).contains(PoolSettings.SecondFactor.totp.rawValue) else {
                return nil
            }
        }
    }

    /// The step that a form was made for.
    init?(_ form: FormPairs) {
        guard let challenge = form["challenge"].flatMap(Challenge.init), Self.formOf(challenge) != nil,
            let session = form["session"]
        else { return nil }
        self.challenge = challenge
        self.session = session
        user = form["user"] ?? ""
        destination = form["destination"]
        missing = (form["missing"] ?? "").words
        choices = (form["choices"] ?? "").words
        secret = form["secret"]
    }

    private static func list(_ value: JSONValue?) -> [String] {
        guard let text = value?.string, let array = (try? JSONReader.value(of: text))?.array else { return [] }
        return array.compactMap(\.string)
    }

    /// Under which name an answer is sent; nil for a challenge that has no form here.
    static func formOf(_ challenge: Challenge) -> String? {
        switch challenge {
        case .newPassword: "NEW_PASSWORD"
        case .totp: "SOFTWARE_TOKEN_MFA_CODE"
        case .smsCode: "SMS_MFA_CODE"
        case .smsFirst: "SMS_OTP_CODE"
        case .emailCode: "EMAIL_OTP_CODE"
        case .selectFactor: "ANSWER"
        case .setUpFactor: "CODE"
        default: nil
        }
    }

    /// The answers to the challenge.
    func responses(_ form: FormPairs) -> JSONObject {
        var responses = JSONObject([("USERNAME", .string(user))])
        let answer =
            switch challenge {
            case .newPassword: form["password"]
            case .selectFactor: form["factor"]
            default: form["code"]
            }
        if let name = Self.formOf(challenge), challenge != .setUpFactor {
            responses.set(name, to: .string(answer ?? ""))
        }
        if challenge == .newPassword {
            for (name, value) in form.values(behind: FormMaker.attributePrefix) where !value.isEmpty {
                responses.set("userAttributes.\(name)", to: .string(value))
            }
        }
        return responses
    }
}
