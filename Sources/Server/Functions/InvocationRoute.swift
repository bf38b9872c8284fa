import Access
import Crypto
import Functions
import JSON
import Network
import UserPool

/// Calls of functions as Lambda's SDKs make them: `POST /2015-03-31/functions/NAME/invocations`, signed by an administrator or by
/// one of the app's functions.
struct InvocationRoute: CloudService {
    private let addresses: FunctionAddresses
    private let functions: RunningFunctions?
    private let callers: AdministratorCheck

    private static let start = "/2015-03-31/functions/"
    private static let end = "/invocations"
    private static let service = "lambda"
    /// How long a function at a URL may take.
    private static let urlMilliseconds = RuntimeLimits.timeoutSeconds.upperBound * 1_000

    init(_ addresses: FunctionAddresses, _ functions: RunningFunctions?, _ callers: ServiceCallers) {
        self.addresses = addresses
        self.functions = functions
        self.callers = callers.of(Self.service)
    }

    var route: Route { .functions }

    func isAt(_ head: HTTPRequestHead) -> Bool { Self.function(of: head) != nil }

    /// The function that a request is to call; nil: it is no call.
    private static func function(of head: HTTPRequestHead) -> String? {
        let path = head.path
        guard path.hasPrefix(start), path.hasSuffix(end), path.utf8.count > start.utf8.count + end.utf8.count else {
            return nil
        }
        let text = path.dropFirst(start.count).dropLast(end.count)
        return text.contains("/") ? nil : FunctionAddresses.bareName(of: String(text))
    }

    func reception(_ head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard let name = Self.function(of: head) else {
            return .answer(Self.refusal(404, "ResourceNotFoundException", "Functions are called at other paths."))
        }
        guard head.method == .post else {
            var answer = Self.refusal(405, "MethodNotAllowedException", "Functions are called by POST.")
            answer.fields.append("allow", "POST, OPTIONS")
            return .answer(answer)
        }
        // Six megabytes are not read for nobody.
        guard head.fields.contains("authorization") else {
            return .answer(Self.refusal(403, "MissingAuthenticationTokenException", "Missing Authentication Token"))
        }
        return .compute(bodyMax: RuntimeLimits.payloadBytesMax) { request in
            .whileWaited { await answer(request, name, shard(request.loop).callers.outside) }
        }
    }

    private func answer(_ request: HTTPRequest, _ name: String, _ outside: any OutsideService) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return Self.refusal(500, "ServiceException", "No body") }
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: "InvokeFunction", now: Timestamp.now.seconds
        ) { [RightsDemand("lambda:InvokeFunction", oneOf: addresses.resources(of: name))] }
        if let refusal {
            var answer = Self.refusal(403, refusal.errorType, refusal.message)
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        guard let address = addresses.address(of: name) else {
            return Self.refusal(
                404, "ResourceNotFoundException",
                "Function not found: \(name)")
        }
        // A project calls some by several names.
        let name = FunctionAddress.name(in: address) ?? name
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
            let told = fields["x-amz-client-context"]
            let context = told.flatMap { Base64.bytes(of: $0.utf8, .standard) }.flatMap {
                String(validating: $0, as: UTF8.self)
            }
            guard told == nil || context.flatMap({ try? JSONReader.value(of: Array($0.utf8)) }) != nil else {
                return Self.refusal(
                    400, "InvalidRequestContentException", "Client context must be a valid Base64-encoded JSON object.")
            }
            return await call(
                name, address, payload, context: context, tellsLog: fields["x-amz-log-type"] == "Tail", outside)
        case let other:
            return Self.refusal(
                400, "InvalidParameterValueException", "There is no invocation type \(other)")
        }
    }

    // MARK: Calls

    private func call(
        _ name: String, _ address: String, _ payload: [UInt8], context: String?, tellsLog: Bool,
        _ outside: any OutsideService
    ) async -> HTTPResponse {
        guard let functions, functions.functions.has(name) else {
            return await callAtURL(
                FunctionInvocation(
                    address, payload, timeoutMilliseconds: Self.urlMilliseconds,
                    answerBytesMax: RuntimeLimits.payloadBytesMax), outside)
        }
        let answer = await functions.functions.invoke(FunctionRequest(name, payload, clientContext: context))
        var fields = Self.fields
        if tellsLog { fields.append("x-amz-log-result", Base64.text(of: answer.tail, .standard)) }
        switch answer.outcome {
        case .result(let body): return HTTPResponse(fields: fields, body: .bytes(body))
        case .failed(let error):
            fields.append("x-amz-function-error", "Unhandled")
            return HTTPResponse(fields: fields, body: .bytes(error))
        case .refused(let refusal): return Self.refusal(of: refusal)
        case .givenUp: return Self.refusal(500, "ServiceException", "The caller has gone")
        }
    }

    private func callAtURL(_ call: FunctionInvocation, _ outside: any OutsideService) async -> HTTPResponse {
        do throws(OutsideError) {
            let response = try await outside.invoke(call)
            guard (200..<300).contains(response.status) else {
                return Self.refusal(500, "ServiceException", "The function answers with status \(response.status)")
            }
            var fields = Self.fields
            if let kind = response.field("x-amz-function-error") { fields.append("x-amz-function-error", kind) }
            return HTTPResponse(fields: fields, body: .bytes(response.body))
        } catch {
            return Self.refusal(500, "ServiceException", "The function cannot be called")
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
            guard answer.status == .ok else { return answer }
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
