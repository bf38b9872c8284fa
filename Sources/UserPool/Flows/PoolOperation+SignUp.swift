import JSON

extension PoolOperation {
    /// Becoming a user.
    static let signUp: [PoolOperation] = [
        PoolOperation(
            "SignUp", .open,
            [
                .init("ClientId", .clientID, isRequired: true), .init("SecretHash", .secretHash),
                .init("Username", .username, isRequired: true), .init("Password", .password),
                .init("UserAttributes", .attributes), .init("ValidationData", .attributes),
            ] + .clientNotes
        ) { run throws(PoolError) in try await run.signUp() },
        PoolOperation(
            "ConfirmSignUp", .open,
            [
                .init("ClientId", .clientID, isRequired: true), .init("SecretHash", .secretHash),
                .init("Username", .username, isRequired: true), .init("ConfirmationCode", .code, isRequired: true),
                .init("ForceAliasCreation", .boolean), .init("Session", .session),
            ] + .clientNotes
        ) { run throws(PoolError) in try await run.confirmSignUp() },
        PoolOperation(
            "ResendConfirmationCode", .open,
            [
                .init("ClientId", .clientID, isRequired: true), .init("SecretHash", .secretHash),
                .init("Username", .username, isRequired: true),
            ] + .clientNotes
        ) { run throws(PoolError) in try await run.resendConfirmationCode() },
    ]
}

extension PoolRun {
    fileprivate func signUp() async throws(PoolError) -> JSONObject {
        let given = try input.required("Username")
        let client = try client(username: given, secretHash: input.text("SecretHash"))
        guard settings.allowsSelfSignUp else { throw .notAuthorized("SignUp is not permitted for this user pool") }
        let password = input.text("Password")
        try client.demandWritable(input.userAttributes().map(\.key))
        let isPasswordless = client.flows.contains(.choice) && settings.firstFactors.contains { $0.isCode }
        if password == nil, !isPasswordless { throw .invalidPassword("Password is required") }
        if let fault = password.flatMap(settings.password.fault) { throw .invalidPassword(fault) }
        let newcomer = try await askBeforeSignUp(
            newcomer(given, try input.userAttributes(), isByAdministrator: false), "SignUp")
        let proof = try await storedPassword(password, name: newcomer.user.name)
        let user = newcomer.user.with(password: proof)
        let wording = user.status == .unconfirmed ? try await wording("SignUp", for: user) : nil
        let made = try await write { change throws(PoolError) in
            let user = try change.create(user, names: newcomer.names)
            let link = confirmationLink(for: user.name, client)
            return (user: user, delivery: try change.sendConfirmation(to: user, worded: wording, link: link))
        }
        if made.delivery != nil { pool.whenQueued() }
        if made.user.status == .confirmed { try await tellOfConfirmation(made.user, "ConfirmSignUp") }
        var answer = JSONObject([
            ("UserConfirmed", .bool(made.user.status == .confirmed)), ("UserSub", .string(made.user.sub)),
        ])
        if let delivery = made.delivery { answer.set("CodeDeliveryDetails", to: delivery.details) }
        if client.flows.contains(.choice) {
            // Whoever confirms with it need not say again who they are.
            let state = SealedState(.signedUp, client: client, user: made.user.number, now: now)
            answer.set("Session", to: .string(session(state)))
        }
        return answer
    }

    fileprivate func confirmSignUp() async throws(PoolError) -> JSONObject {
        let given = try input.required("Username")
        let client = try client(username: given, secretHash: input.text("SecretHash"))
        let code = try input.required("ConfirmationCode")
        let name = name(given)
        let movesAlias = input.flag("ForceAliasCreation") ?? false
        let standIn = standInUser(given)
        let like = standInNumber(given)
        let outcome = try await write { change throws(PoolError) -> Result<User, PoolError> in
            let isHidden = change.settings.existenceErrors == .hidden
            guard let user = try change.session.user(named: name, orLike: like),
                !(isHidden && user.cannotBeSentCodes(for: .confirmation, in: change.settings))
            else {
                guard isHidden else { return .failure(.userNotFound) }
                return .failure(try change.refusal(of: code, .confirmation, of: standIn))
            }
            guard user.status == .unconfirmed else {
                return .failure(.notAuthorized("User cannot be confirmed. Current status is \(user.status.rawValue)"))
            }
            switch try change.takeCode(code, .confirmation, of: user) {
            case .refused(let error): return .failure(error)
            case .right(let sent):
                var user = user
                user.status = .confirmed
                try change.verify(sent.attribute, sent.address, of: &user, movesAlias: movesAlias)
                try change.save(user)
                return .success(user)
            }
        }
        let user = try outcome.get()
        try await tellOfConfirmation(user, "ConfirmSignUp")
        guard client.flows.contains(.choice) else { return JSONObject() }
        // Signs in by it, where the app wants that at once.
        let state = SealedState(.signedUp, client: client, user: user.number, now: now)
        return JSONObject([("Session", .string(session(state)))])
    }

    fileprivate func resendConfirmationCode() async throws(PoolError) -> JSONObject {
        let given = try input.required("Username")
        let client = try client(username: given, secretHash: input.text("SecretHash"))
        let name = name(given)
        let isHidden = settings.existenceErrors == .hidden
        let like = standInNumber(given)
        let known = try await user(named: name, orLike: like)
        let told = known.flatMap { isHidden && $0.cannotBeSentCodes(for: .confirmation, in: settings) ? nil : $0 }
        let wording = if let told { try await wording("ResendCode", for: told) } else { MessageWording?.none }
        let standIn = standInUser(given)
        let delivery = try await write { change throws(PoolError) -> CodeDelivery? in
            guard let user = try change.session.user(named: name, orLike: like),
                !(isHidden && user.cannotBeSentCodes(for: .confirmation, in: change.settings))
            else {
                guard isHidden else { throw .userNotFound }
                try change.pretend(.confirmation, to: standIn)
                return nil
            }
            guard user.status == .unconfirmed else { throw .invalidParameter("User is already confirmed.") }
            guard user.isEnabled else { throw .disabled }
            let link = confirmationLink(for: user.name, client)
            guard let delivery = try change.sendConfirmation(to: user, worded: wording, link: link) else {
                throw .invalidParameter(
                    "Cannot resend codes. Auto verification not turned on.")
            }
            return delivery
        }
        pool.whenQueued()
        return JSONObject([("CodeDeliveryDetails", (delivery ?? .standIn(for: given, in: settings)).details)])
    }
}

extension PoolWriting {
    /// Sends the code that confirms a new user, to the first of the addresses that they have to prove; nil where there is none.
    func sendConfirmation(
        to user: User, worded wording: MessageWording? = nil, link: ConfirmationLink? = nil
    ) throws(PoolError) -> CodeDelivery? {
        guard user.status == .unconfirmed, let delivery = CodeDelivery.first(of: user, in: settings) else { return nil }
        try send(.confirmation, to: user, delivery, worded: wording, link: link)
        return delivery
    }

    /// Says that an address of a user's is theirs, if it still is the one that the code went to. Others who signed in by it
    /// give way where that is wished.
    func verify(
        _ attribute: String, _ address: String, of user: inout User, movesAlias: Bool
    ) throws(PoolError) {
        guard user.attributes[attribute]?.text == ByteText(address) else { throw .expiredCode }
        user.attributes.set("\(attribute)_verified", to: "true")
        guard settings.aliases.contains(attribute), user.status != .external else { return }
        let name = UserName(address, in: settings)
        if let holder = try session.user(named: name), holder.number != user.number {
            guard movesAlias else {
                throw PoolError("AliasExistsException", "An account with the given \(attribute) already exists.")
            }
            var other = holder
            other.attributes.set("\(attribute)_verified", to: "false")
            try save(other)
            try take(name, attribute, from: holder.number)
        }
        try give(name, attribute, to: user.number)
    }
}
