import Access
import Blueprint
import Cloud
import Events
import GraphQL
import JSON
import KeyManagement
import Language
import Outbox
import Parameters
import Queues
import Store
import TestSupport
import Testing
import Workflows

@testable import Network
@testable import Server

/// All services that are tables, in one process and over one database in memory.
struct TestServices {
    let services: [TableService]
    private let loops: EventLoopGroup

    private struct NoSecrets: GivenSecrets {
        func value(of name: String) -> String? { nil }
        var listed: [(name: String, value: String)] { [] }
    }

    static let secret = "a secret of the test"

    init() throws {
        let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
        let store = try Store(.memory, for: try #require(reading.blueprint), nowMilliseconds: 0) { _ in }
        let (region, accountID) = ("us-east-1", IAMPrincipal.exampleAccountID)
        let queues = Queues(over: store, region: region, accountID: accountID)
        let events = Events(over: queues, buses: [], rules: [], region: region, accountID: accountID)
        let administrator = PrincipalCredential(
            secret: Self.secret, principal: IAMPrincipal(role: .administrator, accessKeyID: "local"))
        let tables = ServedTables(
            queues: queues, events: events,
            outbox: Outbox(over: store, sending: [], region: region, accountID: accountID), function: { $0 },
            parameters: ParameterStore(over: store), given: NoSecrets(), keys: KeyRing(in: nil),
            stacks: StackCalls(region: region), region: region
        )
        let callers = ServiceCallers(administrators: [administrator])
        var configuration = Configuration()
        configuration.engine.functions["there"] = "http://127.0.0.1:1/"
        let functions = InvocationCalls(FunctionAddresses(configuration), nil, region: region)
        services =
            ServedTables.services(
                tables.rows, Workflows(over: store, machines: [], region: region, accountID: accountID), callers)
            + [
                TableService(.functions, functions.table, callers),
                TableService(.securityTokens, SecurityTokenCalls(pool: nil).table, callers),
            ]
        loops = try EventLoopGroup(count: 1)
    }

    // MARK: Members

    /// A value that a shape allows.
    static func good(_ shape: MemberShape) -> JSONValue {
        switch shape {
        case .text(let lengths, _, _): .string(String(repeating: "a", count: min(max(lengths.lowerBound, 1), 4_096)))
        case .choice(let names): .string(names.first ?? "")
        case .boolean: true
        case .integer(let range): .integer(max(range.lowerBound, min(1, range.upperBound)))
        case .number: 1
        case .bytes: "YWFh"
        case .list(let element, _, _): .array([good(element)])
        case .texts: ["a": "a"]
        case .map(let element, _, _): .object(JSONObject([("a", good(element))]))
        case .object(let members): .object(object(members))
        case .anything: "a"
        }
    }

    static func object(_ members: [MemberShape.Member]) -> JSONObject {
        JSONObject(members.filter(\.isRequired).map { ($0.name, good($0.shape)) })
    }

    // MARK: Requests

    /// A signed request's way into a service.
    func work(
        _ service: TableService, _ target: String?, _ bytes: [UInt8], type: String = "application/x-amz-json-1.1",
        secret: String = secret, method: String = "POST", path: String = "/",
        others: [(name: String, value: String)] = []
    ) throws -> @Sendable () async -> HTTPResponse {
        var fields: [(name: String, value: String)] = [("content-type", type)]
        if let target { fields.append(("x-amz-target", target)) }
        fields += others
        let signer = RequestSigner(
            LanguageSettings.Credentials(accessKeyID: "local", secretAccessKey: secret),
            service: service.table.service, region: "us-east-1")
        let more: [(name: String, value: String)] = signer.fields(
            of: try HTTPURL("http://127.0.0.1:1/"), method: method, path: path, query: [], fields, bytes, now: .now
        ).map { ($0.0, $0.1) }
        let signed = fields + more + [("host", "127.0.0.1:1")]
        var seen: Set<String> = []
        let lines = signed.filter { seen.insert($0.name.lowercased()).inserted }.map { "\($0.name): \($0.value)" }
        let head = try HTTPRequestHead.read("\(method) \(path)", lines + ["content-length: \(bytes.count)"])
        switch service.reception(head, on: { _ in preconditionFailure("a table needs no shard") }) {
        case .answer(let answer): return { answer }
        case .compute(_, let compute):
            var generator = SystemRandomNumberGenerator()
            let request = HTTPRequest(
                head: head, body: .bytes(bytes), identifier: RequestIdentifier(using: &generator),
                peer: try #require(SocketAddress(numeric: "127.0.0.1", port: 1)), isSecure: false, loop: loops.loops[0])
            return { await compute(request).response() }
        default: return { HTTPResponse(status: .internalServerError) }
        }
    }

    func answer(
        _ service: TableService, _ target: String?, _ body: String, type: String = "application/x-amz-json-1.1",
        secret: String = secret, method: String = "POST", path: String = "/",
        others: [(name: String, value: String)] = []
    ) async throws -> (status: Int, text: String) {
        let work = try work(
            service, target, Array(body.utf8), type: type, secret: secret, method: method, path: path, others: others)
        let response = await work()
        guard case .bytes(let text, _) = response.body else { return (response.status.code, "") }
        return (response.status.code, String(decoding: text, as: UTF8.self))
    }
}
