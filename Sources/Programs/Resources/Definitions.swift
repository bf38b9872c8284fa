import Project
import Script

/// What `defineAuth`, `defineStorage` and `defineFunction` were given. `defineBackend` reads it, and calls what has to be called, as
/// Amplify does: what a program changes of its options before that holds, and what it changes later does not.
final class Definitions {
    private var waiting: [(object: ScriptObject?, read: () -> Void)] = []

    /// - Parameter object: what the program has of the definition.
    func add(_ object: ScriptObject?, _ read: @escaping () -> Void) { waiting.append((object, read)) }

    /// Reads a definition, where it has not been read.
    func read(_ object: ScriptObject) {
        while let place = waiting.firstIndex(where: { $0.object === object }) { waiting.remove(at: place).read() }
    }

    /// Reads all that have not been read, in their order.
    func readAll() {
        while !waiting.isEmpty { waiting.removeFirst().read() }
    }

    func forgetObjects() { waiting = [] }
}
