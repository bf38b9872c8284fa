import JSON
import Network

/// The owner of a runtime, which gets its messages. On the loop of the functions.
protocol RuntimeHost: LoopBound {
    /// Holds a question for work.
    func isAsked(_ deliver: @escaping @Sendable (HTTPResponse) -> Void)
    func refusal(ofAnswerTo id: String) -> RuntimeRefusal?
    /// Takes an answer.
    func isAnswered(_ id: String, _ outcome: FunctionOutcome) -> RuntimeRefusal?
    /// Is told that the start has failed.
    func isTold(startError: [UInt8]) -> RuntimeRefusal?
}

/// The Runtime API of one process: a listener on a port of its own, since no request says which function it is of.
///
/// Only the process itself is to be served: pages cannot send what has no `Origin` and our own address as its host.
final class RuntimeListener: HTTPApplication, @unchecked Sendable {
    // Safe to share: `host` and `address` are touched on the loop of the functions, where all requests are answered.
    private let loop: EventLoop
    private weak var host: (any RuntimeHost)?
    private var server: HTTPServer?
    private(set) var address = ""

    init(_ host: any RuntimeHost) {
        self.host = host
        loop = host.loop
    }

    /// Begins to listen, and answers where.
    func start(report: @escaping @Sendable (SystemError) -> Void) async throws(SystemError) -> String {
        let server = HTTPServer(self, options: Self.options(report), on: [loop])
        self.server = server
        try await server.start(on: [.loopback(port: 0)])
        address = server.addresses.first?.description ?? ""
        return address
    }

    /// Ends with what is open.
    func stop() async {
        let server = server
        self.server = nil
        await server?.stop()
    }

    /// A runtime may take all its time, and is never cut off: its connection is its life.
    private static func options(_ report: @escaping @Sendable (SystemError) -> Void) -> HTTPServerOptions {
        let everMilliseconds = 30 * 86_400_000
        var limits = HTTPLimits()
        limits.headBytes = RuntimeLimits.headBytesMax
        limits.trailerBytes = RuntimeLimits.trailerBytesMax
        limits.connections = RuntimeLimits.connectionsMax
        limits.idleMilliseconds = everMilliseconds
        limits.headMilliseconds = everMilliseconds
        limits.bodyGraceMilliseconds = everMilliseconds
        limits.bodySilenceMilliseconds = everMilliseconds
        limits.answerGraceMilliseconds = everMilliseconds
        limits.writeStallMilliseconds = everMilliseconds
        limits.stopMilliseconds = 0
        var options = HTTPServerOptions(limits: limits, report: report)
        options.unreadField = "lambda-runtime-function-xray-error-cause"
        return options
    }

    // MARK: Requests

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        guard let host, head.authority == address, Self.isOfProgram(head) else {
            return .answer(Self.answer(.foreign))
        }
        guard let path = RuntimePath(head.path) else { return .answer(Self.text(404, "404 page not found\n")) }
        guard head.method == (path.isRead ? .get : .post) else { return .answer(Self.text(405, "")) }
        switch path {
        case .next:
            return .compute(bodyMax: Self.questionBytesMax) { _ in .promised { host.isAsked($0) } }
        case .response(let id):
            return .stream(bodyMax: .max) { await Self.takeResponse(to: id, $0, host) }
        case .error(let id):
            return .stream(bodyMax: .max) { await Self.takeError(of: id, $0, host) }
        case .startError:
            return .stream(bodyMax: .max) { request in
                guard let words = await RuntimeWords.read(request, bytesMax: RuntimeLimits.payloadBytesMax) else {
                    return Self.answer(.truncated)
                }
                return Self.answer(host.isTold(startError: Self.error(words, request)))
            }
        }
    }

    /// Returns whether a program sent it. A page's picture has no `Origin`, but says where it is from, and would end a process that waits.
    private static func isOfProgram(_ head: HTTPRequestHead) -> Bool {
        guard !head.fields.contains("origin") else { return false }
        if case .none = RequestingPage(of: head, at: nil) { return true }
        return false
    }

    private static let questionBytesMax = 1 << 10
    private static let modeField: StaticString = "lambda-runtime-function-response-mode"
    private static let typeField: StaticString = "lambda-runtime-function-error-type"

    private static func takeResponse(
        to id: String, _ request: HTTPRequest, _ host: any RuntimeHost
    ) async -> HTTPResponse {
        let mode = request.head.fields[modeField]
        let isStreamed = mode?.lowercased() == "streaming"
        let bytesMax = isStreamed ? RuntimeLimits.streamedBytesMax : RuntimeLimits.payloadBytesMax
        // Read to its end even where it is refused: the connection goes on.
        guard let words = await RuntimeWords.read(request, bytesMax: bytesMax) else { return answer(.truncated) }
        if let refusal = host.refusal(ofAnswerTo: id) { return answer(refusal) }
        if mode != nil, !isStreamed {
            let failure = FunctionFailure.object(
                "Runtime.InvalidResponseModeHeader", RuntimeRefusal.responseMode.message)
            return answer(host.isAnswered(id, .failed(failure)) ?? .responseMode)
        }
        if let error = words.errorBehind { return answer(host.isAnswered(id, .failed(error))) }
        guard words.count <= bytesMax else {
            let failure = FunctionFailure.tooLarge(words.count, bytesMax)
            return answer(host.isAnswered(id, .failed(failure)) ?? .tooLarge(bytesMax: bytesMax))
        }
        return answer(host.isAnswered(id, .result(words.body)))
    }

    private static func takeError(
        of id: String, _ request: HTTPRequest, _ host: any RuntimeHost
    ) async -> HTTPResponse {
        guard let words = await RuntimeWords.read(request, bytesMax: RuntimeLimits.payloadBytesMax) else {
            return answer(.truncated)
        }
        return answer(host.isAnswered(id, .failed(error(words, request))))
    }

    private static func error(_ words: RuntimeWords, _ request: HTTPRequest) -> [UInt8] {
        FunctionFailure.posted(words.body, type: request.head.fields[typeField])
    }

    // MARK: Answers

    private static func answer(_ refusal: RuntimeRefusal?) -> HTTPResponse {
        guard let refusal else { return json(202, Array("{\"status\":\"OK\"}\n".utf8)) }
        return answer(refusal)
    }

    static func answer(_ refusal: RuntimeRefusal) -> HTTPResponse {
        json(
            refusal.status,
            JSONWriter.bytes(of: ["errorMessage": .string(refusal.message), "errorType": .string(refusal.type)]))
    }

    private static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: HTTPStatus(code: status), fields: HTTPFieldLines(["content-type": "application/json"]),
            body: .bytes(body, isCompressible: false))
    }

    private static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: HTTPStatus(code: status), fields: HTTPFieldLines(["content-type": "text/plain; charset=utf-8"]),
            body: .bytes(Array(text.utf8), isCompressible: false))
    }

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        Self.text(error.status.code, "\(error)\n")
    }

    func finished(_ exchange: HTTPExchange) {}
}
