import JSON
import Synchronization
import Testing

@testable import Engine

@Suite("Invocations that go as one")
struct BatchInvocationTests {
    /// Which payloads went together.
    private final class Sent: Sendable {
        private let state = Mutex<[[JSONValue]]>([])

        var batches: [[JSONValue]] { state.withLock { $0 } }

        /// Each result is its payload, in a list.
        func send(_ payloads: [JSONValue]) -> Result<[JSONValue], CallFailure> {
            state.withLock { $0.append(payloads) }
            return .success(payloads.map { .array([$0]) })
        }
    }

    private static func results(
        _ count: Int, atMost batchMax: Int, _ sent: Sent, field: @escaping @Sendable (Int) -> String = { _ in "f" }
    ) async -> [JSONValue?] {
        let batches = InvocationBatches()
        return await withTaskGroup(of: (Int, JSONValue?).self) { group in
            for number in 0..<count {
                group.addTask {
                    let key = InvocationBatches.Key("T", field(number), step: 0)
                    let outcome = await batches.result(of: .integer(Int64(number)), key, atMost: batchMax) {
                        sent.send($0)
                    }
                    return (number, try? outcome.get())
                }
            }
            var results = [JSONValue?](repeating: nil, count: count)
            for await (number, result) in group { results[number] = result }
            return results
        }
    }

    @Test(
        "no batch has more than it may, and everybody gets the result of what was asked", arguments: [1, 2, 5, 2_000])
    func sizes(batchMax: Int) async {
        let sent = Sent()
        let results = await Self.results(203, atMost: batchMax, sent)
        #expect(results == (0..<203).map { .array([.integer($0)]) })
        #expect(sent.batches.allSatisfy { (1...batchMax).contains($0.count) })
        #expect(sent.batches.flatMap(\.self).count == 203)
    }

    @Test("invocations of different fields never go together")
    func fields() async {
        let sent = Sent()
        let results = await Self.results(60, atMost: 10, sent) { $0 % 2 == 0 ? "even" : "odd" }
        #expect(results == (0..<60).map { .array([.integer($0)]) })
        #expect(
            sent.batches.allSatisfy { batch in
                Set(batch.map { ($0.integer ?? 0) % 2 == 0 }).count == 1
            })
    }

    @Test("where a batch fails, everybody in it is told why")
    func failures() async {
        let batches = InvocationBatches()
        let failed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let key = InvocationBatches.Key("T", "f", step: 0)
                    let outcome = await batches.result(of: .integer(Int64(number)), key, atMost: 7) { _ in
                        .failure(CallFailure("It broke", type: "Lambda:Unhandled"))
                    }
                    if case .failure(let error) = outcome { return error.message == "It broke" }
                    return false
                }
            }
            var count = 0
            for await isTold in group where isTold { count += 1 }
            return count
        }
        #expect(failed == 20)
    }
}
