import JSON
import Store

/// Where a code goes.
struct CodeDelivery: Sendable {
    enum Medium: String, Sendable, CaseIterable {
        case email = "EMAIL"
        case sms = "SMS"
    }

    let medium: Medium
    let attribute: String
    let address: String

    init(_ attribute: String, _ address: String) {
        self.attribute = attribute
        self.address = address
        medium = attribute == "phone_number" ? .sms : .email
    }

    /// The first of the addresses that the pool wants to be proved and that the user has.
    static func first(of user: User, in settings: PoolSettings) -> CodeDelivery? {
        for attribute in settings.verifiedAttributes {
            guard let address = user.attribute(attribute), !address.isEmpty else { continue }
            return CodeDelivery(attribute, address)
        }
        return nil
    }

    /// Where the code goes by which a user who forgot their password chooses a new one, if it goes anywhere.
    static func forNewPassword(of user: User, in settings: PoolSettings) -> CodeDelivery? {
        guard let recovery = settings.accountRecovery else { return firstVerified(of: user, in: settings) }
        let second = settings.secondFactorDemand == .off ? [] : settings.secondFactors(of: user)
        for attribute in recovery.attributes where user.hasVerified(attribute) {
            if !recovery.passesSecondFactor, second.contains(where: { $0.attribute == attribute }) { continue }
            if let address = user.attribute(attribute) { return CodeDelivery(attribute, address) }
        }
        return nil
    }

    /// The first of a user's addresses that is proved to be theirs: what lets them choose a new password goes there only.
    static func firstVerified(of user: User, in settings: PoolSettings) -> CodeDelivery? {
        let attributes = settings.verifiedAttributes.isEmpty ? ["email", "phone_number"] : settings.verifiedAttributes
        for attribute in attributes where user.hasVerified(attribute) {
            if let address = user.attribute(attribute) { return CodeDelivery(attribute, address) }
        }
        return nil
    }

    /// What is told of a delivery to somebody who is not there.
    static func standIn(for name: String, in settings: PoolSettings) -> CodeDelivery {
        ContactAddress.isPhone(name)
            ? CodeDelivery("phone_number", name)
            : CodeDelivery("email", ContactAddress.isEmail(name) ? name : "\(name.prefix(1))@e")
    }

    /// As `CodeDeliveryDetails`.
    var details: JSONValue {
        .object(
            JSONObject([
                ("AttributeName", .string(attribute)), ("DeliveryMedium", .string(medium.rawValue)),
                ("Destination", .string(ContactAddress.masked(address))),
            ]))
    }
}

extension User {
    /// Whether nobody may be sent a code by which this user would be confirmed or choose a new password: they are disabled, or no address is
    /// proved to be theirs. Where existence is hidden they are answered as somebody who is not there, as the service does.
    func cannotBeSentCodes(for purpose: SentCode.Purpose, in settings: PoolSettings) -> Bool {
        guard isEnabled else { return true }
        guard case .newPassword = purpose else { return false }
        switch status {
        case .mustChangePassword, .external: return false
        default: return CodeDelivery.firstVerified(of: self, in: settings) == nil
        }
    }
}

extension PoolWriting {
    /// Makes a code and puts the message that brings it into the queue, with the change that it belongs to.
    ///
    /// Where the app has a say in messages and was not asked about this one, the change is undone by what is thrown: it is made
    /// again when the app was asked (`PoolRun.write`).
    func send(
        _ purpose: SentCode.Purpose, to user: User, _ delivery: CodeDelivery, worded given: MessageWording? = nil,
        link: ConfirmationLink? = nil
    ) throws(PoolError) {
        let wording = given ?? (wording?.user == user.number ? wording?.wording : nil)
        if wording == nil, settings.triggers.haveSay(in: delivery.medium) {
            guard try mayQueue(to: delivery.address) else { throw .tooManyAttempts }
            throw .unworded(purpose.source, user.number)
        }
        let code = try makeCode(purpose, for: user, attribute: delivery.attribute, address: delivery.address)
        // Who signs in by an address does not know what the pool calls them.
        let name = settings.namesUsersItself ? delivery.address : user.name
        let bare = OutgoingMessage(purpose, code: code, to: user, delivery)
        guard let link, delivery.medium == .email else {
            return try queue(
                bare.worded(by: settings.messages.template(for: purpose), name: name).worded(by: wording, name: name))
        }
        var wordless = wording
        wordless?.template = nil
        let template = wording?.template?.over(settings.messages.link) ?? settings.messages.link
        try queue(bare.linked(link, by: template, name: name).worded(by: wordless, name: name))
    }
}

extension SentCode.Purpose {
    /// What has happened, as functions are told where nothing more is known of it.
    fileprivate var source: String {
        switch self {
        case .confirmation: "ResendCode"
        case .newPassword: "ForgotPassword"
        case .attribute: "VerifyUserAttribute"
        case .signIn, .secondFactor: "Authentication"
        }
    }
}
