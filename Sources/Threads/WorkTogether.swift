/// Work beside a loop that several requests wait for: who asks for what is being made already gets the same.
///
/// Unchecked: used on the thread of one loop only.
package final class WorkTogether<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    private let workers: WorkersAside
    private var waiting: [Key: [CheckedContinuation<Value?, Never>]] = [:]

    package init(_ workers: WorkersAside) {
        self.workers = workers
    }

    /// The value of the work; nil when too much waits already, and it is not done. Called on the loop.
    package func value(for key: Key, of work: @escaping @Sendable () -> Value) async -> Value? {
        if waiting[key] != nil {
            return await withCheckedContinuation { waiting[key]?.append($0) }
        }
        waiting[key] = []
        let value = await workers.value(of: work)
        for other in waiting.removeValue(forKey: key) ?? [] { other.resume(returning: value) }
        return value
    }
}
