import UserPool

/// The settings of the built-in user pool.
package struct SignInSettings: Sendable {
    /// Nil: as the data folder says.
    package var region: String?
    package var userPoolID: String?
    package var identityPoolID: String?
    package var pool = PoolSettings()
    package var providers: [ProviderSetting] = []
    /// By trigger, a name of a function, or its URL.
    package var triggers: [String: String] = [:]
    /// What the project says of its app's client, but for its name; it counts where no clients are set.
    var app: AppClient?
    /// True if native apps have a client of their own, with a secret.
    var hasNativeClient = false
}
