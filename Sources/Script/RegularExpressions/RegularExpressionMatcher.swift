/// Matches a program against a text. Places to come back to stand on a stack in the heap, never on the thread's; every
/// instruction is a step that the caller pays for.
///
/// The stack holds three kinds of things: where to go on when the way taken fails, what a register held before it was written
/// (so that failing also undoes), and markers of lookarounds, down to which everything is dropped when one ends.
struct RegularExpressionMatcher {
    typealias Program = RegularExpressionProgram

    private enum Kind: Int32 {
        /// Go on at `a` with the position `b`.
        case choice
        /// The register `a` held `b`.
        case register
        /// A greedy run: go on at `a`, with a position that is one character left of `c`, but not left of `b`.
        case greedyRun, greedyRunPoints
        /// A lazy run at the instruction `a`: at `b`, up to `c` characters more.
        case lazyRun
        /// The inside of a positive lookaround failed: so does the lookaround.
        case look
        /// The inside of a negative lookaround failed: go on at `a` with the position `b`.
        case lookNot
    }

    private struct Frame {
        var kind: Kind
        var a: Int32
        var b: Int32
        var c: Int32
    }

    private let units: UnsafeBufferPointer<UInt16>
    private let instructions: UnsafeBufferPointer<Program.Instruction>
    private let memberships: UnsafeBufferPointer<Program.Membership>
    private let bounds: UnsafeBufferPointer<UInt32>
    private let isUnicode: Bool
    private let isAnchored: Bool
    private let firstUnits: Program.Membership?
    private let groupCount: Int
    private let registers: UnsafeMutableBufferPointer<Int32>
    private var frames: UnsafeMutablePointer<Frame>
    private var capacity: Int
    private var height = 0
    private(set) var steps: Int

    init(
        units: UnsafeBufferPointer<UInt16>, instructions: UnsafeBufferPointer<Program.Instruction>,
        memberships: UnsafeBufferPointer<Program.Membership>, bounds: UnsafeBufferPointer<UInt32>, program: Program,
        steps: Int
    ) {
        self.units = units
        self.instructions = instructions
        self.memberships = memberships
        self.bounds = bounds
        isUnicode = program.isUnicode
        isAnchored = program.isAnchored
        firstUnits = program.firstUnits
        groupCount = program.groupCount
        registers = .allocate(capacity: program.registerCount)
        registers.initialize(repeating: -1)
        capacity = 64
        frames = .allocate(capacity: capacity)
        self.steps = steps
    }

    mutating func release() {
        registers.deallocate()
        frames.deallocate()
    }

    // MARK: Search

    mutating func search(from index: Int, isSticky: Bool) throws(RegularExpressionError) -> [Int]? {
        var start = index
        if isUnicode, isInsidePair(start) { start -= 1 }
        while start <= units.count {
            if !isSticky, let firstUnits {
                let from = start
                while start < units.count, !contains(firstUnits, UInt32(units[start])) { start += 1 }
                steps -= (start - from) >> 3
                if start == units.count { return nil }
                // Skipping by units can end inside of a pair, where no code point begins.
                if isUnicode, isInsidePair(start) {
                    start += 1
                    continue
                }
            }
            if isAnchored, start > 0 { return nil }
            registers.update(repeating: -1)
            steps -= registers.count >> 3
            height = 0
            if try run(at: start) { return registers[0..<(2 * (groupCount + 1))].map(Int.init) }
            if isSticky { return nil }
            start += isUnicode && isPair(start) ? 2 : 1
        }
        return nil
    }

    private func isPair(_ index: Int) -> Bool {
        index + 1 < units.count && UTF16.isLeadSurrogate(units[index]) && UTF16.isTrailSurrogate(units[index + 1])
    }

    private func isInsidePair(_ index: Int) -> Bool {
        index > 0 && isPair(index - 1)
    }

    @inline(__always)
    private func contains(_ set: Program.Membership, _ point: UInt32) -> Bool {
        point < 256 ? set.containsLow(point) : containsHigh(set, point)
    }

    private func containsHigh(_ set: Program.Membership, _ point: UInt32) -> Bool {
        var low = Int(set.start)
        let end = low + 2 * Int(set.count)
        var high = end
        // Of the pairs from `low` on, the first whose end is behind the point.
        while low < high {
            let middle = low + (((high - low) >> 2) << 1)
            if bounds[middle + 1] <= point { low = middle + 2 } else { high = middle }
        }
        return low < end && bounds[low] <= point
    }

    // MARK: Stack

    @inline(__always)
    private mutating func push(_ kind: Kind, _ a: Int32, _ b: Int32, _ c: Int32 = 0) throws(RegularExpressionError) {
        if height == capacity { try grow() }
        (frames + height).initialize(to: Frame(kind: kind, a: a, b: b, c: c))
        height &+= 1
    }

    private mutating func grow() throws(RegularExpressionError) {
        guard capacity < RegularExpressionLimits.backtrackFrames else { throw .tooManySteps }
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: frames, count: height)
        frames.deallocate()
        frames = larger
        capacity *= 2
    }

    /// Writes a register; what it held comes back when the way taken fails. With nothing to come back to, none is kept.
    @inline(__always)
    private mutating func write(_ register: Int32, _ value: Int32) throws(RegularExpressionError) {
        if height > 0 { try push(.register, register, registers[Int(register)]) }
        registers[Int(register)] = value
    }

    // MARK: Characters

    /// The position behind the one character that the instruction matches at `index`; -1 when it does not.
    @inline(__always)
    private func step(_ instruction: Program.Instruction, _ index: Int) -> Int {
        guard index < units.count else { return -1 }
        let unit = units[index]
        switch instruction.operation {
        case .unit: return Int32(unit) == instruction.a ? index &+ 1 : -1
        case .either: return Int32(unit) == instruction.a || Int32(unit) == instruction.b ? index &+ 1 : -1
        case .set: return contains(memberships[Int(instruction.a)], UInt32(unit)) ? index &+ 1 : -1
        default:
            let (point, length) = CodePoints.point(in: units, at: index)
            return contains(memberships[Int(instruction.a)], point) ? index &+ length : -1
        }
    }

    /// The same from right to left.
    private func stepBack(_ instruction: Program.Instruction, _ index: Int) -> Int {
        guard index > 0 else { return -1 }
        let unit = units[index - 1]
        switch instruction.operation {
        case .unitBefore: return Int32(unit) == instruction.a ? index - 1 : -1
        case .eitherBefore: return Int32(unit) == instruction.a || Int32(unit) == instruction.b ? index - 1 : -1
        case .setBefore: return contains(memberships[Int(instruction.a)], UInt32(unit)) ? index - 1 : -1
        default:
            let start = index > 1 && isPair(index - 2) ? index - 2 : index - 1
            let point = start == index - 2 ? CodePoints.joined(units[start], unit) : UInt32(unit)
            return contains(memberships[Int(instruction.a)], point) ? start : -1
        }
    }

    private func isWord(_ index: Int, _ words: Int32) -> Bool {
        index >= 0 && index < units.count && contains(memberships[Int(words)], UInt32(units[index]))
    }

    private func isLineTerminator(_ index: Int) -> Bool {
        CodePoints.isLineTerminator(units[index])
    }

    /// The position behind the text of a group, read from `index` in the direction; -1 when the text is another one.
    private mutating func reference(_ instruction: Program.Instruction, _ index: Int, backwards: Bool) -> Int {
        let from = Int(registers[Int(2 &* instruction.a)])
        let to = Int(registers[Int(2 &* instruction.a &+ 1)])
        // A group that took no part matches the empty text.
        guard from >= 0, to >= 0, to > from else { return index }
        let length = to - from
        let start = backwards ? index - length : index
        steps -= length >> 2
        if instruction.b == 0 {
            guard start >= 0, start + length <= units.count else { return -1 }
            for offset in 0..<length where units[from + offset] != units[start + offset] { return -1 }
            // Half of a pair is no code point, so the end must not stand inside of one.
            let end = backwards ? start : start + length
            return isUnicode && isInsidePair(end) ? -1 : end
        }
        if isUnicode { return foldedReference(from..<to, index, backwards: backwards) }
        guard start >= 0, start + length <= units.count else { return -1 }
        for offset in 0..<length where !isSameUnit(units[from + offset], units[start + offset]) { return -1 }
        return backwards ? start : start + length
    }

    private func isSameUnit(_ left: UInt16, _ right: UInt16) -> Bool {
        left == right
            || CaseGroups.uppercase.canonical(UInt32(left)) == CaseGroups.uppercase.canonical(UInt32(right))
    }

    /// With `u` and `i` code points are compared, and two that are taken for one another can have other lengths.
    private func foldedReference(_ group: Range<Int>, _ index: Int, backwards: Bool) -> Int {
        var position = index
        var place = backwards ? group.upperBound : group.lowerBound
        while backwards ? place > group.lowerBound : place < group.upperBound {
            guard backwards ? position > 0 : position < units.count else { return -1 }
            let wanted: (value: UInt32, length: Int)
            let found: (value: UInt32, length: Int)
            if backwards {
                wanted = pointBefore(place)
                found = pointBefore(position)
                place -= wanted.length
                position -= found.length
            } else {
                wanted = CodePoints.point(in: units, at: place)
                found = CodePoints.point(in: units, at: position)
                place += wanted.length
                position += found.length
            }
            guard CaseGroups.folded.canonical(wanted.value) == CaseGroups.folded.canonical(found.value) else {
                return -1
            }
        }
        return position
    }

    private func pointBefore(_ index: Int) -> (value: UInt32, length: Int) {
        index > 1 && isPair(index - 2)
            ? (CodePoints.joined(units[index - 2], units[index - 1]), 2) : (UInt32(units[index - 1]), 1)
    }

    // MARK: The machine

    /// Runs the program from a position. Longer than a function should be: it is one loop over the operations.
    private mutating func run(at start: Int) throws(RegularExpressionError) -> Bool {
        var counter = 0
        var index = start
        while true {
            steps &-= 1
            if steps < 0 { throw .tooManySteps }
            let instruction = instructions[counter]
            counter &+= 1
            var isFailed = false
            switch instruction.operation {
            case .unit:
                if index < units.count, Int32(units[index]) == instruction.a { index &+= 1 } else { isFailed = true }
            case .either, .set, .pointSet:
                let next = step(instruction, index)
                if next < 0 { isFailed = true } else { index = next }
            case .unitBefore, .eitherBefore, .setBefore, .pointSetBefore:
                let next = stepBack(instruction, index)
                if next < 0 { isFailed = true } else { index = next }
            case .runGreedy, .runGreedyPoints:
                let single = instructions[counter]
                var count: Int32 = 0
                let from = index
                var least = index
                while count < instruction.b {
                    let next = step(single, index)
                    if next < 0 { break }
                    index = next
                    count &+= 1
                    if count == instruction.a { least = index }
                }
                steps &-= (index &- from) >> 2
                if count < instruction.a {
                    isFailed = true
                    break
                }
                counter &+= 1
                if index > least {
                    let kind: Kind = instruction.operation == .runGreedy ? .greedyRun : .greedyRunPoints
                    try push(
                        kind, Int32(truncatingIfNeeded: counter), Int32(truncatingIfNeeded: least),
                        Int32(truncatingIfNeeded: index))
                }
            case .runLazy, .runLazyPoints:
                let single = instructions[counter]
                var count: Int32 = 0
                let from = index
                while count < instruction.a {
                    let next = step(single, index)
                    if next < 0 { break }
                    index = next
                    count &+= 1
                }
                steps &-= (index &- from) >> 2
                if count < instruction.a {
                    isFailed = true
                    break
                }
                if instruction.b > instruction.a {
                    try push(
                        .lazyRun, Int32(truncatingIfNeeded: counter), Int32(truncatingIfNeeded: index),
                        instruction.b &- instruction.a)
                }
                counter &+= 1
            case .choice: try push(.choice, instruction.a, Int32(truncatingIfNeeded: index))
            case .jump: counter = Int(instruction.a)
            case .mark: try write(instruction.a, Int32(truncatingIfNeeded: index))
            case .zero: try write(instruction.a, 0)
            case .forget:
                for register in instruction.a..<instruction.b where registers[Int(register)] >= 0 {
                    try write(register, -1)
                }
                steps &-= Int(instruction.b &- instruction.a) >> 2
            case .loopGreedy, .loopLazy:
                let rounds = registers[Int(instruction.a)]
                if rounds < instruction.b {
                    try write(instruction.a, rounds &+ 1)
                } else if rounds >= instruction.c {
                    counter = Int(instruction.d)
                } else if instruction.operation == .loopGreedy {
                    try push(.choice, instruction.d, Int32(truncatingIfNeeded: index))
                    try write(instruction.a, rounds &+ 1)
                } else {
                    // Going on comes first. The round is one that must be made when the machine comes back for it, which
                    // the place behind the counting says: the register is written before, and undone with what follows.
                    try push(.register, instruction.a, rounds)
                    try push(.choice, Int32(truncatingIfNeeded: counter), Int32(truncatingIfNeeded: index))
                    try push(.register, instruction.a, rounds &+ 1)
                    counter = Int(instruction.d)
                }
            case .progress:
                let isEmpty = registers[Int(instruction.a)] == Int32(truncatingIfNeeded: index)
                isFailed = isEmpty && (instruction.b < 0 || registers[Int(instruction.b)] > instruction.c)
            case .textStart: isFailed = index > 0
            case .lineStart: isFailed = index > 0 && !isLineTerminator(index - 1)
            case .textEnd: isFailed = index < units.count
            case .lineEnd: isFailed = index < units.count && !isLineTerminator(index)
            case .wordBoundary: isFailed = isWord(index - 1, instruction.a) == isWord(index, instruction.a)
            case .notWordBoundary: isFailed = isWord(index - 1, instruction.a) != isWord(index, instruction.a)
            case .reference, .referenceBefore:
                let next = reference(instruction, index, backwards: instruction.operation == .referenceBefore)
                if next < 0 { isFailed = true } else { index = next }
            case .look:
                registers[Int(instruction.b)] = Int32(truncatingIfNeeded: height)
                try push(.look, 0, Int32(truncatingIfNeeded: index))
            case .lookNot:
                registers[Int(instruction.b)] = Int32(truncatingIfNeeded: height)
                try push(.lookNot, instruction.a, Int32(truncatingIfNeeded: index))
            case .lookEnd:
                index = endLook(Int(registers[Int(instruction.b)]))
            case .lookNotEnd:
                undo(to: Int(registers[Int(instruction.b)]))
                isFailed = true
            case .match: return true
            }
            if isFailed {
                guard let place = backtrack() else { return false }
                counter = place.counter
                index = place.index
            }
        }
    }

    /// Ends a positive lookaround: no way back into it, but what it wrote is still undone when what follows fails.
    private mutating func endLook(_ marker: Int) -> Int {
        let index = Int(frames[marker].b)
        var kept = marker
        for place in (marker + 1)..<max(height, marker + 1) where frames[place].kind == .register {
            frames[kept] = frames[place]
            kept += 1
        }
        height = kept
        return index
    }

    /// Drops all down to a marker, and the marker, and undoes what was written since.
    private mutating func undo(to marker: Int) {
        while height > marker {
            height -= 1
            let frame = frames[height]
            if frame.kind == .register { registers[Int(frame.a)] = frame.b }
        }
    }

    /// The last place to come back to; nil when there is none.
    private mutating func backtrack() -> (counter: Int, index: Int)? {
        while height > 0 {
            let top = height &- 1
            let frame = frames[top]
            switch frame.kind {
            case .register: registers[Int(frame.a)] = frame.b
            case .choice, .lookNot:
                height = top
                return (Int(frame.a), Int(frame.b))
            case .look: break
            case .greedyRun, .greedyRunPoints:
                var index = Int(frame.c) &- 1
                if frame.kind == .greedyRunPoints, index > Int(frame.b), isInsidePair(index) { index &-= 1 }
                if index > Int(frame.b) { frames[top].c = Int32(truncatingIfNeeded: index) } else { height = top }
                return (Int(frame.a), index)
            case .lazyRun:
                let next = step(instructions[Int(frame.a)], Int(frame.b))
                guard next >= 0 else { break }
                if frame.c > 1 {
                    frames[top].b = Int32(truncatingIfNeeded: next)
                    frames[top].c = frame.c &- 1
                } else {
                    height = top
                }
                return (Int(frame.a) &+ 1, next)
            }
            height = top
        }
        return nil
    }
}
