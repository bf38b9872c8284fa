import Console
import Engine
import JSON
import Network
import Realtime

extension RequestOutline {
    /// The outline of a request that has ended; nil: it is no row of its own.
    ///
    /// Hot path: for the API no text is made.
    ///
    /// - Parameter action: the operation of a service that the request calls, by its head (`call`); nil: none.
    init?(_ exchange: HTTPExchange, among operations: [RootFields.Entry], calling action: String?) {
        // A WebSocket is told by what it carries.
        guard let status = exchange.status?.code, status != 101 else { return nil }
        let route = exchange.mark.flatMap(Route.init(rawValue:))
        let isOfAPI = route == .graphql && exchange.note != 0
        if !isOfAPI {
            // An event stream is told by what carries its events.
            if route == .graphql, status < 400 { return nil }
            if exchange.head?.method == .options || !Self.isRow(route, status) { return nil }
        }
        self.init(
            ended: exchange.ended, nanoseconds: exchange.ended.nanoseconds(since: exchange.began), status: status)
        (bytesIn, bytesOut) = (exchange.bodyBytesReceived, exchange.bytesSent)
        reason = exchange.reason
        if isOfAPI {
            (note, self.operations) = (exchange.note, operations)
        } else {
            call = (route?.service ?? "http", Self.name(of: exchange.head, action))
        }
    }

    /// The outline of an operation that a connection has carried.
    init(_ carried: CarriedOperation, among operations: [RootFields.Entry]) {
        self.init(ended: .now, nanoseconds: carried.nanoseconds, status: carried.status)
        (bytesOut, transport) = (carried.bytes, carried.carrier)
        (note, self.operations) = (OperationSummary(carried.note).word, operations)
    }

    /// Monitors ask again and again, and the page as well.
    private static func isRow(_ route: Route?, _ status: Int) -> Bool {
        switch route {
        case .console, .testControl: false
        case .health, .live, .ready, .ping, .metrics: status >= 400
        default: true
        }
    }

    /// The operation of a service that a request calls: the last part of `AWSCognitoIdentityProviderService.InitiateAuth`.
    static func call(_ head: HTTPRequestHead) -> String? {
        head.fields.withValue(of: "x-amz-target") { target in
            var start = target.count
            while start > 0, target[start - 1] != UInt8(ascii: ".") { start -= 1 }
            return HTTPFields.text(ofValue: UnsafeRawBufferPointer(rebasing: target[start...]))
        }
    }

    /// `InitiateAuth`, where the head says it, else the method and the path.
    private static func name(of head: HTTPRequestHead?, _ action: String?) -> String {
        guard let head else { return "no request" }
        return (action ?? "\(head.methodText) \(head.encodedPath)").shortened(to: ConsoleLimits.outlineTextBytesMax)
    }

    /// The outline of a publish to a channel that a WebSocket has carried.
    init(publishTo channel: String, carriedBy carrier: String, status: Int, nanoseconds: UInt64) {
        self.init(ended: .now, nanoseconds: nanoseconds, status: status)
        transport = carrier
        call = (Route.channels.service, "publish \(channel)".shortened(to: ConsoleLimits.outlineTextBytesMax))
    }
}

extension Route {
    /// The console's name of the service of a route.
    fileprivate var service: String {
        switch self {
        case .graphql: "API"
        case .realtime: "subscriptions"
        case .health, .live, .ready, .ping: "health"
        case .metrics: "metrics"
        case .signIn, .issuer, .hosted, .oauth: "sign-in"
        case .securityTokens: "STS"
        case .files: "files"
        case .functions: "functions"
        case .outbox: "messages"
        case .gateway: "REST"
        case .parameters: "parameters"
        case .testControl: "test control"
        case .items: "tables"
        case .queues: "queues"
        case .events: "events"
        case .workflows: "workflows"
        case .language: "models"
        case .evaluation: "evaluation"
        case .stacks: "CloudFormation"
        case .schema: "schema"
        case .keys: "keys"
        case .channels, .channelSocket: "channels"
        case .console: "console"
        }
    }
}

extension CallerKind {
    /// What Live calls a caller of whom the outline knows no more.
    fileprivate var label: String {
        switch self {
        case .none: "nobody"
        case .apiKey: "API key"
        case .userPool: "a user"
        case .openID: "OpenID Connect"
        case .iam: "IAM"
        case .lambda: "authorizer"
        }
    }
}

extension ConsoleHouse {
    func operation(_ outline: RequestOutline) -> RequestOutline.Operation? {
        guard let summary = OperationSummary(word: outline.note) else { return nil }
        var operation = RequestOutline.Operation()
        operation.caller = summary.caller.label
        operation.errorTypes = summary.errorTypes
        if summary.number != RootFields.noOperation, outline.operations.indices.contains(summary.number) {
            let entry = outline.operations[summary.number]
            (operation.kind, operation.field) = (entry.kind, entry.name)
        }
        return operation
    }
}
