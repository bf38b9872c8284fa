import Access

/// Who asks for files.
package enum FileCaller: Sendable, Equatable {
    /// Nobody has signed the request.
    case anonymous
    /// Whoever runs the server: no rule holds them back.
    case administrator
    /// A guest of the identity pool, by the identity's id.
    case guest(identity: String)
    /// A user who has signed in, in the role of all such users.
    case user(identity: String)
    /// A user in the role of a group, which takes the place of that of all signed-in users.
    case member(group: String, identity: String)
    /// A function of the app, by its name, with what its role may do beside what rules give it.
    case function(name: String, rights: FunctionRights? = nil)

    /// The id in the identity pool.
    package var identity: String? {
        switch self {
        case .anonymous, .administrator, .function: nil
        case .guest(let identity), .user(let identity), .member(_, let identity): identity
        }
    }
}
