/// Turns a parsed pattern into instructions. In a lookbehind all is laid down for matching backwards, from right to left.
struct RegularExpressionCompiler {
    typealias Node = RegularExpressionNode
    typealias Program = RegularExpressionProgram

    private var program = Program()
    private let isUnicode: Bool
    private let ignoresCase: Bool
    private let isMultiline: Bool
    /// The groups of `\k<name>`.
    private let references: [Int]
    private var isTooLarge = false
    private lazy var words: Int32 = program.add(
        isUnicode && ignoresCase ? CharacterClasses.foldedWords : CharacterClasses.words)

    private init(flags: RegularExpressionFlags, references: [Int], groupCount: Int) {
        isUnicode = flags.contains(.unicode)
        ignoresCase = flags.contains(.ignoreCase)
        isMultiline = flags.contains(.multiline)
        self.references = references
        program.groupCount = groupCount
        program.registerCount = 2 * (groupCount + 1)
        program.isUnicode = isUnicode
    }

    /// The program; nil when it would be too large.
    static func program(
        _ node: Node, flags: RegularExpressionFlags, references: [Int], groupCount: Int
    ) -> Program? {
        var compiler = RegularExpressionCompiler(flags: flags, references: references, groupCount: groupCount)
        compiler.emit(.mark, 0)
        compiler.compile(node, backwards: false)
        compiler.emit(.mark, 1)
        compiler.emit(.match)
        guard !compiler.isTooLarge else { return nil }
        compiler.program.isAnchored = !compiler.isMultiline && node.isAnchored
        let first = compiler.firstUnits(of: node)
        if !first.canBeEmpty { compiler.program.firstUnits = compiler.program.membership(of: first.units) }
        return compiler.program
    }

    // MARK: Instructions

    private var here: Int32 { Int32(truncatingIfNeeded: program.instructions.count) }

    private mutating func emit(
        _ operation: Program.Operation, _ a: Int32 = 0, _ b: Int32 = 0, _ c: Int32 = 0, _ d: Int32 = 0
    ) {
        guard program.instructions.count < RegularExpressionLimits.instructions else {
            isTooLarge = true
            return
        }
        program.instructions.append(.init(operation: operation, a: a, b: b, c: c, d: d))
    }

    private mutating func register() -> Int32 {
        program.registerCount += 1
        return Int32(truncatingIfNeeded: program.registerCount - 1)
    }

    /// Sets where the instruction at a place goes to, once that is known.
    private mutating func aim(_ place: Int32, _ operand: WritableKeyPath<Program.Instruction, Int32>) {
        guard Int(place) < program.instructions.count else { return }
        program.instructions[Int(place)][keyPath: operand] = here
    }

    // MARK: Nodes

    private mutating func compile(_ node: Node, backwards: Bool) {
        guard !isTooLarge else { return }
        switch node {
        case .empty: break
        case .character(let character): compile(character: character, backwards: backwards)
        case .set(let set, let isInverted): compile(set: set, isInverted: isInverted, backwards: backwards)
        case .sequence(let nodes):
            if backwards {
                for node in nodes.reversed() { compile(node, backwards: true) }
            } else {
                for node in nodes { compile(node, backwards: false) }
            }
        case .alternatives(let nodes): compile(alternatives: nodes, backwards: backwards)
        case .capture(let group, let body):
            let start = Int32(truncatingIfNeeded: 2 * group)
            emit(.mark, backwards ? start + 1 : start)
            compile(body, backwards: backwards)
            emit(.mark, backwards ? start : start + 1)
        case .assertion(.start): emit(isMultiline ? .lineStart : .textStart)
        case .assertion(.end): emit(isMultiline ? .lineEnd : .textEnd)
        case .assertion(.wordBoundary): emit(.wordBoundary, words)
        case .assertion(.notWordBoundary): emit(.notWordBoundary, words)
        case .look(let isAhead, let isNegative, let body):
            let height = register()
            let place = here
            emit(isNegative ? .lookNot : .look, 0, height)
            compile(body, backwards: !isAhead)
            emit(isNegative ? .lookNotEnd : .lookEnd, 0, height)
            aim(place, \.a)
        case .backreference(let group): compile(reference: group, backwards: backwards)
        case .namedReference(let name): compile(reference: references[name], backwards: backwards)
        case .repetition(let body, let quantifier): compile(body, quantifier, backwards: backwards)
        }
    }

    private mutating func compile(reference group: Int, backwards: Bool) {
        emit(backwards ? .referenceBefore : .reference, Int32(truncatingIfNeeded: group), ignoresCase ? 1 : 0)
    }

    private mutating func compile(alternatives nodes: [Node], backwards: Bool) {
        var jumps: [Int32] = []
        for (index, node) in nodes.enumerated() {
            guard index < nodes.count - 1 else {
                compile(node, backwards: backwards)
                break
            }
            let choice = here
            emit(.choice)
            compile(node, backwards: backwards)
            jumps.append(here)
            emit(.jump)
            aim(choice, \.a)
        }
        for jump in jumps { aim(jump, \.a) }
    }

    private mutating func compile(character: UInt32, backwards: Bool) {
        if ignoresCase {
            let members = members(like: character)
            let areUnits = members.allSatisfy { $0 < 0x10000 && !(isUnicode && CodePoints.isSurrogate($0)) }
            if members.count == 2, areUnits {
                emit(backwards ? .eitherBefore : .either, Int32(members[0]), Int32(members[1]))
                return
            }
            if members.count > 1 {
                emit(
                    set: CodePointSet(members.map { $0..<($0 + 1) }.sorted { $0.lowerBound < $1.lowerBound }), backwards
                )
                return
            }
        }
        if isUnicode, CodePoints.isSurrogate(character) {
            // Alone it must not match half of a pair.
            emit(set: CodePointSet([character..<(character + 1)]), backwards)
        } else if character < 0x10000 {
            emit(backwards ? .unitBefore : .unit, Int32(character))
        } else {
            var units: [UInt16] = []
            CodePoints.append(character, to: &units)
            for unit in backwards ? units.reversed() : units { emit(backwards ? .unitBefore : .unit, Int32(unit)) }
        }
    }

    /// The characters that the one in the pattern matches. The other case of a letter of ASCII needs no table without `u`.
    private func members(like character: UInt32) -> [UInt32] {
        guard ignoresCase else { return [character] }
        if isUnicode { return CaseGroups.folded.members(like: character) }
        return character < 0x80 ? asciiMembers(like: character) : CaseGroups.uppercase.members(like: character)
    }

    private func asciiMembers(like character: UInt32) -> [UInt32] {
        switch character {
        case 0x41...0x5A: [character, character + 32]
        case 0x61...0x7A: [character - 32, character]
        default: [character]
        }
    }

    private mutating func compile(set: CodePointSet, isInverted: Bool, backwards: Bool) {
        emit(set: resolved(set, isInverted), backwards)
    }

    /// The set with the other cases of its members, then inverted: in this order, as the language says.
    private func resolved(_ set: CodePointSet, _ isInverted: Bool) -> CodePointSet {
        var set = set
        if ignoresCase { set = (isUnicode ? CaseGroups.folded : CaseGroups.uppercase).closure(of: set) }
        return isInverted ? set.inverted(below: isUnicode ? CodePointSet.end : 0x10000) : set
    }

    private mutating func emit(set: CodePointSet, _ backwards: Bool) {
        let index = program.add(set)
        if needsPoints(set) {
            emit(backwards ? .pointSetBefore : .pointSet, index)
        } else {
            emit(backwards ? .setBefore : .set, index)
        }
    }

    /// Returns whether single units do not say if the set matches: it holds surrogates or code points beyond them.
    private func needsPoints(_ set: CodePointSet) -> Bool {
        guard isUnicode, let last = set.ranges.last else { return false }
        return last.upperBound > 0x10000 || set.ranges.contains { $0.lowerBound < 0xE000 && $0.upperBound > 0xD800 }
    }

    // MARK: Repetition

    private mutating func compile(_ body: Node, _ quantifier: Node.Quantifier, backwards: Bool) {
        var quantifier = quantifier
        if body.isAlwaysEmpty {
            // A round without a unit counts only while it must, and any number of them says what one says.
            guard quantifier.min > 0 else { return }
            quantifier.min = 1
            quantifier.max = 1
        }
        if quantifier.max == 0 { return }
        let unlimited = quantifier.max == Node.Quantifier.unlimited
        let max = Int32(truncatingIfNeeded: quantifier.max)
        if !backwards, let isPoints = singleCharacter(body) {
            let place = here
            switch (quantifier.isGreedy, isPoints) {
            case (true, false): emit(.runGreedy, Int32(truncatingIfNeeded: quantifier.min), max)
            case (true, true): emit(.runGreedyPoints, Int32(truncatingIfNeeded: quantifier.min), max)
            case (false, false): emit(.runLazy, Int32(truncatingIfNeeded: quantifier.min), max)
            case (false, true): emit(.runLazyPoints, Int32(truncatingIfNeeded: quantifier.min), max)
            }
            compile(body, backwards: false)
            if here - place == 2 || isTooLarge { return }
            program.instructions.removeLast(Int(here - place))
        }
        let start = body.canBeEmpty ? register() : -1
        if quantifier.min == 1, quantifier.max == 1 {
            forget(quantifier.groups)
            compile(body, backwards: backwards)
            return
        }
        if quantifier.min == 0, unlimited || quantifier.max == 1 {
            compile(optional: body, quantifier, start: start, repeats: unlimited, backwards: backwards)
            return
        }
        if quantifier.min == 1, unlimited, start < 0 {
            let loop = here
            forget(quantifier.groups)
            compile(body, backwards: backwards)
            let choice = here
            emit(.choice, loop)
            if quantifier.isGreedy {
                emit(.jump, loop)
                aim(choice, \.a)
            }
            return
        }
        let counter = register()
        emit(.zero, counter)
        let loop = here
        emit(quantifier.isGreedy ? .loopGreedy : .loopLazy, counter, Int32(truncatingIfNeeded: quantifier.min), max)
        forget(quantifier.groups)
        if start >= 0 { emit(.mark, start) }
        compile(body, backwards: backwards)
        if start >= 0 { emit(.progress, start, counter, Int32(truncatingIfNeeded: quantifier.min)) }
        emit(.jump, loop)
        aim(loop, \.d)
    }

    /// `?` and `*`, which need no counter.
    private mutating func compile(
        optional body: Node, _ quantifier: Node.Quantifier, start: Int32, repeats: Bool, backwards: Bool
    ) {
        let loop = here
        var skip: Int32 = -1
        emit(.choice)
        if !quantifier.isGreedy {
            skip = here
            emit(.jump)
            aim(loop, \.a)
        }
        forget(quantifier.groups)
        if start >= 0 { emit(.mark, start) }
        compile(body, backwards: backwards)
        if start >= 0 { emit(.progress, start, -1) }
        if repeats { emit(.jump, loop) }
        aim(quantifier.isGreedy ? loop : skip, \.a)
    }

    private mutating func forget(_ groups: Range<Int>) {
        guard !groups.isEmpty else { return }
        emit(
            .forget, Int32(truncatingIfNeeded: 2 * groups.lowerBound), Int32(truncatingIfNeeded: 2 * groups.upperBound))
    }

    /// Returns whether the node matches exactly one character by one instruction, and if so whether that may take a pair of units.
    private func singleCharacter(_ node: Node) -> Bool? {
        switch node {
        case .character(let character):
            if !isUnicode { return false }
            if ignoresCase { return true }
            return character >= 0x10000 ? nil : CodePoints.isSurrogate(character)
        case .set(let set, let isInverted): return isUnicode && needsPoints(resolved(set, isInverted))
        default: return nil
        }
    }

    // MARK: First units

    /// The units that a match of the node can begin with; more than can is allowed, fewer never.
    private func firstUnits(of node: Node) -> (units: CodePointSet, canBeEmpty: Bool) {
        let every = CodePointSet([0..<0x10000])
        switch node {
        case .empty, .assertion, .look: return (CodePointSet(), true)
        case .backreference, .namedReference: return (every, true)
        case .character(let character):
            return (units(beginning: CodePointSet(members(like: character).map { $0..<($0 + 1) })), false)
        case .set(let set, let isInverted): return (units(beginning: resolved(set, isInverted)), false)
        case .sequence(let nodes):
            var ranges: [Range<UInt32>] = []
            for node in nodes {
                let first = firstUnits(of: node)
                ranges += first.units.ranges
                if !first.canBeEmpty { return (CodePointSet(ranges), false) }
            }
            return (CodePointSet(ranges), true)
        case .alternatives(let nodes):
            let all = nodes.map { firstUnits(of: $0) }
            return (CodePointSet(all.flatMap(\.units.ranges)), all.contains(where: \.canBeEmpty))
        case .capture(_, let body): return firstUnits(of: body)
        case .repetition(let body, let quantifier):
            if quantifier.max == 0 { return (CodePointSet(), true) }
            let first = firstUnits(of: body)
            return (first.units, first.canBeEmpty || quantifier.min == 0)
        }
    }

    /// Code points beyond 16 bits begin with a lead surrogate; which one makes no difference here.
    private func units(beginning set: CodePointSet) -> CodePointSet {
        guard let last = set.ranges.last, last.upperBound > 0x10000 else { return set }
        return set.union(CodePointSet([0xD800..<0xDC00]))
    }
}
