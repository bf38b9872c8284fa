import JSON

extension PoolOperation {
    /// What users do with their own records.
    static let profile: [PoolOperation] = [
        PoolOperation("GetUser", .open, [.init("AccessToken", .accessToken, isRequired: true)]) {
            run throws(PoolError) in
            let user = try await run.signedInUser().user
            return JSONObject([("Username", .string(user.name)), ("UserAttributes", user.attributeList)])
                .adding(user.secondFactors)
        }
    ]
}

extension User {
    /// As `[{Name, Value}]`, `sub` first.
    var attributeList: JSONValue {
        let own = JSONValue.object(JSONObject([("Name", "sub"), ("Value", .string(sub))]))
        return .array(
            [own]
                + attributes.map { .object(JSONObject([("Name", .string($0.key)), ("Value", $0.value)])) })
    }
}

extension JSONObject {
    /// The second factors of a user, where there are any.
    func adding(_ choice: SecondFactorChoice) -> JSONObject {
        guard !choice.enabled.isEmpty else { return self }
        var object = self
        object.set("UserMFASettingList", to: .array(choice.enabled.map { .string($0.rawValue) }))
        if let preferred = choice.preferred { object.set("PreferredMfaSetting", to: .string(preferred.rawValue)) }
        return object
    }
}
