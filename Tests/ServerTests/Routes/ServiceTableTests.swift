import Cloud
import JSON
import Testing
import Workflows

@testable import Network
@testable import Server

@Suite("Services that are tables")
struct ServiceTableTests {
    private let test: TestServices
    private var services: [TableService] { test.services }

    init() throws { test = try TestServices() }

    // MARK: Members

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
            if max < 1_000 { values.append(.array(Array(repeating: TestServices.good(element), count: max + 1))) }
            if let first = bad(element).first { values.append(.array([first])) }
        case .map(let element, _, _):
            for value in bad(element) { values.append(.object(JSONObject([("a", value)]))) }
        case .texts: values.append(["a": 1])
        case .object(let members):
            for member in members {
                for value in bad(member.shape).prefix(2) {
                    var changed = TestServices.object(members)
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
                        var input = TestServices.object(operation.members)
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
                let answer = try await test.answer(service, target, body)
                #expect(
                    answer.status == 400 && answer.text.contains("Exception"), "\(name) \(target) \(body): \(answer)")
            }
            let foreign = try await test.answer(service, target, "{}", secret: "another")
            #expect(
                [400, 403].contains(foreign.status) && foreign.text.contains("InvalidSignatureException"), "\(foreign)")
            #expect(try await test.answer(service, target, "{}", method: "GET").status == 405)
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
                let answer = try await test.answer(service, nil, form, type: type)
                #expect(
                    answer.status == 400 && answer.text.contains("<Code>\(code)</Code>"), "\(title) \(form): \(answer)")
            }
            // Each operation that demands a member says so.
            for row in service.table.rows where row.members.contains(where: \.isRequired) {
                let answer = try await test.answer(service, nil, "Action=\(row.name)", type: type)
                #expect(answer.status == 400 && answer.text.contains("<Message>"), "\(title) \(row.name): \(answer)")
            }
            let foreign = try await test.answer(service, nil, "Action=List", type: type, secret: "another")
            #expect(
                foreign.status == 403 && foreign.text.contains("<Code>SignatureDoesNotMatch</Code>"), "\(foreign)")
            if service.table.isOfForms {
                let read = try await test.answer(service, nil, "", type: type, method: "GET")
                #expect(read.status == 405 && read.text.contains("<Code>InvalidAction</Code>"), "\(title): \(read)")
            }
        }
    }

    @Test("a service with paths refuses an unknown path, a body that is no object, and a signature of somebody else")
    func paths() async throws {
        let service = try #require(services.first { $0.table.sdk == "SesV2" })
        let type = "application/json"
        func call(_ method: String, _ path: String, _ body: String, secret: String = TestServices.secret) async throws
            -> (status: Int, text: String)
        {
            try await test.answer(
                service, nil, body, type: type, secret: secret, method: method, path: "/v2/email/\(path)")
        }
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
            secret: String = TestServices.secret
        ) async throws -> (status: Int, text: String) {
            try await test.answer(
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
