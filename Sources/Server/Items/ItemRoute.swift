import Access
import Blueprint
import Engine
import Files
import Functions
import Items
import JSON
import Network
import Project

/// DynamoDB's two services over HTTP: told apart by the field `x-amz-target`, on any path, signed by an administrator or by one of
/// the app's functions.
///
/// It is no page's business: what it answers has no fields for other origins.
struct ItemRoute: CloudService {
    let service: ItemService
    private let callers: AdministratorCheck
    /// The models of whose changes functions are told.
    private let streamedModels: Set<ByteText>
    private let expiries: [ModelExpiry]

    /// The service in the scope of signatures.
    private static let signedService = "dynamodb"

    init(_ service: ItemService, _ configuration: Configuration, _ callers: ServiceCallers) {
        self.service = service
        let streams = configuration.functions.values.flatMap(\.tables)
        streamedModels = Set(texts: streams.filter { !$0.isOwn }.map(\.model))
        expiries = configuration.expiries
        self.callers = callers.of(Self.signedService)
    }

    var route: Route { .items }
    var targets: [String] { ItemCall.services }
    var scopes: [String] { [Self.signedService] }

    func serve(_ engine: Engine) {
        service.serve(hasExpiries: !expiries.isEmpty) { [streamedModels, expiries] in
            BuiltInItems.models(of: engine, streamed: streamedModels, expiries)
        }
    }

    func close() { service.close() }

    func reception(_ head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        guard head.method == .post else {
            var answer = Self.response(
                to: ItemAnswer(Self.error("UnknownOperationException", "The service is called by POST."), status: 405))
            answer.fields.append("allow", "POST")
            return .answer(answer)
        }
        // Sixteen megabytes are not read for nobody.
        guard head.fields.contains("authorization") else {
            return .answer(
                Self.response(
                    to: ItemAnswer(
                        Self.error("MissingAuthenticationTokenException", "Request is missing Authentication Token"))))
        }
        return .compute(bodyMax: TableLimits.bodyBytesMax) { request in
            guard case .bytes(let body) = request.body else {
                return .now(
                    Self.response(to: ItemAnswer(Self.error("SerializationException", "The request has no body."))))
            }
            guard body.count <= TableLimits.bodyBytesAtOnce else {
                return .later {
                    // Its signature is a digest of all of it.
                    await Task.detached { await answerBeside(request, body) }.value
                }
            }
            return reply(to: request, body, on: shard(request.loop).items)
        }
    }

    /// Hot path: what reads a few items, or writes one, costs no task.
    private func reply(to request: HTTPRequest, _ body: [UInt8], on shard: ItemShard) -> HTTPReply {
        switch call(of: request, body) {
        case .failure(let answer): return .now(answer.response)
        case .success(let call):
            switch service.reply(to: call, on: shard) {
            case .now(let answer): return .now(Self.response(to: answer))
            case .later(let wait): return .later { await Self.responseBeside(to: await wait()) }
            case .promised(let begin): return .promised { deliver in begin { deliver(Self.response(to: $0)) } }
            }
        }
    }

    /// The same for a body that is too long for a loop.
    private func answerBeside(_ request: HTTPRequest, _ body: [UInt8]) async -> HTTPResponse {
        switch call(of: request, body) {
        case .failure(let answer): answer.response
        case .success(let call): Self.response(to: await service.answerBeside(call))
        }
    }

    /// The answer without a call.
    private struct Denial: Error {
        let response: HTTPResponse
    }

    /// The call of a request, if its sender may make it.
    private func call(of request: HTTPRequest, _ body: [UInt8]) -> Result<ItemCall, Denial> {
        var call = ItemCall(target: request.head.fields["x-amz-target"] ?? "", body: body)
        do throws(Refusal) {
            let caller = try callers.rights(
                of: request.credentials(body: body), for: call.operation, now: Timestamp.now.seconds)
            if let caller { call.refusal = { Self.refusal(of: $0, to: caller) } }
        } catch {
            var answer = Self.response(to: ItemAnswer(Self.error(error.errorType, error.message)))
            answer.reason = error.reason ?? error.errorType
            return .failure(Denial(response: answer))
        }
        return .success(call)
    }

    /// Why a function may not do all that a call asks for.
    private static func refusal(of demands: [ItemDemand], to caller: FunctionRights) -> ItemError? {
        for demand in demands {
            let place =
                demand.isOfTable
                ? PolicyResource(signedService, "table/", demand.place) : .all(of: signedService)
            if let refusal = caller.refusal(of: demand.action, on: place) {
                return error(refusal.errorType, refusal.message)
            }
        }
        return nil
    }

    // MARK: Answers

    private static func error(_ type: String, _ message: String) -> ItemError {
        ItemError(type: type, message: message)
    }

    private static let fields = HTTPFieldLines([
        "content-type": "application/x-amz-json-1.0", "cache-control": "no-store",
    ])

    /// A long answer has its checksum made beside the loop.
    private static func responseBeside(to answer: ItemAnswer) async -> HTTPResponse {
        guard answer.isLong else { return response(to: answer) }
        return await Task.detached { response(to: answer) }.value
    }

    private static func response(to answer: ItemAnswer) -> HTTPResponse {
        let body = answer.body
        var fields = fields
        // Clients compare it with what they have received, so nothing is compressed.
        fields.append("x-amz-crc32", String(ChecksumStream.crc32(of: body)))
        var response = HTTPResponse(
            status: HTTPStatus(code: answer.status), fields: fields, body: .bytes(body, isCompressible: false))
        response.reason = answer.reason
        return response
    }

    /// The refusal of what is no acceptable request.
    func refusal(of parseError: HTTPParseError) -> HTTPResponse {
        parseError.status == .contentTooLarge
            ? Self.response(
                to: ItemAnswer(
                    Self.error(
                        "RequestEntityTooLargeException",
                        "A request has at most \(TableLimits.bodyBytesMax) bytes"), status: 413))
            : Self.response(
                to: ItemAnswer(Self.error("SerializationException", "\(parseError)"), status: parseError.status.code))
    }
}
