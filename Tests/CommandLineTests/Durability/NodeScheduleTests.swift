import Foundation
import JSON
import PostgresSupport
import TestSupport
import Testing

/// Several servers over one database that call by the clock while one of them is stopped, and goes on as if it were the keeper still.
@Suite(
    "Schedules of several servers",
    .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .enabled(if: MovedClock.isPossible, "there is no compiler for the library that moves a clock"))
struct NodeScheduleTests {
    private static let isKeeper = "this node is the keeper"

    private static var configuration: String {
        let program = HomeportProcess.program(named: "test-runtime")
        let machine =
            #"{"StartAt": "s", "States": {"s": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "#
            + #""Parameters": {"QueueUrl": "http://127.0.0.1/123456789012/machine", "MessageBody.$": "$.time"}, "End": true}}}"#
        return """
            {"functions": {"work": {"command": ["\(program)", "serve"], "timeout": 20, "schedule": "every 1m"}},
             "queues": {"machine": {}, "rule": {}},
             "stateMachines": {"tick": {"text": \(JSONWriter.text(of: .string(machine))), "schedule": "every 1m"}}}
            """
    }

    /// Two servers that go by one clock, of which the first is the keeper.
    private struct Pair {
        let schema: String
        let clock: MovedClock
        let keeper: HomeportProcess
        let other: HomeportProcess
        private let server: PostgresServer

        init(_ schema: String) throws {
            let server = try PostgresServer.shared.get()
            let url = try server.url(ofNewSchema: schema)
            let clock = try MovedClock()
            func serve() throws -> HomeportProcess {
                let folder = TemporaryFolder()
                try folder.write(NodeScheduleTests.configuration, to: "homeport.json")
                return try NodeTests.serve(url, ["--config", "homeport.json"], clock.environment, in: folder)
            }
            (self.schema, self.clock, self.server) = (schema, clock, server)
            keeper = try serve()
            try #require(keeper.logs(isKeeper))
            other = try serve()
        }

        private func answer(_ text: String) throws -> Int64? {
            let connection = try server.app()
            defer { connection.close() }
            return try connection.answer(text)[0].integer(0)
        }

        /// Has the keeper's time be over for all others, who hear that they may be the keeper.
        func freeDuty() throws {
            let channel = "'homeport_' || (SELECT oid FROM pg_namespace WHERE nspname = '\(schema)')"
            _ = try answer("UPDATE \(schema)._homeport_duties SET until = 0 RETURNING 1")
            _ = try answer("SELECT count(*) FROM (SELECT pg_notify(\(channel), '1 d')) AS told")
        }

        /// How many messages are in queues that nobody but the servers takes from.
        func keptCount() throws -> Int64? {
            try answer(
                "SELECT count(*) FROM \(schema)._homeport_queue_messages AS message JOIN \(schema)._homeport_queues AS queue "
                    + "ON queue.number = message.queue WHERE queue.name LIKE 'function:%'")
        }
    }

    private static func call(_ operation: String, _ body: String, to server: HomeportProcess) throws {
        let answer = try EventServeTests.call(operation, body, to: server)
        #expect(answer.status == 200, "\(operation): \(answer)")
    }

    /// Has a whole minute come in three seconds, as the servers have it. Gives the minute, and the moment at which it comes.
    private static func set(_ clock: MovedClock) throws -> (minute: String, moment: ContinuousClock.Instant) {
        let (now, moment) = (Date().timeIntervalSince1970, ContinuousClock.now + .seconds(3))
        let minute = ((now + 3) / 60).rounded(.up) * 60
        try clock.set(leadMilliseconds: Int64((minute - 3 - now) * 1_000))
        return (Date(timeIntervalSince1970: minute).formatted(.iso8601), moment)
    }

    @Test(
        "a time of a function, a rule and a state machine counts once, and none is left out, where two take themselves for the keeper",
        arguments: [true, false])
    func twoKeepers(isTakenBefore: Bool) throws {
        let pair = try Pair("nodeschedules\(isTakenBefore)")
        let (keeper, other) = (pair.keeper, pair.other)
        try Self.call("PutRule", #"{"Name": "tick", "ScheduleExpression": "cron(* * * * ? *)"}"#, to: keeper)
        let queue = "arn:aws:sqs:us-east-1:123456789012:rule"
        let targets = #"{"Rule": "tick", "Targets": [{"Id": "q", "Arn": "\#(queue)", "InputPath": "$.time"}]}"#
        try Self.call("PutTargets", targets, to: keeper)
        try eventually("the other knows the rule") {
            try EventServeTests.call("ListTargetsByRule", #"{"Rule": "tick"}"#, to: other).body["Targets"]?.array?
                .isEmpty == false
        }
        let (time, moment) = try Self.set(pair.clock)
        // It looks at its clock again where a rule changes.
        try Self.call("PutRule", #"{"Name": "rare", "ScheduleExpression": "rate(100 days)"}"#, to: keeper)
        keeper.signal(SIGSTOP)
        var received: [String] = []
        func hasReceived(_ text: String, from queue: String) throws -> Bool {
            received += try other.bodies(of: queue, wait: 1, deletes: true).map { "\(queue) \($0)" }
            return received.contains("\(queue) \(text)")
        }
        if !isTakenBefore {
            pause(moment + .milliseconds(200) - .now, because: "the time comes while no node is the keeper")
        }
        try pair.freeDuty()
        #expect(other.logs(Self.isKeeper))
        try eventually("the time of the rule is acted on") { try hasReceived("\"\(time)\"", from: "rule") }
        keeper.signal(SIGCONT)
        #expect(keeper.logs("another node may be the keeper from now on"))
        try eventually("the time of the machine is acted on") { try hasReceived(time, from: "machine") }
        #expect(other.logs("tick of \(time) function=work"), "\(other.log)")
        // Behind all that the first one has sent.
        try keeper.send("last", to: "rule")
        try eventually("all of the rule is received") { try hasReceived("last", from: "rule") }
        try eventually("all is told") { try pair.keptCount() == 0 }
        received += try other.bodies(of: "machine", wait: 1).map { "machine \($0)" }
        #expect(received.count { $0 == "rule \"\(time)\"" } == 1, "\(received)")
        #expect(received.count { $0 == "machine \(time)" } == 1, "\(received)")
        #expect([keeper, other].reduce(0) { $0 + $1.logCount(of: "tick of \(time) function=work") } == 1)
    }
}
