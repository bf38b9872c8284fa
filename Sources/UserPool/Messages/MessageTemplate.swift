import JSON

/// What the app wants a message to say: `{####}` stands for the code, `{username}` for the name of who was invited.
struct MessageTemplate: Sendable {
    var subject: String?
    var email: String?
    var sms: String?

    static let codePlace = "{####}"
    static let namePlace = "{username}"
    private static let subjectCharactersMax = 140
    private static let bodyCharactersMax = 20_000

    /// Reads a function's answer. What it says has to have a place for the code, or nobody gets one.
    init(_ response: JSONObject, needsName: Bool) throws(PoolError) {
        subject = response["emailSubject"]?.string
        email = response["emailMessage"]?.string
        sms = response["smsMessage"]?.string
        for text in [email, sms].compactMap(\.self) {
            guard text.contains(Self.codePlace), !needsName || text.contains(Self.namePlace),
                text.unicodeScalars.count <= Self.bodyCharactersMax
            else {
                throw PoolError(
                    "InvalidLambdaResponseException", "CustomMessage returned a text without a place for the code")
            }
        }
        if let subject, subject.unicodeScalars.count > Self.subjectCharactersMax {
            throw PoolError("InvalidLambdaResponseException", "CustomMessage returned a subject that is too long")
        }
    }

    func body(of medium: CodeDelivery.Medium) -> String? { medium == .email ? email : sms }

    /// A text with what belongs into its places. What is put in is not looked through again.
    static func filled(_ text: String, code: String, name: String) -> String {
        text.split(separator: codePlace, omittingEmptySubsequences: false).map { part in
            part.split(separator: namePlace, omittingEmptySubsequences: false).joined(separator: name)
        }.joined(separator: code)
    }
}

extension PoolRun {
    /// Asks the function for texts what a message is to say; nil where there is none, or where it wants the usual words.
    func template(
        _ source: String, for user: User, needsName: Bool = false
    ) async throws(PoolError) -> MessageTemplate? {
        guard hasTrigger(.customMessage) else { return nil }
        let response = try await call(
            .customMessage, source, about: TriggerSubject(user),
            request: JSONObject([
                ("codeParameter", .string(MessageTemplate.codePlace)), ("linkParameter", "{##Click Here##}"),
                ("usernameParameter", needsName ? .string(MessageTemplate.namePlace) : .null),
                ("clientMetadata", clientMetadata),
            ]),
            response: JSONObject([("smsMessage", .null), ("emailMessage", .null), ("emailSubject", .null)]))
        return try response.map { response throws(PoolError) in
            try MessageTemplate(response, needsName: needsName)
        }
    }
}
