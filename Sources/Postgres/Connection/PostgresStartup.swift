import Network

/// The start of one connection: the socket, TLS, the sign-in, and what the server says of itself.
final class PostgresStartup {
    private let place: PostgresPlace
    private let settings: PostgresSettings
    private let limits: PostgresLimits
    private let notice: PostgresNotice.Hook?
    private var host: PostgresHost { place.host }

    private var parameters = PostgresServerParameters()
    private var key: (process: UInt32, secret: UInt32) = (0, 0)

    init(_ place: PostgresPlace, _ settings: PostgresSettings, limits: PostgresLimits, notice: PostgresNotice.Hook?) {
        self.place = place
        self.settings = settings
        self.limits = limits
        self.notice = notice
    }

    func connection(until deadline: MonotonicTime) throws(PostgresError) -> PostgresConnection {
        let stream = try place.open(settings, until: deadline)
        let endPoint = stream.endPoint
        var line = PostgresLine(stream, limits: limits)
        line.stream.enqueue(startMessage)
        var signIn = SignIn(
            user: settings.user, password: settings.password, methods: settings.signInMethods,
            binding: settings.channelBinding, endPoint: endPoint, roundsMax: limits.scramIterations)
        try run(&line, &signIn, until: deadline)
        try checkServer()
        return PostgresConnection(
            line, settings, limits: limits,
            cancellation: PostgresCancellation(place: place, process: key.process, secret: key.secret),
            parameters: parameters, notice: notice)
    }

    private var startMessage: [UInt8] {
        var words: [(name: String, value: String)] = [
            ("user", settings.user), ("database", settings.database),
            ("application_name", settings.applicationName), ("client_encoding", "UTF8"),
        ]
        if let options = settings.options { words.append(("options", options)) }
        var message = MessageWriter()
        // What has a zero in it would be another setting.
        message.startup(
            (words + settings.sessionParameters).filter { !$0.name.hasZero && !$0.value.hasZero })
        return message.bytes
    }

    private func run(
        _ line: inout PostgresLine, _ signIn: inout SignIn, until deadline: MonotonicTime
    ) throws(PostgresError) {
        var isAccepted = false
        for _ in 0..<limits.signInMessages {
            let message: ServerMessage
            let kind: MessageKind
            do throws(PostgresStreamError) {
                let frame = try line.frame(until: deadline)
                kind = frame.kind
                guard kind != .dataRow else { throw .violation(.unexpected(kind: kind.rawValue)) }
                message = try line.message(frame, limits: limits)
            } catch {
                throw .unavailable(host: host, reason: error.reason)
            }
            switch message {
            case .authentication(let request) where !isAccepted:
                isAccepted = try answer(request, &signIn, &line)
                if isAccepted { line.signedIn() }
            case .error(let error): throw ended(error)
            case .notice(let error): notice?(PostgresNotice(error))
            case .parameterStatus(let name, let value) where isAccepted:
                parameters.set(name, value, max: limits.serverParameters)
            case .backendKey(let process, let secret) where isAccepted: key = (process, secret)
            // It knows less than we may ask for, and we ask for nothing that it does not know.
            case .negotiateVersion where !isAccepted: continue
            case .ready(.idle) where isAccepted: return
            default: throw .unavailable(host: host, reason: .violation(.unexpected(kind: kind.rawValue)))
            }
        }
        throw .unavailable(host: host, reason: .violation(.tooManyMessages(limit: limits.signInMessages)))
    }

    /// Returns whether the sign-in is over.
    private func answer(
        _ request: AuthenticationRequest, _ signIn: inout SignIn, _ line: inout PostgresLine
    ) throws(PostgresError) -> Bool {
        let reply: SignIn.Reply
        do throws(SignIn.Problem) {
            reply = try signIn.take(request)
        } catch {
            throw .refused(host: host, reason: Self.refusal(error, limits))
        }
        var message = MessageWriter()
        switch reply {
        case .nothing: return false
        case .accepted: return true
        case .password(let text): message.password(text)
        case .saslBegin(let mechanism, let first): message.saslBegin(mechanism: mechanism, first)
        case .saslResponse(let response): message.saslResponse(response)
        }
        line.stream.enqueue(message.bytes)
        return false
    }

    private static func refusal(_ problem: SignIn.Problem, _ limits: PostgresLimits) -> PostgresError.Refusal {
        switch problem {
        case .notAllowed(let method): .methodNotAllowed(method)
        case .noPassword: .noPassword
        case .unknownMethod(let number): .unknownMethod(number)
        case .noMechanism: .noMechanism
        case .notBound: .notBound
        case .serverUnproved, .scram(.wrongSignature): .unproved
        case .scram, .unexpected: .scram
        }
    }

    /// Some refusals pass by themselves.
    private func ended(_ error: PostgresServerError) -> PostgresError {
        let passes = ["08", "53", "57P", "58", "55"].contains { error.isOf(class: $0) }
        return passes ? .unavailable(host: host, reason: .server(error)) : .refused(host: host, reason: .server(error))
    }

    private func checkServer() throws(PostgresError) {
        guard let version = parameters.majorVersion, version >= PostgresConnector.versionMin else {
            throw .refused(host: host, reason: .oldVersion(parameters["server_version"] ?? "unknown"))
        }
        let encoding = parameters["server_encoding"] ?? "unknown"
        guard encoding.utf8.elementsEqual("UTF8".utf8) else { throw .refused(host: host, reason: .encoding(encoding)) }
    }
}
