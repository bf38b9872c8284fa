/// Steps to be taken at the end, the last one first.
final class EndSteps {
    private var steps: [() -> Void] = []
    /// Held until all is done.
    var lock: ServerLock?

    func add(_ step: @escaping () -> Void) { steps.append(step) }

    func run() {
        while let step = steps.popLast() { step() }
        lock = nil
    }
}
