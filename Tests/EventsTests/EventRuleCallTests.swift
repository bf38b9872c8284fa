import Access
import Blueprint
import Cloud
import EventPatterns
import GraphQL
import JSON
import PostgresSupport
import Queues
import Store
import Synchronization
import Testing

@testable import Events

@Suite("Rules and buses that calls make")
struct EventRuleCallTests {
    private let store: Store
    private let events: Events
    private let table: ServiceTable

    init() throws {
        let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
        store = try Store(TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0) {
            Issue.record("\($0)")
        }
        let own = EventRule(
            "own", on: "default", pattern: try EventPattern(["source": ["own"]]),
            targets: [EventTarget(.function("f"))])
        events = Events(
            over: Queues(over: store, region: "us-east-1", accountID: "123456789012"), buses: ["shop"], rules: [own],
            functions: [ByteText("resize"): "resize", ByteText("resize-main"): "resize"],
            machines: ["ship"], region: "us-east-1", accountID: "123456789012", clock: { 5_000 })
        table = EventCalls(events).table
    }

    /// The answer, or `TYPE: MESSAGE`.
    private func call(_ operation: String, _ input: JSONValue) async -> String {
        do throws(CloudError) {
            return JSONWriter.text(of: .object(try await table.answer(operation, input)))
        } catch {
            return "\(error.type): \(error.message)"
        }
    }

    private static let queue = "arn:aws:sqs:us-east-1:123456789012:jobs"
    private static let pattern: JSONValue = #"{"source": ["shop"]}"#

    private func told(_ source: String, on bus: String = "default") throws -> [String] {
        try events.deliveries(
            of: ["source": .string(source), "detail": ["n": 1]], bytes: 10, on: bus, MatchingSteps(1_000_000)
        ).map { delivery in
            switch delivery {
            case .event(let text, let function): text.hasPrefix("{\"n") ? "\(function) \(text)" : "function \(function)"
            case .message(let text, let queue, let group): "\(queue) \(group ?? "-") \(text)"
            }
        }
    }

    @Test("a rule passes events on as it says, until it is disabled or its targets are gone")
    func rules() async throws {
        #expect(
            await call("PutRule", ["Name": "r", "EventPattern": Self.pattern, "Description": "d"])
                == #"{"RuleArn":"arn:aws:events:us-east-1:123456789012:rule/r"}"#)
        #expect(try told("shop").isEmpty)
        let targets: JSONValue = [
            ["Id": "b", "Arn": .string(Self.queue), "InputPath": "$.detail"],
            ["Id": "a", "Arn": .string(Self.queue), "Input": "[1]", "SqsParameters": ["MessageGroupId": "g"]],
        ]
        let done = #"{"FailedEntryCount":0,"FailedEntries":[]}"#
        #expect(await call("PutTargets", ["Rule": "r", "Targets": targets]) == done)
        #expect(try told("shop") == [#"jobs - {"n":1}"#, "jobs g [1]"])
        #expect(
            await call("ListTargetsByRule", ["Rule": "r", "Limit": 1])
                == #"{"Targets":[{"Id":"a","Arn":"\#(Self.queue)","Input":"[1]","SqsParameters":{"MessageGroupId":"g"}}],"NextToken":"YQ=="}"#
        )
        #expect(
            await call("ListRuleNamesByTarget", ["TargetArn": .string(Self.queue)]) == #"{"RuleNames":["r"]}"#)
        #expect(await call("DisableRule", ["Name": "r"]) == "{}")
        #expect(try told("shop").isEmpty)
        #expect(
            await call("DescribeRule", ["Name": "r"])
                == #"{"Name":"r","Arn":"arn:aws:events:us-east-1:123456789012:rule/r","State":"DISABLED","EventBusName":"default","EventPattern":"{\"source\":[\"shop\"]}","Description":"d","CreatedBy":"123456789012"}"#
        )
        // A rule that is put again keeps its targets.
        _ = await call("PutRule", ["Name": "r", "EventPattern": #"{"source": ["other"]}"#])
        #expect(try told("shop").isEmpty && told("other").count == 2)
        #expect(
            await call("DeleteRule", ["Name": "r"])
                == "ValidationException: Rule can't be deleted since it has targets.")
        #expect(await call("RemoveTargets", ["Rule": "r", "Ids": ["a", "b", "c"]]) == done)
        #expect(await call("DeleteRule", ["Name": "r"]) == "{}")
        #expect(await call("DeleteRule", ["Name": "r"]) == "{}")
        // The project that is read again changes nothing of this.
        _ = await call("PutRule", ["Name": "s", "EventPattern": Self.pattern, "EventBusName": "shop"])
        events.adopt(buses: ["shop"], rules: [])
        #expect(await call("ListRules", ["EventBusName": "shop"]).contains(#""Name":"s""#))
        events.adopt(buses: [], rules: [])
        #expect(await call("ListRules", ["EventBusName": "shop"]).hasPrefix("ResourceNotFoundException"))
        try store.close()
    }

    @Test("a topic and another bus get the events of a rule, and no third bus does")
    func forwarded() async throws {
        func arn(_ resource: String, _ service: String = "events") -> JSONValue {
            .string("arn:aws:\(service):us-east-1:123456789012:\(resource)")
        }
        func put(_ rule: String, on bus: String, _ targets: [JSONValue]) async -> String {
            _ = await call(
                "PutRule", ["Name": .string(rule), "EventBusName": .string(bus), "EventPattern": Self.pattern])
            return await call(
                "PutTargets", ["Rule": .string(rule), "EventBusName": .string(bus), "Targets": .array(targets)])
        }
        let done = #"{"FailedEntryCount":0,"FailedEntries":[]}"#
        for bus in ["a", "b"] { _ = await call("CreateEventBus", ["Name": .string(bus)]) }
        let topic: JSONValue = ["Id": "t", "Arn": arn("news", "sns"), "InputPath": "$.detail"]
        #expect(await put("one", on: "default", [topic, ["Id": "b", "Arn": arn("event-bus/a")]]) == done)
        // Back to the first one, to a third one, and to a queue.
        let queue: JSONValue = ["Id": "q", "Arn": .string(Self.queue), "InputPath": "$.detail"]
        let back: [JSONValue] = [
            ["Id": "d", "Arn": arn("event-bus/default")], ["Id": "b", "Arn": arn("event-bus/b")], queue,
        ]
        #expect(await put("two", on: "a", back) == done)
        #expect(await put("three", on: "b", [queue]) == done)
        #expect(try told("shop") == ["function topics/publish", #"jobs - {"n":1}"#])
        #expect(try told("shop", on: "b") == [#"jobs - {"n":1}"#])
        #expect(await call("ListTargetsByRule", ["Rule": "one"]).contains("event-bus/a"))
        for wrong: JSONValue in [
            ["Id": "x", "Arn": arn("event-bus/a"), "Input": "[1]"], ["Id": "x", "Arn": arn("news:id", "sns")],
            ["Id": "x", "Arn": "arn:aws:sns:eu-west-1:123456789012:news"],
        ] {
            #expect(await put("one", on: "default", [wrong]).hasPrefix("ValidationException"))
        }
        try store.close()
    }

    @Test("tags of rules and buses are kept, changed, and gone with what they are of")
    func tags() async throws {
        let bus = "arn:aws:events:us-east-1:123456789012:event-bus/b"
        let rule = "arn:aws:events:us-east-1:123456789012:rule/b/r"
        func tags(_ arn: String) async -> String { await call("ListTagsForResource", ["ResourceARN": .string(arn)]) }
        func tag(_ key: String, _ value: String) -> JSONValue { ["Key": .string(key), "Value": .string(value)] }
        _ = await call("CreateEventBus", ["Name": "b", "Tags": [tag("a", "1")]])
        _ = await call(
            "PutRule", ["Name": "r", "EventBusName": "b", "EventPattern": Self.pattern, "Tags": [tag("x", "y")]])
        #expect(await tags(bus) == #"{"Tags":[{"Key":"a","Value":"1"}]}"#)
        #expect(await tags(rule) == #"{"Tags":[{"Key":"x","Value":"y"}]}"#)
        #expect(
            await call("TagResource", ["ResourceARN": .string(bus), "Tags": [tag("a", "2"), tag("b", "3")]]) == "{}")
        #expect(await tags(bus) == #"{"Tags":[{"Key":"a","Value":"2"},{"Key":"b","Value":"3"}]}"#)
        #expect(await call("UntagResource", ["ResourceARN": .string(bus), "TagKeys": ["a", "none"]]) == "{}")
        #expect(await tags(bus) == #"{"Tags":[{"Key":"b","Value":"3"}]}"#)
        // A rule that is put again keeps its tags.
        _ = await call(
            "PutRule", ["Name": "r", "EventBusName": "b", "EventPattern": Self.pattern, "Tags": [tag("n", "n")]])
        #expect(await tags(rule) == #"{"Tags":[{"Key":"x","Value":"y"}]}"#)
        let many = (0...EventLimits.tagsMax - 1).map { tag("k\($0)", "") }
        #expect(
            await call("TagResource", ["ResourceARN": .string(bus), "Tags": .array(many)])
                .hasPrefix("LimitExceededException"))
        _ = await call("DeleteRule", ["Name": "r", "EventBusName": "b"])
        #expect(await tags(rule) == "ResourceNotFoundException: Rule r does not exist on EventBus b.")
        _ = await call("DeleteEventBus", ["Name": "b"])
        #expect(await tags(bus) == "ResourceNotFoundException: Event bus b does not exist.")
        _ = await call("CreateEventBus", ["Name": "b"])
        #expect(await tags(bus) == #"{"Tags":[]}"#)
        // What the project says has tags of calls as well.
        let own = "arn:aws:events:us-east-1:123456789012:rule/own"
        #expect(await call("TagResource", ["ResourceARN": .string(own), "Tags": [tag("a", "")]]) == "{}")
        #expect(await tags(own) == #"{"Tags":[{"Key":"a","Value":""}]}"#)
        for arn in [
            "arn:aws:events:us-east-1:123456789012:rule/", "arn:aws:events:eu-west-1:123456789012:rule/own", "own",
        ] {
            #expect(await tags(arn).hasPrefix("ValidationException: Parameter ResourceARN is not valid."))
        }
        try store.close()
    }

    @Test("the policy of a bus is put together, told and taken away")
    func policies() async throws {
        let arn = "arn:aws:events:us-east-1:123456789012:event-bus/shop"
        func policy() async throws -> String? {
            try JSONReader.value(of: await call("DescribeEventBus", ["Name": "shop"]))["Policy"]?.string
        }
        func put(_ id: String, _ principal: String, _ more: [(String, JSONValue)] = []) async -> String {
            let members: [(String, JSONValue)] = [
                ("EventBusName", "shop"), ("Action", "events:PutEvents"), ("Principal", .string(principal)),
                ("StatementId", .string(id)),
            ]
            return await call("PutPermission", .object(JSONObject(members + more)))
        }
        let nobody = "ResourceNotFoundException: Statement with the provided id does not exist."
        #expect(await call("RemovePermission", ["EventBusName": "shop", "StatementId": "a"]) == nobody)
        #expect(
            await call("RemovePermission", ["EventBusName": "shop", "RemoveAllPermissions": true])
                == "ResourceNotFoundException: EventBus does not have a policy.")
        #expect(await put("a", "111111111111") == "{}")
        #expect(await put("a", "222222222222") == "{}")
        let condition: JSONValue = ["Type": "StringEquals", "Key": "aws:PrincipalOrgID", "Value": "o-1"]
        #expect(await put("b", "*", [("Condition", condition)]) == "{}")
        #expect(
            try await policy()
                == #"{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::222222222222:root"},"Action":"events:PutEvents","Resource":"\#(arn)"},{"Sid":"b","Effect":"Allow","Principal":"*","Action":"events:PutEvents","Resource":"\#(arn)","Condition":{"StringEquals":{"aws:PrincipalOrgID":"o-1"}}}]}"#
        )
        #expect(await call("RemovePermission", ["EventBusName": "shop", "StatementId": "c"]) == nobody)
        #expect(await call("RemovePermission", ["EventBusName": "shop", "StatementId": "b"]) == "{}")
        #expect(try await policy()?.contains("*") == false)
        #expect(await call("RemovePermission", ["EventBusName": "shop", "StatementId": "a"]) == "{}")
        #expect(try await policy() == nil)
        #expect(await call("PutPermission", ["EventBusName": "shop", "Policy": #"{"Statement": []}"#]) == "{}")
        #expect(try await policy() == #"{"Statement":[]}"#)
        #expect(await call("PutPermission", ["Policy": "[]"]) == "ValidationException: Parameter Policy is not valid.")
        #expect(
            await call("PutPermission", ["Action": "events:PutEvents"]).hasPrefix("ValidationException: Parameter(s)"))
        #expect(await put("a", "someone").contains("satisfy regular expression pattern"))
        for id in 0..<100 { _ = await put("\(id)", "111111111111") }
        #expect(await put("last", "111111111111").hasPrefix("PolicyLengthExceededException"))
        #expect(
            await call("PutPermission", ["EventBusName": "none", "Policy": "{}"])
                == "ResourceNotFoundException: Event bus none does not exist.")
        try store.close()
    }

    @Test(
        "a rule has a schedule in the form that the service takes, and no other",
        arguments: [
            ("rate(1 minute)", true), ("rate(90 minutes)", true), ("rate(2 days)", true), ("cron(0 12 * * ? *)", true),
            ("cron(15 10 ? * 6L 2002-2005)", true), ("cron(0 2 ? * SAT#3 *)", true), ("rate(1 minutes)", false),
            ("rate(10 minute)", false), ("rate(10 seconds)", false), ("rate(0 minutes)", false), ("rate()", false),
            ("rate(10 MINUTES)", false), ("rate( 10 minutes )", false), (" rate(10 minutes)", false),
            ("cron(0 1 * * * *)", false), ("cron(71 8 1 * ? *)", false), ("cron(INVALID)", false),
            ("every 5m", false), ("0 12 * * ? *", false),
        ])
    func scheduleForms(text: String, isOne: Bool) async throws {
        let answer = await call("PutRule", ["Name": "r", "ScheduleExpression": .string(text)])
        #expect(
            answer
                == (isOne
                    ? #"{"RuleArn":"arn:aws:events:us-east-1:123456789012:rule/r"}"#
                    : "ValidationException: Parameter ScheduleExpression is not valid."))
        try store.close()
    }

    @Test("a rule of the clock passes its event on to its targets, and who follows the schedules is told of changes")
    func clock() async throws {
        let told = Mutex(0)
        events.followSchedules { told.withLock { $0 += 1 } }
        _ = await call("PutRule", ["Name": "tick", "ScheduleExpression": "rate(5 minutes)"])
        #expect(told.withLock { $0 } == 1 && events.schedules.map(\.name) == ["tick"])
        #expect(await call("DescribeRule", ["Name": "tick"]).contains(#""ScheduleExpression":"rate(5 minutes)""#))
        _ = await call("PutTargets", ["Rule": "tick", "Targets": [["Id": "a", "Arn": .string(Self.queue)]]])
        // No schedule has changed by that.
        #expect(told.withLock { $0 } == 1)
        let queues = QueueService(events.queues).table
        _ = try await queues.answer("CreateQueue", ["QueueName": "jobs"])
        let schedule = try #require(events.schedules.first?.schedule)
        try await events.passOn(schedule, of: "tick", at: 1_000_000_000)
        let url: JSONValue = ["QueueUrl": "http://127.0.0.1/123456789012/jobs"]
        func count() async throws -> JSONValue? {
            let wanted: JSONValue = [
                "QueueUrl": url["QueueUrl"] ?? .null, "AttributeNames": ["ApproximateNumberOfMessages"],
            ]
            return try await queues.answer("GetQueueAttributes", wanted)["Attributes"]?["ApproximateNumberOfMessages"]
        }
        #expect(try await count() == "1")
        // Events of calls are nothing to it.
        #expect(try self.told("aws.events").isEmpty)
        _ = await call("DisableRule", ["Name": "tick"])
        #expect(told.withLock { $0 } == 2 && events.schedules.isEmpty)
        try await events.passOn(schedule, of: "tick", at: 1_000_000_300)
        #expect(try await count() == "1")
        #expect(
            await call("PutRule", ["Name": "t", "EventBusName": "shop", "ScheduleExpression": "rate(5 minutes)"])
                == "ValidationException: ScheduleExpression is supported only on the default event bus.")
        #expect(
            await call("PutRule", ["Name": "t"])
                == "ValidationException: Parameter(s) EventPattern or ScheduleExpression must be specified.")
        try store.close()
    }

    @Test("a rule starts a state machine, for a caller who may start executions of it")
    func machines() async throws {
        let arn = "arn:aws:states:us-east-1:123456789012:stateMachine:ship"
        let input: JSONValue = ["Rule": "r", "Targets": [["Id": "a", "Arn": .string(arn), "InputPath": "$.detail"]]]
        _ = await call("PutRule", ["Name": "r", "EventPattern": Self.pattern])
        #expect(await call("PutTargets", input) == #"{"FailedEntryCount":0,"FailedEntries":[]}"#)
        #expect(try told("shop") == [#"stateMachine/ship {"n":1}"#])
        #expect(await call("ListRuleNamesByTarget", ["TargetArn": .string(arn)]) == #"{"RuleNames":["r"]}"#)
        let demands = EventRights.targets("events:PutTargets", CallInput(try #require(input.object)))
        #expect(demands.map(\.action) == ["events:PutTargets", "states:StartExecution"])
        #expect(demands[1].resources == [PolicyResource("states", "stateMachine:", "ship")])
        // A machine that the project has lost gets nothing more after the rules are read again.
        events.adopt(buses: ["shop"], rules: [])
        #expect(try await events.readMade().count == 1 && told("shop").isEmpty)
        try store.close()
    }

    @Test("the next start has what calls have made, and leaves out what cannot be read")
    func restarts() async throws {
        _ = await call("CreateEventBus", ["Name": "b", "Description": "d"])
        _ = await call("PutRule", ["Name": "r", "EventPattern": Self.pattern, "EventBusName": "b"])
        let target: JSONValue = ["Id": "a", "Arn": .string(Self.queue), "InputPath": "$.detail"]
        _ = await call("PutTargets", ["Rule": "r", "EventBusName": "b", "Targets": [target]])
        _ = await call("PutRule", ["Name": "gone", "EventPattern": Self.pattern])
        _ = await call("DeleteRule", ["Name": "gone"])
        _ = try await store.writer.write(turn: .all, key: nil) { session in
            try session.change(MadeRuleRows.setting, [.text("b"), .text("torn"), .text("{}")])
        }
        let next = Events(
            over: Queues(over: store, region: "us-east-1", accountID: "123456789012"), buses: [], rules: [],
            region: "us-east-1", accountID: "123456789012", clock: { 9_000 })
        let unread = try await next.readMade()
        #expect(unread.count == 1 && unread[0].hasPrefix("torn: Event pattern is not valid."), "\(unread)")
        let told = try next.deliveries(
            of: ["source": "shop", "detail": ["n": 1]], bytes: 10, on: "b", MatchingSteps(1_000_000))
        guard case .message(#"{"n":1}"#, queue: "jobs", group: nil)? = told.first, told.count == 1 else {
            Issue.record("\(told)")
            return
        }
        #expect(next.rules["default"]?.isEmpty == true)
        #expect(next.book.content.buses["b"]?.created == 5_000)
        try store.close()
    }

    @Test("a bus is made once, listed by pages, and removed without rules")
    func buses() async throws {
        #expect(
            await call("CreateEventBus", ["Name": "b", "Description": "d"])
                == #"{"EventBusArn":"arn:aws:events:us-east-1:123456789012:event-bus/b","Description":"d"}"#)
        let shown = try JSONReader.value(of: await call("DescribeEventBus", ["Name": "b"]))
        #expect(shown["Description"] == "d" && shown["CreationTime"]?.number == 5 && shown["LastModifiedTime"] != nil)
        let first = try JSONReader.value(of: await call("ListEventBuses", ["Limit": 1]))
        #expect(first["EventBuses"]?.array?.count == 1 && first["EventBuses"]?.array?.first == shown)
        #expect(first["NextToken"] == "Yg==")
        #expect(await call("ListEventBuses", ["Limit": 1, "NextToken": "Yg=="]).contains(#""Name":"default""#))
        #expect(await call("ListEventBuses", ["NextToken": "!"]).hasPrefix("ValidationException"))
        _ = await call("PutRule", ["Name": "r", "EventPattern": Self.pattern, "EventBusName": "b"])
        #expect(await call("DeleteEventBus", ["Name": "b"]).hasPrefix("ValidationException: Event bus b can't"))
        _ = await call("DeleteRule", ["Name": "r", "EventBusName": "b"])
        #expect(await call("DeleteEventBus", ["Name": "b"]) == "{}")
        try store.close()
    }

    @Test(
        "what cannot be made is refused in the service's words, and what the project says stays",
        arguments: [
            ("CreateEventBus", ["Name": "shop"], "ResourceAlreadyExistsException: Event bus shop already exists."),
            ("DeleteEventBus", ["Name": "default"], "ValidationException: Cannot delete event bus default."),
            ("DeleteEventBus", ["Name": "none"], "{}"),
            (
                "DeleteEventBus", ["Name": "shop"],
                "ManagedRuleException: Event bus shop is the project's. Change the project."
            ),
            (
                "PutRule", ["Name": "r"],
                "ValidationException: Parameter(s) EventPattern or ScheduleExpression must be specified."
            ),
            (
                "PutRule", ["Name": "own", "EventPattern": pattern],
                "ManagedRuleException: Rule own is the project's. Change the project."
            ),
            ("DeleteRule", ["Name": "own"], "ManagedRuleException: Rule own is the project's. Change the project."),
            ("EnableRule", ["Name": "x"], "ResourceNotFoundException: Rule x does not exist on EventBus default."),
            (
                "RemoveTargets", ["Rule": "x", "Ids": ["a"]],
                "ResourceNotFoundException: Rule x does not exist on EventBus default."
            ),
            (
                "PutTargets", ["Rule": "x", "Targets": [["Id": "a", "Arn": .string(queue)]]],
                "ResourceNotFoundException: Rule x does not exist on EventBus default."
            ),
            (
                "PutTargets", ["Rule": "x", "Targets": [["Id": "!", "Arn": .string(queue)]]],
                "ValidationException: 1 validation error detected: Value '!' at 'targets.1.member.id' failed to satisfy constraint: "
                    + #"Member must satisfy regular expression pattern: [\.\-_A-Za-z0-9]+"#
            ),
            (
                "PutTargets",
                ["Rule": "x", "Targets": [["Id": "a", "Arn": .string(queue), "Input": "1", "InputPath": "$.a"]]],
                "ValidationException: Only one of Input, InputPath, or InputTransformer must be provided for target a."
            ),
            (
                "PutTargets", ["Rule": "x", "Targets": [["Id": "a", "Arn": .string(queue), "Input": "{"]]],
                "ValidationException: JSON syntax error in input for target a."
            ),
            (
                "PutTargets",
                [
                    "Rule": "x",
                    "Targets": [
                        [
                            "Id": "a", "Arn": .string(queue),
                            "InputTransformer": [
                                "InputTemplate": "<n> < b> <aws.events.event> <none>", "InputPathsMap": ["n": "$.n"],
                            ],
                        ]
                    ],
                ],
                "ValidationException: InputTemplate for target a contains invalid placeholder none."
            ),
            (
                "PutTargets",
                ["Rule": "x", "Targets": [["Id": "a", "Arn": "arn:aws:lambda:us-east-1:123456789012:function:f"]]],
                "ValidationException: Parameter arn:aws:lambda:us-east-1:123456789012:function:f is not valid. Reason: the targets are "
                    + "queues, functions, state machines, topics and buses of this server."
            ),
            (
                "PutTargets",
                [
                    "Rule": "x",
                    "Targets": [["Id": "a", "Arn": "arn:aws:states:us-east-1:123456789012:stateMachine:other"]],
                ],
                "ValidationException: Parameter arn:aws:states:us-east-1:123456789012:stateMachine:other is not valid. Reason: the "
                    + "targets are queues, functions, state machines, topics and buses of this server."
            ),
            (
                "PutTargets",
                [
                    "Rule": "x",
                    "Targets": [["Id": "a", "Arn": "arn:aws:lambda:us-east-1:210987654321:function:resize"]],
                ],
                "ValidationException: Parameter arn:aws:lambda:us-east-1:210987654321:function:resize is not valid. Reason: the targets "
                    + "are queues, functions, state machines, topics and buses of this server."
            ),
        ] as [(String, JSONValue, String)])
    func refusals(operation: String, input: JSONValue, words: String) async throws {
        #expect(await call(operation, input) == words)
        #expect(try told("own") == ["function f"])
        try store.close()
    }

    @Test("buses, rules and targets have bounds, and one more is refused")
    func bounds() async throws {
        let words = "LimitExceededException: The requested resource exceeds the maximum number allowed."
        // All but one of each lie there already.
        try await store.writer.write(turn: .all, key: nil) { session in
            try session.bring(MadeRuleRows.tables)
            func put(_ bus: String, _ rule: String, _ content: String) throws {
                try session.change(MadeRuleRows.setting, [.text(bus), .text(rule), .text(content)])
            }
            for number in 2...EventLimits.madeBusesMax { try put("b\(number)", "", #"{"Created":1}"#) }
            for number in 2...EventLimits.madeRulesMax {
                try put("b2", "r\(number)", #"{"EventPattern":"{\"source\":[\"shop\"]}"}"#)
            }
        }
        _ = await call("CreateEventBus", ["Name": "b1"])
        #expect(await call("CreateEventBus", ["Name": "more"]) == words)
        let last = await call("PutRule", ["Name": "r1", "EventPattern": Self.pattern, "EventBusName": "b1"])
        #expect(last.contains("rule/b1/r1"))
        #expect(await call("PutRule", ["Name": "more", "EventPattern": Self.pattern]) == words)
        let targets = (0...EventLimits.targetsMax).map { number -> JSONValue in
            ["Id": .string("t\(number)"), "Arn": .string(Self.queue)]
        }
        #expect(
            await call("PutTargets", ["Rule": "r1", "EventBusName": "b1", "Targets": .array(targets)]) == words)
        #expect(
            await call(
                "PutTargets", ["Rule": "r1", "EventBusName": "b1", "Targets": .array(Array(targets.dropLast()))])
                == #"{"FailedEntryCount":0,"FailedEntries":[]}"#)
        try store.close()
    }

    @Test("a rule calls a function by any of its names, for as long as there is such a function")
    func functions() async throws {
        let arn = "arn:aws:lambda:us-east-1:123456789012:function:resize-main"
        _ = await call("PutRule", ["Name": "r", "EventPattern": Self.pattern])
        _ = await call("PutTargets", ["Rule": "r", "Targets": [["Id": "a", "Arn": .string(arn + ":live")]]])
        #expect(try told("shop") == ["function resize"])
        #expect(
            await call("ListRuleNamesByTarget", ["TargetArn": .string(arn + ":live")]) == #"{"RuleNames":["r"]}"#)
        events.adopt(buses: ["shop"], rules: [])
        #expect(try await events.readMade().count == 1)
        #expect(try told("shop").isEmpty)
        events.adopt(buses: ["shop"], rules: [], functions: [ByteText("resize-main"): "resize"])
        #expect(try await events.readMade().isEmpty)
        #expect(try told("shop") == ["function resize"])
        try store.close()
    }

    @Test("having a function called needs the right to call it")
    func functionRights() {
        let arn = "arn:aws:lambda:us-east-1:123456789012:function:resize:live"
        let input = CallInput(JSONObject([("Rule", "r"), ("Targets", [["Arn": .string(arn)]])]))
        let demands = EventRights.targets("events:PutTargets", input)
        #expect(demands.count == 2 && demands.last?.action == "lambda:InvokeFunction")
        #expect(demands.last?.resources == [PolicyResource("lambda", "function:", "resize")])
    }

    @Test("having events sent to a queue needs the right to send to it")
    func rights() {
        let input = CallInput(JSONObject([("Rule", "r"), ("Targets", [["Arn": .string(Self.queue)]])]))
        let demands = EventRights.targets("events:PutTargets", input).map { "\($0)" }
        #expect(demands.count == 2 && demands[1].contains("sqs:SendMessage") && demands[1].contains("jobs"))
    }

    @Test(
        "having events published, or sent to another bus, needs the right to do that",
        arguments: [
            ("sns", "news", "sns:Publish", PolicyResource("sns", "news")),
            ("events", "event-bus/b", "events:PutEvents", PolicyResource("events", "event-bus/", "b")),
        ])
    func otherRights(service: String, resource: String, action: String, needed: PolicyResource) {
        let arn = "arn:aws:\(service):us-east-1:123456789012:\(resource)"
        let input = CallInput(JSONObject([("Rule", "r"), ("Targets", [["Arn": .string(arn)]])]))
        let demands = EventRights.targets("events:PutTargets", input)
        #expect(demands.last?.action == action && demands.last?.resources == [needed])
    }
}
