import JSON
import Store

extension PoolOperation {
    /// New passwords, of those who know the old one and of those who forgot it.
    static let passwords: [PoolOperation] = [
        PoolOperation(
            "ChangePassword", .open,
            [
                .init("AccessToken", .accessToken, isRequired: true), .init("PreviousPassword", .password),
                .init("ProposedPassword", .password, isRequired: true),
            ]
        ) { run throws(PoolError) in
            try await run.changePassword()
            return JSONObject()
        },
        PoolOperation(
            "ForgotPassword", .open,
            [
                .init("ClientId", .clientID, isRequired: true), .init("SecretHash", .secretHash),
                .init("Username", .username, isRequired: true),
            ] + .clientNotes
        ) { run throws(PoolError) in
            JSONObject([("CodeDeliveryDetails", try await run.forgotPassword().details)])
        },
        PoolOperation(
            "ConfirmForgotPassword", .open,
            [
                .init("ClientId", .clientID, isRequired: true), .init("SecretHash", .secretHash),
                .init("Username", .username, isRequired: true), .init("ConfirmationCode", .code, isRequired: true),
                .init("Password", .password, isRequired: true),
            ] + .clientNotes
        ) { run throws(PoolError) in
            try await run.confirmForgotPassword()
            return JSONObject()
        },
    ]
}

extension PoolRun {
    fileprivate func changePassword() async throws(PoolError) {
        let caller = try await signedInUser()
        let proposed = try input.required("ProposedPassword")
        guard caller.user.status != .external else {
            throw .notAuthorized("User password cannot be changed in the current state.")
        }
        var proof = caller.user.password
        if caller.user.hasPassword {
            guard let previous = input.text("PreviousPassword") else {
                throw .invalidParameter("Missing required parameter PreviousPassword")
            }
            do throws(PoolError) {
                proof = try await provedPassword(previous, of: caller.user, given: caller.user.name)
                guard proof != nil else { throw .wrongPassword }
            } catch {
                throw error == .tooManyPasswords ? .tooManyAttempts : error
            }
        }
        if let fault = settings.password.fault(of: proposed) { throw .invalidPassword(fault) }
        let password = try await storedPassword(proposed, name: caller.user.name)
        let subject = WrongTries.subject(caller.user, name(caller.user.name), .password)
        try await write { [proof] change throws(PoolError) in
            guard var user = try change.session.user(caller.user.number) else { throw .userNotFound }
            // Somebody else changed it meanwhile: the previous one that was proved is none any more.
            guard user.password?.verifier == proof?.verifier, user.foreignHash == nil else { throw .wrongPassword }
            user.password = password
            user.foreignHash = nil
            try change.save(user)
            try change.endSignIns(of: user, but: caller.signIn.id)
            try change.endTries(subject)
        }
    }

    fileprivate func forgotPassword() async throws(PoolError) -> CodeDelivery {
        let given = try input.required("Username")
        _ = try client(username: given, secretHash: input.text("SecretHash"))
        guard settings.accountRecovery != AccountRecovery.none else {
            throw .notAuthorized("Contact administrator to reset password.")
        }
        let name = name(given)
        let isHidden = settings.existenceErrors == .hidden
        let like = standInNumber(given)
        var known = try await user(named: name, orLike: like)
        if known == nil { known = try await migrated(given, password: nil, "ForgotPassword") }
        let told = known.flatMap { isHidden && $0.cannotBeSentCodes(for: .newPassword, in: settings) ? nil : $0 }
        let wording = if let told { try await wording("ForgotPassword", for: told) } else { MessageWording?.none }
        let standIn = standInUser(given)
        let delivery = try await write { change throws(PoolError) -> CodeDelivery? in
            guard let user = try change.session.user(named: name, orLike: like) else {
                guard isHidden else { throw .userNotFound }
                try change.pretend(.newPassword, to: standIn)
                return nil
            }
            if isHidden, user.cannotBeSentCodes(for: .newPassword, in: change.settings) {
                try change.pretend(.newPassword, to: standIn)
                return nil
            }
            guard user.isEnabled else { throw .disabled }
            switch user.status {
            case .confirmed, .mustReset, .unconfirmed: break
            case .mustChangePassword:
                throw .notAuthorized("User password cannot be reset in the current state.")
            case .external:
                throw .notAuthorized("User password cannot be reset in the current state.")
            }
            guard let delivery = CodeDelivery.forNewPassword(of: user, in: change.settings) else {
                throw .invalidParameter(
                    "Cannot reset password for the user as there is no registered/verified email or phone_number")
            }
            try change.send(.newPassword, to: user, delivery, worded: wording)
            return delivery
        }
        pool.whenQueued()
        return delivery ?? .standIn(for: given, in: settings)
    }

    fileprivate func confirmForgotPassword() async throws(PoolError) {
        let given = try input.required("Username")
        _ = try client(username: given, secretHash: input.text("SecretHash"))
        let code = try input.required("ConfirmationCode")
        let proposed = try input.required("Password")
        // A password against the policy leaves the code as it is.
        if let fault = settings.password.fault(of: proposed) { throw .invalidPassword(fault) }
        let name = name(given)
        let like = standInNumber(given)
        let found = try await user(named: name, orLike: like)
        // Somebody who is not there takes as long.
        let password = try await storedPassword(proposed, name: found?.name ?? standInName(given))
        let isHidden = settings.existenceErrors == .hidden
        let standIn = standInUser(given)
        let outcome = try await write { change throws(PoolError) -> Result<User, PoolError> in
            guard var user = try change.session.user(named: name, orLike: like), user.number == found?.number,
                !(isHidden && user.cannotBeSentCodes(for: .newPassword, in: change.settings))
            else {
                let refusal = try change.refusal(of: code, .newPassword, of: standIn)
                return .failure(isHidden || refusal == .tooManyAttempts ? refusal : .userNotFound)
            }
            switch try change.takeCode(code, .newPassword, of: user) {
            case .refused(let error): return .failure(error)
            case .right(let sent):
                user.password = password
                user.foreignHash = nil
                user.temporaryUntil = nil
                guard user.status != .external else { return .failure(.expiredCode) }
                user.status = .confirmed
                try change.verify(sent.attribute, sent.address, of: &user, movesAlias: false)
                try change.save(user)
                try change.endSignIns(of: user)
                try change.endTries(WrongTries.subject(user, name, .password))
                return .success(user)
            }
        }
        try await tellOfConfirmation(outcome.get(), "ConfirmForgotPassword")
    }
}
