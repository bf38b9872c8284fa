import Access
import Cloud
import JSON
import Network
import Outbox

/// SES and SNS over HTTP: told apart from all others by the service in the scope of the signature, and by the paths of SES's newer API.
struct OutboxRoute: CloudService {
    private let mails: MailService
    private let notices: NoticeService
    private let mailCallers: AdministratorCheck
    private let noticeCallers: AdministratorCheck

    private enum Service: String, CaseIterable {
        case mail = "ses"
        case notices = "sns"

        var namespace: String {
            switch self {
            case .mail: "http://ses.amazonaws.com/doc/2010-12-01/"
            case .notices: "http://sns.amazonaws.com/doc/2010-03-31/"
            }
        }

        /// The services' names of a refusal.
        func code(of refusal: Refusal) -> String {
            self == .notices && refusal.formCode == "AccessDenied" ? "AuthorizationError" : refusal.formCode
        }
    }

    init(_ outbox: Outbox, _ addresses: FunctionAddresses, _ callers: ServiceCallers) {
        mails = MailService(outbox)
        notices = NoticeService(outbox) { addresses.address(of: $0) }
        mailCallers = callers.of(Service.mail.rawValue)
        noticeCallers = callers.of(Service.notices.rawValue)
    }

    var route: Route { .outbox }
    var scopes: [String] { Service.allCases.map(\.rawValue) }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        // Mails, templates and filters are long, and none of them needs a loop.
        .collect(bodyMax: OutboxLimits.bodyBytesMax) { request in await BesideLoop.always { await answer(request) } }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.json(error.status.code, "BadRequestException", "\(error)")
    }

    private static func service(of head: HTTPRequestHead) -> Service? {
        let name = head.fields.withValue(of: "authorization") { text in
            SignatureHeader.service(in: text).map { String(decoding: $0, as: UTF8.self) }
        }
        return (name ?? nil).flatMap { Service(rawValue: $0) }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let service = Self.service(of: request.head), case .bytes(let body) = request.body else {
            return ErrorAnswer.notFound(request.head.path).response(HTTPFieldLines())
        }
        return service == .mail && MailService.isPath(request.head.path)
            ? await answerPath(request, body) : await answerForm(request, body, of: service)
    }

    private static func demands(_ demand: OutboxDemand, of service: Service) -> [RightsDemand] {
        let resources = demand.places.map { PolicyResource(service.rawValue, $0) }
        return demand.actions.map { action in
            RightsDemand(
                "\(service.rawValue):\(action)", oneOf: resources.isEmpty ? [.all(of: service.rawValue)] : resources)
        }
    }

    // MARK: Forms

    private func answerForm(_ request: HTTPRequest, _ body: [UInt8], of service: Service) async -> HTTPResponse {
        let answer = QueryAnswer(namespace: service.namespace, identifier: request.identifier)
        guard request.head.method == .post else {
            return answer.refusal(405, "InvalidAction", "The service is called by POST.")
        }
        let parameters = HTTPPercentCoding.parameters(
            of: String(decoding: body, as: UTF8.self), max: OutboxLimits.parametersMax + 1)
        let action = parameters.first { $0.name == "Action" }?.value ?? ""
        let callers = service == .mail ? mailCallers : noticeCallers
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: action, now: Timestamp.now.seconds
        ) {
            Self.demands(
                service == .mail
                    ? MailService.demand(action, parameters) : NoticeService.demand(action, parameters), of: service)
        }
        if let refusal { return answer.refusal(403, service.code(of: refusal), refusal.message) }
        do throws(OutboxError) {
            let content =
                service == .mail
                ? try await mails.answer(action, parameters) : try await notices.answer(action, parameters)
            return answer.success(action, content)
        } catch {
            return answer.refusal(error.status, error.code, error.message)
        }
    }

    // MARK: Paths

    private func answerPath(_ request: HTTPRequest, _ body: [UInt8]) async -> HTTPResponse {
        let head = request.head
        let demand = { MailService.demand(head.methodText, path: head.path, body) }
        let refusal = mailCallers.refusal(
            of: request.credentials(body: body), for: "SendEmail", now: Timestamp.now.seconds
        ) { Self.demands(demand(), of: .mail) }
        if let refusal { return Self.json(403, refusal.errorType, refusal.message) }
        do throws(OutboxError) {
            let content = try await mails.answer(
                head.methodText, head.path, HTTPPercentCoding.parameters(of: head.query), body)
            return Self.json(HTTPStatus.ok, content)
        } catch {
            return Self.json(error.status, error.code, error.message)
        }
    }

    private static func json(_ status: HTTPStatus, _ content: JSONObject) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: HTTPFieldLines(["content-type": "application/json", "cache-control": "no-store"]),
            body: .bytes(JSONWriter.bytes(of: .object(content))))
    }

    private static func json(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        var answer = json(HTTPStatus(code: status), JSONObject([("message", .string(message))]))
        answer.fields.append("x-amzn-errortype", type)
        answer.reason = message
        return answer
    }
}
