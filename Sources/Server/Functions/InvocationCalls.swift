import Access
import Cloud
import Crypto
import Functions
import JSON
import Language
import Network
import UserPool

/// Lambda as a table: functions are called and described, for administrators, for the app's functions, and for identities of the pool
/// whose role the project gives that.
struct InvocationCalls: Sendable {
    private let addresses: FunctionAddresses
    private let functions: RunningFunctions?
    private let description: LambdaDescription

    static let service = "lambda"
    /// How long a function at a URL may take.
    private static let urlMilliseconds = RuntimeLimits.timeoutSeconds.upperBound * 1_000

    init(_ addresses: FunctionAddresses, _ functions: RunningFunctions?, region: String) {
        (self.addresses, self.functions) = (addresses, functions)
        description = LambdaDescription(functions: functions, region: region)
    }

    // MARK: Table

    private typealias Member = MemberShape.Member
    private static let folder = "/2015-03-31/functions"
    private static let streamFolder = "/2021-11-15/functions"
    private static let name = Member("FunctionName", .text(1...170), isRequired: true)
    private static let qualifier = Member("Qualifier", .text(1...128))
    private static let types = ["RequestResponse", "Event", "DryRun"]
    private static let invocation = [
        name, qualifier, Member("InvocationType", .choice(types)), Member("LogType", .choice(["None", "Tail"])),
        Member("ClientContext", .text(0...RuntimeLimits.payloadBytesMax)),
    ]
    private static let fields: [CallPath.FieldMember] = [
        ("InvocationType", "x-amz-invocation-type"), ("LogType", "x-amz-log-type"),
        ("ClientContext", "x-amz-client-context"),
    ]
    private static let words = ServiceWords(
        unreadable: CloudError("InvalidRequestContentException", ""), hasCapitalMessage: true, refusedStatus: 403,
        tooLong: CloudError(
            "RequestTooLargeException",
            "Request must be smaller than \(RuntimeLimits.payloadBytesMax) bytes for the InvokeFunction operation",
            status: 413), namesSide: true)

    var table: ServiceTable {
        let one = [Self.name, Self.qualifier]
        let rights: CloudOperation.Rights = { [addresses] action, input in
            [RightsDemand(action, oneOf: addresses.resources(of: input.demanded("FunctionName")))]
        }
        @Sendable func place(_ method: HTTPMethod, _ end: String = "") -> CallPath {
            CallPath(method, "\(Self.folder)/{FunctionName}\(end)")
        }
        return ServiceTable(
            "Lambda", service: Self.service, paths: [Self.folder, Self.streamFolder], isPartial: true,
            isBesideLoop: true, JSONLimits(bytesMax: RuntimeLimits.payloadBytesMax), Self.words,
            [
                CloudOperation(
                    "Invoke", as: "InvokeFunction",
                    at: CallPath(
                        .post, "\(Self.folder)/{FunctionName}/invocations", fields: Self.fields, isBodyRaw: true),
                    Self.invocation, rights: rights, respond: invoke),
                CloudOperation(
                    "InvokeWithResponseStream", as: "InvokeFunction",
                    at: CallPath(
                        .post, "\(Self.streamFolder)/{FunctionName}/response-streaming-invocations",
                        fields: Self.fields, isBodyRaw: true),
                    Self.invocation, rights: rights, respond: stream),
                CloudOperation("GetFunction", at: place(.get), one, rights: rights) {
                    (input: CallInput) async throws(CloudError) in
                    let configuration = description.configuration(of: try called(input).name)
                    return JSONObject([("Configuration", .object(configuration)), ("Code", [:]), ("Tags", [:])])
                },
                CloudOperation("GetFunctionConfiguration", at: place(.get, "/configuration"), one, rights: rights) {
                    (input: CallInput) async throws(CloudError) in
                    description.configuration(of: try called(input).name)
                },
                CloudOperation(
                    "ListFunctions", at: CallPath(.get, Self.folder),
                    [
                        Member("Marker", .text(0...1_024)),
                        Member("MaxItems", .integer(1...LambdaDescription.listUpper)),
                        Member("FunctionVersion", .choice(["ALL"])), Member("MasterRegion", .text(0...50)),
                    ]
                ) { (input: CallInput) async throws(CloudError) in
                    description.list(marker: input.given("Marker"), max: input.integer("MaxItems"))
                },
            ])
    }

    /// The decision on identities of the pool, whose keys no administrator and no function has. Nil: nobody gives keys to them.
    ///
    /// - Parameter identities: who gives them.
    func others(_ identities: (any TemporaryCredentials)?) -> ServiceDoor.Others? {
        guard let identities, let functions else { return nil }
        let signers = SignerCheck([], identities, service: Self.service, region: nil)
        return { request, demands, now in
            do throws(Refusal) {
                let principal = try signers.principal(of: request, now: now)
                let refusals = demands.lazy.compactMap { demand in
                    functions.roles.identityRights.refusal(
                        of: demand.action, onOneOf: demand.resources, by: principal)
                }
                return demands.isEmpty
                    ? .accessDenied(principal.userARN, action: "\(Self.service):*") : refusals.first
            } catch {
                return error
            }
        }
    }

    /// The function that a call names, with its address. A project calls some by several names.
    private func called(_ input: CallInput) throws(CloudError) -> (name: String, address: String) {
        let said = FunctionAddresses.bareName(of: input.demanded("FunctionName"))
        guard let address = addresses.address(of: said) else {
            throw CloudError("ResourceNotFoundException", "Function not found: \(said)", status: 404)
        }
        return (FunctionAddress.name(in: address) ?? said, address)
    }

    // MARK: Calls

    /// A call of a function, but for its kind.
    private struct Invocation {
        let name: String
        let address: String
        let payload: [UInt8]
        let context: String?
        let tellsLog: Bool
        let origin: CallOrigin
    }

    private func invocation(_ call: CloudCall) throws(CloudError) -> Invocation {
        let input = call.input
        let (name, address) = try called(input)
        let payload = call.body.isEmpty ? Array("{}".utf8) : call.body
        guard (try? JSONReader.value(of: payload)) != nil else {
            throw CloudError("InvalidRequestContentException", "Could not parse request body into json")
        }
        var context: String?
        if let told = input.text("ClientContext") {
            context = Base64.bytes(of: told.utf8, .standard).flatMap { String(validating: $0, as: UTF8.self) }
            guard let context, (try? JSONReader.value(of: Array(context.utf8))) != nil else {
                throw CloudError(
                    "InvalidRequestContentException", "Client context must be a valid Base64-encoded JSON object.")
            }
        }
        return Invocation(
            name: name, address: address, payload: payload, context: context,
            tellsLog: input.text("LogType") == "Tail",
            origin: call.origin)
    }

    private func invoke(_ call: CloudCall) async throws(CloudError) -> HTTPResponse {
        let invocation = try invocation(call)
        switch call.input.text("InvocationType") {
        case "DryRun": return HTTPResponse(status: HTTPStatus(code: 204))
        case "Event":
            try await begin(invocation)
            return HTTPResponse(status: HTTPStatus(code: 202))
        default:
            let done = try await result(of: invocation)
            var fields = Self.fields("application/json")
            if let log = done.log { fields.append("x-amz-log-result", log) }
            if let error = done.error { fields.append("x-amz-function-error", error) }
            return HTTPResponse(fields: fields, body: .bytes(done.body))
        }
    }

    /// The result as messages of a stream, with one behind them that says how it went.
    private func stream(_ call: CloudCall) async throws(CloudError) -> HTTPResponse {
        let invocation = try invocation(call)
        if call.input.text("InvocationType") == "DryRun" { return HTTPResponse(status: HTTPStatus(code: 204)) }
        let done = try await result(of: invocation)
        var messages: [UInt8] = []
        var end = JSONObject()
        if let error = done.error {
            end.set("ErrorCode", to: .string(error))
            end.set("ErrorDetails", to: .string(String(decoding: done.body, as: UTF8.self)))
        } else {
            for start in stride(from: 0, to: done.body.count, by: Self.chunkBytesMax) {
                let chunk = Array(done.body[start..<min(start + Self.chunkBytesMax, done.body.count)])
                messages += EventStreamMessage(event: "PayloadChunk", bytes: chunk).bytes
            }
        }
        if let log = done.log { end.set("LogResult", to: .string(log)) }
        messages += EventStreamMessage(event: "InvokeComplete", .object(end)).bytes
        return HTTPResponse(fields: Self.fields(EventStreamMessage.contentType), body: .bytes(messages))
    }

    /// SDKs read messages of up to 16 MB.
    private static let chunkBytesMax = 1 << 20

    private static func fields(_ type: String) -> HTTPFieldLines {
        var fields = HTTPFieldLines(["x-amz-executed-version": "$LATEST", "cache-control": "no-store"])
        fields.append("content-type", type)
        return fields
    }

    /// - error: the kind of the function's own error, which the body is then.
    private typealias Done = (body: [UInt8], error: String?, log: String?)

    private func result(of invocation: Invocation) async throws(CloudError) -> Done {
        guard let functions, functions.functions.has(invocation.name) else {
            return try await resultAtURL(of: invocation)
        }
        let answer = await functions.functions.invoke(
            FunctionRequest(invocation.name, invocation.payload, clientContext: invocation.context))
        let log = invocation.tellsLog ? Base64.text(of: answer.tail, .standard) : nil
        switch answer.outcome {
        case .result(let body): return (body, nil, log)
        case .failed(let error): return (error, Self.unhandled, log)
        case .refused(let refusal): throw Self.error(of: refusal)
        case .givenUp: throw CloudError("ServiceException", "The caller has gone", status: 500)
        }
    }

    private static let unhandled = "Unhandled"

    /// A server of functions takes an event as one, and answers at once.
    private func resultAtURL(of invocation: Invocation, isEvent: Bool = false) async throws(CloudError) -> Done {
        let cannot = CloudError("ServiceException", "The function cannot be called", status: 500)
        guard let shard = invocation.origin.state?() as? LoopShard else { throw cannot }
        let call = FunctionInvocation(
            invocation.address, invocation.payload, isEvent: isEvent, timeoutMilliseconds: Self.urlMilliseconds,
            answerBytesMax: RuntimeLimits.payloadBytesMax)
        // Its connections are the loop's.
        let outcome = await BesideLoop.back(to: shard.loop) { () -> Result<OutsideResponse, OutsideError> in
            do throws(OutsideError) { return .success(try await shard.callers.outside.invoke(call)) } catch {
                return .failure(error)
            }
        }
        guard let response = try? outcome.get() else { throw cannot }
        guard (200..<300).contains(response.status) else {
            throw CloudError(
                "ServiceException", "The function answers with status \(response.status)", status: 500)
        }
        return (response.body, response.field("x-amz-function-error"), nil)
    }

    private func begin(_ invocation: Invocation) async throws(CloudError) {
        guard let functions, functions.functions.has(invocation.name) else {
            _ = try await resultAtURL(of: invocation, isEvent: true)
            return
        }
        if let refusal = await functions.functions.invokeLater(FunctionRequest(invocation.name, invocation.payload)) {
            throw Self.error(of: refusal)
        }
    }

    private static func error(of refusal: FunctionRefusal) -> CloudError {
        switch refusal {
        case .notThere: CloudError("ResourceNotFoundException", refusal.message, status: 404)
        case .tooLarge: CloudError("RequestTooLargeException", refusal.message, status: 413)
        case .tooMany: CloudError("TooManyRequestsException", "Rate Exceeded.", status: 429)
        case .cannotStart, .stopping: CloudError("ServiceException", refusal.message, status: 500)
        }
    }
}
