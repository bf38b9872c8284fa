import Network
import UserPool

/// The doors of the user pool on the server's port: which of them a request is for, and who answers there.
struct SignInDoors: Sendable {
    let answers: ServiceAnswer
    /// Nil where the pool is somebody else's.
    private let signIn: SignInRoute?
    private let issuer: IssuerRoute?
    private let securityTokens: SecurityTokenRoute
    private let hosted: HostedRoute?
    private let hosts: HostCheck
    private let crossOrigin: CrossOrigin
    private let forwarding: Forwarding

    /// The services of AWS whose calls are answered here.
    static let signedServices = ["cognito-idp", "cognito-identity", SecurityTokenCalls.service]

    init(
        _ pool: UserPool?, _ configuration: Configuration, _ hosts: HostCheck, _ crossOrigin: CrossOrigin,
        functions: FunctionRoles?, given: GivenCredentials
    ) {
        let forwarding = Forwarding(configuration.proxies)
        let answers = ServiceAnswer(crossOrigin)
        (self.hosts, self.crossOrigin, self.forwarding, self.answers) = (hosts, crossOrigin, forwarding, answers)
        signIn = pool.map {
            SignInRoute($0, answers, forwarding, administrators: configuration.administrators, functions: functions)
        }
        issuer = pool.map { IssuerRoute($0, crossOrigin, forwarding) }
        securityTokens = SecurityTokenRoute(pool, crossOrigin, configuration.administrators, given)
        hosted = pool.map { HostedRoute($0, crossOrigin, forwarding) }
    }

    /// What becomes of a request that no path of the table is for: it may be for the user pool, which clients call on any path.
    ///
    /// - Parameter mark: the row of the table by which it is counted.
    func reception(
        _ head: HTTPRequestHead, from peer: SocketAddress, mark: inout Int?,
        on shard: @escaping @Sendable (EventLoop) -> LoopShard
    ) -> HTTPReception? {
        guard let route = route(of: head) else { return nil }
        mark = route.rawValue
        if signIn == nil, route == .securityTokens { return reception(ofTokens: head, on: shard) }
        guard let signIn, let issuer else {
            let message = "The user pool of this API is not this server's: sign in where auth.userPools.issuer says."
            return .answer(answers.refusal(PoolError("ResourceNotFoundException", message), head))
        }
        // A name that a proxy tells of comes into tokens like that of the request itself.
        if let told = forwarding.authority(of: head, from: peer), !hosts.accepts(told) {
            return misdirected(head, told, mark: &mark).map { .answer($0) }
        }
        switch route {
        case .signIn:
            return .collect(bodyMax: SignInRoute.bodyBytesMax) { await signIn.answer($0, on: shard($0.loop).pool) }
        case .securityTokens:
            return reception(ofTokens: head, on: shard)
        case .hosted, .oauth:
            guard let hosted, let path = HostedRoute.place(of: head) else { return nil }
            return .collect(bodyMax: HostedRoute.bodyBytesMax) {
                await hosted.answer($0, at: path, on: shard($0.loop).pool)
            }
        default:
            guard let document = issuer.document(of: head) else { return nil }
            return .collect(bodyMax: 0) { await issuer.answer(document, to: $0) }
        }
    }

    private func reception(
        ofTokens head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard
    ) -> HTTPReception {
        .collect(bodyMax: SecurityTokenRoute.bodyBytesMax) { [crossOrigin, securityTokens] in
            await securityTokens.answer($0, on: shard)
                ?? ErrorAnswer.notFound(head.path).response(crossOrigin.fields(for: head))
        }
    }

    /// Which of the pool's doors a request is for, if it is for one.
    private func route(of head: HTTPRequestHead) -> Route? {
        if SignInRoute.isTarget(head) { return .signIn }
        if let path = HostedRoute.place(of: head) { return HostedRoute.route(of: path) }
        if securityTokens.mayAnswer(head) { return .securityTokens }
        guard let issuer, head.method == .get || head.method == .head, issuer.document(of: head) != nil else {
            return nil
        }
        return .issuer
    }

    /// The refusal of a name that is none of the server's, where it would come into an issuer: the request was misdirected. Nil: it is for
    /// none of these doors.
    func misdirected(_ head: HTTPRequestHead, _ authority: String, mark: inout Int?) -> HTTPResponse? {
        guard let route = route(of: head) else { return nil }
        mark = route.rawValue
        let error = ErrorAnswer.misdirected(authority)
        return route == .signIn
            ? answers.refusal(error, head)
            : error.response(crossOrigin.fields(for: head), isOfAnyService: true)
    }
}
