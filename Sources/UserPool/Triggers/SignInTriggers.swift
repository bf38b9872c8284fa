import JSON

/// The functions around a sign-in.
extension PoolRun {
    /// Asks the function before a sign-in, which may refuse it. `user` is nil for one who is not there.
    func askBeforeSignIn(_ user: User?, given: String) async throws(PoolError) {
        guard hasTrigger(.preAuthentication), user != nil || settings.existenceErrors == .hidden else { return }
        var request = JSONObject([("validationData", clientMetadata)])
        if user == nil { request.set("userNotFound", to: true) }
        _ = try await call(
            .preAuthentication, "Authentication",
            about: user.map { TriggerSubject($0) } ?? TriggerSubject(name: given, attributes: JSONObject()),
            request: request)
    }

    /// Tells the function behind a sign-in, which may still refuse it.
    func tellOfSignIn(_ user: User, newDevice: Bool) async throws(PoolError) {
        _ = try await call(
            .postAuthentication, "Authentication", about: TriggerSubject(user),
            request: JSONObject([("newDeviceUsed", .bool(newDevice)), ("clientMetadata", clientMetadata)]))
    }

    /// Asks another system about a user who is not there, and takes them over. Nil where there is no such function; what it
    /// answers has to say who they are.
    func migrated(_ given: String, password: String?, _ source: String) async throws(PoolError) -> User? {
        guard hasTrigger(.userMigration) else { return nil }
        let response = try await askMigration(given, password: password, source)
        guard let response, let attributes = response["userAttributes"]?.object, !attributes.isEmpty else { return nil }
        var taken = JSONObject()
        for attribute in attributes where attribute.key != "sub" && attribute.key != "username" {
            guard let text = attribute.value.string else { continue }
            taken.set(attribute.key, to: .string(text))
        }
        let newcomer = try newcomer(given, taken, isByAdministrator: true)
        var user = newcomer.user
        let mustReset = response["finalUserStatus"]?.text == "RESET_REQUIRED" || password == nil
        user.status = mustReset ? .mustReset : .confirmed
        user.password = mustReset ? nil : try await storedPassword(password, name: user.name)
        var names = newcomer.names
        for attribute in settings.aliases where user.hasVerified(attribute) {
            if let address = user.attribute(attribute) { names.append((name(address), attribute)) }
        }
        let migrated = user
        return try await write { [names] change throws(PoolError) in
            let made = try change.create(migrated, names: names)
            try takeIdentity(response, of: made, change)
            return made
        }
    }

    /// Gives a user the identity that the function has found at the old identity pool: it has the user's login there, and nobody else can
    /// know whose an identity is. A user who cannot have it signs in without.
    func takeIdentity(_ response: JSONObject, of user: User, _ change: PoolWriting) throws(PoolError) {
        guard let id = response["identityId"]?.string else { return }
        if case .refused(let why) = try IdentityImport.give(id, to: user, named: user.name, change, pool) {
            pool.report("userMigration: \(why)")
        }
    }

    /// Asks another system whether a password is that of a user, whom it knows by this name. What it says of them has to be what is
    /// known of them here: somebody else may have the name there by now. Answers with what it says; nil for another password or person.
    func knownElsewhere(_ user: User, given: String, password: String) async throws(PoolError) -> JSONObject? {
        guard hasTrigger(.userMigration),
            let response = try await askMigration(given, password: password, "Authentication"),
            let attributes = response["userAttributes"]?.object, !attributes.isEmpty,
            response["finalUserStatus"]?.text != "RESET_REQUIRED"
        else { return nil }
        if let sub = attributes["sub"]?.text, sub != ByteText(user.sub) { return nil }
        let isSame = ["email", "phone_number"].allSatisfy { name in
            guard let said = attributes[name]?.text, let known = user.attribute(name) else { return true }
            return said == ByteText(known)
        }
        return isSame ? response : nil
    }

    private func askMigration(
        _ given: String, password: String?, _ source: String
    ) async throws(PoolError) -> JSONObject? {
        var request = JSONObject([("validationData", clientMetadata), ("clientMetadata", clientMetadata)])
        if let password { request.set("password", to: .string(password)) }
        return try await call(
            .userMigration, source, about: TriggerSubject(name: given, attributes: nil), request: request,
            response: JSONObject([
                ("userAttributes", .null), ("forceAliasCreation", .null), ("finalUserStatus", .null),
                ("messageAction", .null), ("desiredDeliveryMediums", .null),
            ]))
    }
}
