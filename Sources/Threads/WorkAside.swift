/// Work on another thread, while whoever began it goes on: a start has several things to make that do not need each other.
///
/// Unchecked: the crew lets nobody look at what is made before it is.
package final class WorkAside<Value: Sendable>: @unchecked Sendable {
    private let work: @Sendable () -> Value
    private var made: Value?
    private var job: Job?

    /// Small work is done when its value is asked for. Urgent work is done before work that waits
    /// its turn.
    package init(isWorthwhile: Bool = true, isUrgent: Bool = false, _ work: @escaping @Sendable () -> Value) {
        self.work = work
        guard isWorthwhile else { return }
        let job = Job { self.made = self.work() }
        self.job = job
        Crew.shared.begin(job, isUrgent: isUrgent)
    }

    /// Waits until no thread of the crew is there any more. Nothing may be begun meanwhile.
    package static func waitUntilThreadsAreGone() where Value == Void { Crew.shared.waitUntilGone() }

    /// The value. Waits for it, or makes it here where no thread has begun. Not from two threads at once.
    package var value: Value {
        if let job {
            Crew.shared.finish(job)
            self.job = nil
        }
        if let made { return made }
        let value = work()
        made = value
        return value
    }
}
