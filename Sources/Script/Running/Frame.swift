/// A call that runs, or that waits to go on: a generator's, an async function's.
final class Frame {
    /// What becomes of the value that it returns.
    enum Return {
        /// It goes on the stack of the frame that called.
        case push
        /// The same, where it is an object; else `this` goes there.
        case construct
        case discard
        /// It is what the native function gets that called.
        case leave
    }

    private(set) var code: Code
    private(set) var unit: Unit
    var function: ScriptFunction?
    var this: Value = .undefined
    var newTarget: ScriptObject?
    /// All arguments, where the code asks for them.
    var arguments: ContiguousArray<Value> = []
    var caller: Frame?
    var returning = Return.push
    /// What it runs for: a generator, an async function.
    var coroutine: Coroutine?
    /// The instruction that comes next.
    var next = 0
    /// How many values are on the stack, while it does not run.
    var stackCount = 0

    // Locals first, then the stack. Locals always hold values.
    private(set) var base: UnsafeMutablePointer<Value>
    private(set) var cells: UnsafeMutablePointer<Cell?>
    private var capacity: Int
    private var cellCapacity: Int
    /// True if it is a frame of a call; one that has ended waits to be used again.
    private(set) var holdsValues = true

    init(_ code: Code, _ unit: Unit) {
        self.code = code
        self.unit = unit
        capacity = max(code.localCount + code.stackCount, 24)
        cellCapacity = max(code.cellCount, 4)
        base = .allocate(capacity: capacity)
        cells = .allocate(capacity: cellCapacity)
        base.initialize(repeating: .undefined, count: code.localCount)
        cells.initialize(repeating: nil, count: cellCapacity)
    }

    deinit {
        if holdsValues { base.deinitialize(count: code.localCount + stackCount) }
        base.deallocate()
        cells.deinitialize(count: cellCapacity)
        cells.deallocate()
    }

    var bytes: Int { 200 + capacity * 16 + cellCapacity * 8 }

    /// Takes a frame that has ended for another call.
    func reuse(_ code: Code, _ unit: Unit) {
        self.code = code
        self.unit = unit
        let needed = code.localCount + code.stackCount
        if needed > capacity {
            base.deallocate()
            capacity = needed
            base = .allocate(capacity: capacity)
        }
        if code.cellCount > cellCapacity {
            cells.deinitialize(count: cellCapacity)
            cells.deallocate()
            cellCapacity = code.cellCount
            cells = .allocate(capacity: cellCapacity)
            cells.initialize(repeating: nil, count: cellCapacity)
        }
        base.initialize(repeating: .undefined, count: code.localCount)
        holdsValues = true
        next = 0
        stackCount = 0
        returning = .push
    }

    /// Lets go of all that it holds; only `reuse` makes it a frame again.
    func empty() {
        if holdsValues {
            holdsValues = false
            base.deinitialize(count: code.localCount + stackCount)
        }
        stackCount = 0
        for index in 0..<code.cellCount { cells[index] = nil }
        function = nil
        this = .undefined
        newTarget = nil
        if !arguments.isEmpty { arguments = [] }
        caller = nil
        coroutine = nil
    }

    var place: Place { code.place(of: max(next - 1, 0)) }
}
