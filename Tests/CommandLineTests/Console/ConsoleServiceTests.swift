import Foundation
import JSON
import TestSupport
import Testing

@Suite("Functions and services, in the console")
struct ConsoleServiceTests {
    private func server() throws -> ConsoleClient {
        let program = HomeportProcess.program(named: "test-runtime")
        return try ConsoleClient.server(environment: [
            "HOMEPORT_QUEUES": #"{"jobs": {}}"#,
            "HOMEPORT_STATE_MACHINES":
                #"{"quick": {"text": "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Pass\", \"End\": true}}}"}}"#,
            "HOMEPORT_EVENTS_RULES":
                #"{"go": {"pattern": "{\"source\": [\"till\"]}", "targets": [{"queue": "jobs"}]}}"#,
            "HOMEPORT_FUNCTIONS": #"{"test": {"command": ["\#(program)", "serve"], "timeout": 20}}"#,
        ])
    }

    @Test("a function is listed, called with an event, and shows its calls and lines")
    func functions() throws {
        let client = try server()
        let answer = try client.post("functions/test/invoke", ["event": ["do": "say", "text": "told"]]).json
        #expect(answer["outcome"]?.string == "ok", "\(answer)")
        let failed = try client.post("functions/test/invoke", ["event": ["do": "error"]]).json
        #expect(failed["outcome"]?.string == "failed", "\(failed)")
        let listed = try client.get("functions").json["functions"]?[0]
        #expect(listed?["name"]?.string == "test" && listed?["calls"]?.integer == 2, "\(listed ?? .null)")
        #expect(listed?["failures"]?.integer == 1)
        let one = try client.get("functions/test").json
        #expect(one["newestCalls"]?.array?.map { $0["outcome"]?.string ?? "" } == ["failed", "ok"], "\(one)")
        #expect(one["lines"]?.array?.contains { $0["text"]?.string == "told" } == true, "\(one)")
        #expect(try client.get("functions/other").status == 404)
        #expect(try client.post("functions/other/invoke", [:]).status == 404)
    }

    @Test("services answer their own calls, those of the table and no others")
    func services() throws {
        let client = try server()
        let queue = try client.post("services/queues/ListQueues", [:]).json["QueueUrls"]?[0]?.string ?? ""
        #expect(queue.hasSuffix("/jobs"), "\(queue)")
        _ = try client.post(
            "services/events/PutEvents",
            ["Entries": [["Source": "till", "DetailType": "t", "Detail": "{}"]]])
        let attributes = try client.post(
            "services/queues/GetQueueAttributes", ["QueueUrl": .string(queue), "AttributeNames": ["All"]]
        ).json
        #expect(attributes["Attributes"]?["ApproximateNumberOfMessages"]?.string == "1", "\(attributes)")
        let machines = try client.post("services/workflows/ListStateMachines", [:]).json["stateMachines"]
        let arn = machines?[0]?["stateMachineArn"] ?? .null
        let begun = try client.post("services/workflows/StartExecution", ["stateMachineArn": arn]).json
        #expect(begun["executionArn"]?.string?.isEmpty == false, "\(begun)")
        let tables = try client.post("services/tables/ListTables", [:]).json["TableNames"]?.array ?? []
        #expect(!tables.isEmpty)
        for path in ["queues/DeleteQueue", "tables/DeleteTable", "tables/PutItem", "nothing/ListQueues"] {
            #expect(try client.post("services/\(path)", [:]).status == 404, "\(path)")
        }
        let wrong = try client.post("services/queues/GetQueueAttributes", ["QueueUrl": "http://localhost/1/none"])
        #expect(wrong.status == 400 && wrong.json["error"]?["message"]?.string?.isEmpty == false, "\(wrong)")
        let audit = try client.get("audit").json["entries"]?.array?.compactMap { $0["action"]?.string } ?? []
        #expect(audit.contains("events.PutEvents") && audit.contains("workflows.StartExecution"), "\(audit)")
    }

    @Test("no call is made without the page's token, and none by a page of another origin")
    func attackers() throws {
        let client = try server()
        for path in ["functions/test/invoke", "services/queues/ListQueues"] {
            let fields = ["Origin: \(client.origin)", "Sec-Fetch-Site: same-origin"]
            #expect(try client.request("POST", "/_homeport/v1/\(path)", "{}", fields: fields).status == 403, "\(path)")
            let foreign = ["Origin: http://localhost:3000", "Sec-Fetch-Site: same-site"]
            #expect(try client.request("POST", "/_homeport/v1/\(path)", "{}", fields: foreign).status == 403, "\(path)")
        }
    }
}
