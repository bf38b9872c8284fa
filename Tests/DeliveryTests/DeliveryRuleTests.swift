import Access
import Network
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Rules of deliveries")
struct DeliveryRuleTests {
    @Test(
        "a batch is taken but for the items that the answer names",
        arguments: [
            ("null", .taken), ("{}", .taken), (#"{"batchItemFailures": null}"#, .taken),
            (#"{"batchItemFailures": []}"#, .taken),
            (#"{"batchItemFailures": [{"itemIdentifier": "b"}]}"#, .takenBut([1])),
            (#"{"batchItemFailures": [{"itemIdentifier": "c"}, {"itemIdentifier": "a"}]}"#, .takenBut([2, 0])),
            (#"{"batchItemFailures": [{"itemIdentifier": "b"}, {"itemIdentifier": "b"}]}"#, .takenBut([1, 1])),
            (#"{"batchItemFailures": [{"itemIdentifier": "d"}]}"#, .unknownItem),
            (#"{"batchItemFailures": [{"itemIdentifier": ""}]}"#, .unknownItem),
            (#"{"batchItemFailures": [{"itemIdentifier": "b"}, {"id": "a"}]}"#, .unknownItem),
            (#"{"batchItemFailures": [7]}"#, .unknownItem),
            (#"{"batchItemFailures": "b"}"#, .noList), ("", .noJSON), ("{", .noJSON),
        ] as [(String, BatchAnswer)])
    func batch(body: String, answer: BatchAnswer) {
        #expect(BatchAnswer(Array(body.utf8), to: ["a", "b", "c"]) == answer)
    }

    static let delays: [(tries: Int64, age: Int64, expires: Int64?, delay: Int64?)] = [
        (0, 0, nil, 1_000), (1, 0, nil, 2_000), (2, 0, nil, 4_000), (3, 0, nil, nil), (-1, 0, nil, 1_000),
        (.max, 0, nil, nil), (0, 9_000, nil, 1_000), (0, 9_001, nil, nil), (0, 0, 1_001, 1_000), (0, 0, 1_000, nil),
    ]

    @Test("what fails is delivered again until it was tried too often, is too old or of no use", arguments: delays)
    func retries(tries: Int64, age: Int64, expires: Int64?, delay: Int64?) {
        let backOff = BackOff(firstMilliseconds: 1_000, longestMilliseconds: 60_000)
        let policy = RetryPolicy(backOff, triesMax: 4, ageMilliseconds: 10_000)
        let now: Int64 = 1_000_000
        let next = policy.next(after: tries, since: now - age, now: now, before: expires.map { now + $0 } ?? .max)
        #expect(next == delay.map { now + $0 })
        #expect(policy.next(after: tries, since: .min, now: now) == nil)
        #expect(policy.next(after: tries, since: now, now: .max) == nil)
    }

    /// A function that answers as the test says.
    private final class Function: OutsideService {
        private let result: Result<OutsideResponse, OutsideError>

        init(_ result: Result<OutsideResponse, OutsideError>) { self.result = result }

        func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse { try result.get() }
    }

    static let answers: [(result: Result<OutsideResponse, OutsideError>, outcome: DeliveryOutcome)] = [
        (.success(OutsideResponse(status: 202, body: [])), .taken),
        (
            .success(OutsideResponse(status: 200, fields: [("X-Amz-Function-Error", "Unhandled")], body: [])),
            .failed("f has failed")
        ),
        (.success(OutsideResponse(status: 503, body: [])), .unreachable("f answers with status 503")),
        (.failure(.unreachable("nobody")), .unreachable("f cannot be called: nobody")),
        (.failure(.timedOut(milliseconds: 1)), .failed("f answers too late or with too much")),
        (.failure(.tooLarge(bytesMax: 1)), .failed("f answers too late or with too much")),
    ]

    @Test("a call of a function is taken, has failed, or has reached nobody", arguments: answers.indices)
    func calls(row: Int) async throws {
        let (result, outcome) = Self.answers[row]
        let loop = try EventLoop(index: 0)
        try loop.start()
        defer { loop.stop() }
        let limits = DeliveryLimits(atOnce: 1, pauseMilliseconds: 1)
        let engine = DeliveryEngine(limits, on: loop, clock: SystemMailClock())
        let call = FunctionInvocation("http://f", [], timeoutMilliseconds: 1, answerBytesMax: 1)
        #expect(await engine.call(call, "f", by: Function(result)) == outcome)
    }
}
