/// Writes a tree out as instructions. Counted repetitions are copied, so the size is limited.
struct PatternCompiler {
    private var program: PatternProgram

    init(isRegular: Bool, groups: Int, sets: [ScalarSet]) {
        program = PatternProgram(isRegular: isRegular, slots: 3 * (groups + 1))
        program.sets = sets.map { PatternProgram.ClassTable($0) }
    }

    mutating func compile(_ tree: PatternNode) throws(PatternError) -> PatternProgram {
        try write(tree)
        try emit(.match)
        return program
    }

    private var next: Int32 { Int32(truncatingIfNeeded: program.instructions.count) }

    @discardableResult
    private mutating func emit(_ instruction: PatternProgram.Instruction) throws(PatternError) -> Int {
        guard program.instructions.count < PatternLimits.programInstructionsMax else {
            throw PatternError(reason: .programTooLarge, position: 0)
        }
        program.instructions.append(instruction)
        return program.instructions.count - 1
    }

    private mutating func write(_ node: PatternNode) throws(PatternError) {
        switch node {
        case .empty: break
        case .scalar(let value): try emit(.scalar(value))
        case .set(let number): try emit(.set(Int32(truncatingIfNeeded: number)))
        case .sequence(let parts):
            for part in parts { try write(part) }
        case .choice(let branches): try choice(branches)
        case .group(let part, let number):
            // Only back references read groups.
            if program.isRegular { return try write(part) }
            try emit(.openGroup(Int32(truncatingIfNeeded: number)))
            try write(part)
            try emit(.closeGroup(Int32(truncatingIfNeeded: number)))
        case .repetition(let part, let minimum, let maximum, let isGreedy):
            try repetition(part, minimum, maximum, isGreedy)
        case .assertion(let assertion):
            switch assertion {
            case .wordBoundary(let isUnicode), .noWordBoundary(let isUnicode):
                if isUnicode { program.asksForUnicodeWords = true } else { program.asksForWords = true }
            default: break
            }
            try emit(.assertion(assertion))
        case .backReference(let number, let folding):
            try emit(.backReference(Int32(truncatingIfNeeded: number), folding))
        case .atomic(let part): try enclosure(.atomic, part)
        case .look(let part, isBehind: false, let isNegative):
            try enclosure(.ahead(isNegative: isNegative), part)
        case .look(let part, isBehind: true, let isNegative):
            let width = part.width
            try enclosure(.behind(isNegative: isNegative, minimum: width.minimum, maximum: width.maximum), part)
        }
    }

    private mutating func choice(_ branches: [PatternNode]) throws(PatternError) {
        var ends: [Int] = []
        for (index, branch) in branches.enumerated() {
            guard index < branches.count - 1 else {
                try write(branch)
                break
            }
            let split = try emit(.jump(0))
            try write(branch)
            ends.append(try emit(.jump(0)))
            program.instructions[split] = .split(Int32(truncatingIfNeeded: split + 1), next)
        }
        for end in ends { program.instructions[end] = .jump(next) }
    }

    private mutating func repetition(
        _ part: PatternNode, _ minimum: Int, _ maximum: Int?, _ isGreedy: Bool
    ) throws(PatternError) {
        // The last round that has to be is the loop's own, so that nested pluses do not double the program.
        let copies = maximum == nil ? max(minimum - 1, 0) : minimum
        for _ in 0..<copies {
            // Nothing, however often, is nothing.
            guard try writesSomething(part) else { break }
        }
        var exits: [Int] = []
        if let maximum {
            for _ in 0..<max(maximum - minimum, 0) {
                exits.append(try emit(.jump(0)))
                guard try writesSomething(part) else { break }
            }
            for exit in exits { setSplit(exit, to: exit + 1, isGreedy) }
            return
        }
        if minimum == 0 { exits.append(try emit(.jump(0))) }
        let start = program.instructions.count
        if !program.isRegular, part.canBeEmpty {
            let slot = Int32(truncatingIfNeeded: program.slots)
            program.slots += 1
            try emit(.mark(slot: slot))
            try write(part)
            let check = try emit(.jump(0))
            setSplit(try emit(.jump(0)), to: start, isGreedy)
            program.instructions[check] = .leaveIfUnmoved(slot: slot, exit: next)
        } else {
            try write(part)
            setSplit(try emit(.jump(0)), to: start, isGreedy)
        }
        for exit in exits { setSplit(exit, to: exit + 1, isGreedy) }
    }

    /// Makes an instruction the choice between a round and what is written next.
    private mutating func setSplit(_ index: Int, to round: Int, _ isGreedy: Bool) {
        let round = Int32(truncatingIfNeeded: round)
        program.instructions[index] = isGreedy ? .split(round, next) : .split(next, round)
    }

    private mutating func writesSomething(_ part: PatternNode) throws(PatternError) -> Bool {
        let count = program.instructions.count
        try write(part)
        return program.instructions.count > count
    }

    private mutating func enclosure(
        _ kind: PatternProgram.Enclosure.Kind, _ part: PatternNode
    ) throws(PatternError) {
        let number = program.enclosures.count
        program.enclosures.append(PatternProgram.Enclosure(kind: kind, end: 0))
        try emit(.open(enclosure: Int32(truncatingIfNeeded: number)))
        try write(part)
        try emit(.close(enclosure: Int32(truncatingIfNeeded: number)))
        program.enclosures[number].end = next
    }
}
