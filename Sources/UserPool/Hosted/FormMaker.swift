import JSON

/// The forms of the pages. Each carries the token that its browser's cookie has.
struct FormMaker: Sendable {
    private let run: HostedRun
    private let authorization: AuthorizationRequest
    private let cookie: BrowserCookie

    static let attributePrefix = "attribute."

    init(_ run: HostedRun, _ authorization: AuthorizationRequest) {
        self.run = run
        self.authorization = authorization
        cookie = run.cookie
    }

    // MARK: Pages

    func signIn(username: String? = nil, note: String? = nil, problem: String? = nil, status: Int = 200) -> HostedAnswer
    {
        let links: HTML =
            run.settings.allowsSelfSignUp
            ? """
            <p><a href="\(authorization.page(.forgot))">Forgot your password?</a></p>
            <p><a href="\(authorization.page(.signUp))">Make an account</a></p>
            """ : #"<p><a href="\#(authorization.page(.forgot))">Forgot your password?</a></p>"#
        return page(
            "Sign in", .login, [name(username ?? authorization.hint ?? ""), presentPassword], "Sign in",
            "\(providers)\(links)",
            note: note, problem: problem, status: status)
    }

    func signUp(_ form: FormPairs, problem: String? = nil, status: Int = 200) -> HostedAnswer {
        let settings = run.settings
        var fields = [name(form["username"] ?? "")]
        for attribute in askedAttributes where !settings.namesUsersItself || !isName(attribute) {
            fields.append(self.attribute(attribute, form["\(Self.attributePrefix)\(attribute)"] ?? ""))
        }
        fields.append(newPassword("Password"))
        return page(
            "Make an account", .signUp, fields, "Make the account",
            #"<p><a href="\#(authorization.page(.login))">Sign in with an account that you have</a></p>"#, note: nil,
            problem: problem, status: status)
    }

    func confirm(
        _ username: String, note: String? = nil, problem: String? = nil, status: Int = 200
    ) -> HostedAnswer {
        page(
            "Confirm your account", .confirm, [name(username), code], "Confirm",
            """
            <form method="post" action="\(authorization.page(.resend))">\(hidden)
            <input type="hidden" name="username" value="\(username)"><button>Send another code</button></form>
            """, note: note, problem: problem, status: status)
    }

    func forgot(_ username: String, problem: String? = nil, status: Int = 200) -> HostedAnswer {
        page(
            "A new password", .forgot, [name(username)], "Send a code",
            #"<p><a href="\#(authorization.page(.login))">Back to the sign-in</a></p>"#, note: nil, problem: problem,
            status: status)
    }

    func reset(
        _ username: String, note: String? = nil, problem: String? = nil, status: Int = 200
    ) -> HostedAnswer {
        page(
            "A new password", .reset, [name(username), code, newPassword("New password")], "Change the password",
            #"<p><a href="\#(authorization.page(.forgot))">Send another code</a></p>"#, note: note, problem: problem,
            status: status)
    }

    func step(_ step: SignInFormStep, problem: String? = nil, status: Int = 200) -> HostedAnswer {
        var fields: [HTML] = [
            kept("challenge", step.challenge.rawValue), kept("session", step.session), kept("user", step.user),
        ]
        let title: String
        switch step.challenge {
        case .newPassword:
            title = "Choose a password"
            fields.append(newPassword("New password"))
            fields += step.missing.map { attribute($0, "") }
            fields.append(kept("missing", step.missing.joined(separator: " ")))
        case .selectFactor:
            title = "How do you want to prove who you are?"
            fields += step.choices.map { choice in
                """
                <label><input type="radio" name="factor" value="\(choice)" required>\(Self.factorName(choice))</label>
                """
            }
            fields.append(kept("choices", step.choices.joined(separator: " ")))
        case .setUpFactor:
            title = "Set up your authenticator app"
            let secret = step.secret ?? ""
            fields.append("<p>Give your app this key, and enter the code that it shows: <code>\(secret)</code></p>")
            fields += [kept("secret", secret), code]
        default:
            title = "Enter your code"
            if let destination = step.destination {
                fields += ["<p>A code was sent to \(destination).</p>", kept("destination", destination)]
            }
            fields.append(code)
        }
        return page(
            title, .step, fields, "Go on",
            #"<p><a href="\#(authorization.page(.login))">Begin again</a></p>"#, note: nil, problem: problem,
            status: status)
    }

    private func page(
        _ title: String, _ path: HostedPath, _ fields: [HTML], _ button: String, _ rest: HTML, note: String?,
        problem: String?, status: Int
    ) -> HostedAnswer {
        let note: HTML = note.map { #"<p class="note" role="status">\#($0)</p>"# } ?? ""
        let told: HTML = problem.map { #"<p class="error" role="alert" id="problem">\#($0)</p>"# } ?? ""
        let described: HTML = problem == nil ? "" : #" aria-describedby="problem""#
        return run.page(
            title,
            """
            \(note)\(told)<form method="post" action="\(authorization.page(path))"\(described)>\(hidden)
            \(fields)<button>\(button)</button></form>
            \(rest)
            """, cookie, for: authorization, status: status)
    }

    /// A way to each provider.
    private var providers: [HTML] {
        run.usableProviders.map { provider in
            """
            <p><a class="button" href="\(authorization.page(at: provider))">Continue with \(provider.title)</a></p>

            """
        }
    }

    // MARK: Fields

    private var hidden: HTML { kept(HostedRun.formTokenName, run.formToken(cookie)) }

    private func kept(_ name: String, _ value: String) -> HTML {
        #"<input type="hidden" name="\#(name)" value="\#(value)">"#
    }

    private func name(_ value: String) -> HTML {
        let settings = run.settings
        let takesEmail = settings.signInNames.contains(.email)
        let takesPhone = settings.signInNames.contains(.phone)
        let label: String
        let kind: String
        switch (settings.namesUsersItself, takesEmail, takesPhone) {
        case (true, true, false): (label, kind) = ("E-mail", "email")
        case (true, false, true): (label, kind) = ("Phone number", "tel")
        case (true, _, _): (label, kind) = ("E-mail or phone number", "text")
        default: (label, kind) = ("User name", "text")
        }
        return """
            <label for="username">\(label)</label>
            <input id="username" name="username" type="\(kind)" value="\(value)" autocomplete="username" \
            autocapitalize="none" spellcheck="false" maxlength="128" required\(value.isEmpty ? " autofocus" : "")>

            """
    }

    private var presentPassword: HTML {
        """
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required>

        """
    }

    private func newPassword(_ label: String) -> HTML {
        """
        <label for="password">\(label)</label>
        <input id="password" name="password" type="password" autocomplete="new-password" \
        minlength="\(String(run.settings.password.lengthMin))" maxlength="256" required>

        """
    }

    private var code: HTML {
        """
        <label for="code">Code</label>
        <input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="2048" required \
        autofocus>

        """
    }

    private func attribute(_ attribute: String, _ value: String) -> HTML {
        let kind =
            switch attribute {
            case "email": "email"
            case "phone_number": "tel"
            default: "text"
            }
        return """
            <label for="\(attribute)">\(Self.attributeName(attribute))</label>
            <input id="\(attribute)" name="\(Self.attributePrefix)\(attribute)" type="\(kind)" value="\(value)" \
            autocomplete="\(Self.autocomplete(attribute))" maxlength="2048" required>

            """
    }

    /// What somebody is asked for who signs up: what the pool demands, and the addresses that it proves.
    private var askedAttributes: [String] {
        let settings = run.settings
        var names = settings.attributes.required
        if !settings.namesUsersItself, !names.contains("email"), settings.verifiedAttributes.contains("email") {
            names.insert("email", at: 0)
        }
        return names
    }

    private func isName(_ attribute: String) -> Bool {
        let names = run.settings.signInNames
        return (attribute == "email" && names.contains(.email))
            || (attribute == "phone_number" && names.contains(.phone) && !names.contains(.email))
    }

    private static func attributeName(_ attribute: String) -> String {
        switch attribute {
        case "email": return "E-mail"
        case "phone_number": return "Phone number"
        default:
            let words = attribute.hasPrefix("custom:") ? String(attribute.dropFirst("custom:".count)) : attribute
            let text = words.parts(separatedBy: "_").joined(separator: " ")
            return text.prefix(1).uppercased() + text.dropFirst()
        }
    }

    private static func autocomplete(_ attribute: String) -> String {
        switch attribute {
        case "email": "email"
        case "phone_number": "tel"
        case "name": "name"
        case "given_name": "given-name"
        case "family_name": "family-name"
        case "middle_name": "additional-name"
        case "nickname": "nickname"
        case "birthdate": "bday"
        case "website": "url"
        default: "off"
        }
    }

    private static func factorName(_ factor: String) -> String {
        switch PoolSettings.SecondFactor(rawValue: factor) {
        case .totp: "A code of my authenticator app"
        case .sms: "A code by text message"
        case .email: "A code by e-mail"
        case nil: factor
        }
    }
}
