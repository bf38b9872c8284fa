import JSON

/// What the app's functions have to do with a message: the words that one of them wants, and the event for the one that sends it
/// in the pool's place.
struct MessageWording: Sendable {
    var template: MessageTemplate?
    /// By medium, where a function sends. The code is still to be put in.
    var events: [CodeDelivery.Medium: JSONObject] = [:]
}

/// The wording of messages to one user.
struct UserWording: Sendable {
    let user: Int64
    let wording: MessageWording
}

extension MessageTemplate {
    /// Reads a function's answer.
    ///
    /// - Parameter isByLink: whether a mail may have a place for a link in that of the code's.
    init(_ response: JSONObject, needsName: Bool, isByLink: Bool) throws(PoolError) {
        subject = response["emailSubject"]?.string
        email = response["emailMessage"]?.string
        sms = response["smsMessage"]?.string
        for text in [email, sms].compactMap(\.self) {
            guard Self.isBody(text, needsName: needsName) || (isByLink && Self.isLinkBody(text)) else {
                throw PoolError(
                    "InvalidLambdaResponseException", "CustomMessage returned a text without a place for the code")
            }
        }
        if let subject, subject.unicodeScalars.count > Self.subjectCharactersMax {
            throw PoolError("InvalidLambdaResponseException", "CustomMessage returned a subject that is too long")
        }
    }
}

extension PoolRun {
    /// Asks the app's functions about a message to a user; nil where none has to do with any.
    func wording(
        _ source: String, for user: User, needsName: Bool = false
    ) async throws(PoolError) -> MessageWording? {
        guard CodeDelivery.Medium.allCases.contains(where: settings.triggers.haveSay) else { return nil }
        var wording = MessageWording()
        for medium in CodeDelivery.Medium.allCases where settings.triggers.sender(of: medium) != nil {
            wording.events[medium] = event(
                medium.senderTrigger, source, about: TriggerSubject(user),
                request: JSONObject([
                    ("type", .string(medium.senderRequestType)), ("code", .null), ("clientMetadata", clientMetadata),
                ]))
        }
        // A function that sends finds its own words.
        let isWorded = CodeDelivery.Medium.allCases.contains { medium in
            wording.events[medium] == nil && !(user.attribute(medium.attribute) ?? "").isEmpty
        }
        if isWorded { wording.template = try await template(source, for: user, needsName: needsName) }
        return wording
    }

    /// Asks the function for texts what a message is to say; nil where there is none.
    private func template(
        _ source: String, for user: User, needsName: Bool
    ) async throws(PoolError) -> MessageTemplate? {
        let response = try await call(
            .customMessage, source, about: TriggerSubject(user),
            request: JSONObject([
                ("codeParameter", .string(MessageTemplate.codePlace)), ("linkParameter", "{##Click Here##}"),
                ("usernameParameter", needsName ? .string(MessageTemplate.namePlace) : .null),
                ("clientMetadata", clientMetadata),
            ]),
            response: JSONObject([("smsMessage", .null), ("emailMessage", .null), ("emailSubject", .null)]))
        return try response.map { response throws(PoolError) in
            try MessageTemplate(
                response, needsName: needsName, isByLink: settings.verifiesByLink && !needsName)
        }
    }
}

extension CodeDelivery.Medium {
    /// How events for senders call their form.
    var senderRequestType: String { self == .email ? "customEmailSenderRequestV1" : "customSMSSenderRequestV1" }
}
