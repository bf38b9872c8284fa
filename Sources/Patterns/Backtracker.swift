/// The matcher for what is not regular: tries one way after the other. Steps and remembered choices are counted.
///
/// Hot: works on code points and instruction numbers, with a stack of its own instead of recursion.
struct Backtracker {
    /// An entry of the stack: undone, or tried next, when a way fails.
    private enum Frame {
        case choice(instruction: Int32, place: Int32)
        case restore(slot: Int32, value: Int32)
        /// An enclosure begun at `origin`. A look-behind's body began at `start`.
        case barrier(enclosure: Int32, origin: Int32, start: Int32, outer: Int32)
    }

    private let program: PatternProgram
    private var frames: [Frame] = []
    /// The innermost open enclosure's frame, or -1.
    private var barrier: Int32 = -1
    private var slots: [Int32]
    private var instruction: Int32 = 0
    private var place: Int32 = 0

    init(_ program: PatternProgram) {
        self.program = program
        slots = Array(repeating: -1, count: program.slots)
    }

    mutating func run(on text: PatternText, _ steps: inout PatternSteps) -> Pattern.Outcome {
        var text = text
        text.prepare(for: program, &steps)
        return run(on: text, from: 0, isWhole: true, &steps)
    }

    /// Where the last match ended, and the places of its groups: for each three, the last two of which are its start and end.
    var end: Int { Int(place) }
    func group(_ number: Int) -> Range<Int>? {
        guard slots.indices.contains(3 * number + 2) else { return nil }
        let start = Int(slots[3 * number + 1])
        let end = Int(slots[3 * number + 2])
        return start >= 0 && end >= start ? start..<end : nil
    }

    /// Matches a text that is prepared, from a place on: all that is left of it, or as much as the pattern takes.
    mutating func run(
        on text: PatternText, from start: Int, isWhole: Bool, _ steps: inout PatternSteps
    ) -> Pattern.Outcome {
        frames.removeAll(keepingCapacity: true)
        barrier = -1
        instruction = 0
        place = Int32(truncatingIfNeeded: start)
        for slot in slots.indices { slots[slot] = -1 }
        // Places fit 32 bits from here on: a longer text has used up its steps.
        while !steps.areExhausted, frames.count <= PatternLimits.framesMax {
            steps.take(1)
            if case .match = program.instructions[Int(instruction)], !isWhole || Int(place) == text.count {
                return .matches
            }
            if advance(in: text, &steps) { continue }
            guard backtrack(&steps) else { return .differs }
        }
        return .exhausted
    }

    /// Carries out one instruction; false when this way fails. Over 40 lines: a case for each instruction.
    private mutating func advance(in text: PatternText, _ steps: inout PatternSteps) -> Bool {
        switch program.instructions[Int(instruction)] {
        case .scalar(let wanted):
            guard place < text.count, text.scalars[Int(place)] == wanted else { return false }
            place += 1
        case .set(let number):
            guard place < text.count else { return false }
            let value = text.scalars[Int(place)]
            let table = program.sets[Int(number)]
            if value > 0xFF { steps.take(table.cost) }
            guard table.contains(value) else { return false }
            place += 1
        case .assertion(let assertion):
            guard text.holds(assertion, at: Int(place)) else { return false }
        case .split(let one, let other):
            frames.append(.choice(instruction: other, place: place))
            instruction = one
            return true
        case .jump(let target):
            instruction = target
            return true
        case .openGroup(let group):
            set(3 * group, to: place)
        case .closeGroup(let group):
            set(3 * group + 1, to: slots[Int(3 * group)])
            set(3 * group + 2, to: place)
        case .mark(let slot):
            set(slot, to: place)
        case .leaveIfUnmoved(let slot, let exit):
            if slots[Int(slot)] == place {
                instruction = exit
                return true
            }
        case .backReference(let group, let folding):
            guard repeats(group, folding, in: text, &steps) else { return false }
        case .open(let enclosure):
            return open(enclosure)
        case .close(let enclosure):
            return close(enclosure, &steps)
        case .match:
            // Not at the end, or this is not reached: see `run`.
            return false
        }
        instruction += 1
        return true
    }

    private mutating func set(_ slot: Int32, to value: Int32) {
        frames.append(.restore(slot: slot, value: slots[Int(slot)]))
        slots[Int(slot)] = value
    }

    /// Undoes up to the last choice and takes its other way; false when there is none.
    private mutating func backtrack(_ steps: inout PatternSteps) -> Bool {
        while let frame = frames.popLast() {
            steps.take(1)
            switch frame {
            case .restore(let slot, let value):
                slots[Int(slot)] = value
            case .choice(let instruction, let place):
                self.instruction = instruction
                self.place = place
                return true
            case .barrier(let enclosure, let origin, let start, let outer):
                barrier = outer
                if goesOn(enclosure, origin, start) { return true }
            }
        }
        return false
    }

    /// Goes on when an enclosure's body has failed.
    private mutating func goesOn(_ enclosure: Int32, _ origin: Int32, _ start: Int32) -> Bool {
        let end = program.enclosures[Int(enclosure)].end
        let isNegative: Bool
        switch program.enclosures[Int(enclosure)].kind {
        case .atomic:
            isNegative = false
        case .ahead(let negative):
            isNegative = negative
        case .behind(let negative, _, let maximum):
            if start > 0, maximum.map({ Int(origin - start) < $0 }) ?? true {
                begin(enclosure, origin, start - 1)
                return true
            }
            isNegative = negative
        }
        instruction = end
        place = origin
        return isNegative
    }

    private mutating func begin(_ enclosure: Int32, _ origin: Int32, _ start: Int32) {
        let index = Int32(truncatingIfNeeded: frames.count)
        frames.append(.barrier(enclosure: enclosure, origin: origin, start: start, outer: barrier))
        barrier = index
        place = start
    }

    private mutating func open(_ enclosure: Int32) -> Bool {
        let origin = place
        var start = origin
        if case .behind(let isNegative, let minimum, _) = program.enclosures[Int(enclosure)].kind {
            guard minimum <= Int(origin) else {
                instruction = program.enclosures[Int(enclosure)].end
                return isNegative
            }
            start = origin - Int32(truncatingIfNeeded: minimum)
        }
        begin(enclosure, origin, start)
        instruction += 1
        return true
    }

    /// Goes on when an enclosure's body has matched.
    private mutating func close(_ enclosure: Int32, _ steps: inout PatternSteps) -> Bool {
        guard barrier >= 0, case .barrier(_, let origin, _, let outer) = frames[Int(barrier)] else { return false }
        let isNegative: Bool
        switch program.enclosures[Int(enclosure)].kind {
        case .atomic:
            isNegative = false
        case .ahead(let negative):
            isNegative = negative
            place = origin
        case .behind(let negative, _, _):
            guard place == origin else { return false }
            isNegative = negative
        }
        let bottom = Int(barrier)
        steps.take(frames.count - bottom)
        if isNegative {
            while frames.count > bottom {
                if case .restore(let slot, let value)? = frames.popLast() { slots[Int(slot)] = value }
            }
        } else {
            // Choices within are over; what it captured is still undone when a choice before it is taken.
            var kept = bottom
            for index in (bottom + 1)..<frames.count {
                guard case .restore = frames[index] else { continue }
                frames[kept] = frames[index]
                kept += 1
            }
            frames.removeLast(frames.count - kept)
        }
        barrier = outer
        instruction += 1
        return !isNegative
    }

    private mutating func repeats(
        _ group: Int32, _ folding: CaseFolding, in text: PatternText, _ steps: inout PatternSteps
    ) -> Bool {
        guard slots.indices.contains(Int(3 * group) + 2) else { return false }
        let start = Int(slots[Int(3 * group) + 1])
        let end = Int(slots[Int(3 * group) + 2])
        guard start >= 0, end >= start, end - start <= text.count - Int(place) else { return false }
        steps.take(end - start)
        for offset in 0..<(end - start) {
            let one = text.scalars[start + offset]
            let other = text.scalars[Int(place) + offset]
            if one == other { continue }
            switch folding {
            case .none: return false
            case .ascii:
                guard one < 0x80, other < 0x80, JavaCodePoints.lower(one) == JavaCodePoints.lower(other) else {
                    return false
                }
            case .unicode:
                steps.take(4)
                guard JavaCodePoints.folded(one) == JavaCodePoints.folded(other) else { return false }
            }
        }
        place += Int32(truncatingIfNeeded: end - start)
        return true
    }
}
