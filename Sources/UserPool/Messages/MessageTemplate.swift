import JSON

/// What the app wants a message to say: `{####}` stands for the code, `{username}` for the name that its user signs in by.
///
/// A text of a mail with markup in it is sent as a page, and beside it as plain text.
package struct MessageTemplate: Sendable, Equatable {
    package var subject: String?
    package var email: String?
    package var sms: String?

    static let codePlace = "{####}"
    static let namePlace = "{username}"
    /// Between these stands what a link says: `{##Verify Email##}`.
    private static let linkStart = "{##"
    private static let linkEnd = "##}"
    package static let subjectCharactersMax = 140
    package static let emailCharactersMax = 20_000
    package static let smsCharactersMax = 140

    package init() {}

    package init(subject: String?, email: String?, sms: String?) {
        self.subject = subject
        self.email = email
        self.sms = sms
    }

    /// Returns whether a text has what it needs: without a place for the code nobody would get one.
    package static func isBody(_ text: String, needsName: Bool, charactersMax: Int = Self.emailCharactersMax) -> Bool {
        text.contains(bytesOf: codePlace) && (!needsName || text.contains(bytesOf: namePlace))
            && text.unicodeScalars.count <= charactersMax
    }

    /// The same for one that brings a link.
    package static func isLinkBody(_ text: String, charactersMax: Int = Self.emailCharactersMax) -> Bool {
        LinkPlace(in: text) != nil && text.unicodeScalars.count <= charactersMax
    }

    /// The first place for a link in a text, with what stands around it.
    struct LinkPlace {
        let before: String
        let label: String
        let behind: String

        init?(in text: String) {
            let start = text.parts(separatedBy: linkStart)
            guard start.count > 1, let before = start.first else { return nil }
            let rest = start.dropFirst().joined(separator: linkStart)
            let parts = rest.parts(separatedBy: linkEnd)
            guard parts.count > 1, let label = parts.first, !label.isEmpty else { return nil }
            self.before = before
            self.label = label
            behind = parts.dropFirst().joined(separator: linkEnd)
        }
    }

    package static func isSubject(_ text: String) -> Bool {
        (1...subjectCharactersMax).contains(text.unicodeScalars.count)
    }

    func body(of medium: CodeDelivery.Medium) -> String? { medium == .email ? email : sms }

    /// The same, with what it does not say from another one.
    func over(_ other: MessageTemplate) -> MessageTemplate {
        MessageTemplate(subject: subject ?? other.subject, email: email ?? other.email, sms: sms ?? other.sms)
    }

    /// A text with what belongs into its places. What is put in is not looked through again.
    static func filled(_ text: String, code: String, name: String) -> String {
        text.parts(separatedBy: codePlace).map { part in
            part.parts(separatedBy: namePlace).joined(separator: name)
        }.joined(separator: code)
    }
}

/// What messages say, by what they are about. What is not set is said in the pool's own words.
package struct MessageTemplates: Sendable, Equatable {
    /// Codes that prove an address.
    package var verification = MessageTemplate()
    /// The first password of somebody who was invited.
    package var invitation = MessageTemplate()
    /// Codes that sign in, as the first factor or the second.
    package var signIn = MessageTemplate()
    /// Codes that let somebody choose a new password; what is not set here is said as in `verification`.
    package var forgotPassword = MessageTemplate()
    /// Mails with a link that confirms a new user, where the pool verifies by link.
    package var link = MessageTemplate()

    func template(for purpose: SentCode.Purpose) -> MessageTemplate {
        switch purpose {
        case .confirmation, .attribute: verification
        case .newPassword: forgotPassword.over(verification)
        case .signIn, .secondFactor: signIn
        }
    }
}
