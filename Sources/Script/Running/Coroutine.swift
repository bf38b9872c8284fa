/// A call that can stop and go on: of an async function, a generator, a module.
final class Coroutine {
    enum Outcome {
        case running
        /// At a `yield`, or before the first step of a generator.
        case suspended
        case awaiting
        case completed
    }

    /// The promise of an async function; the generator, while it runs.
    var object: ScriptObject?
    var outcome = Outcome.running
    /// Who called has its promise or generator already.
    var isDetached = false

    init(_ object: ScriptObject?) {
        self.object = object
    }

    var promise: PromiseObject? { object as? PromiseObject }
}

/// How a frame that waits goes on.
enum Resumption {
    case next(Value)
    case `throw`(Value)
    case `return`(Value)
}
