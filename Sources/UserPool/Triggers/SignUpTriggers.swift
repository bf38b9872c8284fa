import JSON

/// The functions around a sign-up.
extension PoolRun {
    /// Asks the function before a sign-up, which may refuse it, confirm the user, and take addresses for proved.
    func askBeforeSignUp(_ newcomer: Newcomer, _ source: String) async throws(PoolError) -> Newcomer {
        var user = newcomer.user
        let validation = input.members["ValidationData"].map { _ in input.attributes("ValidationData") }
        let response = try await call(
            .preSignUp, source, about: TriggerSubject(name: user.name, attributes: user.attributes),
            request: JSONObject([
                ("validationData", validation.map(JSONValue.object) ?? .null), ("clientMetadata", clientMetadata),
            ]),
            response: JSONObject([
                ("autoConfirmUser", false), ("autoVerifyEmail", false), ("autoVerifyPhone", false),
            ]))
        guard let response else { return newcomer }
        if response["autoConfirmUser"]?.bool == true, user.status == .unconfirmed { user.status = .confirmed }
        var names = newcomer.names
        for (member, attribute) in [("autoVerifyEmail", "email"), ("autoVerifyPhone", "phone_number")] {
            guard response[member]?.bool == true else { continue }
            guard let address = user.attribute(attribute), !address.isEmpty else {
                throw .invalidParameter("User has no \(attribute) to verify.")
            }
            user.attributes.set("\(attribute)_verified", to: "true")
            if settings.aliases.contains(attribute) { names.append((name(address), attribute)) }
        }
        return Newcomer(user: user, names: names)
    }

    /// Tells the function behind a confirmation. What it fails with does not undo that.
    func tellOfConfirmation(_ user: User, _ source: String) async throws(PoolError) {
        _ = try await call(
            .postConfirmation, source, about: TriggerSubject(user),
            request: JSONObject([("clientMetadata", clientMetadata)]))
    }
}
