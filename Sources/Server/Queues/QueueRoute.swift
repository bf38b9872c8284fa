import Access
import JSON
import Network
import Queues

/// SQS over HTTP, in both of its protocols: JSON, told by the field `x-amz-target`, and forms, told by the service in the scope of
/// their signature; on any path, since a queue's own URL is one. Signed by an administrator or by one of the app's functions.
struct QueueRoute: CloudService {
    private let service: QueueService
    private let callers: AdministratorCheck

    private static let target = "AmazonSQS"
    private static let signedService = "sqs"
    private static let namespace = "http://queue.amazonaws.com/doc/2012-11-05/"

    init(_ queues: Queues, _ callers: ServiceCallers) {
        service = QueueService(queues)
        self.callers = callers.of(Self.signedService)
    }

    var route: Route { .queues }
    var targets: [String] { [Self.target] }
    var scopes: [String] { [Self.signedService] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.json(
                405, "UnsupportedOperation", "UnsupportedOperation", "The service is called by POST.")
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        // Four megabytes are not read for nobody.
        guard head.fields.contains("authorization") else {
            return .answer(
                Self.json(
                    403, "MissingAuthenticationTokenException", "MissingAuthenticationToken",
                    "Request is missing Authentication Token"))
        }
        return .compute(bodyMax: QueueLimits.bodyBytesMax) { request in
            let endpoint = "\(request.isSecure ? "https" : "http")://\(request.head.authority ?? "127.0.0.1")"
            // What waits for messages ends when its client goes; all else is done whoever still listens.
            guard !BesideLoop.isLong(request) else {
                return .later { await BesideLoop.always { await answer(request, endpoint) } }
            }
            guard Self.mayWait(request) else { return .later { await answer(request, endpoint) } }
            return .whileWaited { await answer(request, endpoint) }
        }
    }

    private static let receiving = "ReceiveMessage"

    private static func mayWait(_ request: HTTPRequest) -> Bool {
        if let operation = operation(of: request.head) { return operation == receiving }
        guard case .bytes(let body) = request.body else { return false }
        return action(of: HTTPPercentCoding.parameters(of: String(decoding: body, as: UTF8.self))) == receiving
    }

    /// Nil: it is no call of the newer protocol.
    private static func operation(of head: HTTPRequestHead) -> String? {
        guard let text = head.fields["x-amz-target"], text.hasPrefix("\(target).") else { return nil }
        return String(text.dropFirst(target.count + 1))
    }

    private static func action(of parameters: [(name: String, value: String)]) -> String {
        parameters.first { $0.name == "Action" }?.value ?? ""
    }

    private func answer(_ request: HTTPRequest, _ endpoint: String) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let place = QueueService.Place(
            endpoint: endpoint, loop: request.loop, trace: request.head.fields["x-amzn-trace-id"])
        guard let operation = Self.operation(of: request.head) else { return await answer(request, form: body, place) }
        let limits = JSONLimits(bytesMax: QueueLimits.bodyBytesMax, nestingMax: 16)
        func read() -> JSONValue? {
            body.isEmpty ? .object(JSONObject()) : try? JSONReader.value(of: body, limits: limits)
        }
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: operation, now: Timestamp.now.seconds
        ) { QueueDemand.demands(operation, read() ?? .null) }
        if let refusal { return Self.json(403, refusal.errorType, refusal.formCode, refusal.message) }
        guard let value = read(), value.object != nil else {
            return Self.json(400, "SerializationException", "MalformedInput", "The body is no JSON object.")
        }
        do throws(QueueError) {
            let content = try await service.answer(operation, value, at: place)
            return await Self.written(content) { Self.response(.ok, .object(content)) }
        } catch {
            return Self.refusal(error)
        }
    }

    private func answer(
        _ request: HTTPRequest, form body: [UInt8], _ place: QueueService.Place
    ) async -> HTTPResponse {
        var answer = QueryAnswer(namespace: Self.namespace, identifier: request.identifier)
        answer.hasFlatLists = true
        var parameters = HTTPPercentCoding.parameters(
            of: String(decoding: body, as: UTF8.self), max: QueueLimits.parametersMax + 1)
        let action = Self.action(of: parameters)
        parameters.removeAll { ["Action", "Version"].contains($0.name) }
        // Clients of this protocol call a queue at its own path.
        if !parameters.contains(where: { $0.name == "QueueUrl" }), request.head.path != "/" {
            parameters.append(("QueueUrl", request.head.path))
        }
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: action, now: Timestamp.now.seconds
        ) {
            let input = try? QueueForm.object(of: parameters)
            return QueueDemand.demands(action, input ?? .null)
        }
        if let refusal { return answer.refusal(403, refusal.formCode, refusal.message) }
        do throws(QueueError) {
            let content = try await service.answer(action, try QueueForm.object(of: parameters), at: place)
            return await Self.written(content) { [answer] in
                answer.success(action, QueueForm.shown(content, to: action))
            }
        } catch {
            return answer.refusal(error.status, error.code, error.message)
        }
    }

    // MARK: Answers

    /// Answers with long messages are written beside the loop: each letter may need an escape.
    private static func written(
        _ content: JSONObject, _ write: @escaping @Sendable () -> HTTPResponse
    ) async -> HTTPResponse {
        let bytes = (content["Messages"]?.array ?? []).reduce(0) { $0 + ($1["Body"]?.string?.utf8.count ?? 0) }
        return bytes > BesideLoop.bytesMax ? await BesideLoop.always { write() } : write()
    }

    private static func response(_ status: HTTPStatus, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: HTTPFieldLines(["content-type": "application/x-amz-json-1.0", "cache-control": "no-store"]),
            body: .bytes(JSONWriter.bytes(of: body)))
    }

    private static func refusal(_ error: QueueError) -> HTTPResponse {
        json(error.status, error.type, error.code, error.message)
    }

    /// - Parameter code: the name that the older protocol has for it, by which many clients know it.
    private static func json(_ status: Int, _ type: String, _ code: String, _ message: String) -> HTTPResponse {
        let space = type.hasSuffix("Exception") ? "com.amazon.coral.service" : "com.amazonaws.sqs"
        var answer = response(
            HTTPStatus(code: status), ["__type": .string("\(space)#\(type)"), "message": .string(message)])
        answer.fields.append("x-amzn-query-error", "\(code);\(status < 500 ? "Sender" : "Receiver")")
        answer.reason = message
        return answer
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.json(error.status.code, "SerializationException", "MalformedInput", "\(error)")
    }
}
