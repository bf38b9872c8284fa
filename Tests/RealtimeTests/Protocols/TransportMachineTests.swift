import JSON
import Network
import Testing

@testable import Realtime

@Suite("graphql-transport-ws")
struct TransportMachineTests {
    enum Happening {
        case text(String)
        case identified(Bool)
        case answered(String, OperationNumber)
        case failed(String, OperationNumber)
        case timeUp
        case expired
    }

    struct Row: CustomTestStringConvertible {
        let name: String
        let steps: [(Happening, String)]
        var testDescription: String { name }
    }

    static let begin: [(Happening, String)] = [
        (.text(#"{"type":"connection_init"}"#), "identify []"), (.identified(true), #"{"type":"connection_ack"}"#),
    ]

    static func subscribe(_ id: String) -> Happening {
        .text(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"{ a }","variables":{}}}"#)
    }

    static let rows: [Row] = [
        Row(
            name: "a query gets one next and complete",
            steps: begin + [
                (subscribe("1"), "start 1#1"),
                (.answered("1", 1), #"{"id":"1","type":"next","payload":{"data":{}}} {"id":"1","type":"complete"}"#),
                (.answered("1", 1), ""), (subscribe("1"), "start 1#2"),
            ]),
        Row(
            name: "an error ends the operation, and no complete follows",
            steps: begin + [
                (subscribe("1"), "start 1#1"),
                (.failed("1", 1), #"{"id":"1","type":"error","payload":[{"message":"M","errorType":"T"}]}"#),
                (.failed("1", 1), ""), (subscribe("1"), "start 1#2"),
            ]),
        Row(
            name: "the client completes",
            steps: begin + [
                (subscribe("1"), "start 1#1"), (.text(#"{"id":"1","type":"complete"}"#), "stop #1"),
                (.answered("1", 1), ""), (.text(#"{"id":"1","type":"complete"}"#), "-"),
            ]),
        Row(
            name: "a ping is answered with its payload",
            steps: [
                (.text(#"{"type":"ping"}"#), #"{"type":"pong"}"#),
                (.text(#"{"type":"ping","payload":{"a":1}}"#), #"{"type":"pong","payload":{"a":1}}"#),
                (.text(#"{"type":"pong"}"#), "-"),
            ]),
        Row(
            name: "what the client shows in init",
            steps: [
                (
                    .text(
                        #"{"type":"connection_init","payload":{"authorization":{"x-api-key":"k"},"Authorization":"t"}}"#
                    ),
                    "identify [Authorization=t, x-api-key=k]"
                )
            ]),
        Row(name: "4401: subscribe before the ack", steps: [(subscribe("1"), "close 4401 Unauthorized")]),
        Row(
            name: "4401: also while the gate is asked",
            steps: [begin[0], (subscribe("1"), "close 4401 Unauthorized"), (.identified(true), "")]),
        Row(name: "4403: init refused", steps: [begin[0], (.identified(false), "close 4403 Forbidden")]),
        Row(
            name: "4403: what proved the caller is about to end",
            steps: begin + [(.expired, "close 4403 Forbidden"), (.expired, "")]),
        Row(
            name: "4408: no init in time",
            steps: [
                (.timeUp, "close 4408 Connection initialisation timeout"), (begin[0].0, "-"),
            ]),
        Row(name: "no 4408 after init", steps: [begin[0], (.timeUp, "")]),
        Row(
            name: "4409: an id in use",
            steps: begin + [
                (subscribe("1"), "start 1#1"), (subscribe("1"), "close 4409 Subscriber for 1 already exists"),
            ]),
        Row(name: "4429: a second init", steps: begin + [(begin[0].0, "close 4429 Too many initialisation requests")]),
        Row(
            name: "4429: also before the ack",
            steps: [begin[0], (begin[0].0, "close 4429 Too many initialisation requests")]),
        Row(
            name: "4400: an unknown type",
            steps: begin + [
                (.text(#"{"type":"nonsense"}"#), "close 4400 expected a message of a known type, found another")
            ]),
        Row(name: "4400: no JSON", steps: [(.text("{"), "close 4400 Invalid message received"), (.text("{"), "-")]),
        Row(
            name: "4400: no id",
            steps: begin + [
                (
                    .text(#"{"type":"subscribe","payload":{"query":"{ a }"}}"#),
                    "close 4400 expected an id of 1 to 256 bytes in subscribe"
                )
            ]),
        Row(
            name: "4400: an empty id",
            steps: begin + [(subscribe(""), "close 4400 expected an id of 1 to 256 bytes in subscribe")]),
        Row(
            name: "4400: no query",
            steps: begin + [
                (
                    .text(#"{"id":"1","type":"subscribe","payload":{}}"#),
                    "close 4400 expected a query, and variables as an object, in the payload of subscribe"
                )
            ]),
        Row(
            name: "4400: complete without an id",
            steps: begin + [
                (.text(#"{"type":"complete"}"#), "close 4400 expected an id in complete, found none")
            ]),
    ]

    static func play(_ machine: inout TransportMachine, _ happening: Happening) -> String {
        switch happening {
        case .text(let text):
            switch machine.received(Array(text.utf8)) {
            case .send(let bytes): Said.text(bytes)
            case .identify(let fields):
                "identify [" + fields.map { "\($0.name)=\($0.value)" }.joined(separator: ", ") + "]"
            case .start(let start): "start \(start.id)#\(start.number)"
            case .stop(let number): "stop #\(number)"
            case .close(let close): "close \(close.code?.rawValue ?? 0) \(close.reason)"
            case .nothing: "-"
            }
        case .identified(let isAccepted): said(machine.identified(isAccepted: isAccepted))
        case .answered(let id, let number):
            machine.answered(id, number, Array(#"{"data":{}}"#.utf8)).map(Said.text).joined(separator: " ")
        case .failed(let id, let number): machine.failed(id, number, OperationFailure("T", "M")).map(Said.text) ?? ""
        case .timeUp: said(machine.initTimeIsUp())
        case .expired: said(machine.proofEnds())
        }
    }

    static func said(_ action: TransportMachine.EndAction) -> String {
        switch action {
        case .send(let bytes): Said.text(bytes)
        case .close(let close): "close \(close.code?.rawValue ?? 0) \(close.reason)"
        case .nothing: ""
        }
    }

    @Test("what is received is answered", arguments: rows)
    func answers(_ row: Row) {
        var machine = TransportMachine(limits: RealtimeLimits())
        for (index, step) in row.steps.enumerated() {
            #expect(Self.play(&machine, step.0) == step.1, "step \(index)")
        }
    }

    @Test("a connection has no more than 200 operations")
    func countsOperations() {
        var machine = TransportMachine(limits: RealtimeLimits())
        for step in Self.begin { _ = Self.play(&machine, step.0) }
        for number in 1...200 {
            #expect(Self.play(&machine, Self.subscribe("\(number)")) == "start \(number)#\(number)")
        }
        #expect(
            Self.play(&machine, Self.subscribe("x"))
                == #"{"id":"x","type":"error","payload":[{"message":"Max number of 200 subscriptions reached","errorType":"MaxSubscriptionsReachedError"}]}"#
        )
    }
}

@Suite("subscriptions-transport-ws")
struct LegacyMachineTests {
    static func start(_ id: String) -> String { #"{"id":"\#(id)","type":"start","payload":{"query":"{ a }"}}"# }

    static func said(_ action: LegacyMachine.MessageAction) -> String {
        switch action {
        case .send(let bytes): Said.text(bytes)
        case .acknowledge(let bytes): "ack " + Said.text(bytes)
        case .start(let start): "start \(start.id)#\(start.number)" + (start.replaced.map { " for #\($0)" } ?? "")
        case .stop(let number): "stop #\(number)"
        case .close(let close): "close \(close.code?.rawValue ?? 0)"
        case .nothing: "-"
        }
    }

    static let rows: [(received: String, answer: String)] = [
        (#"{"type":"connection_init","payload":{}}"#, #"ack {"type":"connection_ack"}"#),
        (start("1"), "start 1#1"), (start("1"), "start 1#2 for #1"), (#"{"id":"1","type":"stop"}"#, "stop #2"),
        (#"{"id":"1","type":"stop"}"#, "-"),
        (#"{"id":"1","type":"x"}"#, #"{"id":"1","type":"error","payload":{"message":"Invalid message type!"}}"#),
        ("{", #"{"type":"error","payload":{"message":"expected a JSON object with a type, found something else"}}"#),
        (
            #"{"id":"1","type":"start","payload":{}}"#,
            #"{"id":"1","type":"error","payload":{"message":"expected a query, and variables as an object, found something else"}}"#
        ),
        (
            #"{"type":"start","payload":{"query":"{ a }"}}"#,
            #"{"type":"error","payload":{"message":"expected an id of at most 256 bytes"}}"#
        ),
        (#"{"type":"connection_terminate"}"#, "close 1000"), (start("2"), "-"),
    ]

    @Test("what is received is answered")
    func answers() {
        var machine = LegacyMachine(limits: RealtimeLimits(), isIdentified: true, isInitAwaitingIdentity: false)
        for row in Self.rows { #expect(Self.said(machine.received(Array(row.received.utf8))) == row.answer) }
    }

    @Test("a query has its answer and is over")
    func answersQueries() {
        var machine = LegacyMachine(limits: RealtimeLimits(), isIdentified: true, isInitAwaitingIdentity: false)
        _ = machine.received(Array(Self.start("1").utf8))
        #expect(
            machine.answered("1", 1, Array("{}".utf8)).map(Said.text)
                == [#"{"id":"1","type":"data","payload":{}}"#, #"{"id":"1","type":"complete"}"#])
        #expect(machine.answered("1", 1, Array("{}".utf8)).isEmpty)
        _ = machine.received(Array(Self.start("1").utf8))
        #expect(
            machine.failed("1", 2, OperationFailure("T", "M")).map(Said.text)
                == #"{"id":"1","type":"error","payload":{"message":"M","errorType":"T"}}"#)
        #expect(machine.failed("1", 2, OperationFailure("T", "M")) == nil)
    }

    @Test("what waits for the gate starts when it has answered, and a refusal ends all")
    func waits() {
        for isAccepted in [true, false] {
            var machine = LegacyMachine(limits: RealtimeLimits(), isIdentified: false, isInitAwaitingIdentity: true)
            #expect(machine.received(Array(Self.start("1").utf8)) == .nothing)
            #expect(machine.received(Array(Self.start("1").utf8)) == .nothing)
            #expect(machine.received(Array(Self.start("2").utf8)) == .nothing)
            #expect(machine.received(Array(#"{"id":"2","type":"stop"}"#.utf8)) == .stop(3))
            switch machine.identified(isAccepted ? nil : .unauthorized) {
            case .proceed(let ack, let starts):
                #expect(
                    isAccepted && ack.map(Said.text) == #"{"type":"connection_ack"}"# && starts.map(\.number) == [2])
            case .fail(let bytes):
                #expect(!isAccepted)
                #expect(
                    Said.text(bytes)
                        == #"{"type":"connection_error","payload":{"message":"You are not authorized to make this call."}}"#
                )
            case .nothing: Issue.record("nothing")
            }
        }
    }
}

@Suite("GraphQL over server-sent events")
struct EventStreamMachineTests {
    @Test("a query is one next and complete")
    func query() {
        var machine = EventStreamMachine()
        #expect(
            machine.answered(Array(#"{"data":{}}"#.utf8)).map(Said.text)
                == "event: next\ndata: {\"data\":{}}\n\nevent: complete\ndata:\n\n")
        let isOver = machine.isOver
        #expect(isOver)
        #expect(machine.answered([]) == nil)
        #expect(machine.keepAlive() == nil)
    }

    @Test("a subscription is a next for each event, and nothing when the server has to end it")
    func subscription() {
        var machine = EventStreamMachine()
        #expect(machine.next(Array("1".utf8)).map(Said.text) == "event: next\ndata: 1\n\n")
        #expect(machine.keepAlive().map(Said.text) == ":\n\n")
        machine.cut()
        #expect(machine.next(Array("1".utf8)) == nil)
    }

    @Test("an error is a result, too")
    func failure() {
        var machine = EventStreamMachine()
        #expect(
            machine.failed(OperationFailure(nil, "M")).map(Said.text)
                == "event: next\ndata: {\"errors\":[{\"message\":\"M\"}]}\n\nevent: complete\ndata:\n\n")
    }
}
