import Blueprint

/// What a project says of sign-in, told apart from saying nothing.
package indirect enum ProjectSignIn: Sendable, Equatable {
    /// The project has no sign-in: the pool is what the configuration says.
    case none
    /// The project cannot be read: nobody may sign up, sign in or be a guest until it can.
    case refused
    /// The project has this sign-in.
    case declared(AuthResource)
    /// `defineAuth` says it, and `defineBackend` is not given it: the pool is like that, and clients are not told of it.
    case leftOut(AuthResource)

    /// What the pool is like; nil: the project does not say.
    package var resource: AuthResource? {
        switch self {
        case .none, .refused: nil
        case .declared(let auth), .leftOut(let auth): auth
        }
    }
}
