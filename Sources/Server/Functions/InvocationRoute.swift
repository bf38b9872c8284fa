import Access
import Crypto
import Functions
import JSON
import Language
import Network
import UserPool

/// Lambda's API, as its SDKs call it: functions are called and told of (`LambdaCall`), for administrators, for the app's functions, and for
/// identities of the pool whose role the project gives that.
struct InvocationRoute: CloudService {
    private let addresses: FunctionAddresses
    private let functions: RunningFunctions?
    private let callers: AdministratorCheck
    private let identities: SignerCheck?
    private let description: LambdaDescription

    private static let service = "lambda"
    /// How long a function at a URL may take.
    private static let urlMilliseconds = RuntimeLimits.timeoutSeconds.upperBound * 1_000

    /// - Parameter identities: who gives keys to identities of the pool; nil: nobody does.
    init(
        _ addresses: FunctionAddresses, _ functions: RunningFunctions?, _ callers: ServiceCallers,
        identities: (any TemporaryCredentials)?, region: String
    ) {
        self.addresses = addresses
        self.functions = functions
        self.callers = callers.of(Self.service)
        self.identities = identities.map { SignerCheck([], $0, service: Self.service, region: nil) }
        description = LambdaDescription(functions: functions, region: region)
    }

    var route: Route { .functions }
    var signedServices: [String] { [Self.service] }
    /// Calls are known by their paths.
    var isPartial: Bool { true }

    func isAt(_ head: HTTPRequestHead) -> Bool { LambdaCall(head) != nil }

    func reception(_ head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard let call = LambdaCall(head) else {
            return .answer(Self.refusal(404, "ResourceNotFoundException", "Functions are called at other paths."))
        }
        guard head.method == call.method else {
            var answer = Self.refusal(405, "MethodNotAllowedException", "Functions are called by POST.")
            answer.fields.append("allow", "POST, OPTIONS")
            return .answer(answer)
        }
        // Six megabytes are not read for nobody.
        guard head.fields.contains("authorization") else {
            return .answer(Self.refusal(403, "MissingAuthenticationTokenException", "Missing Authentication Token"))
        }
        return .compute(bodyMax: RuntimeLimits.payloadBytesMax) { request in
            .whileWaited { await answer(request, call, shard(request.loop).callers.outside) }
        }
    }

    private func answer(
        _ request: HTTPRequest, _ call: LambdaCall, _ outside: any OutsideService
    ) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return Self.refusal(500, "ServiceException", "No body") }
        if let refusal = refusal(of: request.credentials(body: body), call) {
            var answer = Self.refusal(403, refusal.errorType, refusal.message)
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        guard let said = call.function else { return list(request.head) }
        guard let address = addresses.address(of: said) else {
            return Self.refusal(
                404, "ResourceNotFoundException",
                "Function not found: \(said)")
        }
        // A project calls some by several names.
        let name = FunctionAddress.name(in: address) ?? said
        switch call {
        case .invoke, .list: break
        case .stream: return await stream(request, name, address, body, outside)
        case .configuration: return Self.told(description.configuration(of: name))
        case .function:
            return Self.told(
                JSONObject([
                    ("Configuration", .object(description.configuration(of: name))), ("Code", [:]), ("Tags", [:]),
                ])
            )
        }
        let payload = body.isEmpty ? Array("{}".utf8) : body
        guard (try? JSONReader.value(of: payload)) != nil else {
            return Self.refusal(
                400, "InvalidRequestContentException", "Could not parse request body into json")
        }
        let fields = request.head.fields
        switch fields["x-amz-invocation-type"] ?? "RequestResponse" {
        case "DryRun": return HTTPResponse(status: HTTPStatus(code: 204))
        case "Event": return await begin(name, address, payload, outside)
        case "RequestResponse":
            let context = Self.context(of: fields)
            guard !context.isWrong else { return Self.wrongContext }
            return Self.response(
                await self.call(
                    name, address, payload, context: context.text, tellsLog: fields["x-amz-log-type"] == "Tail", outside
                ))
        case let other:
            return Self.refusal(
                400, "InvalidParameterValueException", "There is no invocation type \(other)")
        }
    }

    private func refusal(of request: CredentialRequest, _ call: LambdaCall) -> Refusal? {
        let now = Timestamp.now.seconds
        let action = "\(Self.service):\(call.operation)"
        let resources = call.function.map { addresses.resources(of: $0) } ?? [.all(of: Self.service)]
        let refusal = callers.refusal(of: request, for: call.operation, now: now) {
            [RightsDemand(action, oneOf: resources)]
        }
        // A key that no administrator and no function has may be an identity's.
        guard let refusal, refusal.isOfUnknownKey, let identities, let functions else { return refusal }
        do throws(Refusal) {
            let principal = try identities.principal(of: request, now: now)
            return functions.roles.identityRights.refusal(of: action, onOneOf: resources, by: principal)
        } catch {
            return error
        }
    }

    private static func context(of fields: HTTPFields) -> (text: String?, isWrong: Bool) {
        guard let told = fields["x-amz-client-context"] else { return (nil, false) }
        let text = Base64.bytes(of: told.utf8, .standard).flatMap { String(validating: $0, as: UTF8.self) }
        return (text, text.flatMap { try? JSONReader.value(of: Array($0.utf8)) } == nil)
    }

    private static var wrongContext: HTTPResponse {
        refusal(400, "InvalidRequestContentException", "Client context must be a valid Base64-encoded JSON object.")
    }

    // MARK: What is told of functions

    private func list(_ head: HTTPRequestHead) -> HTTPResponse {
        let parameters = HTTPPercentCoding.parameters(of: head.query, max: Self.parametersMax)
        func parameter(_ name: String) -> String? {
            parameters.first { ByteText($0.name) == ByteText(name) }.flatMap { $0.value.isEmpty ? nil : $0.value }
        }
        do throws(LambdaDescription.Fault) {
            return Self.told(try description.list(marker: parameter("Marker"), max: parameter("MaxItems")))
        } catch {
            return Self.refusal(400, "InvalidParameterValueException", error.message)
        }
    }

    private static let parametersMax = 16

    private static func told(_ object: JSONObject) -> HTTPResponse {
        HTTPResponse(
            fields: HTTPFieldLines(["content-type": "application/json", "cache-control": "no-store"]),
            body: .bytes(JSONWriter.bytes(of: .object(object))))
    }

    // MARK: Calls

    /// The result as messages of a stream, with one behind them that says how it went.
    private func stream(
        _ request: HTTPRequest, _ name: String, _ address: String, _ body: [UInt8], _ outside: any OutsideService
    ) async -> HTTPResponse {
        let fields = request.head.fields
        let context = Self.context(of: fields)
        guard !context.isWrong else { return Self.wrongContext }
        let payload = body.isEmpty ? Array("{}".utf8) : body
        guard (try? JSONReader.value(of: payload)) != nil else {
            return Self.refusal(400, "InvalidRequestContentException", "Could not parse request body into json")
        }
        if fields["x-amz-invocation-type"] == "DryRun" { return HTTPResponse(status: HTTPStatus(code: 204)) }
        let called = await call(
            name, address, payload, context: context.text, tellsLog: fields["x-amz-log-type"] == "Tail", outside)
        guard case .done(let result, let error, let log) = called else { return Self.response(called) }
        var messages: [UInt8] = []
        var end = JSONObject()
        if let error {
            end.set("ErrorCode", to: .string(error))
            end.set("ErrorDetails", to: .string(String(decoding: result, as: UTF8.self)))
        } else {
            for start in stride(from: 0, to: result.count, by: Self.chunkBytesMax) {
                let chunk = Array(result[start..<min(start + Self.chunkBytesMax, result.count)])
                messages += EventStreamMessage(event: "PayloadChunk", bytes: chunk).bytes
            }
        }
        if let log { end.set("LogResult", to: .string(log)) }
        messages += EventStreamMessage(event: "InvokeComplete", .object(end)).bytes
        var told = HTTPFieldLines(["x-amz-executed-version": "$LATEST", "cache-control": "no-store"])
        told.append("content-type", EventStreamMessage.contentType)
        return HTTPResponse(fields: told, body: .bytes(messages))
    }

    /// SDKs read messages of up to 16 MB.
    private static let chunkBytesMax = 1 << 20

    /// The result of a call.
    private enum Called {
        /// - error: the kind of the function's own error, which the body is then.
        case done(body: [UInt8], error: String?, log: String?)
        case refused(HTTPResponse)
    }

    private func call(
        _ name: String, _ address: String, _ payload: [UInt8], context: String?, tellsLog: Bool,
        _ outside: any OutsideService
    ) async -> Called {
        guard let functions, functions.functions.has(name) else {
            return await callAtURL(
                FunctionInvocation(
                    address, payload, timeoutMilliseconds: Self.urlMilliseconds,
                    answerBytesMax: RuntimeLimits.payloadBytesMax), outside)
        }
        let answer = await functions.functions.invoke(FunctionRequest(name, payload, clientContext: context))
        let log = tellsLog ? Base64.text(of: answer.tail, .standard) : nil
        switch answer.outcome {
        case .result(let body): return .done(body: body, error: nil, log: log)
        case .failed(let error): return .done(body: error, error: Self.unhandled, log: log)
        case .refused(let refusal): return .refused(Self.refusal(of: refusal))
        case .givenUp: return .refused(Self.refusal(500, "ServiceException", "The caller has gone"))
        }
    }

    private static let unhandled = "Unhandled"

    private func callAtURL(_ call: FunctionInvocation, _ outside: any OutsideService) async -> Called {
        do throws(OutsideError) {
            let response = try await outside.invoke(call)
            guard (200..<300).contains(response.status) else {
                return .refused(
                    Self.refusal(500, "ServiceException", "The function answers with status \(response.status)"))
            }
            return .done(body: response.body, error: response.field("x-amz-function-error"), log: nil)
        } catch {
            return .refused(Self.refusal(500, "ServiceException", "The function cannot be called"))
        }
    }

    private static func response(_ called: Called) -> HTTPResponse {
        switch called {
        case .refused(let refusal): return refusal
        case .done(let body, let error, let log):
            var fields = Self.fields
            if let log { fields.append("x-amz-log-result", log) }
            if let error { fields.append("x-amz-function-error", error) }
            return HTTPResponse(fields: fields, body: .bytes(body))
        }
    }

    private func begin(
        _ name: String, _ address: String, _ payload: [UInt8], _ outside: any OutsideService
    ) async -> HTTPResponse {
        if let functions, functions.functions.has(name) {
            if let refusal = await functions.functions.invokeLater(FunctionRequest(name, payload)) {
                return Self.refusal(of: refusal)
            }
        } else {
            // Who serves it takes it as an event, and answers at once.
            let answer = await callAtURL(
                FunctionInvocation(
                    address, payload, isEvent: true, timeoutMilliseconds: Self.urlMilliseconds,
                    answerBytesMax: RuntimeLimits.payloadBytesMax), outside)
            if case .refused(let refusal) = answer { return refusal }
        }
        return HTTPResponse(status: HTTPStatus(code: 202))
    }

    // MARK: Answers

    private static let fields = HTTPFieldLines([
        "content-type": "application/json", "x-amz-executed-version": "$LATEST", "cache-control": "no-store",
    ])

    private static func refusal(of refusal: FunctionRefusal) -> HTTPResponse {
        switch refusal {
        case .notThere: Self.refusal(404, "ResourceNotFoundException", refusal.message)
        case .tooLarge: Self.refusal(413, "RequestTooLargeException", refusal.message)
        case .tooMany: Self.refusal(429, "TooManyRequestsException", "Rate Exceeded.")
        case .cannotStart, .stopping: Self.refusal(500, "ServiceException", refusal.message)
        }
    }

    /// The refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse {
        error.status == .contentTooLarge
            ? Self.refusal(
                413, "RequestTooLargeException",
                "Request must be smaller than \(RuntimeLimits.payloadBytesMax) bytes for the InvokeFunction operation")
            : Self.refusal(error.status.code, "InvalidRequestContentException", "\(error)")
    }

    private static func refusal(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        let side = status < 500 ? "User" : "Server"
        var fields = HTTPFieldLines(["content-type": "application/json", "cache-control": "no-store"])
        fields.append("x-amzn-errortype", type)
        if status == 429 { fields.append("retry-after", "1") }
        var answer = HTTPResponse(
            status: HTTPStatus(code: status), fields: fields,
            body: .bytes(
                JSONWriter.bytes(of: ["Type": .string(side), "Message": .string(message), "message": .string(message)]))
        )
        answer.reason = message
        return answer
    }
}
