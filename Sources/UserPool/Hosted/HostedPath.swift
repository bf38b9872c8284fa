/// The addresses of the pages, and of OAuth 2.0's doors beside them.
package enum HostedPath: String, CaseIterable, Sendable {
    case authorize = "/oauth2/authorize"
    case token = "/oauth2/token"
    case userInfo = "/oauth2/userInfo"
    case revoke = "/oauth2/revoke"
    case login = "/login"
    /// What a sign-in asks for behind the password.
    case step = "/login/step"
    case signUp = "/signup"
    case confirm = "/confirm"
    case resend = "/confirm/resend"
    /// The link of a mail to a new user.
    case confirmUser = "/confirmUser"
    case forgot = "/forgot"
    case reset = "/forgot/confirm"
    case logout = "/logout"
    /// Where a provider sends people back to.
    case providerAnswer = "/oauth2/idpresponse"
    /// The page that takes the place of a provider.
    case standIn = "/oauth2/stand-in"

    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var methods: [Method] {
        switch self {
        case .authorize, .logout, .confirmUser: [.get]
        case .login, .signUp, .confirm, .forgot, .reset, .userInfo, .providerAnswer, .standIn: [.get, .post]
        case .token, .revoke, .step, .resend: [.post]
        }
    }

    /// True if apps call it, from pages of their own, and read what it answers. The others are for people.
    package var isForApps: Bool {
        switch self {
        case .token, .userInfo, .revoke: true
        default: false
        }
    }
}
