import Access
import Functions
import JSON
import Network
import Project
import Synchronization

/// Functions that are called over HTTP: the paths of REST APIs, and URLs of their own.
final class GatewayRoute: CloudService {
    /// At which paths which functions are called, and who tells users apart there.
    private struct Paths: Sendable {
        let table: GatewayTable
        let users: GatewayUsers

        init(_ configuration: Configuration, _ users: GatewayUsers) {
            table = GatewayTable(configuration.functions)
            self.users = users
        }
    }

    private let paths: Mutex<Paths>
    private let addresses: FunctionAddresses
    private let apiSigners: SignerCheck
    private let urlSigners: SignerCheck
    private let forwarding: Forwarding

    /// How long a call may take, as at API Gateway.
    private static let timeoutMilliseconds = 29_000

    init(
        _ configuration: Configuration, _ addresses: FunctionAddresses, _ given: GivenCredentials,
        _ users: GatewayUsers
    ) {
        paths = Mutex(Paths(configuration, users))
        self.addresses = addresses
        apiSigners = SignerCheck(configuration.administrators, given, service: "execute-api", region: nil)
        urlSigners = SignerCheck(configuration.administrators, given, service: "lambda", region: nil)
        forwarding = Forwarding(configuration.proxies)
    }

    private var table: GatewayTable { paths.withLock { $0.table } }
    private var users: GatewayUsers { paths.withLock { $0.users } }

    /// Goes on with the paths of another configuration's functions.
    func adopt(_ configuration: Configuration, _ users: GatewayUsers) {
        let next = Paths(configuration, users)
        paths.withLock { $0 = next }
    }

    var route: Route { .gateway }
    var signedServices: [String] { ["execute-api"] }

    func isAt(_ head: HTTPRequestHead) -> Bool { table.isPlace(head.encodedPath) }

    func reception(_ head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        let place: GatewayTable.Place
        switch table.place(of: head.encodedPath, by: head.methodText) {
        case nil: return .answer(Self.refusal(404, "Not Found"))
        case .api? where head.method == .options, .nowhere? where head.method == .options:
            return .answer(Self.preflight)
        case .nowhere(.version1)?: return .answer(Self.refusal(403, "Missing Authentication Token"))
        case .nowhere(.version2)?: return .answer(Self.refusal(404, "Not Found"))
        case let found?: place = found
        }
        return .compute(bodyMax: RuntimeLimits.payloadBytesMax) { [self] request in
            .whileWaited { await self.answer(request, place, shard(request.loop).callers.outside) }
        }
    }

    private func answer(
        _ request: HTTPRequest, _ place: GatewayTable.Place, _ outside: any OutsideService
    ) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return Self.refusal(500, "Internal server error") }
        let function: String
        let event: @Sendable () -> JSONValue
        var isRest = true
        do throws(Refusal) {
            switch place {
            case .nowhere: return Self.refusal(404, "Not Found")
            case .api(let path, let target):
                function = target.function
                let caller = try await caller(of: request, body, at: target.path, outside)
                let proxy = proxy(request, body, path, caller)
                event = { target.path.event == .version1 ? proxy.version1(target.match) : proxy.version2(target) }
            case .url(_, let path, let name, let isOpen):
                var caller = ProxyEvent.Caller.anyone
                if !isOpen {
                    let principal = try urlSigners.principal(
                        of: request.credentials(body: body), now: Timestamp.now.seconds)
                    guard principal.role == .administrator else {
                        throw .accessDenied(principal.userARN, action: "lambda:InvokeFunctionUrl")
                    }
                    let demand = RightsDemand("lambda:InvokeFunctionUrl", oneOf: addresses.resources(of: name))
                    if let refusal = principal.rights?.refusal(of: [demand], of: "lambda", "InvokeFunctionUrl") {
                        throw refusal
                    }
                    caller = .principal(principal)
                }
                (isRest, function) = (false, name)
                let proxy = proxy(request, body, path, caller)
                event = { proxy.version2(nil) }
            }
        } catch {
            // Who shows a token is told less than who signs.
            var isForUsers = false
            if case .api(_, let target) = place { isForUsers = target.path.scopes != nil }
            var answer = isForUsers ? Self.refusal(401, "Unauthorized") : Self.refusal(403, error.message)
            answer.fields.append("x-amzn-errortype", error.errorType)
            answer.reason = error.reason ?? error.message
            return answer
        }
        let payload = await Self.made(of: body.count) { JSONWriter.bytes(of: event()) }
        return await call(function, payload, isRest: isRest, outside)
    }

    /// The caller of a path; refuses those without the right.
    private func caller(
        of request: HTTPRequest, _ body: [UInt8], at path: RestPath, _ outside: any OutsideService
    ) async throws(Refusal) -> ProxyEvent.Caller {
        if let scopes = path.scopes {
            return .user(try await users.user(of: request, body, scopes, path.event, outside))
        }
        guard path.allowed != nil else { return .anyone }
        let principal = try apiSigners.principal(of: request.credentials(body: body), now: Timestamp.now.seconds)
        guard path.admits(principal, request.head.methodText) else {
            throw .accessDenied(principal.userARN, action: "execute-api:Invoke")
        }
        // A stage and a deployment's own name for the API are unknown here: any will do.
        let place = PolicyResource("execute-api", "\(path.api)/", "*/\(request.head.methodText)\(request.head.path)")
        let demand = RightsDemand("execute-api:Invoke", place)
        if let refusal = principal.rights?.refusal(of: [demand], of: "execute-api", "Invoke") { throw refusal }
        return .principal(principal)
    }

    private func proxy(
        _ request: HTTPRequest, _ body: [UInt8], _ path: String, _ caller: ProxyEvent.Caller
    ) -> ProxyEvent {
        ProxyEvent(
            request: request, body: body, path: path,
            host: forwarding.authority(of: request.head, from: request.peer) ?? request.head.authority ?? "",
            address: forwarding.client(of: request.head, from: request.peer), caller: caller)
    }

    private func call(
        _ function: String, _ payload: [UInt8], isRest: Bool, _ outside: any OutsideService
    ) async -> HTTPResponse {
        let failure = isRest ? "Internal server error" : "Internal Server Error"
        guard let address = addresses.address(of: function) else { return Self.refusal(502, failure) }
        let call = FunctionInvocation(
            address, payload, timeoutMilliseconds: Self.timeoutMilliseconds,
            answerBytesMax: RuntimeLimits.payloadBytesMax)
        let isSandboxed = table.isSandboxed(function)
        do throws(OutsideError) {
            let answer = try await outside.invoke(call)
            guard answer.status == 200, answer.field("x-amz-function-error") == nil,
                let response = await Self.made(
                    of: answer.body.count,
                    { ProxyAnswer.response(answer.body, isLenient: !isRest, isSandboxed: isSandboxed) })
            else { return Self.refusal(502, failure) }
            return response
        } catch {
            if case .timedOut = error { return Self.refusal(504, "Endpoint request timed out") }
            var answer = Self.refusal(502, failure)
            answer.reason = "\(error)"
            return answer
        }
    }

    /// Makes a text of bytes: beside the loop where they are many, since each may need an escape.
    private static func made<Value: Sendable>(of count: Int, _ make: @escaping @Sendable () -> Value) async -> Value {
        count <= bytesAtOnceMax ? make() : await Task.detached { make() }.value
    }

    private static let bytesAtOnceMax = 128 << 10

    // MARK: Answers of its own

    func refusal(of error: HTTPParseError) -> HTTPResponse { Self.refusal(error.status.code, "\(error)") }

    private static let pageFields = HTTPFieldLines([
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token",
        "access-control-allow-methods": "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT",
        "access-control-expose-headers": "Date,X-Amzn-ErrorType",
    ])

    private static let preflight = HTTPResponse(fields: pageFields)

    private static func refusal(_ status: Int, _ message: String) -> HTTPResponse {
        var fields = pageFields
        fields.append("content-type", "application/json")
        fields.append("cache-control", "no-store")
        var answer = HTTPResponse(
            status: HTTPStatus(code: status), fields: fields,
            body: .bytes(JSONWriter.bytes(of: ["message": .string(message)])))
        answer.reason = message
        return answer
    }
}
