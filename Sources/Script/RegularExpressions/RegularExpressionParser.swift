/// Reads a pattern: strictly with the flag `u`, else with the older forms of Annex B. The order of its checks is V8's, so that
/// the same mistake gets the same text.
struct RegularExpressionParser {
    typealias Failure = RegularExpressionSyntaxError
    typealias Node = RegularExpressionNode

    let pattern: [UInt16]
    let flags: RegularExpressionFlags
    let isUnicode: Bool
    /// The capture groups of the whole pattern, and whether one has a name: what `\1` and `\k` mean hangs on what follows.
    let groupTotal: Int
    let hasNamedGroups: Bool

    var position = 0
    var groupCount = 0
    var groupNames: [(name: [UInt16], index: Int)] = []
    /// The names of `\k<name>` in the order of their appearance.
    var referencedNames: [[UInt16]] = []
    private var depth = 0

    init(pattern: [UInt16], flags: RegularExpressionFlags) {
        self.pattern = pattern
        self.flags = flags
        isUnicode = flags.contains(.unicode)
        (groupTotal, hasNamedGroups) = Self.groups(of: pattern)
    }

    /// The whole pattern, and the group of each referenced name.
    mutating func parse() throws(Failure) -> (node: Node, references: [Int]) {
        let node = try disjunction(isInGroup: false)
        groupNames.sort { $0.index < $1.index }
        var references: [Int] = []
        for name in referencedNames {
            guard let group = groupNames.first(where: { $0.name == name }) else {
                throw failure(.namedCaptureReferenced)
            }
            references.append(group.index)
        }
        return (node, references)
    }

    func failure(_ reason: Failure.Reason) -> Failure {
        Failure(reason: reason, offset: min(position, pattern.count), pattern: pattern, flags: flags)
    }

    // MARK: Units

    /// The unit at the position; nil at the end.
    var unit: UInt16? { position < pattern.count ? pattern[position] : nil }

    func unit(after distance: Int) -> UInt16? {
        position + distance < pattern.count ? pattern[position + distance] : nil
    }

    func isAt(_ character: Unicode.Scalar) -> Bool {
        unit.map(UInt32.init) == character.value
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        position += 1
        return true
    }

    /// The next code point (with `asPoints`) or unit, which is taken.
    mutating func takeCharacter(asPoints: Bool) -> UInt32? {
        guard let first = unit else { return nil }
        position += 1
        guard asPoints, UTF16.isLeadSurrogate(first), let second = unit, UTF16.isTrailSurrogate(second) else {
            return UInt32(first)
        }
        position += 1
        return CodePoints.joined(first, second)
    }

    // MARK: Disjunction

    private mutating func disjunction(isInGroup: Bool) throws(Failure) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= RegularExpressionLimits.depth else { throw failure(.tooLarge) }
        var alternatives: [Node] = []
        var terms: [Node] = []
        func sequence() -> Node {
            terms.count == 1 ? terms[0] : terms.isEmpty ? .empty : .sequence(terms)
        }
        while let current = unit {
            if current == UInt16(ascii: ")") {
                guard isInGroup else { throw failure(.unmatchedParenthesis) }
                break
            }
            if current == UInt16(ascii: "|") {
                position += 1
                alternatives.append(sequence())
                terms.removeAll()
            } else if let term = try term() {
                terms.append(term)
            }
        }
        if isInGroup && !isAt(")") { throw failure(.unterminatedGroup) }
        if alternatives.isEmpty { return sequence() }
        alternatives.append(sequence())
        return .alternatives(alternatives)
    }

    /// One term with its quantifier.
    private mutating func term() throws(Failure) -> Node? {
        let firstGroup = groupCount
        let atom: Node
        switch unit.flatMap(Unicode.Scalar.init) {
        case "^":
            position += 1
            return .assertion(.start)
        case "$":
            position += 1
            return .assertion(.end)
        case "(": atom = try group()
        case "*", "+", "?": throw failure(.nothingToRepeat)
        case "[": atom = try characterClass()
        case "\\":
            switch unit(after: 1).flatMap(Unicode.Scalar.init) {
            case "b":
                position += 2
                return .assertion(.wordBoundary)
            case "B":
                position += 2
                return .assertion(.notWordBoundary)
            default: atom = try atomEscape()
            }
        case ".":
            position += 1
            atom =
                flags.contains(.dotAll)
                ? .set(.all, isInverted: false) : .set(CharacterClasses.lineTerminators, isInverted: true)
        case "{":
            let start = position
            if try interval() != nil { throw failure(.nothingToRepeat) }
            position = start
            fallthrough
        case "}", "]":
            if isUnicode { throw failure(.loneQuantifierBrackets) }
            fallthrough
        default:
            guard let character = takeCharacter(asPoints: isUnicode) else { return nil }
            atom = .character(character)
        }
        return try quantified(atom, firstGroup: firstGroup)
    }

    private mutating func quantified(_ atom: Node, firstGroup: Int) throws(Failure) -> Node {
        let range: (min: Int, max: Int)
        switch unit.flatMap(Unicode.Scalar.init) {
        case "*":
            position += 1
            range = (0, Node.Quantifier.unlimited)
        case "+":
            position += 1
            range = (1, Node.Quantifier.unlimited)
        case "?":
            position += 1
            range = (0, 1)
        case "{":
            let start = position
            guard let interval = try interval() else {
                if isUnicode { throw failure(.incompleteQuantifier) }
                position = start
                return atom
            }
            guard interval.min <= interval.max else { throw failure(.rangeOutOfOrder) }
            range = interval
        default: return atom
        }
        let isGreedy = !take("?")
        if case .look(let isAhead, _, _) = atom, isUnicode || !isAhead { throw failure(.quantifier) }
        let groups = (firstGroup + 1)..<(groupCount + 1)
        return .repetition(
            atom, Node.Quantifier(min: range.min, max: range.max, isGreedy: isGreedy, groups: groups))
    }

    /// `{2}`, `{2,}`, `{2,3}`; nil (the position anywhere) when the brace begins no quantifier.
    private mutating func interval() throws(Failure) -> (min: Int, max: Int)? {
        guard take("{"), let min = decimal() else { return nil }
        if take("}") { return (min, min) }
        guard take(",") else { return nil }
        if take("}") { return (min, Node.Quantifier.unlimited) }
        guard let max = decimal(), take("}") else { return nil }
        return (min, max)
    }

    private mutating func decimal() -> Int? {
        var value: Int?
        while let unit, let digit = CodePoints.decimalDigit(unit) {
            value = min((value ?? 0) * 10 + digit, Node.Quantifier.unlimited)
            position += 1
        }
        return value
    }

    // MARK: Groups

    private mutating func group() throws(Failure) -> Node {
        position += 1
        var look: (isAhead: Bool, isNegative: Bool)?
        var capture: Int?
        var name: [UInt16]?
        if isAt("?") {
            switch (unit(after: 1).flatMap(Unicode.Scalar.init), unit(after: 2).flatMap(Unicode.Scalar.init)) {
            case (":", _): position += 2
            case ("=", _), ("!", _):
                look = (true, unit(after: 1) == UInt16(ascii: "!"))
                position += 2
            case ("<", "="), ("<", "!"):
                look = (false, unit(after: 2) == UInt16(ascii: "!"))
                position += 3
            case ("<", _):
                position += 2
                capture = try nextGroup()
                name = try groupName()
            default: throw failure(.group)
            }
        } else {
            capture = try nextGroup()
        }
        let body = try disjunction(isInGroup: true)
        // `disjunction` has seen the parenthesis.
        position += 1
        if let look { return .look(isAhead: look.isAhead, isNegative: look.isNegative, body) }
        if let name, let capture {
            // A name counts from the end of its group on: mistakes inside are told first.
            guard !groupNames.contains(where: { $0.name == name }) else { throw failure(.duplicateCaptureGroupName) }
            groupNames.append((name, capture))
        }
        if let capture { return .capture(capture, body) }
        // What must not be repeated alone may be in a group.
        if case .look = body { return .sequence([body]) }
        return body
    }

    private mutating func nextGroup() throws(Failure) -> Int {
        guard groupCount < RegularExpressionLimits.groups else { throw failure(.tooManyCaptures) }
        groupCount += 1
        return groupCount
    }

    /// A name and the `>` behind it. Names are read as code points whatever the flags.
    mutating func groupName() throws(Failure) -> [UInt16] {
        var name: [UInt16] = []
        while true {
            guard var character = takeCharacter(asPoints: true) else { throw failure(.captureGroupName) }
            if character == 0x5C {
                guard take("u") else { throw failure(.captureGroupName) }
                guard let escaped = unicodeEscape(asPoints: true) else { throw failure(.unicodeEscape) }
                character = escaped
                guard character != 0x5C else { throw failure(.captureGroupName) }
            } else if character == 0x3E, !name.isEmpty {
                return name
            }
            guard name.isEmpty ? CodePoints.isIdentifierStart(character) : CodePoints.isIdentifierPart(character) else {
                throw failure(.captureGroupName)
            }
            CodePoints.append(character, to: &name)
        }
    }

    /// Counts the capture groups of a pattern that may still be wrong.
    private static func groups(of pattern: [UInt16]) -> (count: Int, hasNames: Bool) {
        var count = 0
        var hasNames = false
        var isInClass = false
        var index = 0
        while index < pattern.count {
            switch Unicode.Scalar(pattern[index]) {
            case "\\": index += 1
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass:
                let second = index + 1 < pattern.count ? pattern[index + 1] : 0
                guard second == UInt16(ascii: "?") else {
                    count += 1
                    break
                }
                let third = index + 2 < pattern.count ? pattern[index + 2] : 0
                let fourth = index + 3 < pattern.count ? pattern[index + 3] : 0
                if third == UInt16(ascii: "<"), fourth != UInt16(ascii: "="), fourth != UInt16(ascii: "!") {
                    count += 1
                    hasNames = true
                }
            default: break
            }
            index += 1
        }
        return (count, hasNames)
    }
}
