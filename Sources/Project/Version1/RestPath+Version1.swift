import JSON

/// The paths of a REST API as a project of Gen 1 has them.
extension RestPath {
    /// - Parameters:
    ///   - file: `cli-inputs.json`, or the `api-params.json` of older projects.
    ///   - template: the API's own template, as far as there is one: what Amplify deploys of older projects.
    ///   - isForUsers: whether the pool says who calls.
    package static func paths(
        of api: String, _ file: JSONValue, template: Version1RESTTemplate = Version1RESTTemplate(), isForUsers: Bool
    ) -> [(path: RestPath, function: String)] {
        var paths = paths(of: api, file)
        // Amplify's own API for administration has no other file in older projects.
        if paths.isEmpty {
            paths = template.paths.compactMap { path in
                path.function.map { (RestPath(api: api, path: path.name, allowed: [:]), $0) }
            }
        }
        return paths.map { path, function in
            var path = path
            path.scopes = template.scopes(at: path.path) ?? (isForUsers ? template.anyScopes ?? usualScopes : nil)
            return (path, function)
        }
    }

    /// The scope that Amplify asks of access tokens where the pool says who calls: every user's who has signed in by a password has it.
    private static let usualScopes = ["aws.cognito.signin.user.admin"]

    package static func paths(of api: String, _ file: JSONValue) -> [(path: RestPath, function: String)] {
        if let paths = file["paths"]?.object {
            return paths.members.compactMap { member in
                guard let function = member.value["lambdaFunction"]?.string else { return nil }
                return (
                    RestPath(api: api, path: member.key, allowed: allowed(member.value["permissions"])), function
                )
            }
        }
        return (file["paths"]?.array ?? []).compactMap { path in
            guard let name = path["name"]?.string, let function = path["lambdaFunction"]?.string else { return nil }
            return (RestPath(api: api, path: name, allowed: olderAllowed(path["privacy"])), function)
        }
    }

    /// The names of paths of which such a file does not say who may call them: nobody may.
    package static func unsaidNames(in file: JSONValue) -> [String] {
        (file["paths"]?.object?.members ?? []).filter { $0.value["permissions"]?.object == nil }.map(\.key)
            + (file["paths"]?.array ?? []).filter { $0["privacy"]?.object == nil }.compactMap { $0["name"]?.string }
    }

    /// `{"setting": "private", "auth": ["create"], "groups": {"Admins": [...]}}`; without one nobody may call. Nil: everybody may.
    private static func allowed(_ permissions: JSONValue?) -> [String: Set<Action>]? {
        guard let permissions else { return [:] }
        guard permissions["setting"]?.string != "open" else { return nil }
        var allowed: [String: Set<Action>] = [:]
        for name in [users, guests] {
            if let list = permissions[name] { allowed[name] = actions(list) }
        }
        for group in permissions["groups"]?.object?.members ?? [] { allowed[group.key] = actions(group.value) }
        return allowed
    }

    private static func actions(_ list: JSONValue) -> Set<Action> {
        Set((list.array ?? []).compactMap { $0.string.flatMap(Action.init) })
    }

    /// `{"open": true}`, or `{"private": true, "auth": ["/POST", ...], "userPoolGroups": {"Admins": [...]}}`
    private static func olderAllowed(_ privacy: JSONValue?) -> [String: Set<Action>]? {
        guard let privacy else { return [:] }
        guard privacy["open"]?.bool != true else { return nil }
        func actions(_ value: JSONValue?) -> Set<Action> {
            // Words of the first versions: `r`, `rw`; later the methods' own.
            switch value {
            case .string("r")?: [.read]
            case .array(let methods)?:
                Set(methods.compactMap(\.string).map { Action(String($0.drop { $0 == "/" })) })
            case nil, .null?: []
            default: Set(Action.allCases)
            }
        }
        var allowed = [users: actions(privacy[users]), guests: actions(privacy["unauth"])]
        for group in privacy["userPoolGroups"]?.object?.members ?? [] where allowed[group.key] == nil {
            allowed[group.key] = actions(group.value)
        }
        return allowed
    }
}
