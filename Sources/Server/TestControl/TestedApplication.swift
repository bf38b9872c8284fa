import Console
import JSON
import Network

/// What is served under tests: the application, with what tests may ask for before it, with faults where a rule says so, and with a
/// list of what was received.
final class TestedApplication: HTTPApplication {
    private let application: Application
    private let control: TestControl
    private let route: TestControlRoute

    /// The body of a request that a fault delays and that the application has refused by its head.
    private static let refusedBodyBytesMax = 1 << 20

    init(_ application: Application, _ control: TestControl) {
        self.application = application
        self.control = control
        route = TestControlRoute(control)
    }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        control.use.note()
        if TestPlace.isBelow(head), !Console.isBelow(head) {
            mark = Route.testControl.rawValue
            return route.reception(head, from: peer)
        }
        switch application.receive(head, from: peer, isSecure: isSecure, mark: &mark) {
        case .compute(let bodyMax, let compute):
            return .compute(bodyMax: bodyMax) { [self] request in
                guard let fault = fault(for: request) else { return compute(request) }
                return .later { [self] in await response(to: request, with: fault) { await compute(request).response() }
                }
            }
        case .collect(let bodyMax, let handler):
            return .collect(bodyMax: bodyMax) { [self] request in
                guard let fault = fault(for: request) else { return await handler(request) }
                return await response(to: request, with: fault) { await handler(request) }
            }
        case .stream(let bodyMax, let handler):
            guard let fault = control.faults.fault(for: subject(head)) else {
                return .stream(bodyMax: bodyMax, handler)
            }
            return .stream(bodyMax: bodyMax) { [self] request in
                await response(to: request, with: fault) { await handler(request) }
            }
        case .answer(let answer):
            guard let fault = control.faults.fault(for: subject(head)) else { return .answer(answer) }
            return .collect(bodyMax: Self.refusedBodyBytesMax) { [self] request in
                await response(to: request, with: fault) { answer }
            }
        case .upgrade(let upgrade):
            // What becomes a WebSocket is not delayed.
            guard let fault = control.faults.fault(for: subject(head)), let response = response(to: head, with: fault)
            else { return .upgrade(upgrade) }
            return .answer(response)
        }
    }

    // MARK: Faults

    private func subject(_ head: HTTPRequestHead) -> FaultSubject {
        FaultSubject(method: head.methodText, path: head.path, target: head.fields["x-amz-target"])
    }

    /// What happens to a request whose body has come. It is noted here, for the list.
    private func fault(for request: HTTPRequest) -> FaultRule? {
        var subject = subject(request.head)
        if Route.of(request.head) == .graphql, case .bytes(let sent) = request.body {
            let body = request.head.method == .post ? sent : GraphQLQuery.body(of: request.head.query)
            if let operation = ReceivedOperation(body: body) {
                subject.operation = operation
                control.requests.began(request.identifier, operation)
            }
        }
        if Route.of(request.head) == .channels, case .bytes(let sent) = request.body,
            let publish = ReceivedPublish(body: sent)
        {
            control.requests.began(request.identifier, publish)
        }
        return control.faults.fault(for: subject)
    }

    private func response(
        to request: HTTPRequest, with fault: FaultRule, _ answer: () async -> HTTPResponse
    ) async -> HTTPResponse {
        if fault.delayMilliseconds > 0 { await Self.pause(milliseconds: fault.delayMilliseconds, on: request.loop) }
        if let response = response(to: request.head, with: fault) { return response }
        return await answer()
    }

    /// What a fault has in the place of an answer; nil where it only comes later.
    private func response(to head: HTTPRequestHead, with fault: FaultRule) -> HTTPResponse? {
        switch fault.outcome {
        case .goOn, .lose: return nil
        case .throttle: return application.throttled(head)
        case .close:
            var response = HTTPResponse()
            response.dropsConnection = true
            return response
        case .answer(let status, let body, let type):
            var fields = application.fieldsForPages(head)
            fields.append("content-type", type)
            fields.append("cache-control", "no-store")
            return HTTPResponse(status: HTTPStatus(code: status), fields: fields, body: .bytes(body))
        }
    }

    private static func pause(milliseconds: Int64, on loop: EventLoop) async {
        await withCheckedContinuation { continuation in
            _ = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: Int(milliseconds))) {
                continuation.resume()
            }
        }
    }

    // MARK: What the application hears as ever

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        guard let head, TestPlace.isBelow(head), error.status == .contentTooLarge, let place = TestPlace(head.path)
        else {
            return application.answer(to: error, for: head)
        }
        return ErrorAnswer.test("The body of \(head.path) has \(place.bodyBytesMax) bytes at most.", status: 413)
            .response(HTTPFieldLines())
    }

    func finished(_ exchange: HTTPExchange) {
        control.requests.ended(exchange)
        application.finished(exchange)
    }

    func connectionOpened(on loop: Int) { application.connectionOpened(on: loop) }
    func connectionUpgraded(on loop: Int) {
        control.use.opened()
        application.connectionUpgraded(on: loop)
    }
    func connectionClosed(on loop: Int, wasUpgraded: Bool) {
        if wasUpgraded { control.use.closed() }
        application.connectionClosed(on: loop, wasUpgraded: wasUpgraded)
    }
}
