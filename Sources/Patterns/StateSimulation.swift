/// The matcher for regular patterns: follows all ways at once, a code point at a time (Thompson's construction).
///
/// Hot: works on code points and instruction numbers. The cost is at most the text times the program.
struct StateSimulation {
    private let program: PatternProgram
    /// Instructions that wait for the code point at this place, and at the next one.
    private var waiting: [Int32] = []
    private var following: [Int32] = []
    /// The last place, plus one, where each instruction was reached.
    private var reached: [Int32]
    private var pending: [Int32] = []
    private var hasMatched = false

    init(_ program: PatternProgram) {
        self.program = program
        reached = Array(repeating: 0, count: program.instructions.count)
    }

    mutating func run(on text: PatternText, _ steps: inout PatternSteps) -> Pattern.Outcome {
        var text = text
        text.prepare(for: program, &steps)
        guard !steps.areExhausted else { return .exhausted }
        follow(from: 0, at: 0, in: text, &steps)
        for place in 0..<text.count {
            swap(&waiting, &following)
            following.removeAll(keepingCapacity: true)
            hasMatched = false
            if waiting.isEmpty { return .differs }
            let value = text.scalars[place]
            for index in waiting {
                steps.take(1)
                switch program.instructions[Int(index)] {
                case .scalar(let wanted):
                    guard value == wanted else { continue }
                case .set(let number):
                    let table = program.sets[Int(number)]
                    if value > 0xFF { steps.take(table.cost) }
                    guard table.contains(value) else { continue }
                default:
                    continue
                }
                follow(from: index + 1, at: place + 1, in: text, &steps)
            }
            guard !steps.areExhausted else { return .exhausted }
        }
        return steps.areExhausted ? .exhausted : hasMatched ? .matches : .differs
    }

    /// Goes on from an instruction to all that wait for a code point.
    private mutating func follow(from start: Int32, at place: Int, in text: PatternText, _ steps: inout PatternSteps) {
        let stamp = Int32(truncatingIfNeeded: place + 1)
        pending.append(start)
        while let index = pending.popLast() {
            guard reached[Int(index)] != stamp else { continue }
            reached[Int(index)] = stamp
            steps.take(1)
            switch program.instructions[Int(index)] {
            case .scalar, .set:
                following.append(index)
            case .assertion(let assertion):
                if text.holds(assertion, at: place) { pending.append(index + 1) }
            case .split(let one, let other):
                pending.append(other)
                pending.append(one)
            case .jump(let target):
                pending.append(target)
            case .match:
                hasMatched = true
            case .openGroup, .closeGroup, .mark, .leaveIfUnmoved, .backReference, .open, .close:
                // A regular program has none of these.
                break
            }
        }
    }
}
