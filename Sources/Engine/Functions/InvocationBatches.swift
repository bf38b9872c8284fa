import JSON
import Synchronization

/// Invocations of one operation that wait for others of the same field: what the elements of a list want of a function goes there
/// as one list.
///
///     element 0 ─▶ opens a batch, waits while it grows, sends it ─┬─▶ result 0
///     element 1 ─▶ joins it ──────────────────────────────────────┴─▶ result 1
final class InvocationBatches: Sendable {
    /// Whose invocations go together: a step of a field.
    struct Key: Hashable {
        let typeName: ByteText
        let fieldName: ByteText
        let step: Int

        init(_ typeName: String, _ fieldName: String, step: Int) {
            self.typeName = ByteText(typeName)
            self.fieldName = ByteText(fieldName)
            self.step = step
        }
    }

    typealias Outcome = Result<JSONValue, CallFailure>

    /// What becomes of somebody who wants to invoke.
    private enum Place: Sendable {
        /// Nobody has been there: it sends the batch of that number.
        case opened(Int)
        /// Somebody else has sent it.
        case sent(Outcome)
    }

    private struct Batch {
        var payloads: [JSONValue]
        var others: [CheckedContinuation<Place, Never>] = []
    }

    private struct State {
        var batches: [Int: Batch] = [:]
        /// Those that others may join.
        var open: [Key: Int] = [:]
        private var count = 0

        /// The number of a new batch; nil: there is one already, and somebody else sends it.
        mutating func place(
            _ payload: JSONValue, _ key: Key, atMost batchMax: Int, _ continuation: CheckedContinuation<Place, Never>
        ) -> Int? {
            if let number = open[key], var batch = batches[number] {
                batch.payloads.append(payload)
                batch.others.append(continuation)
                batches[number] = batch
                if batch.payloads.count >= batchMax { open[key] = nil }
                return nil
            }
            count += 1
            batches[count] = Batch(payloads: [payload])
            if batchMax > 1 { open[key] = count }
            return count
        }
    }

    private let state = Mutex(State())
    /// How often whoever sends a batch looks whether somebody has joined before it goes.
    private static let looks = 3

    /// The result of an invocation, which goes together with others.
    ///
    /// - Parameters:
    ///   - batchMax: how many go together at the most.
    ///   - invoke: sends payloads, and gives as many results.
    func result(
        of payload: JSONValue, _ key: Key, atMost batchMax: Int,
        _ invoke: ([JSONValue]) async -> Result<[JSONValue], CallFailure>
    ) async -> Outcome {
        let place = await withCheckedContinuation { continuation in
            let opened = state.withLock { $0.place(payload, key, atMost: batchMax, continuation) }
            if let opened { continuation.resume(returning: .opened(opened)) }
        }
        let number: Int
        switch place {
        case .sent(let outcome): return outcome
        case .opened(let opened): number = opened
        }
        await waitForOthers(in: number, key)
        let batch = state.withLock { state in
            if state.open[key] == number { state.open[key] = nil }
            return state.batches.removeValue(forKey: number)
        }
        guard let batch else { return .success(.null) }
        let results = await invoke(batch.payloads)
        func outcome(_ index: Int) -> Outcome { results.map { $0.indices.contains(index) ? $0[index] : .null } }
        for (index, other) in batch.others.enumerated() { other.resume(returning: .sent(outcome(index + 1))) }
        return outcome(0)
    }

    /// Returns when the batch is full, and when nobody joins it any more.
    private func waitForOthers(in number: Int, _ key: Key) async {
        var known = 0
        var looks = 0
        while looks < Self.looks {
            // Whoever is ready to run on the loop runs before this goes on.
            await Task.yield()
            let count = state.withLock { $0.open[key] == number ? $0.batches[number]?.payloads.count : nil }
            guard let count else { return }
            looks = count == known ? looks + 1 : 0
            known = count
        }
    }
}
