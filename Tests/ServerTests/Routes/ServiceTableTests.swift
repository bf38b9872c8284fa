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
@Suite("Services that are tables")
struct ServiceTableTests {
    private let services: [TableService]
    private let loops: EventLoopGroup

    private struct NoSecrets: GivenSecrets {
        func value(of name: String) -> String? { nil }
        var listed: [(name: String, value: String)] { [] }
    }

    private static let secret = "a secret of the test"

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
        let functions = InvocationCalls(FunctionAddresses(Configuration()), nil, region: region)
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
    private static func good(_ shape: MemberShape) -> JSONValue {
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

    private static func object(_ members: [MemberShape.Member]) -> JSONObject {
        JSONObject(members.filter(\.isRequired).map { ($0.name, good($0.shape)) })
    }

    /// Values that a shape refuses: of another type, too long, too short.
    private static func bad(_ shape: MemberShape) -> [JSONValue] {
        let wrong: [JSONValue] =
            switch shape {
            case .text, .choice, .bytes: [1, true, [], [:]]
            case .boolean: ["true", 1, []]
            case .integer: ["1", 1.5, true, []]
            case .number: ["1", true, []]
            case .list: ["a", 1, [:]]
            case .texts, .map, .object: ["a", 1, []]
            case .anything: []
            }
        func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }
        var values = wrong
        switch shape {
        case .text(let lengths, _, _):
            if lengths.lowerBound > 0 { values.append(text(lengths.lowerBound - 1)) }
            if lengths.upperBound < 100_000 { values.append(text(lengths.upperBound + 1)) }
        case .choice: values.append("no such choice")
        case .integer(let range):
            if range.lowerBound > Int64.min { values.append(.integer(range.lowerBound - 1)) }
            if range.upperBound < Int64.max { values.append(.integer(range.upperBound + 1)) }
        case .bytes(let lengths):
            values.append("?")
            if lengths.lowerBound > 0 { values.append("") }
            if lengths.upperBound < 100_000 { values.append(text((lengths.upperBound / 3 + 2) * 4)) }
        case .list(let element, let min, let max):
            if min > 0 { values.append(.array([])) }
            if max < 1_000 { values.append(.array(Array(repeating: good(element), count: max + 1))) }
            if let first = bad(element).first { values.append(.array([first])) }
        case .map(let element, _, _):
            for value in bad(element) { values.append(.object(JSONObject([("a", value)]))) }
        case .texts: values.append(["a": 1])
        case .object(let members):
            for member in members {
                for value in bad(member.shape).prefix(2) {
                    var changed = Self.object(members)
                    changed.set(member.name, to: value)
                    values.append(.object(changed))
                }
            }
        default: break
        }
        return values
    }

    @Test(
        "each operation refuses a member that is missing, of another type, too long or too short, in its service's words"
    )
    func members() async throws {
        var refused = 0
        for service in services {
            let table = service.table
            for operation in table.rows {
                for member in operation.members {
                    var values: [JSONValue?] = Self.bad(member.shape)
                    if member.isRequired { values += [nil, JSONValue.null] }
                    for value in values {
                        var input = Self.object(operation.members)
                        if let value { input.set(member.name, to: value) } else { input.remove(member.name) }
                        do throws(CloudError) {
                            _ = try await table.answer(operation.name, .object(input))
                            Issue.record(
                                "\(table.title) \(operation.name) takes \(member.name): \(String(describing: value))")
                        } catch {
                            refused += 1
                            #expect(
                                error.status < 500 && !error.message.isEmpty
                                    && (error.type.hasSuffix("Exception") || table.isOfForms),
                                "\(table.title) \(operation.name) \(member.name): \(error)")
                        }
                    }
                }
            }
        }
        #expect(refused > 1_000)
    }

    // MARK: Requests

    private func answer(
        _ service: TableService, _ target: String?, _ body: String, type: String = "application/x-amz-json-1.1",
        secret: String = ServiceTableTests.secret, method: String = "POST", path: String = "/",
        others: [(name: String, value: String)] = []
    ) async throws -> (status: Int, text: String) {
        var fields: [(name: String, value: String)] = [("content-type", type)]
        if let target { fields.append(("x-amz-target", target)) }
        fields += others
        let bytes = Array(body.utf8)
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
        let response: HTTPResponse
        switch service.reception(head, on: { _ in preconditionFailure("a table needs no shard") }) {
        case .answer(let answer): response = answer
        case .compute(_, let compute):
            var generator = SystemRandomNumberGenerator()
            let request = HTTPRequest(
                head: head, body: .bytes(bytes), identifier: RequestIdentifier(using: &generator),
                peer: try #require(SocketAddress(numeric: "127.0.0.1", port: 1)), isSecure: false, loop: loops.loops[0])
            response = await compute(request).response()
        default: return (0, "")
        }
        guard case .bytes(let text, _) = response.body else { return (response.status.code, "") }
        return (response.status.code, String(decoding: text, as: UTF8.self))
    }

    @Test(
        "each refuses an unknown operation, another method, a body that is no object, and a signature of somebody else")
    func requests() async throws {
        for service in services where !service.table.target.isEmpty {
            let (table, name) = (service.table, service.table.title)
            let operation = try #require(table.rows.first?.name)
            let target = "\(table.target).\(operation)"
            for (target, body) in [
                ("\(table.target).NoSuchOperation", "{}"), ("\(table.target).", "{}"),
                ("\(table.target).\(operation).x", "{}"),
                (target, "[]"), (target, "{"), (target, "\"\""),
            ] {
                let answer = try await answer(service, target, body)
                #expect(
                    answer.status == 400 && answer.text.contains("Exception"), "\(name) \(target) \(body): \(answer)")
            }
            let foreign = try await answer(service, target, "{}", secret: "another")
            #expect(
                [400, 403].contains(foreign.status) && foreign.text.contains("InvalidSignatureException"), "\(foreign)")
            #expect(try await answer(service, target, "{}", method: "GET").status == 405)
        }
    }

    @Test("a service with a protocol of forms refuses in XML what it refuses in JSON")
    func forms() async throws {
        let type = "application/x-www-form-urlencoded"
        let queues = [
            ("Action=SendMessage", "MissingParameter"),
            ("Action=SendMessage&QueueUrl=q&MessageBody=x&DelaySeconds=soon", "MalformedInput"),
            ("Action=SendMessage&QueueUrl.1=q&MessageBody=x", "MalformedInput"),
        ]
        let notices = [
            ("Action=CreateTopic", "ValidationError"), ("Action=CreateTopic&Name.x=a", "MalformedInput"),
            ("Action=CreateTopic&Name=t&Tags=a", "MalformedInput"), ("Action=CreateTopic&Name=%20", "InvalidParameter"),
        ]
        for service in services where service.table.form != nil {
            let title = service.table.title
            let own = title == "SQS" ? queues : title == "SNS" ? notices : []
            for (form, code) in [("Action=NoSuchOperation", "InvalidAction"), ("", "InvalidAction")] + own {
                let answer = try await answer(service, nil, form, type: type)
                #expect(
                    answer.status == 400 && answer.text.contains("<Code>\(code)</Code>"), "\(title) \(form): \(answer)")
            }
            // Each operation that demands a member says so.
            for row in service.table.rows where row.members.contains(where: \.isRequired) {
                let answer = try await answer(service, nil, "Action=\(row.name)", type: type)
                #expect(answer.status == 400 && answer.text.contains("<Message>"), "\(title) \(row.name): \(answer)")
            }
            let foreign = try await answer(service, nil, "Action=List", type: type, secret: "another")
            #expect(
                foreign.status == 403 && foreign.text.contains("<Code>SignatureDoesNotMatch</Code>"), "\(foreign)")
            if service.table.isOfForms {
                let read = try await answer(service, nil, "", type: type, method: "GET")
                #expect(read.status == 405 && read.text.contains("<Code>InvalidAction</Code>"), "\(title): \(read)")
            }
        }
    }

    @Test("a service with paths refuses an unknown path, a body that is no object, and a signature of somebody else")
    func paths() async throws {
        let service = try #require(services.first { $0.table.sdk == "SesV2" })
        let type = "application/json"
        func call(_ method: String, _ path: String, _ body: String, secret: String = Self.secret) async throws
            -> (status: Int, text: String)
        { try await answer(service, nil, body, type: type, secret: secret, method: method, path: "/v2/email/\(path)") }
        for (method, path, body, status, part) in [
            ("POST", "nothing", "{}", 404, "The operation POST /v2/email/nothing is not one"),
            ("PUT", "outbound-emails", "{}", 404, "PUT /v2/email/outbound-emails"),
            ("POST", "outbound-emails", "[]", 400, "The body is no JSON object."),
            ("POST", "outbound-emails", "{}", 400, "Value null at 'content'"),
            ("GET", "templates/none", "", 404, "Template none does not exist."),
            ("GET", "templates", "", 200, "TemplatesMetadata"),
        ] {
            let answer = try await call(method, path, body)
            #expect(answer.status == status && answer.text.contains(part), "\(method) \(path): \(answer)")
        }
        let foreign = try await call("GET", "templates", "", secret: "another")
        #expect(foreign.status == 403, "\(foreign)")
    }

    @Test("a service with bodies of its own checks the members of paths and fields, and leaves other paths to nobody")
    func rawBodies() async throws {
        let service = try #require(services.first { $0.table.title == "Lambda" })
        let folder = "/2015-03-31/functions/f"
        func call(
            _ method: String, _ path: String, _ others: [(name: String, value: String)] = [],
            secret: String = Self.secret
        ) async throws -> (status: Int, text: String) {
            try await answer(
                service, nil, "", type: "application/json", secret: secret, method: method, path: path, others: others)
        }
        let long = "/2015-03-31/functions/\(String(repeating: "f", count: 171))"
        for (method, path, others, status, part) in [
            ("POST", "\(folder)/invocations", [], 404, #""message":"Function not found: f","Message":"Function not"#),
            ("GET", folder, [], 404, #""Type":"User""#), ("GET", "\(folder)/configuration", [], 404, "not found: f"),
            ("GET", long, [], 400, "Member must have length less than or equal to 170"),
            ("GET", "/2015-03-31/functions", [], 200, #""Functions":[]"#),
            (
                "POST", "\(folder)/invocations", [("x-amz-invocation-type", "Later")], 400,
                "at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [RequestResponse, Event, DryRun]"
            ),
            (
                "POST", "/2021-11-15/functions/f/response-streaming-invocations", [("x-amz-log-type", "tail")], 400,
                "at 'logType' failed"
            ),
        ] as [(String, String, [(String, String)], Int, String)] {
            let answer = try await call(method, path, others)
            #expect(answer.status == status && answer.text.contains(part), "\(method) \(path): \(answer)")
        }
        let foreign = try await call("POST", "\(folder)/invocations", secret: "another")
        #expect(foreign.status == 403 && foreign.text.contains("signature"), "\(foreign)")
        for (line, isOwn) in [
            ("POST \(folder)/invocations", true), ("GET /2015-03-31/functions/", true), ("PUT \(folder)/code", false),
            ("GET \(folder)/invocations", false), ("GET /2015-03-31/event-source-mappings", false),
        ] {
            let head = try HTTPRequestHead.read(line, ["host: h"])
            #expect(service.isAt(head) == isOwn && service.shares(head) == isOwn, "\(line)")
        }
    }

    @Test("tasks of state machines can ask every service that is a table")
    func tasks() {
        let tables = services.map { $0.table.sdk.lowercased() }
        #expect(Set(tables + ["dynamodb", "lambda", "s3", "sts"]) == Set(FlowResource.sdkServices))
    }
}
