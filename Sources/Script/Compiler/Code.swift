/// The code of one function, for all threads and realms.
///
/// Unchecked: nothing changes in it once the compiler has handed it out.
final class Code: @unchecked Sendable {
    /// Where a variable of the function around lies when a function is made.
    enum Capture: Sendable {
        case cell(Int)
        case capture(Int)
        /// A binding of another module: which of the program's imports.
        case imported(Int)
    }

    /// Instructions whose errors go to `target`, which finds as much on the stack as `depth` says, and the error.
    struct Handler: Sendable {
        var start: Int
        var end: Int
        var target: Int
        var depth: Int
    }

    struct Mark: Sendable {
        var instruction: Int32
        var place: Place
    }

    let name: [UInt16]
    /// In memory of its own, so that a loop over it needs no list.
    let instructions: UnsafePointer<Instruction>
    let instructionCount: Int
    let functions: [Code]
    let handlers: [Handler]
    /// In ascending order; each holds up to the next.
    let marks: [Mark]
    /// What is called at the call sites, taken apart or gone through. The tree is not changed once it is compiled, so threads may share it.
    let callees: [Callee]
    let captures: [Capture]
    /// What `length` says.
    let length: Int
    /// The arguments that lie in the first locals.
    let parameterCount: Int
    let localCount: Int
    let cellCount: Int
    let stackCount: Int
    let isAsync: Bool
    let isGenerator: Bool
    let isConstructor: Bool
    /// A constructor of a class, which cannot be called without `new`.
    let isClass: Bool
    let isDerived: Bool
    let isArrow: Bool
    /// The frame keeps all arguments, for `arguments` or for a rest parameter.
    let keepsArguments: Bool
    let range: PlaceRange
    let place: Place
    #if DEBUG
        /// How many values lie on the stack before each instruction, as the compiler counted them.
        var depths: [Int] = []
    #endif

    init(
        name: [UInt16], instructions: [Instruction], functions: [Code], handlers: [Handler], marks: [Mark],
        callees: [Callee], captures: [Capture], length: Int, parameterCount: Int, localCount: Int, cellCount: Int,
        stackCount: Int, kind: CodeKind, keepsArguments: Bool, range: PlaceRange, place: Place
    ) {
        self.name = name
        let copy = UnsafeMutablePointer<Instruction>.allocate(capacity: instructions.count)
        copy.initialize(from: instructions, count: instructions.count)
        self.instructions = UnsafePointer(copy)
        instructionCount = instructions.count
        self.functions = functions
        self.handlers = handlers
        self.marks = marks
        self.callees = callees
        self.captures = captures
        self.length = length
        self.parameterCount = parameterCount
        self.localCount = localCount
        self.cellCount = cellCount
        self.stackCount = stackCount
        self.isAsync = kind.isAsync
        self.isGenerator = kind.isGenerator
        self.isConstructor = kind.isConstructor
        self.isClass = kind.isClass
        self.isDerived = kind.isDerived
        self.isArrow = kind.isArrow
        self.keepsArguments = keepsArguments
        self.range = range
        self.place = place
    }

    deinit {
        instructions.deallocate()
    }

    func callee(_ number: Int32) -> Callee? {
        callees.indices.contains(Int(number)) ? callees[Int(number)] : nil
    }

    /// Where the errors of an instruction go.
    func handler(of instruction: Int) -> Handler? {
        handlers.first { $0.start <= instruction && instruction < $0.end }
    }

    /// Where an instruction stands in the file.
    func place(of instruction: Int) -> Place {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if Int(marks[middle].instruction) <= instruction { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? marks[low - 1].place : place
    }
}

struct CodeKind: Sendable {
    var isAsync = false
    var isGenerator = false
    var isConstructor = false
    var isClass = false
    var isDerived = false
    var isArrow = false
}
