import JSON
import Network
import Testing

@testable import Realtime

/// What a machine answered, in one line, so that a row of a table is what was received and what was said.
enum Said {
    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

@Suite("AppSync's protocol")
struct AppSyncMachineTests {
    /// Something that happens to the machine.
    enum Happening {
        case text(String)
        case accepted
        case refused
        case started(String, OperationNumber)
        case failed(String, OperationNumber)
        case timeUp
        case asked
        case expired
    }

    static let ack = #"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#
    static let unauthorized =
        #"{"type":"connection_error","payload":{"errors":[{"errorType":"UnauthorizedException","message":"You are not authorized to make this call.","errorCode":401}]}}"#
    static let unknown =
        #"{"type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","message":"unknown not supported through the realtime channel"}]}}"#

    static func start(_ id: String, _ extra: String = "") -> String {
        #"{"id":"\#(id)","type":"start","payload":{"data":"{\"query\":\"subscription { a }\"}"\#(extra)}}"#
    }

    static func play(_ machine: inout AppSyncMachine, _ happening: Happening) -> String {
        switch happening {
        case .text(let text): said(machine.received(Array(text.utf8)))
        case .accepted: said(machine.identified(nil))
        case .refused: said(machine.identified(.unauthorized))
        case .started(let id, let number): machine.started(id, number).map(Said.text) ?? "-"
        case .failed(let id, let number): machine.failed(id, number, OperationFailure("T", "M")).map(Said.text) ?? "-"
        case .asked: "\(machine.mustIdentify())"
        case .timeUp:
            switch machine.initTimeIsUp() {
            case .fail(let bytes): "fail " + Said.text(bytes)
            case .close(let close): "close \(close.code?.rawValue ?? 0)"
            case .nothing: "-"
            }
        case .expired:
            {
                machine.handshakeEnds(); return "-"
            }()
        }
    }

    static func said(_ start: OperationStart) -> String {
        "\(start.id)#\(start.number)" + (start.credentials == nil ? "" : "+")
    }

    static func said(_ action: AppSyncMachine.IdentifiedAction) -> String {
        switch action {
        case .proceed(let ack, let starts): "ack \(ack.map(Said.text) ?? "-") start \(starts.map(said))"
        case .fail(let bytes): "fail " + Said.text(bytes)
        case .waitToFail: "wait"
        case .nothing: "-"
        }
    }

    static func said(_ action: AppSyncMachine.MessageAction) -> String {
        switch action {
        case .send(let bytes): Said.text(bytes)
        case .identify(let fields): "identify \(fields.map { "\($0.name)=\($0.value)" })"
        case .acknowledge(let bytes): "ack " + Said.text(bytes)
        case .fail(let bytes): "fail " + Said.text(bytes)
        case .start(let start): (start.isRepeated ? "again " : "start ") + said(start)
        case .stop(let number, let bytes): "stop #\(number) " + Said.text(bytes)
        case .close(let close): "close \(close.code?.rawValue ?? 0)"
        case .handOver: "hand over"
        case .nothing: "-"
        }
    }

    struct Row: CustomTestStringConvertible {
        let name: String
        var isAsked = true
        let steps: [(Happening, String)]
        var testDescription: String { name }
    }

    static let initialise = Happening.text(#"{"type":"connection_init"}"#)

    static let rows: [Row] = [
        Row(
            name: "init is acknowledged when the gate has answered",
            steps: [
                (initialise, "-"), (.accepted, "ack \(ack) start []"), (.accepted, "-"),
            ]),
        Row(
            name: "the gate answers first",
            steps: [
                (.accepted, "ack - start []"), (initialise, "ack \(ack)"), (initialise, "ack \(ack)"),
            ]),
        Row(
            name: "init and start together wait for the gate, in order",
            steps: [
                (initialise, "-"), (.text(start("1")), "-"), (.text(start("2")), "-"),
                (.accepted, #"ack \#(ack) start ["1#1", "2#2"]"#),
                (.started("1", 1), #"{"id":"1","type":"start_ack"}"#),
            ]),
        Row(
            name: "start without init counts as a beginning",
            steps: [
                (.accepted, "ack - start []"), (.text(start("1")), "start 1#1"),
                (.started("1", 1), #"{"id":"1","type":"start_ack"}"#), (.timeUp, "-"),
            ]),
        Row(
            name: "a refusal is told when the client begins",
            steps: [
                (.refused, "wait"), (initialise, "fail \(unauthorized)"), (initialise, "-"), (.text(start("1")), "-"),
            ]),
        Row(
            name: "who was refused starts nothing",
            steps: [(.refused, "wait"), (.text(start("1")), "fail \(unauthorized)"), (.text(start("2")), "-")]),
        Row(name: "a refusal is told after a while", steps: [(.refused, "wait"), (.timeUp, "fail \(unauthorized)")]),
        Row(
            name: "a refusal is told at once to who has begun",
            steps: [
                (initialise, "-"), (.refused, "fail \(unauthorized)"), (.timeUp, "-"),
            ]),
        Row(
            name: "what the client says of itself in init counts when the handshake told nothing", isAsked: false,
            steps: [
                (
                    .text(#"{"type":"connection_init","payload":{"x-api-key":"k","headers":{"a":"b"},"n":1}}"#),
                    #"identify ["x-api-key=k", "a=b"]"#
                ),
                (.accepted, "ack \(ack) start []"),
            ]),
        Row(
            name: "a start asks about nobody when nothing was told", isAsked: false,
            steps: [
                (.text(start("1", #","extensions":{"authorization":{"x-api-key":"k"}}"#)), "identify []"),
                (.text(start("2")), "-"), (.accepted, #"ack - start ["1#1+", "2#2"]"#),
            ]),
        Row(
            name: "who says nothing is asked about, then refused", isAsked: false,
            steps: [
                (.asked, "true"), (.asked, "false"), (.refused, "wait"), (.timeUp, "fail \(unauthorized)"),
            ]),
        Row(
            name: "a client that never begins is closed",
            steps: [(.accepted, "ack - start []"), (.timeUp, "close 1002")]),
        Row(
            name: "stop is answered, and the id is free again",
            steps: [
                (.accepted, "ack - start []"), (.text(start("s")), "start s#1"),
                (.text(#"{"id":"s","type":"stop"}"#), #"stop #1 {"id":"s","type":"complete"}"#),
                (.started("s", 1), "-"), (.failed("s", 1), "-"), (.text(start("s")), "start s#2"),
                (.started("s", 1), "-"), (.started("s", 2), #"{"id":"s","type":"start_ack"}"#),
            ]),
        Row(
            name: "stop of an unknown id is answered too",
            steps: [
                (.text(#"{"id":"x","type":"stop"}"#), #"{"id":"x","type":"complete"}"#)
            ]),
        Row(
            name: "stop takes back what waits for the gate",
            steps: [
                (.text(start("1")), "-"), (.text(start("1")), "-"),
                (.text(#"{"id":"1","type":"stop"}"#), #"stop #1 {"id":"1","type":"complete"}"#),
                (.accepted, "ack - start []"),
            ]),
        Row(
            name: "an id in use is refused for anything but the same once more",
            steps: [
                (.accepted, "ack - start []"), (.text(start("d1")), "start d1#1"), (.text(start("d1")), "again d1#1"),
                (
                    .text(#"{"id":"d1","type":"start","payload":{"data":"{\"query\":\"subscription { b }\"}"}}"#),
                    #"{"id":"d1","type":"error","payload":{"errors":[{"errorType":"DuplicatedOperationError","message":"Duplicated operation with id d1"}]}}"#
                ),
            ]),
        Row(
            name: "an operation that failed is over",
            steps: [
                (.accepted, "ack - start []"), (.text(start("1")), "start 1#1"),
                (.failed("1", 1), #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"T","message":"M"}]}}"#),
                (.failed("1", 1), "-"), (.text(start("1")), "start 1#2"),
            ]),
        Row(
            name: "what cannot be read is answered without an id, and the connection goes on",
            steps: [
                (.accepted, "ack - start []"), (.text("{"), unknown), (.text("[]"), unknown), (.text(""), unknown),
                (.text(#"{"type":1}"#), unknown), (.text(#"{"type":"hello","id":"zz"}"#), unknown),
                (.text(#"{"type":"start","payload":{"data":"{}"}}"#), unknown),
                (.text(#"{"type":"start","id":7,"payload":{"data":"{}"}}"#), unknown),
                (.text(#"{"type":"stop"}"#), unknown), (.text(start("1")), "start 1#1"),
            ]),
        Row(
            name: "a start without a document is an operation that is not supported",
            steps: [
                (.accepted, "ack - start []"),
                (
                    .text(#"{"id":"1","type":"start","payload":{"data":"x"}}"#),
                    #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","message":"unknown not supported through the realtime channel"}]}}"#
                ),
                (
                    .text(#"{"id":"1","type":"start"}"#),
                    #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","message":"unknown not supported through the realtime channel"}]}}"#
                ),
            ]),
        Row(
            name: "data may be an object as well as a text",
            steps: [
                (.accepted, "ack - start []"),
                (
                    .text(#"{"id":"1","type":"start","payload":{"data":{"query":"{ a }","variables":null}}}"#),
                    "start 1#1"
                ),
            ]),
        Row(
            name: "a first start with a query belongs to the older protocol",
            steps: [
                (.accepted, "ack - start []"),
                (.text(#"{"id":"1","type":"start","payload":{"query":"{ a }"}}"#), "hand over"),
            ]),
        Row(
            name: "a later one does not",
            steps: [
                (.accepted, "ack - start []"), (.text(start("1")), "start 1#1"),
                (
                    .text(#"{"id":"2","type":"start","payload":{"query":"{ a }"}}"#),
                    #"{"id":"2","type":"error","payload":{"errors":[{"errorType":"UnsupportedOperation","message":"unknown not supported through the realtime channel"}]}}"#
                ),
            ]),
        Row(
            name: "a handshake whose proof ends authorises nothing more: its client has to come back",
            steps: [
                (.accepted, "ack - start []"), (.expired, "-"),
                (.text(start("1", #","extensions":{"authorization":{"authorization":"t"}}"#)), "start 1#1+"),
                (.text(start("2")), "close 1008"), (.text(start("3")), "-"),
            ]),
        Row(
            name: "connection_terminate closes",
            steps: [
                (.text(#"{"type":"connection_terminate"}"#), "close 1000"), (initialise, "-"),
            ]),
    ]

    @Test("what is received is answered", arguments: rows)
    func answers(_ row: Row) {
        var machine = AppSyncMachine(limits: RealtimeLimits(), isIdentityAsked: row.isAsked)
        for (index, step) in row.steps.enumerated() {
            #expect(Self.play(&machine, step.0) == step.1, "step \(index)")
        }
    }

    @Test("a connection has no more than 200 subscriptions, and the error is an object")
    func countsSubscriptions() {
        var machine = AppSyncMachine(limits: RealtimeLimits(), isIdentityAsked: true)
        _ = machine.identified(nil)
        for number in 1...200 {
            #expect(Self.said(machine.received(Array(Self.start("n\(number)").utf8))) == "start n\(number)#\(number)")
        }
        #expect(
            Self.said(machine.received(Array(Self.start("n201").utf8)))
                == #"{"id":"n201","type":"error","payload":{"errors":{"errorType":"MaxSubscriptionsReachedError","message":"Max number of 200 subscriptions reached"}}}"#
        )
        _ = machine.received(Array(#"{"id":"n5","type":"stop"}"#.utf8))
        #expect(Self.said(machine.received(Array(Self.start("n202").utf8))) == "start n202#201")
    }

    @Test("no more starts under an id that runs wait for the gate than a connection may have subscriptions")
    func boundsRepeatedStarts() {
        var limits = RealtimeLimits()
        limits.subscriptionsPerConnection = 3
        var machine = AppSyncMachine(limits: limits, isIdentityAsked: true)
        let answers = (0..<6).map { _ in Self.said(machine.received(Array(Self.start("a").utf8))) }
        #expect(Array(answers[..<3]) == ["-", "-", "-"])
        #expect(answers[3...].allSatisfy { $0.contains("DuplicatedOperationError") })
        guard case .proceed(_, let waiting) = machine.identified(nil) else {
            Issue.record("it does not go on")
            return
        }
        #expect(waiting.map(\.isRepeated) == [false, true, true])
    }

    @Test("an id is not longer than its limit")
    func boundsIDs() {
        var limits = RealtimeLimits()
        limits.operationIDBytes = 4
        var machine = AppSyncMachine(limits: limits, isIdentityAsked: true)
        _ = machine.identified(nil)
        #expect(Self.said(machine.received(Array(Self.start("12345").utf8))) == Self.unknown)
        #expect(Self.said(machine.received(Array(Self.start("1234").utf8))) == "start 1234#1")
    }

    @Test("without a protocol the client is told so")
    func noProtocol() {
        var machine = AppSyncMachine(limits: RealtimeLimits(), isIdentityAsked: false)
        #expect(
            Said.text(machine.hasNoProtocol())
                == #"{"type":"connection_error","payload":{"errors":[{"message":"NoProtocolError","errorCode":400}]}}"#)
        #expect(machine.received(Array(#"{"type":"connection_init"}"#.utf8)) == .nothing)
    }

    @Test("what a signature covers is the exact text of data")
    func credentials() throws {
        var machine = AppSyncMachine(limits: RealtimeLimits(), isIdentityAsked: true)
        _ = machine.identified(nil)
        let text =
            #"{"id":"1","type":"start","payload":{"data":"{ \"query\":\"{ a }\", \"variables\":{\"x\":1},\"operationName\":\"N\"}","extensions":{"authorization":{"Authorization":"AWS4","host":"h","n":1}}}}"#
        guard case .start(let start) = machine.received(Array(text.utf8)) else {
            Issue.record("no start")
            return
        }
        #expect(
            start.request == OperationRequest(query: "{ a }", operationName: "N", variables: JSONObject([("x", 1)])))
        #expect(
            start.credentials
                == RealtimeCredentials(
                    fields: [("authorization", "AWS4"), ("host", "h")],
                    purpose: .operation(#"{ "query":"{ a }", "variables":{"x":1},"operationName":"N"}"#)))
    }

    @Test("no cut of a message, and no byte in it, can do harm")
    func survivesEverything() {
        let whole = Array(Self.start("1", #","extensions":{"authorization":{"a":"b"}}"#).utf8)
        for end in whole.indices {
            var machine = AppSyncMachine(limits: RealtimeLimits(), isIdentityAsked: true)
            _ = machine.identified(nil)
            #expect(Self.said(machine.received(Array(whole[..<end]))) == Self.unknown)
            var changed = whole
            changed[end] = 0x7F
            _ = machine.received(changed)
        }
    }
}
