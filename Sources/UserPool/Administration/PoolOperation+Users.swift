import Cloud
import Crypto
import JSON
import Store

extension PoolOperation {
    /// What administrators do with users.
    static let users: [PoolOperation] = [
        PoolOperation(
            "AdminCreateUser", .administrators,
            .userOfPool + [
                .init("TemporaryPassword", .password), .init("UserAttributes", .attributes),
                .init("ValidationData", .attributes), .init("ForceAliasCreation", .boolean),
                .init("MessageAction", .choice(["RESEND", "SUPPRESS"])),
                .init("DesiredDeliveryMediums", .list(.choice(["SMS", "EMAIL"]), max: 2)),
                .init("ClientMetadata", .metadata),
            ]
        ) { run throws(PoolError) in try await run.administrator().createUser() },
        PoolOperation(
            "AdminSetUserPassword", .administrators,
            .userOfPool + [.init("Password", .password, isRequired: true), .init("Permanent", .boolean)]
        ) { run throws(PoolError) in try await run.administrator().setPassword() },
        PoolOperation("AdminConfirmSignUp", .administrators, .userOfPool + [.init("ClientMetadata", .metadata)]) {
            run throws(PoolError) in
            let run = try run.administrator()
            let user = try await run.changedUser { user, change throws(PoolError) in
                guard user.status == .unconfirmed else {
                    throw .notAuthorized("User cannot be confirmed. Current status is \(user.status.rawValue)")
                }
                user.status = .confirmed
                try change.endCodes(.confirmation, for: user)
            }
            try await run.tellOfConfirmation(user, "ConfirmSignUp")
            return JSONObject()
        },
        PoolOperation("AdminGetUser", .administrators, .userOfPool) { run throws(PoolError) in
            let user = try await run.administrator().user()
            return user.record(attributesAs: "UserAttributes").adding(user.secondFactors)
        },
        PoolOperation("AdminDeleteUser", .administrators, .userOfPool) { run throws(PoolError) in
            let run = try run.administrator()
            let name = run.name(try run.input.required("Username"))
            try await run.write { change throws(PoolError) in
                guard let user = try change.session.user(named: name) else { throw .userNotFound }
                try change.delete(user)
            }
            return nil
        },
        PoolOperation(
            "AdminUpdateUserAttributes", .administrators,
            .userOfPool + [
                .init("UserAttributes", .attributes, isRequired: true), .init("ClientMetadata", .metadata),
            ]
        ) { run throws(PoolError) in
            let attributes = try run.input.userAttributes()
            let answer = try await run.administrator().changeUser { user, change throws(PoolError) in
                var immediate = attributes
                let waiting = try change.letWait(&immediate, of: user)
                try change.set(immediate, of: &user, isByAdministrator: true)
                for delivery in waiting { try change.send(.attribute(delivery.attribute), to: user, delivery) }
            }
            run.pool.whenQueued()
            return answer
        },
        PoolOperation(
            "AdminDeleteUserAttributes", .administrators,
            .userOfPool + [
                .init(
                    "UserAttributeNames", .list(.attributeName, max: PoolLimits.attributesMax), isRequired: true)
            ]
        ) { run throws(PoolError) in
            let names = run.input.texts("UserAttributeNames") ?? []
            return try await run.administrator().changeUser { user, change throws(PoolError) in
                try change.removeAttributes(names, of: &user, isByAdministrator: true)
            }
        },
        PoolOperation("AdminDisableUser", .administrators, .userOfPool) { run throws(PoolError) in
            try await run.administrator().changeUser { user, change throws(PoolError) in
                user.isEnabled = false
                // Nothing that was given out comes back to life when the user is enabled again.
                try change.change(SignInRecord.endOfAll, [.integer(user.number)])
                try change.endAllCodes(for: user)
                try change.endSessions(of: user.number)
            }
        },
        PoolOperation("AdminEnableUser", .administrators, .userOfPool) { run throws(PoolError) in
            try await run.administrator().changeUser { user, _ in user.isEnabled = true }
        },
        PoolOperation("AdminResetUserPassword", .administrators, .userOfPool + [.init("ClientMetadata", .metadata)]) {
            run throws(PoolError) in
            let run = try run.administrator()
            let wording = try await run.wording("ForgotPassword", for: run.user())
            let answer = try await run.changeUser { user, change throws(PoolError) in
                guard user.isEnabled else { throw .disabled }
                guard user.status == .confirmed || user.status == .mustReset else {
                    throw .notAuthorized("User password cannot be reset in the current state.")
                }
                guard let delivery = CodeDelivery.firstVerified(of: user, in: change.settings) else {
                    throw .invalidParameter(
                        "Cannot reset password for the user as there is no registered/verified email or phone_number")
                }
                user.status = .mustReset
                try change.endSignIns(of: user)
                try change.send(.newPassword, to: user, delivery, worded: wording)
            }
            run.pool.whenQueued()
            return answer
        },
        PoolOperation("AdminUserGlobalSignOut", .administrators, .userOfPool) { run throws(PoolError) in
            try await run.administrator().changeUser { user, change throws(PoolError) in
                try change.change(SignInRecord.revocationOfAll, [.integer(user.number)])
            }
        },
        PoolOperation(
            "AdminSetUserMFAPreference", .administrators,
            .userOfPool + FactorWish.members + [.init("WebAuthnMfaSettings", .object([.init("Enabled", .boolean)]))]
        ) { run throws(PoolError) in
            let wishes = FactorWish.all(in: run.input)
            return try await run.administrator().changeUser { user, change throws(PoolError) in
                try user.choose(wishes, in: change.settings)
            }
        },
    ]
}

extension [MemberShape.Member] {
    /// The pool, and a user of it.
    fileprivate static let userOfPool: Self = [
        .init("UserPoolId", .poolID, isRequired: true), .init("Username", .username, isRequired: true),
    ]
}

extension PoolRun {
    /// The same call, which has to name this pool.
    func administrator() throws(PoolError) -> PoolRun {
        try demandOwnPool()
        return self
    }

    /// The user whom the request names.
    func user() async throws(PoolError) -> User { try await knownUser(try input.required("Username")) }

    /// Changes the user whom the request names, and answers without members.
    fileprivate func changeUser(
        _ body: @escaping @Sendable (inout User, PoolWriting) throws(PoolError) -> Void
    ) async throws(PoolError) -> JSONObject {
        _ = try await changedUser(body)
        return JSONObject()
    }

    /// Changes the user whom the request names, and says what has become of them.
    fileprivate func changedUser(
        _ body: @escaping @Sendable (inout User, PoolWriting) throws(PoolError) -> Void
    ) async throws(PoolError) -> User {
        let name = name(try input.required("Username"))
        return try await write { change throws(PoolError) in
            guard var user = try change.session.user(named: name) else { throw .userNotFound }
            try body(&user, change)
            try change.save(user)
            return user
        }
    }

    fileprivate func setPassword() async throws(PoolError) -> JSONObject {
        let password = try input.required("Password")
        let isPermanent = input.flag("Permanent") ?? false
        let user = try await user()
        if let fault = settings.password.fault(of: password) { throw .invalidPassword(fault) }
        let proof = try await storedPassword(password, name: user.name)
        try await write { change throws(PoolError) in
            guard var user = try change.session.user(user.number) else { throw .userNotFound }
            try change.setPassword(proof, of: &user, isTemporary: !isPermanent)
            try change.save(user)
            try change.endSignIns(of: user)
        }
        return JSONObject()
    }

    // MARK: Inviting

    fileprivate func createUser() async throws(PoolError) -> JSONObject {
        let given = try input.required("Username")
        let password = input.text("TemporaryPassword")
        if let fault = password.flatMap(settings.password.fault) { throw .invalidPassword(fault) }
        let temporary = password ?? settings.password.randomPassword()
        let action = input.text("MessageAction")
        let mediums = (input.texts("DesiredDeliveryMediums") ?? []).compactMap(CodeDelivery.Medium.init(rawValue:))
        if action == "RESEND" { return try await inviteAgain(given, temporary, mediums) }
        let attributes = try input.userAttributes().filter { !($0.value.string ?? "").isEmpty }
        let newcomer = try await askBeforeSignUp(
            newcomer(given, JSONObject(distinct: attributes), isByAdministrator: true), "AdminCreateUser")
        let wording =
            action == "SUPPRESS" ? nil : try await wording("AdminCreateUser", for: newcomer.user, needsName: true)
        let proof = try await storedPassword(temporary, name: newcomer.user.name)
        let movesAlias = input.flag("ForceAliasCreation") ?? false
        let made = try await write { change throws(PoolError) -> User in
            let former = try change.create(newcomer.user, names: newcomer.names)
            var user = former
            try change.setPassword(proof, of: &user, isTemporary: true)
            try change.nameByAddresses(user, formerly: nil, movesAlias: movesAlias)
            try change.save(user)
            if action != "SUPPRESS" { try change.invite(user, named: given, temporary, mediums, worded: wording) }
            return user
        }
        pool.whenQueued()
        return JSONObject([("User", .object(made.record(attributesAs: "Attributes")))])
    }

    /// Gives somebody who was invited a new temporary password, and tells them.
    private func inviteAgain(
        _ given: String, _ temporary: String, _ mediums: [CodeDelivery.Medium]
    ) async throws(PoolError) -> JSONObject {
        let user = try await knownUser(given)
        let wording = try await wording("AdminCreateUser", for: user, needsName: true)
        let proof = try await storedPassword(temporary, name: user.name)
        let invited = try await write { change throws(PoolError) -> User in
            guard var user = try change.session.user(user.number) else { throw .userNotFound }
            guard user.status == .mustChangePassword else {
                throw PoolError(
                    "UnsupportedUserStateException",
                    "Resend not possible. The user's status is \(user.status.rawValue), not FORCE_CHANGE_PASSWORD.")
            }
            try change.setPassword(proof, of: &user, isTemporary: true)
            try change.save(user)
            try change.invite(user, named: given, temporary, mediums, worded: wording)
            return user
        }
        pool.whenQueued()
        return JSONObject([("User", .object(invited.record(attributesAs: "Attributes")))])
    }
}

extension PoolWriting {
    /// Sets what proves a user's password. With a temporary one they have to choose their own when they sign in.
    func setPassword(_ proof: StoredPassword?, of user: inout User, isTemporary: Bool) throws(PoolError) {
        user.password = proof
        user.foreignHash = nil
        user.status = isTemporary ? .mustChangePassword : .confirmed
        user.temporaryUntil = isTemporary ? now + settings.temporaryPasswordDays * 86_400_000 : nil
        try endTries(WrongTries.subject(user, UserName(user.name, in: settings), .password))
    }

    /// Sends an invited user their name and temporary password: by the ways that are wished, or else by the first that there is.
    fileprivate func invite(
        _ user: User, named name: String, _ password: String, _ mediums: [CodeDelivery.Medium],
        worded wording: MessageWording?
    ) throws(PoolError) {
        let ways = [("phone_number", CodeDelivery.Medium.sms), ("email", .email)].compactMap { attribute, medium in
            user.attribute(attribute).map { (medium: medium, delivery: CodeDelivery(attribute, $0)) }
        }
        let wished = mediums.isEmpty ? Array(ways.prefix(1)) : ways.filter { mediums.contains($0.medium) }
        for way in wished {
            try queue(
                OutgoingMessage(
                    invitation: password, of: name, to: user, way.delivery,
                    lifeMilliseconds: settings.temporaryPasswordDays * 86_400_000
                ).worded(by: settings.messages.invitation, name: name).worded(by: wording, name: name))
        }
    }
}

extension User {
    /// As the service tells of a user; lists and single users differ in what they call the attributes.
    func record(attributesAs name: String, only wanted: Set<ByteText>? = nil) -> JSONObject {
        var attributes = attributeList
        if let wanted {
            attributes = .array(
                (attributes.array ?? []).filter { $0["Name"]?.string.map { wanted.contains($0) } ?? false })
        }
        return JSONObject([
            ("Username", .string(self.name)), (name, attributes), ("UserCreateDate", .moment(created)),
            ("UserLastModifiedDate", .moment(modified)), ("Enabled", .bool(isEnabled)),
            ("UserStatus", .string(status.rawValue)),
        ])
    }
}

extension JSONValue {
    /// A time as the service tells it: seconds since 1970.
    static func moment(_ milliseconds: Int64) -> JSONValue { .double(Double(milliseconds) / 1_000) }
}
