import JSON

/// The paths of a REST API as a project of Gen 1 has them.
extension RestPath {
    /// - Parameter file: `cli-inputs.json`, or the `api-params.json` of older projects.
    static func paths(of api: String, _ file: JSONValue) -> [(path: RestPath, function: String)] {
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

    /// `{"setting": "private", "auth": ["create"], "groups": {"Admins": [...]}}`
    private static func allowed(_ permissions: JSONValue?) -> [String: Set<Action>]? {
        guard let permissions, permissions["setting"]?.string != "open" else { return nil }
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

    /// `{"open": true}`, or `{"private": true, "auth": ["/POST", ...]}`
    private static func olderAllowed(_ privacy: JSONValue?) -> [String: Set<Action>]? {
        guard let privacy, privacy["open"]?.bool != true else { return nil }
        func actions(_ name: String) -> Set<Action> {
            // Words of the first versions: `r`, `rw`; later the methods' own.
            switch privacy[name] {
            case .string("r")?: [.read]
            case .array(let methods)?:
                Set(methods.compactMap(\.string).map { Action(String($0.drop { $0 == "/" })) })
            case nil, .null?: []
            default: Set(Action.allCases)
            }
        }
        return [users: actions(users), guests: actions("unauth")]
    }
}
