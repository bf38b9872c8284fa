import JSON

/// Why a request at one of these doors comes to nothing.
enum HostedFault: Error {
    /// A person is told, on a page: nobody else can be, for it is not sure who asks.
    case page(status: Int, String)
    /// The app is told, at its own address.
    case app(AuthorizationRequest, AuthorizationFault)
    /// A program is told, as OAuth words it.
    case program(OAuthFault)
    case pool(PoolError)

    static func wrong(_ message: String) -> HostedFault { .page(status: 400, message) }
}

/// What an app is told of a sign-in that cannot begin (RFC 6749, 4.1.2.1).
struct AuthorizationFault: Error {
    let error: String
    let description: String

    static let type = AuthorizationFault(
        error: "unsupported_response_type", description: "response_type has to be code")
    static let loginRequired = AuthorizationFault(error: "login_required", description: "nobody is signed in")

    static func request(_ description: String) -> AuthorizationFault {
        AuthorizationFault(error: "invalid_request", description: description)
    }

    static func scope(_ name: String) -> AuthorizationFault {
        AuthorizationFault(error: "invalid_scope", description: "the client may not ask for \(name)")
    }
}

/// What a program is told (RFC 6749, 5.2).
struct OAuthFault: Error {
    let error: String
    var status = 400
    /// What a request with a token has to bring.
    var challenge: String?

    static let request = OAuthFault(error: "invalid_request")
    static let client = OAuthFault(error: "invalid_client")
    static let grant = OAuthFault(error: "invalid_grant")
    static let unauthorizedClient = OAuthFault(error: "unauthorized_client")
    static let grantType = OAuthFault(error: "unsupported_grant_type")
    static let scope = OAuthFault(error: "invalid_scope")
    static let tokenType = OAuthFault(error: "unsupported_token_type")
    static let token = OAuthFault(
        error: "invalid_token", status: 401, challenge: #"Bearer error="invalid_token""#)
    static let tokenScope = OAuthFault(
        error: "insufficient_scope", status: 403, challenge: #"Bearer error="insufficient_scope", scope="openid""#)

    /// What a refusal of the pool's is here.
    init(_ error: PoolError) {
        switch error.type {
        case "InternalErrorException": self.init(error: "server_error", status: 500)
        case "TooManyRequestsException": self.init(error: "temporarily_unavailable", status: 429)
        case "InvalidParameterException": self = .request
        case "UnsupportedTokenTypeException": self = .tokenType
        case "UnauthorizedException": self = .unauthorizedClient
        default: self = .grant
        }
    }

    private init(error: String, status: Int = 400, challenge: String? = nil) {
        self.error = error
        self.status = status
        self.challenge = challenge
    }
}
