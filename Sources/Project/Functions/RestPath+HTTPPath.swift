extension RestPath {
    /// A path of an API that a project of Gen 2 makes of the CDK's parts.
    package init(_ path: HTTPPath) {
        var allowed: [String: Set<Action>]?
        if case .roles(let roles) = path.caller {
            allowed = roles.mapValues { $0.isEmpty ? Set(Action.allCases) : Set($0.map(Action.init)) }
        }
        self.init(api: path.api, path: path.path, allowed: allowed)
        methods = path.method.map { [$0] } ?? []
        isExact = true
        if case .user(let wanted) = path.caller { scopes = wanted }
        event = path.isVersion2 ? .version2 : .version1
    }
}
