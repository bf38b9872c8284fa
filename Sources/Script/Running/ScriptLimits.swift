/// The bounds of a run. Each is looked at wherever what it bounds can grow.
package struct ScriptLimits: Sendable {
    package enum Kind: Sendable, Equatable {
        case steps, callDepth, nativeDepth, memory, textLength, listLength, modules, time, loopTurns
    }

    /// Turns of loops, calls, and what native functions count for their own loops.
    package var steps = 100_000_000
    /// Steps between two looks at the time and the memory.
    package var stepsPerLook = 2_048
    /// Script functions that wait for one another.
    package var callDepth = 10_000
    /// Native functions that call script functions, and back.
    package var nativeDepth = 120
    /// What values hold at one time, about.
    package var memoryBytes = 256 << 20
    /// UTF-16 units of one text.
    package var textLength = 1 << 26
    /// Elements of one list, and properties of one object.
    package var listLength = 1 << 24
    package var modules = 2_000
    /// What the machine gives to the program's thread.
    package var milliseconds = 10_000
    /// Turns of one `for (... of ...)` or `for (... in ...)`; nothing: only the steps bound them.
    package var loopTurns = Int.max

    package init() {}
}

extension ScriptLimits.Kind {
    package var message: String {
        switch self {
        case .steps: "The program takes too many steps"
        case .callDepth, .nativeDepth: "Maximum call stack size exceeded"
        case .memory: "The program needs too much memory"
        case .textLength: "Invalid string length"
        case .listLength: "Invalid array length"
        case .modules: "The program imports too many modules"
        case .time: "The program takes too long"
        case .loopTurns: "A loop takes too many turns"
        }
    }
}
