/// Work on another thread, while whoever began it goes on: a start has several things to make that do not need each other.
///
/// Unchecked: the crew lets nobody look at what is made before it is.
package final class WorkAside<Value: Sendable>: @unchecked Sendable {
    private let work: @Sendable () -> Value
    private var made: Value?
    private var job: Job?

    /// What is not worth a thread is done when it is asked for. What will be waited for soon is done before what waits
    /// its turn.
    package init(isWorthwhile: Bool = true, isUrgent: Bool = false, _ work: @escaping @Sendable () -> Value) {
        self.work = work
        guard isWorthwhile else { return }
        let job = Job { self.made = self.work() }
        self.job = job
        Crew.shared.begin(job, isUrgent: isUrgent)
    }

    /// What it makes. Waits for it, or makes it here where no thread has come to it. Not from two threads at once.
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
