import Testing

@testable import Network

/// Conversations with the machine of a connection, on a clock of their own: at so many milliseconds this happens, the machine
/// says that, and looks at its deadline next then.
struct HTTPConnectionMachineTests {
    enum Event {
        case collects(HTTPBodyFraming = .length(2000), expectsContinue: Bool = false, hasBodyBegun: Bool = false)
        case streams(HTTPBodyFraming = .chunked, expectsContinue: Bool = false)
        case answersAtOnce(HTTPBodyFraming, expectsContinue: Bool = false)
        case upgrades(HTTPBodyFraming = .none)
        case body(Int)
        case bodyIsFull
        case bodyHasRoom
        case bodyIsWanted
        case end
        /// All bytes are parsed, and end between two requests, or with a part of one.
        case all(isBetweenRequests: Bool = true)
        case kept(Int)
        case reads
        case failed
        case taskBegins(endsWithClient: Bool = false)
        case taskEnded
        case answerBegins(closes: Bool = false)
        case answerEnds(isComplete: Bool = true, hasRoom: Bool = true)
        /// So much was taken since the last time, and so much is left; the client has been in the way since then.
        case left(taken: Int, waiting: Int, blockedSince: Int?)
        case wrote
        case flushed
        case timeIsUp
        case readAll
        case stop
        case stopped
        case closed
    }

    struct Step {
        let (milliseconds, event, says): (Int, Event, String)
        /// Nil: there is none.
        let deadline: Int?
    }

    /// `(at, what happens, what the machine says, its deadline)`.
    static func at(_ milliseconds: Int, _ event: Event, _ says: String, _ deadline: Int?) -> Step {
        Step(milliseconds: milliseconds, event: event, says: says, deadline: deadline)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]

        init(_ name: String, _ steps: Step...) { (testDescription, self.steps) = (name, steps) }
    }

    // Heads have 10 s. A body has to bring 1,000 bytes in each 10 s, and is silent for 4 s at most; an answer has to lose
    // 3,000 in each 30 s, and 8 s at most may pass without a byte.
    static let rules: HTTPConnectionMachine.Rules = {
        var limits = HTTPLimits()
        limits.idleMilliseconds = 75_000
        limits.headMilliseconds = 10_000
        limits.pipelinedBytes = 500
        (limits.bodyGraceMilliseconds, limits.bodyBytesPerSecond, limits.bodySilenceMilliseconds) = (10_000, 100, 4_000)
        (limits.answerGraceMilliseconds, limits.answerBytesPerSecond) = (30_000, 100)
        limits.writeStallMilliseconds = 8_000
        return HTTPConnectionMachine.Rules(limits)
    }()

    static let requests = [
        Row(
            "a request without a body is answered, and the next one is waited for",
            at(10, .answersAtOnce(.none), "respond", nil), at(10, .answerBegins(), "write(closes: false)", nil),
            at(10, .answerEnds(), "takeNextRequest", 75_010), at(10, .end, "nothing", 75_010),
            at(10, .all(), "nothing", 75_010)),
        Row(
            "a collected body is answered when it is whole",
            at(10, .collects(), "nothing", nil), at(10, .reads, "parse", nil), at(10, .all(), "nothing", 4_010),
            at(20, .body(1500), "", 4_010), at(20, .all(), "nothing", 4_010), at(30, .body(500), "", 4_010),
            at(30, .end, "answerCollected", nil), at(30, .reads, "keep", nil),
            at(30, .answerBegins(), "write(closes: false)", nil), at(30, .answerEnds(), "takeNextRequest", 75_030),
            at(30, .reads, "parse", 75_030)),
        Row(
            "a task answers, and what comes behind its request is kept, up to a bound",
            at(0, .collects(), "nothing", nil), at(0, .end, "answerCollected", nil),
            at(0, .taskBegins(), "nothing", nil),
            at(5, .reads, "keep", nil), at(5, .kept(500), "nothing", nil), at(5, .kept(501), "pauseReading", nil),
            at(9, .taskEnded, "", nil), at(9, .answerBegins(), "write(closes: false)", nil),
            at(9, .answerEnds(), "takeNextRequest", 75_009)),
        Row(
            "an answer that says so is the last one",
            at(0, .collects(), "nothing", nil), at(0, .end, "answerCollected", nil),
            at(0, .answerBegins(closes: true), "write(closes: true)", nil),
            at(0, .answerEnds(), "end(isPeerSending: true)", 8_000), at(1, .reads, "drop", 8_000)),
        Row(
            "of two answers to one request the second is not wanted",
            at(0, .collects(), "nothing", nil), at(0, .end, "answerCollected", nil),
            at(0, .answerBegins(), "write(closes: false)", nil), at(0, .answerEnds(), "takeNextRequest", 75_000),
            at(1, .answerBegins(), "nothing", 75_000)),
        Row(
            "a client that waits is told to go on when its body is to be collected",
            at(0, .collects(expectsContinue: true), "sendContinue", nil), at(0, .all(), "nothing", 4_000),
            at(1, .bodyIsWanted, "nothing", 4_000)),
        Row(
            "a client that has begun to send its body is not told to",
            at(0, .collects(expectsContinue: true, hasBodyBegun: true), "nothing", nil)),
        Row(
            "a client without a body is not told to send it",
            at(0, .collects(.none, expectsContinue: true), "nothing", nil)),
        Row(
            "who streams a body is told to go on when its reader waits for it, once",
            at(0, .streams(expectsContinue: true), "", nil), at(0, .taskBegins(), "nothing", nil),
            at(0, .all(), "nothing", 4_000), at(1, .bodyIsWanted, "sendContinue", 4_000),
            at(2, .bodyIsWanted, "nothing", 4_000)),
        Row(
            "who streams a body unasked is not told to",
            at(0, .streams(expectsContinue: true), "", nil), at(0, .body(1), "", nil),
            at(1, .bodyIsWanted, "nothing", nil)),
        Row(
            "a streamed body is not read while its reader is behind, and the client's time stands still",
            at(0, .streams(), "", nil), at(0, .taskBegins(), "nothing", nil), at(0, .all(), "nothing", 4_000),
            at(3_000, .body(10), "", 4_000), at(3_000, .bodyIsFull, "pauseReading", nil),
            at(3_000, .all(), "nothing", nil),
            at(90_000, .bodyHasRoom, "resumeReading", 94_000), at(90_001, .bodyHasRoom, "resumeReading", 94_000),
            at(90_002, .end, "endBody", nil), at(90_002, .bodyHasRoom, "nothing", nil),
            at(90_003, .taskEnded, "", nil), at(90_003, .answerBegins(), "write(closes: false)", nil),
            at(90_003, .answerEnds(), "takeNextRequest", 165_003)),
        Row(
            "an answer that comes before the body's end is the last one",
            at(0, .streams(), "", nil), at(0, .taskBegins(), "nothing", nil), at(0, .taskEnded, "", nil),
            at(0, .answerBegins(), "write(closes: true)", nil), at(0, .answerEnds(), "end(isPeerSending: true)", 8_000)),
        Row(
            "a short body of a request whose answer is known is read first",
            at(0, .answersAtOnce(.length(500)), "collect", nil), at(0, .body(500), "", nil),
            at(0, .end, "answerCollected", nil), at(0, .answerBegins(), "write(closes: false)", nil)),
        Row(
            "a long body of a request whose answer is known ends with the connection",
            at(0, .answersAtOnce(.length(501)), "respond", nil), at(0, .answerBegins(), "write(closes: true)", nil)),
        Row(
            "so does a body of no known length, and one that the client would send only when told to",
            at(0, .answersAtOnce(.chunked), "respond", nil), at(0, .answerBegins(), "write(closes: true)", nil)),
        Row(
            "so does one that the client would send only when told to",
            at(0, .answersAtOnce(.length(5), expectsContinue: true), "respond", nil),
            at(0, .answerBegins(), "write(closes: true)", nil)),
        Row(
            "a body of no length is none",
            at(0, .answersAtOnce(.length(0)), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil)),
        Row(
            "a change of protocol takes the channel over", at(5, .upgrades(), "takeOver", nil),
            at(6, .reads, "drop", nil)),
        Row(
            "a change of protocol with a body is refused",
            at(5, .upgrades(.length(1)), "refuse(400 a request to change the protocol has no body)", 75_000),
            at(5, .failed, "answer", 75_000), at(5, .answerBegins(), "write(closes: true)", 75_000)),
    ]

    static let times = [
        Row("a connection without a request is closed", at(75_000, .timeIsUp, "close", nil)),
        Row(
            "a head has its time from its first byte on, however many come",
            at(70_000, .all(isBetweenRequests: false), "beginRequest", 80_000),
            at(79_999, .all(isBetweenRequests: false), "nothing", 80_000),
            at(80_000, .timeIsUp, "refuse(408 the request's head took too long)", nil),
            at(80_000, .failed, "answer", nil), at(80_000, .answerBegins(), "write(closes: true)", nil),
            at(80_000, .answerEnds(), "end(isPeerSending: true)", 88_000)),
        Row(
            "the idle time begins anew behind each answer",
            at(60_000, .answersAtOnce(.none), "respond", nil), at(60_000, .answerBegins(), "write(closes: false)", nil),
            at(60_000, .answerEnds(), "takeNextRequest", 135_000), at(135_000, .timeIsUp, "close", nil)),
        Row(
            "a body that is silent is refused",
            at(0, .collects(), "nothing", nil), at(0, .all(), "nothing", 4_000), at(3_000, .body(1999), "", 4_000),
            at(4_000, .timeIsUp, "wait", 7_000),
            at(7_000, .timeIsUp, "refuse(408 the request's body came too slowly)", nil)),
        Row(
            "a body has a rate to keep in each stretch of time",
            at(0, .collects(), "nothing", nil), at(0, .all(), "nothing", 4_000), at(3_000, .body(500), "", 4_000),
            at(4_000, .timeIsUp, "wait", 7_000), at(6_000, .body(500), "", 7_000), at(7_000, .timeIsUp, "wait", 10_000),
            at(9_000, .body(1), "", 10_000), at(10_000, .timeIsUp, "wait", 13_000), at(12_000, .body(999), "", 13_000),
            at(13_000, .timeIsUp, "wait", 16_000), at(15_000, .body(0), "", 16_000), at(15_500, .body(1), "", 16_000),
            at(16_000, .timeIsUp, "wait", 19_500), at(19_000, .body(0), "", 19_500),
            at(19_500, .timeIsUp, "refuse(408 the request's body came too slowly)", nil)),
        Row(
            "a body that comes steadily but too slowly is refused at the end of the stretch",
            at(0, .streams(), "", nil), at(0, .all(), "nothing", 4_000), at(3_000, .body(400), "", 4_000),
            at(4_000, .timeIsUp, "wait", 7_000), at(6_000, .body(400), "", 7_000), at(7_000, .timeIsUp, "wait", 10_000),
            at(9_000, .body(199), "", 10_000),
            at(10_000, .timeIsUp, "refuse(408 the request's body came too slowly)", nil)),
        Row(
            "while an answer is being made there is no time to keep",
            at(0, .collects(), "nothing", nil), at(0, .all(), "nothing", 4_000), at(1, .end, "answerCollected", nil),
            at(99_000, .timeIsUp, "wait", nil)),
        Row(
            "an answer that waits for its client holds the next request back until it has left",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000), at(0, .reads, "keep", 8_000),
            at(100, .flushed, "takeNextRequest", 75_100), at(100, .reads, "parse", 75_100),
            at(101, .flushed, "nothing", 75_100)),
        Row(
            "a client that takes nothing of its answer is closed",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000), at(8_000, .timeIsUp, "close", nil)),
        Row(
            "a client that takes its answer too slowly is closed at the end of the stretch",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000),
            at(7_000, .left(taken: 1_000, waiting: 8_000, blockedSince: 0), "", 8_000),
            at(8_000, .timeIsUp, "wait", 16_000),
            at(15_000, .left(taken: 1_000, waiting: 7_000, blockedSince: 0), "", 16_000),
            at(16_000, .timeIsUp, "wait", 24_000),
            at(23_000, .left(taken: 999, waiting: 6_001, blockedSince: 0), "", 24_000),
            at(24_000, .timeIsUp, "wait", 30_000), at(30_000, .timeIsUp, "close", nil)),
        Row(
            "a client that takes its answer at the rate is waited for, stretch by stretch",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000),
            at(8_000, .left(taken: 3_000, waiting: 6_000, blockedSince: 0), "", 8_000),
            at(8_000, .timeIsUp, "wait", 16_000),
            at(16_000, .left(taken: 1, waiting: 5_999, blockedSince: 0), "", 16_000),
            at(16_000, .timeIsUp, "wait", 24_000),
            at(24_000, .left(taken: 1, waiting: 5_998, blockedSince: 0), "", 24_000),
            at(24_000, .timeIsUp, "wait", 30_000), at(30_000, .timeIsUp, "wait", 32_000)),
        Row(
            "a client that has begun to wait anew has its time anew",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000),
            at(7_000, .left(taken: 0, waiting: 9_000, blockedSince: 7_000), "", 8_000),
            at(8_000, .timeIsUp, "wait", 16_000)),
        Row(
            "what still goes out in turns is looked at again, and what is gone is not",
            at(0, .answersAtOnce(.none), "respond", nil),
            at(0, .answerBegins(closes: true), "write(closes: true)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: nil), "", nil),
            at(0, .answerEnds(), "end(isPeerSending: true)", 8_000), at(8_000, .timeIsUp, "wait", 16_000),
            at(16_000, .left(taken: 9_000, waiting: 0, blockedSince: nil), "", 16_000),
            at(16_000, .timeIsUp, "wait", nil)),
        Row(
            "the last answer is waited for as any other",
            at(0, .answersAtOnce(.none), "respond", nil),
            at(0, .answerBegins(closes: true), "write(closes: true)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(), "end(isPeerSending: true)", 8_000), at(8_000, .timeIsUp, "close", nil)),
        Row(
            "a stream that waits for its writer has all the time, and its client from the next piece on",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(50_000, .left(taken: 0, waiting: 900, blockedSince: 50_000), "", nil),
            at(50_000, .wrote, "watch", 58_000),
            at(50_001, .wrote, "nothing", 58_000), at(50_002, .flushed, "nothing", 58_000),
            at(57_000, .left(taken: 900, waiting: 0, blockedSince: nil), "", 58_000),
            at(58_000, .timeIsUp, "wait", nil),
            at(90_000, .left(taken: 0, waiting: 900, blockedSince: 90_000), "", nil),
            at(90_000, .wrote, "watch", 98_000),
            at(98_000, .timeIsUp, "close", nil)),
        Row(
            "a stream that ends before it should ends the connection at once",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(5, .answerEnds(isComplete: false), "end(isPeerSending: false)", 8_005)),
    ]

    static let endings = [
        Row(
            "a client that goes between requests is let go", at(5, .readAll, "end", 8_005), at(6, .reads, "drop", 8_005)
        ),
        Row(
            "so is one that goes within a head",
            at(5, .all(isBetweenRequests: false), "beginRequest", 10_005), at(6, .readAll, "end", 8_006)),
        Row(
            "a request whose body breaks off is given up",
            at(0, .collects(), "nothing", nil), at(1, .body(1), "", nil), at(2, .readAll, "abandon", nil)),
        Row(
            "the reader of a body that breaks off is told, and its answer is the last one",
            at(0, .streams(), "", nil), at(0, .taskBegins(), "nothing", nil), at(2, .readAll, "endBody", nil),
            at(3, .taskEnded, "", nil), at(3, .answerBegins(), "write(closes: true)", nil),
            at(3, .answerEnds(), "end(isPeerSending: false)", 8_003)),
        Row(
            "a client that only ended its side still gets its answer",
            at(0, .collects(), "nothing", nil), at(0, .end, "answerCollected", nil),
            at(0, .taskBegins(), "nothing", nil),
            at(1, .readAll, "nothing", nil), at(2, .taskEnded, "", nil),
            at(2, .answerBegins(), "write(closes: true)", nil),
            at(2, .answerEnds(), "end(isPeerSending: false)", 8_002)),
        Row(
            "what is of use only to a client that waits ends with it",
            at(0, .collects(), "nothing", nil), at(0, .end, "answerCollected", nil),
            at(0, .taskBegins(endsWithClient: true), "nothing", nil), at(1, .readAll, "cancelTask", nil)),
        Row(
            "and does not begin when its client has gone already",
            at(0, .streams(), "", nil), at(1, .readAll, "endBody", nil), at(1, .end, "endBody", nil),
            at(2, .taskBegins(endsWithClient: true), "cancel", nil)),
        Row(
            "a client that ends its side while it takes its answer gets all of it, and nothing more",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000), at(1, .readAll, "nothing", 8_000),
            at(2, .flushed, "takeNextRequest", 75_002), at(2, .all(), "end", 8_002)),
        Row("an idle connection ends with the server", at(5, .stop, "read", 75_000), at(5, .stopped, "end", 8_005)),
        Row(
            "a request that has come when the server stops is answered, and is the last one",
            at(5, .stop, "read", 75_000), at(5, .collects(), "nothing", nil), at(5, .end, "answerCollected", nil),
            at(5, .stopped, "nothing", nil), at(6, .answerBegins(), "write(closes: true)", nil),
            at(6, .answerEnds(), "end(isPeerSending: true)", 8_006)),
        Row(
            "a part of a head does not hold the server up",
            at(0, .all(isBetweenRequests: false), "beginRequest", 10_000), at(5, .stop, "read", 10_000),
            at(5, .stopped, "refuse(503 the server stops)", 10_000), at(5, .failed, "answer", 10_000),
            at(5, .answerBegins(), "write(closes: true)", 10_000)),
        Row(
            "a body that comes when the server stops is read to its end",
            at(0, .collects(), "nothing", nil), at(5, .stop, "nothing", nil), at(6, .end, "answerCollected", nil),
            at(6, .answerBegins(), "write(closes: true)", nil)),
        Row(
            "behind an answer that leaves while the server stops nothing is waited for",
            at(0, .answersAtOnce(.none), "respond", nil), at(0, .answerBegins(), "write(closes: false)", nil),
            at(0, .left(taken: 0, waiting: 9_000, blockedSince: 0), "", nil),
            at(0, .answerEnds(hasRoom: false), "wait", 8_000), at(1, .stop, "nothing", 8_000),
            at(2, .flushed, "takeNextRequest", 75_002), at(2, .all(), "end", 8_002)),
        Row(
            "nothing is asked of a connection that is gone",
            at(0, .closed, "", nil), at(1, .reads, "drop", nil), at(1, .answerBegins(), "nothing", nil),
            at(1, .stop, "nothing", nil), at(1, .readAll, "nothing", nil), at(1, .bodyHasRoom, "nothing", nil),
            at(1, .end, "nothing", nil), at(1, .failed, "close", nil), at(1, .timeIsUp, "wait", nil)),
    ]

    static let errors = [
        Row(
            "bytes that are no request are answered, and the connection ends",
            at(5, .failed, "answer", 75_000), at(5, .answerBegins(), "write(closes: true)", 75_000),
            at(5, .answerEnds(), "end(isPeerSending: true)", 8_005), at(6, .failed, "close", 8_005)),
        Row(
            "so is a head that is none",
            at(5, .all(isBetweenRequests: false), "beginRequest", 10_005), at(6, .failed, "answer", 10_005),
            at(6, .answerBegins(), "write(closes: true)", 10_005)),
        Row(
            "so is a body that is not acceptable",
            at(0, .collects(), "nothing", nil), at(0, .all(), "nothing", 4_000), at(6, .failed, "answer", 4_000),
            at(6, .answerBegins(), "write(closes: true)", 4_000),
            at(6, .answerEnds(), "end(isPeerSending: true)", 8_006)),
        Row(
            "so is one that turns out at its end not to be what its head says",
            at(0, .collects(), "nothing", nil), at(6, .end, "answerCollected", nil), at(6, .failed, "answer", nil),
            at(6, .answerBegins(), "write(closes: true)", nil)),
        Row(
            "who reads a body that is not acceptable learns it from the body, and makes the last answer",
            at(0, .streams(), "", nil), at(0, .taskBegins(), "nothing", nil), at(0, .all(), "nothing", 4_000),
            at(6, .failed, "tellReader", nil), at(6, .all(), "nothing", nil), at(7, .bodyHasRoom, "nothing", nil),
            at(7, .bodyIsWanted, "nothing", nil), at(8, .taskEnded, "", nil),
            at(8, .answerBegins(), "write(closes: true)", nil), at(8, .answerEnds(), "end(isPeerSending: true)", 8_008)),
        Row(
            "an error behind the answer closes at once",
            at(0, .answersAtOnce(.chunked), "respond", nil), at(0, .answerBegins(), "write(closes: true)", nil),
            at(6, .failed, "close", nil)),
    ]

    @Test("requests, times, endings and errors", arguments: requests + times + endings + errors)
    func conversations(_ row: Row) {
        var machine = HTTPConnectionMachine(Self.rules, now: Self.time(0))
        var outgoing = HTTPAnswerWatch.Outgoing(waitingBytes: 0, deliveredBytes: 0, blockedSince: nil)
        for step in row.steps {
            let says = Self.play(step.event, at: Self.time(step.milliseconds), on: &machine, &outgoing)
            let deadline = machine.deadline
            #expect(says == step.says, "at \(step.milliseconds): \(step.event)")
            #expect(
                deadline == step.deadline.map(Self.time) ?? .never, "at \(step.milliseconds): \(step.event)")
        }
    }

    private static func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000).advanced(byMilliseconds: milliseconds)
    }

    private static func play(
        _ event: Event, at now: MonotonicTime, on machine: inout HTTPConnectionMachine,
        _ outgoing: inout HTTPAnswerWatch.Outgoing
    ) -> String {
        let says: Any
        switch event {
        case .collects(let framing, let expectsContinue, let hasBodyBegun):
            says = machine.collects(
                .init(framing: framing, expectsContinue: expectsContinue, hasBodyBegun: hasBodyBegun))
        case .streams(let framing, let expectsContinue):
            says = machine.streams(.init(framing: framing, expectsContinue: expectsContinue))
        case .answersAtOnce(let framing, let expectsContinue):
            says = machine.answersAtOnce(.init(framing: framing, expectsContinue: expectsContinue))
        case .upgrades(let framing): says = machine.upgrades(.init(framing: framing))
        case .body(let count): says = machine.receivedBody(count, now: now)
        case .bodyIsFull: says = machine.bodyIsFull()
        case .bodyHasRoom: says = machine.bodyHasRoom(now: now)
        case .bodyIsWanted: says = machine.bodyIsWanted()
        case .end: says = machine.receivedEnd()
        case .all(let isBetween):
            says = machine.receivedAll(isBetweenRequests: isBetween, outgoing: outgoing, now: now)
        case .kept(let count): says = machine.kept(count)
        case .reads: says = machine.reading
        case .failed: says = machine.failed()
        case .taskBegins(let endsWithClient): says = machine.taskBegins(endsWithClient: endsWithClient)
        case .taskEnded: says = machine.taskEnded()
        case .answerBegins(let closes): says = machine.answerBegins(closes: closes)
        case .answerEnds(let isComplete, let hasRoom):
            says = machine.answerEnds(isComplete: isComplete, hasRoom: hasRoom, outgoing: outgoing, now: now)
        case .left(let taken, let waiting, let blockedSince):
            says = ()
            outgoing = HTTPAnswerWatch.Outgoing(
                waitingBytes: waiting, deliveredBytes: outgoing.deliveredBytes + taken,
                blockedSince: blockedSince.map(time))
        case .wrote: says = machine.wrote(outgoing: outgoing, now: now)
        case .flushed: says = machine.flushed(now: now)
        case .timeIsUp: says = machine.timeIsUp(outgoing: outgoing, now: now)
        case .readAll: says = machine.readAll(outgoing: outgoing, now: now)
        case .stop: says = machine.stop()
        case .stopped: says = machine.stopped(outgoing: outgoing, now: now)
        case .closed: says = machine.closed()
        }
        return text(of: says)
    }

    private static func text(of says: Any) -> String {
        switch says {
        case is Void: ""
        case HTTPConnectionMachine.TimeAction.refuse(let error), HTTPConnectionMachine.UpgradeAction.refuse(let error),
            HTTPConnectionMachine.StoppedAction.refuse(let error):
            "refuse(\(error.status.code) \(error.description))"
        default: "\(says)"
        }
    }
}
