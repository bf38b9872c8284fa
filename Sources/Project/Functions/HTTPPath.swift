import Blueprint

/// A path of an API over HTTP that a project makes of the CDK's parts, at which a function is called.
package struct HTTPPath: Sendable, Equatable {
    /// Who may call it.
    package enum Caller: Sendable, Equatable {
        case anyone
        /// Who signs, in one of these roles, by its methods: `auth`, `guest`, or a group; an empty set stands for all methods.
        case roles([String: Set<String>])
        /// A user of the pool; with scopes, by an access token that has one of them.
        case user(scopes: [String])
    }

    package let api: String
    /// Such as `/items/{id}`, or `/items/{proxy+}`.
    package let path: String
    /// Nil: every one.
    package let method: String?
    /// True if the function is told of a call in the form of version 2, as those of an `HttpApi` are.
    package var isVersion2: Bool
    package var caller: Caller

    package init(api: String, path: String, method: String?, isVersion2: Bool, caller: Caller) {
        (self.api, self.path, self.method) = (api, path, method)
        (self.isVersion2, self.caller) = (isVersion2, caller)
    }
}
