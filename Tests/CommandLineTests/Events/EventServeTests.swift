import Foundation
import JSON
import TestSupport
import Testing

/// Events through real sockets, signed, to queues and functions.
@Suite("Events over HTTP")
struct EventServeTests {
    private static let program = HomeportProcess.program(named: "test-runtime")

    static func call(
        _ operation: String, _ body: String, to server: HomeportProcess
    ) throws -> (status: Int, body: JSONValue) {
        var call = SignedCall(operation, body, to: server)
        (call.api, call.service) = ("AWSEvents", "events")
        let answer = try call.answer(from: server)
        return (answer.status, try JSONReader.value(of: answer.body))
    }

    private static func server(_ command: String, in folder: TemporaryFolder = TemporaryFolder()) throws
        -> HomeportProcess
    {
        try folder.write(
            #"""
            {"functions": {"say": {"command": ["\#(program)", "\#(command)"], "timeout": 5}},
             "events": {"buses": ["shop"], "rules": {
               "ordered": {"bus": "shop", "pattern": "{\"detail-type\": [\"Ordered\"], \"detail\": {\"total\": [{\"numeric\": [\">\", 10]}]}}",
                 "targets": [{"queue": "orders.fifo", "group": "g", "template": "{\"id\": <id>}", "paths": {"id": "$.detail.id"}},
                             {"function": "say", "inputPath": "$.detail"}]},
               "off": {"bus": "shop", "enabled": false, "pattern": "{\"source\": [\"till\"]}", "targets": [{"queue": "all"}]}}}}
            """#, to: "homeport.json")
        return try HomeportProcess(["--config", "homeport.json"], in: folder)
    }

    private static func entry(_ total: Int, bus: String = "shop", detail: String? = nil) -> String {
        let text = detail ?? #"{\"id\": 7, \"total\": \#(total), \"do\": \"say\", \"text\": \"ordered \#(total)\"}"#
        return #"{"Source": "till", "DetailType": "Ordered", "EventBusName": "\#(bus)", "Detail": "\#(text)"}"#
    }

    @Test("an event comes to all targets of the rules that it matches, over a kill too")
    func passes() throws {
        let folder = TemporaryFolder()
        var server = try Self.server("hang", in: folder)
        let entries = [Self.entry(5), Self.entry(50), Self.entry(60, bus: "default"), Self.entry(70, bus: "none")]
        let answer = try Self.call("PutEvents", #"{"Entries": [\#(entries.joined(separator: ", "))]}"#, to: server)
        #expect(answer.status == 200 && answer.body["FailedEntryCount"] == 0, "\(answer)")
        #expect(answer.body["Entries"]?.array?.compactMap { $0["EventId"]?.string }.count == 4)
        server.signal(SIGKILL)
        _ = server.exitStatus()
        server = try Self.server("serve", in: folder)
        #expect(try server.bodies(of: "orders.fifo", wait: 20) == [#"{"id": 7}"#])
        #expect(server.logs("ordered 50 function=say", milliseconds: 60_000))
        #expect(!server.log.contains("ordered 5 "))
        #expect(try server.bodies(of: "all").isEmpty)
    }

    @Test("a rule of the clock that a call has made calls its targets at its times, and after a restart too")
    func clock() throws {
        let folder = TemporaryFolder()
        var client = TestControlClient(try TestControlClient.server(in: folder))
        _ = try client.server.queue("CreateQueue", #"{"QueueName": "ticks"}"#)
        let arn = "arn:aws:events:us-east-1:123456789012:rule/tick"
        let queue = "arn:aws:sqs:us-east-1:123456789012:ticks"
        let rule = try Self.call(
            "PutRule", #"{"Name": "tick", "ScheduleExpression": "rate(2 minutes)"}"#, to: client.server)
        #expect(rule.body["RuleArn"]?.string == arn, "\(rule)")
        let targets = #"{"Rule": "tick", "Targets": [{"Id": "q", "Arn": "\#(queue)", "InputPath": "$.resources"}]}"#
        _ = try Self.call("PutTargets", targets, to: client.server)
        let events = [#"["\#(arn)"]"#]
        try client.call("POST", "time", #"{"moveMilliseconds": 121000}"#)
        #expect(try client.server.bodies(of: "ticks", wait: 20, deletes: true) == events)
        client.server.signal(SIGKILL)
        _ = client.server.exitStatus()
        client = TestControlClient(try TestControlClient.server(in: folder))
        // The first time is passed over where the clock was moved before the schedules had begun.
        var later: [String] = []
        for wait in [5, 20] where later.isEmpty {
            try client.call("POST", "time", #"{"moveMilliseconds": 121000}"#)
            later = try client.server.bodies(of: "ticks", wait: wait, deletes: true)
        }
        #expect(later == events)
        _ = try Self.call("DisableRule", #"{"Name": "tick"}"#, to: client.server)
        try client.call("POST", "time", #"{"moveMilliseconds": 121000}"#)
        #expect(try client.server.bodies(of: "ticks", wait: 1).isEmpty)
    }

    @Test("what is wrong is told, with each entry or for all")
    func refusals() throws {
        let server = try Self.server("serve")
        let entries = [
            Self.entry(50), Self.entry(0, detail: "no"), #"{"Source": "aws.s3", "DetailType": "x", "Detail": "{}"}"#,
            #"{"DetailType": "x", "Detail": "{}"}"#,
        ]
        let answer = try Self.call("PutEvents", #"{"Entries": [\#(entries.joined(separator: ", "))]}"#, to: server)
        #expect(answer.body["FailedEntryCount"] == 3)
        #expect(
            answer.body["Entries"]?.array?.map { $0["ErrorCode"]?.string }
                == [nil, "MalformedDetail", "NotAuthorizedForSourceException", "InvalidArgument"])
        let many = Array(repeating: Self.entry(1), count: 11).joined(separator: ", ")
        for (operation, body, type) in [
            ("PutEvents", "{}", "ValidationException"),
            ("PutEvents", #"{"Entries": [\#(many)]}"#, "ValidationException"),
            ("PutEvents", "[]", "SerializationException"), ("CreateArchive", "{}", "UnknownOperationException"),
            ("TestEventPattern", #"{"EventPattern": "{}", "Event": "{}"}"#, "InvalidEventPatternException"),
            ("ListRules", #"{"EventBusName": "none"}"#, "ResourceNotFoundException"),
        ] {
            let answer = try Self.call(operation, body, to: server)
            #expect(answer.status == 400 && answer.body["__type"]?.string == type, "\(operation): \(answer)")
        }
        #expect(
            try Self.call("CreateArchive", "{}", to: server).body["message"]?.string?.contains("CreateArchive") == true)
        var foreign = SignedCall("PutEvents", "{}", to: server)
        (foreign.api, foreign.service, foreign.secret) = ("AWSEvents", "events", "x")
        #expect(try foreign.answer(from: server).body.contains("InvalidSignatureException"))
    }

    @Test("the project's rules and buses are told")
    func lists() throws {
        let server = try Self.server("serve")
        let rules = try Self.call("ListRules", #"{"EventBusName": "shop"}"#, to: server).body["Rules"]?.array ?? []
        #expect(
            rules.map { $0["Name"] } == ["off", "ordered"] && rules.map { $0["State"] } == ["DISABLED", "ENABLED"])
        let targets = try Self.call("ListTargetsByRule", #"{"EventBusName": "shop", "Rule": "ordered"}"#, to: server)
        #expect(targets.body["Targets"]?.array?.count == 2)
        let buses = try Self.call("ListEventBuses", "{}", to: server).body["EventBuses"]?.array ?? []
        #expect(buses.map { $0["Name"] } == ["default", "shop"])
    }
}
