import Access
import JSON
import Language
import Network

/// Bedrock's runtime over HTTP: known by the service in the scope of the signature, or by the paths below `/model`, signed by an
/// administrator or by one of the app's functions.
///
/// It is no page's business: what it answers has no fields for other origins.
struct LanguageRoute: CloudService {
    private let language: Language
    private let callers: AdministratorCheck

    private static let service = "bedrock"
    private static let folder = "/model/"

    init(_ language: Language, _ callers: ServiceCallers) {
        self.language = language
        self.callers = callers.of(Self.service)
    }

    var route: Route { .language }
    var scopes: [String] { [Self.service] }

    func isAt(_ head: HTTPRequestHead) -> Bool { head.method == .post && Self.place(of: head.path) != nil }

    /// The operation and the model of a path: `/model/NAME/converse`, where a name may be an ARN with slashes.
    static func place(of path: String) -> (call: LanguageCall, model: String)? {
        guard path.hasPrefix(folder) else { return nil }
        for call in LanguageCall.allCases {
            let end = "/\(call.rawValue)"
            guard path.hasSuffix(end), path.utf8.count > folder.utf8.count + end.utf8.count else { continue }
            return (
                call, String(decoding: path.utf8.dropFirst(folder.utf8.count).dropLast(end.utf8.count), as: UTF8.self)
            )
        }
        return nil
    }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.refusal("MethodNotAllowedException", "Models are called by POST.", status: 405)
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        // Megabytes are not read for nobody.
        guard head.fields.contains("authorization") else {
            return .answer(
                Self.refusal("MissingAuthenticationTokenException", "Missing Authentication Token", status: 403))
        }
        return .compute(bodyMax: LanguageLimits.bodyBytesMax) { request in .whileWaited { await answer(request) } }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let place = Self.place(of: request.head.path)
        let action = place?.call.action ?? "InvokeModel"
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: action, now: Timestamp.now.seconds
        ) { [RightsDemand("\(Self.service):\(action)", oneOf: Self.resources(of: place?.model ?? "*"))] }
        if let refusal {
            var answer = Self.refusal(refusal.errorType, refusal.message, status: 403)
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        guard let place else {
            return Self.refusal(
                "UnknownOperationException", "\(request.head.path) is none of the operations that are served here.",
                status: 404)
        }
        if place.call.isStream { return await stream(place.call, of: place.model, body) }
        do throws(LanguageError) {
            let accept = request.head.fields["accept"] ?? "application/json"
            let answer = try await language.answer(place.call, of: place.model, body, accept: accept)
            return HTTPResponse(fields: Self.fields(answer.type), body: .bytes(answer.body))
        } catch {
            return Self.refusal(error)
        }
    }

    /// The names of a model in policies: a model by itself, or the profile by which it is called in several regions; those are called by
    /// their ARNs too.
    private static func resources(of model: String) -> [PolicyResource] {
        if let arn = ARN(model, of: service) { return [PolicyResource(service, arn.resource)] }
        let kinds = ["foundation-model/", "inference-profile/"].map { PolicyResource(service, $0, model) }
        // `us.anthropic.claude-…` is a model of `anthropic`.
        guard let point = model.utf8.firstIndex(of: UInt8(ascii: ".")), regions.contains(String(model[..<point])) else {
            return kinds
        }
        return kinds + [PolicyResource(service, "foundation-model/", String(model[model.utf8.index(after: point)...]))]
    }

    private static let regions = ["us", "eu", "apac", "ap", "jp", "au", "ca", "us-gov", "global"]

    /// A stream is begun with its first message: what is wrong before it has a status of its own.
    private func stream(_ call: LanguageCall, of model: String, _ body: [UInt8]) async -> HTTPResponse {
        let (messages, continuation) = AsyncStream<Result<[UInt8], LanguageError>>.makeStream()
        let telling = Task { [language] in
            defer { continuation.finish() }
            do throws(LanguageError) {
                try await language.stream(call, of: model, body) { (message) throws(LanguageError) in
                    continuation.yield(.success(message))
                }
            } catch {
                continuation.yield(.failure(error))
            }
        }
        var iterator = messages.makeAsyncIterator()
        switch await iterator.next() {
        case .failure(let error)?: return Self.refusal(error)
        case nil:
            telling.cancel()
            return Self.refusal("ModelErrorException", "The model said nothing.", status: 424)
        case .success(let first)?:
            return HTTPResponse(
                fields: Self.fields(EventStreamMessage.contentType),
                body: .stream(length: nil) { writer in
                    defer { telling.cancel() }
                    try await writer.write(first)
                    for await message in messages {
                        switch message {
                        case .success(let bytes): try await writer.write(bytes)
                        case .failure(let error): try await writer.write(EventStreamMessage(error).bytes)
                        }
                    }
                })
        }
    }

    // MARK: Answers

    private static func fields(_ type: String) -> HTTPFieldLines {
        var fields = HTTPFieldLines(["cache-control": "no-store"])
        fields.append("content-type", type)
        return fields
    }

    private static func refusal(_ error: LanguageError) -> HTTPResponse {
        refusal(error.type, error.message, status: error.status)
    }

    private static func refusal(_ type: String, _ message: String, status: Int) -> HTTPResponse {
        var answer = HTTPResponse(
            status: HTTPStatus(code: status), fields: fields("application/json"),
            body: .bytes(JSONWriter.bytes(of: ["message": .string(message)])))
        answer.fields.append("x-amzn-errortype", type)
        answer.reason = "\(type): \(message)"
        return answer
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        Self.refusal("ValidationException", "\(error)", status: error.status.code)
    }
}
