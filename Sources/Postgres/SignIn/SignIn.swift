import Crypto

/// The sign-in of one connection: what a server asks for, and what it is given. It gives a password in no form that the settings
/// do not allow.
struct SignIn {
    enum Problem: Error, Sendable {
        /// The server asks for a form of the password that the settings do not allow.
        case notAllowed(PostgresSignInMethod)
        case noPassword
        /// Kerberos and its like, by the number of the protocol.
        case unknownMethod(UInt32)
        /// No mechanism that the server offers is known here.
        case noMechanism
        /// The settings demand a binding to TLS, and there is none.
        case notBound
        case scram(ScramExchange.Problem)
        /// The server took the connection before it proved that it knows the password.
        case serverUnproved
        case unexpected
    }

    enum Reply: Sendable {
        case nothing
        case password([UInt8])
        case saslBegin(mechanism: String, [UInt8])
        case saslResponse([UInt8])
        case accepted
    }

    private let user: String
    private let password: PostgresPassword?
    private let methods: PostgresSignInMethods
    private let bindingDemand: PostgresChannelBinding
    /// The digest of the server's certificate; nil without TLS, or where there is none for its kind.
    private let endPoint: [UInt8]?
    private let roundsMax: Int
    private var scram: ScramExchange?
    /// A password has been given in another form than SCRAM.
    private var hasGiven = false
    private var isOver = false

    init(
        user: String, password: PostgresPassword?, methods: PostgresSignInMethods,
        binding: PostgresChannelBinding, endPoint: [UInt8]?, roundsMax: Int
    ) {
        self.user = user
        self.password = password
        self.methods = methods
        bindingDemand = binding
        self.endPoint = binding == .disable ? nil : endPoint
        self.roundsMax = roundsMax
    }

    mutating func take(_ request: AuthenticationRequest) throws(Problem) -> Reply {
        guard !isOver else { throw .unexpected }
        switch request {
        case .accepted:
            if let scram {
                guard scram.isVerified else { throw .serverUnproved }
            } else {
                if !hasGiven { try allow(.none) }
                guard bindingDemand != .require else { throw .notBound }
            }
            isOver = true
            return .accepted
        case .clearText:
            try allow(.password)
            return .password(try givenPassword())
        case .md5(let salt):
            try allow(.md5)
            let inner = Hexadecimal.digits(of: SpreadingDigest.of(try givenPassword() + Array(user.utf8)))
            return .password(Array("md5".utf8) + Hexadecimal.digits(of: SpreadingDigest.of(inner + salt)))
        case .sasl(let mechanisms):
            guard scram == nil, !hasGiven else { throw .unexpected }
            try allow(.scram)
            guard let password else { throw .noPassword }
            let exchange = ScramExchange(
                password: password.bytes, binding: try binding(mechanisms), roundsMax: roundsMax)
            scram = exchange
            return .saslBegin(mechanism: exchange.mechanism, exchange.first)
        case .saslContinue(let message):
            guard var exchange = scram else { throw .unexpected }
            let answer = try Self.scram { () throws(ScramExchange.Problem) in try exchange.answer(to: message) }
            scram = exchange
            return .saslResponse(answer)
        case .saslFinal(let message):
            guard var exchange = scram else { throw .unexpected }
            try Self.scram { () throws(ScramExchange.Problem) in try exchange.verify(message) }
            scram = exchange
            return .nothing
        case .other(let number): throw .unknownMethod(number)
        }
    }

    private func allow(_ method: PostgresSignInMethod) throws(Problem) {
        guard methods.contains(method) else { throw .notAllowed(method) }
    }

    private mutating func givenPassword() throws(Problem) -> [UInt8] {
        guard scram == nil, !hasGiven else { throw .unexpected }
        guard let password else { throw .noPassword }
        guard bindingDemand != .require else { throw .notBound }
        hasGiven = true
        return password.bytes
    }

    private func binding(_ mechanisms: [[UInt8]]) throws(Problem) -> ScramExchange.Binding {
        let (isBoundOffered, isPlainOffered) = (
            mechanisms.contains(Array(ScramExchange.bound.utf8)), mechanisms.contains(Array(ScramExchange.plain.utf8))
        )
        if isBoundOffered, let endPoint { return .serverEndPoint(endPoint) }
        guard bindingDemand != .require else { throw .notBound }
        guard isPlainOffered else { throw .noMechanism }
        // A server that can bind refuses this: then somebody between us has taken its offer away.
        return endPoint == nil ? .none : .notOffered
    }

    private static func scram<Answer>(_ body: () throws(ScramExchange.Problem) -> Answer) throws(Problem) -> Answer {
        do { return try body() } catch { throw .scram(error) }
    }
}
