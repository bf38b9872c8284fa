import Access
import Cloud
import Crypto
import JSON
import Network
import Store
import Workflows

/// Calls that one of several nodes passes on to the keeper, in one hop: those of Step Functions that need the runner of the executions.
///
///     client ─▶ node: who calls, and may they ─▶ POST to the keeper, signed with the secret of all nodes ─▶ its runner ─▶ answer
///
/// The signature is a code over the time and the body, under a secret that only the database has: whoever can call this way could read the data
/// anyway. It is good for a short time, so that a request that somebody has seen is of no use later.
struct KeeperCalls: CloudService {
    private let workflows: Workflows
    private let store: Store
    private let key: HMACKey
    private let outside: any OutsideService

    static let path = "/.homeport/keeper"
    private static let field: StaticString = "x-homeport-node"
    /// How far the clocks of two nodes may be apart, and how long a call may be on its way.
    private static let ageMillisecondsMax: Int64 = 30_000
    private static let bodyBytesMax = WorkflowLimits.bodyBytesMax + (64 << 10)
    private static let answerBytesMax = WorkflowLimits.bodyBytesMax + (64 << 10)
    private static let callMilliseconds = 10_000
    private static let waitingMilliseconds = 330_000

    init(_ workflows: Workflows, over store: Store, by outside: any OutsideService) {
        (self.workflows, self.store, self.outside) = (workflows, store, outside)
        key = HMACKey(store.secret(for: "between nodes"))
    }

    private func code(of body: [UInt8], at milliseconds: Int64) -> [UInt8] {
        key.code(of: Array("\(milliseconds)\n".utf8) + body)
    }

    // MARK: Passing on

    /// Passes on to the keeper a call whose caller has the right to make it.
    func pass(_ operation: String, _ input: JSONObject) async throws(WorkflowError) -> JSONObject {
        guard let nodes = store.nodes else { throw .noRunner }
        let address: String?
        do throws(StoreError) { address = try await nodes.addressOfKeeper(in: store) } catch { throw .noRunner }
        guard let address else { throw .noRunner }
        let body = JSONWriter.bytes(of: ["operation": .string(operation), "input": .object(input)])
        let now = Timestamp.now.millisecondsSince1970
        let isWaiting = ByteText(operation) == "StartSyncExecution"
        let request = OutsideRequest(
            url: address + Self.path,
            fields: [
                ("content-type", "application/json"),
                ("\(Self.field)", "\(now) \(Hexadecimal.text(of: code(of: body, at: now)))"),
            ], body: body, timeoutMilliseconds: isWaiting ? Self.waitingMilliseconds : Self.callMilliseconds,
            responseBytesMax: Self.answerBytesMax)
        let response: OutsideResponse
        do throws(OutsideError) { response = try await outside.send(request) } catch { throw .noRunner }
        guard response.status == 200, let value = try? JSONReader.value(of: response.body) else { throw .noRunner }
        if let answer = value["answer"]?.object { return answer }
        guard let error = value["error"], let type = error["type"]?.string, let message = error["message"]?.string,
            let status = error["status"]?.integer
        else { throw .noRunner }
        throw WorkflowError(type, message, status: Int(clamping: status))
    }

    // MARK: Answering

    var route: Route { .workflows }
    var signedServices: [String] { [] }

    func isAt(_ head: HTTPRequestHead) -> Bool { head.path == Self.path }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        // Nothing is read for whoever shows nothing.
        guard head.method == .post, head.fields.contains(Self.field) else {
            return .answer(HTTPResponse(status: .forbidden))
        }
        return .compute(bodyMax: Self.bodyBytesMax) { request in
            // Its data are long, as those of the calls themselves.
            .whileWaited { await BesideLoop.always { await answer(request) } }
        }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse { HTTPResponse(status: error.status) }

    /// Returns whether a request comes from a node of the same database.
    private func isSigned(_ head: HTTPRequestHead, _ body: [UInt8]) -> Bool {
        let parts = (head.fields[Self.field] ?? "").words
        guard parts.count == 2, let time = Int64(parts[0]), let shown = Hexadecimal.bytes(of: parts[1].utf8) else {
            return false
        }
        let (age, isFar) = Timestamp.now.millisecondsSince1970.subtractingReportingOverflow(time)
        guard !isFar, age.magnitude <= UInt64(Self.ageMillisecondsMax) else { return false }
        return HMACSHA256.areEqual(shown, code(of: body, at: time))
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        guard isSigned(request.head, body) else { return HTTPResponse(status: .forbidden) }
        let limits = JSONLimits(bytesMax: Self.bodyBytesMax, nestingMax: WorkflowLimits.bodyNestingMax + 1)
        guard let value = try? JSONReader.value(of: body, limits: limits), let operation = value["operation"]?.string,
            let input = value["input"]
        else { return HTTPResponse(status: .badRequest) }
        let content: JSONValue
        do throws(CloudError) {
            let table = WorkflowCalls(workflows, passesOn: false).table
            content = [
                "answer": .object(try await table.answer(operation, input, from: CallOrigin(loop: request.loop)))
            ]
        } catch {
            content = [
                "error": [
                    "type": .string(error.type), "message": .string(error.message),
                    "status": .integer(Int64(error.status)),
                ]
            ]
        }
        return HTTPResponse(
            fields: HTTPFieldLines(["content-type": "application/json"]), body: .bytes(JSONWriter.bytes(of: content)))
    }
}
