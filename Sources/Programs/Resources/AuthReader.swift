import Blueprint
import GraphQL
import JSON
import Project

/// Reads what `defineAuth` is given. What Amplify itself refuses is refused in its words.
struct AuthReader {
    private let members: MemberReader
    private let errors: ResourceErrors
    private var auth = AuthResource()

    init(_ object: ObjectArgument, _ errors: ResourceErrors) {
        members = MemberReader(object, "defineAuth", errors)
        self.errors = errors
    }

    /// The resource, as far as it can be read.
    mutating func read() -> AuthResource {
        auth.name = members.text("name")
        readLogin()
        auth.attributes = UserAttributeReader.read(members)
        auth.groups = groups()
        readMultifactor()
        auth.recovery = members.choice("accountRecovery", AuthResource.AccountRecovery.self) ?? usualRecovery
        readPasswordless()
        auth.triggers = triggers()
        auth.access = access()
        readSenders()
        members.finish()
        check()
        auth.pool = DeclaredPool(auth)
        return auth
    }

    // MARK: Sign-in

    private mutating func readLogin() {
        guard let login = members.members("loginWith") else {
            if !members.has("loginWith") {
                members.refuse("`defineAuth` needs `loginWith`", hint: "Write loginWith: { email: true }.")
            }
            return
        }
        auth.login.email = email(login)
        auth.login.phone = phone(login)
        auth.login.passkeys = passkeys(login)
        auth.login.providers = login.members("externalProviders").map { ExternalProviderReader($0).read() }
        login.finish()
    }

    private func email(_ login: MemberReader) -> AuthResource.EmailLogin? {
        let (isThere, settings) = login.membersOrTrue("email")
        guard isThere else { return nil }
        var email = AuthResource.EmailLogin()
        guard let settings else { return email }
        email.style = settings.choice("verificationEmailStyle", AuthResource.EmailLogin.Style.self)
        email.subject = settings.text("verificationEmailSubject")
        let place: TextPlaceholder = email.style == .link ? .link : .code
        email.body = settings.text(calling: "verificationEmailBody", place)
        if let body = email.body, !place.isIn(body) {
            let (name, what) = place == .link ? ("link", "link") : ("code", "code")
            settings.refuse(
                "Invalid email settings. Property 'verificationEmailBody' must utilize the '\(name)' parameter at least once "
                    + "as a placeholder for the verification \(what).", at: "verificationEmailBody")
        }
        if let written = settings.members("userInvitation") {
            var invitation = AuthResource.Invitation()
            invitation.subject = written.text("emailSubject")
            invitation.body = written.text(calling: "emailBody", .username, .code)
            invitation.message = written.text(calling: "smsMessage", .username, .code)
            written.finish()
            email.invitation = invitation
        }
        email.isFirstFactor = settings.flag("otpLogin") ?? false
        settings.finish()
        return email
    }

    private func phone(_ login: MemberReader) -> AuthResource.PhoneLogin? {
        let (isThere, settings) = login.membersOrTrue("phone")
        guard isThere else { return nil }
        var phone = AuthResource.PhoneLogin()
        guard let settings else { return phone }
        phone.message = settings.text(calling: "verificationMessage", .code)
        if let message = phone.message, !TextPlaceholder.code.isIn(message) {
            settings.refuse(
                "Invalid phone settings. Property 'verificationMessage' must utilize the 'code' parameter at least once as a "
                    + "placeholder for the verification code.", at: "verificationMessage")
        }
        phone.isFirstFactor = settings.flag("otpLogin") ?? false
        settings.finish()
        return phone
    }

    private func passkeys(_ login: MemberReader) -> AuthResource.Passkeys? {
        let (isThere, settings) = login.membersOrTrue("webAuthn")
        guard isThere else { return nil }
        var passkeys = AuthResource.Passkeys()
        guard let settings else { return passkeys }
        if let domain = settings.text("relyingPartyId"), domain != Self.automaticDomain {
            passkeys.relyingParty = domain
            if !Self.isDomain(domain) {
                settings.refuse(
                    "Invalid relying party ID: \"\(domain.prefix(80))\". Must be a valid domain format.",
                    at: "relyingPartyId",
                    hint: "Write a domain without its protocol, such as app.example.com, or localhost, or AUTO.")
            }
        }
        let verification = settings.choice("userVerification", Verification.self)
        passkeys.demandsVerification = verification == .required
        settings.finish()
        return passkeys
    }

    private static let automaticDomain = "AUTO"

    private enum Verification: String, CaseIterable {
        case required
        case preferred
    }

    /// Labels of letters, digits and dashes with dots between them, and no dash at an end of one.
    private static func isDomain(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            guard let first = label.first, let last = label.last else { return false }
            return first.isAlphanumeric && last.isAlphanumeric
                && label.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        }
    }

    // MARK: Second factor and first factors

    private mutating func readMultifactor() {
        guard let written = members.members("multifactor") else { return }
        guard let mode = written.choice("mode", AuthResource.Multifactor.Mode.self) else {
            if !written.has("mode") { written.refuse("`multifactor` needs `mode`: OFF, OPTIONAL or REQUIRED") }
            return
        }
        auth.multifactor.mode = mode
        let message = written.membersOrTrue("sms")
        if let settings = message.members {
            auth.multifactor.message = settings.text(calling: "smsMessage", .code)
            settings.finish()
            if let text = auth.multifactor.message, !TextPlaceholder.code.isIn(text) {
                settings.refuse(
                    "Invalid MFA settings. Property 'smsMessage' must utilize the 'code' parameter at least once as a "
                        + "placeholder for the verification code.", at: "smsMessage")
            }
        }
        let given: [(AuthResource.Multifactor.Factor, Bool)] = [
            (.message, message.isThere), (.generator, written.flag("totp") ?? false),
            (.email, written.flag("email") ?? false),
        ]
        written.finish()
        guard mode != .off else { return }
        auth.multifactor.factors = given.filter(\.1).map(\.0)
        if auth.multifactor.factors.isEmpty {
            written.refuse(
                "`multifactor` needs at least one of `sms`, `totp` and `email` when its mode is \(mode.rawValue)")
        } else if auth.login.phone != nil, !message.isThere {
            written.refuse(
                "Invalid MFA settings. SMS must be enabled in multiFactor if loginWith phone is enabled", at: "mode")
        }
    }

    private mutating func readPasswordless() {
        guard let written = members.members("passwordlessOptions") else { return }
        auth.preferredChallenge = written.choice("preferredChallenge", AuthResource.FirstFactor.self)
        written.finish()
        guard let preferred = auth.preferredChallenge else { return }
        let login = auth.login
        let factors: [(AuthResource.FirstFactor, Bool)] = [
            (.password, true), (.emailCode, login.email?.isFirstFactor ?? false),
            (.messageCode, login.phone?.isFirstFactor ?? false), (.passkey, login.passkeys != nil),
        ]
        let enabled = factors.filter(\.1).map(\.0)
        if !enabled.contains(preferred) {
            written.refuse(
                "Preferred challenge \"\(preferred.rawValue)\" is not enabled in your authentication configuration. Enabled "
                    + "challenges: \(enabled.map(\.rawValue).joined(separator: ", ")). This will result in a broken "
                    + "authentication flow in the frontend.", at: "preferredChallenge")
        }
    }

    private var usualRecovery: AuthResource.AccountRecovery {
        auth.login.email == nil && auth.login.phone != nil ? .phoneOnlyWithoutMFA : .emailOnly
    }

    // MARK: Groups, functions, senders

    private func groups() -> [String] {
        var groups: [String] = []
        for group in members.texts("groups") ?? [] {
            if groups.contains(group.text) {
                errors.add(TypeScriptError("the group \"\(group.text.prefix(80))\" is named twice", at: group.position))
            } else if group.text.isEmpty {
                errors.add(TypeScriptError("a group needs a name", at: group.position))
            } else {
                groups.append(group.text)
            }
        }
        return groups
    }

    private func triggers() -> [AuthResource.Trigger] {
        guard let written = members.members("triggers") else { return [] }
        let triggers = AuthResource.Trigger.Event.allCases.compactMap { event in
            written.function(event.rawValue).map { AuthResource.Trigger(event: event, function: $0) }
        }
        written.finish()
        return triggers
    }

    private func access() -> [AuthResource.AccessGrant] {
        members.grants("access").compactMap { grant in
            let actions: [PlacedText]?
            do throws(TypeScriptError) { actions = try grant.builder.actions() } catch {
                errors.add(error)
                return nil
            }
            guard let actions, !actions.isEmpty else {
                errors.add(
                    TypeScriptError(
                        "At least one action must be specified.", at: grant.position,
                        hint: "Write allow.resource(fn).to(['addUserToGroup'])."))
                return nil
            }
            for action in actions where !AccessGrantBuilder.actionNames.contains(action.text) {
                errors.add(
                    TypeScriptError(
                        "there is no action \"\(action.text.prefix(80))\": they are "
                            + AccessGrantBuilder.actionNames.joined(separator: ", "), at: action.position))
            }
            return AuthResource.AccessGrant(grant.builder.function, actions: actions.map(\.text))
        }
    }

    private mutating func readSenders() {
        guard let written = members.members("senders") else { return }
        var keys: [String] = []
        if let email = written.members("email") {
            if email.has("handler") {
                let function = email.function("handler") ?? FunctionReference()
                let key = email.text("kmsKeyArn")
                keys += [key].compactMap { $0 }
                auth.emailSender = .function(function, key: key)
            } else if let from = email.neededText("fromEmail") {
                auth.emailSender = .address(from: from, name: email.text("fromName"), replyTo: email.text("replyTo"))
            }
            email.finish()
        }
        if let message = written.members("sms") {
            if message.has("handler") {
                let function = message.function("handler") ?? FunctionReference()
                let key = message.text("kmsKeyArn")
                keys += [key].compactMap { $0 }
                auth.messageSender = .function(function, key: key)
            } else {
                let (caller, externalID) = (message.text("snsCallerArn"), message.text("externalId"))
                auth.messageSender = .service(region: message.text("snsRegion"), caller: caller, externalID: externalID)
                if (caller == nil) != (externalID == nil) {
                    message.refuse("Both externalId and snsCallerArn are required when providing a custom IAM role.")
                }
            }
            message.finish()
        }
        written.finish()
        if Set(keys).count > 1 { written.refuse("KMS key ARN must be the same for both email and sms senders") }
    }

    // MARK: What does not go together

    private func check() {
        let login = auth.login
        let hasAddress = login.email != nil || login.phone != nil
        // What cannot be read is not missing.
        guard errors.all.isEmpty else { return }
        if !hasAddress, login.providers == nil {
            members.refuse(
                "At least one authentication method must be enabled. Configure email, phone, or external providers in "
                    + "loginWith.", at: "loginWith")
        } else if !hasAddress {
            members.refuse(
                "At least one of email or phone must be enabled.", at: "loginWith",
                hint: "Write email: true beside the providers.")
        }
        if login.passkeys != nil, !hasAddress {
            members.refuse(
                "Passkeys (WebAuthn) require at least one sign-up method (email or phone).", at: "loginWith")
        }
        let isPasswordless =
            login.email?.isFirstFactor ?? false || login.phone?.isFirstFactor ?? false || login.passkeys != nil
        if isPasswordless, auth.multifactor.mode == .required {
            members.refuse(
                "Passwordless authentication (Email OTP, SMS OTP, WebAuthn) cannot be used when MFA is set to REQUIRED.",
                at: "multifactor")
        }
    }
}
