/// Reads Java's syntax into a tree. Recursive; `nested` bounds how deep.
struct PatternParser {
    var source: PatternSource
    var flags = Flags() {
        didSet { source.skipsComments = flags.contains(.comments) }
    }
    /// How many capturing groups have been opened.
    private(set) var groups = 0
    private(set) var sets: [ScalarSet] = []
    /// Groups by their names, which are letters and digits.
    private(set) var names: [String: Int] = [:]
    private var depth = 0

    /// The flags that hold at a place: `(?i)` and its like.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let ignoresCase = Flags(rawValue: 1 << 0)
        static let unixLines = Flags(rawValue: 1 << 1)
        static let multiline = Flags(rawValue: 1 << 2)
        static let dotAll = Flags(rawValue: 1 << 3)
        static let unicodeCase = Flags(rawValue: 1 << 4)
        static let comments = Flags(rawValue: 1 << 5)
        static let unicodeClasses = Flags(rawValue: 1 << 6)

        var folding: CaseFolding {
            guard contains(.ignoresCase) else { return .none }
            return contains(.unicodeCase) ? .unicode : .ascii
        }
    }

    init(_ text: String) throws(PatternError) {
        source = try PatternSource(text)
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        let tree = try choice()
        guard source.peek() == nil else { throw source.error(.expected("the end, or a '(' before")) }
        return tree
    }

    /// Goes a level deeper for as long as `read` runs.
    mutating func nested<Part>(
        _ read: (inout PatternParser) throws(PatternError) -> Part
    ) throws(PatternError) -> Part {
        guard depth < PatternLimits.nestingDepthMax else { throw source.error(.nestedTooDeeply) }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    mutating func node(_ set: ScalarSet) -> PatternNode {
        if case .sorted(let ranges) = set, ranges.count == 1, ranges[0].lowerBound == ranges[0].upperBound {
            return .scalar(ranges[0].lowerBound)
        }
        sets.append(set)
        return .set(sets.count - 1)
    }

    mutating func openGroup() -> Int {
        groups += 1
        return groups
    }

    mutating func name(_ name: String, _ group: Int) throws(PatternError) {
        guard names.updateValue(group, forKey: name) == nil else { throw source.error(.duplicateGroup(name)) }
    }

    func group(named name: String) throws(PatternError) -> Int {
        guard let group = names[name] else { throw source.error(.unknownGroup(name)) }
        return group
    }

    mutating func choice() throws(PatternError) -> PatternNode {
        var branches = [try sequence()]
        while source.take("|") {
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let sign = source.peek() {
            if let syntax = sign.syntax {
                if syntax == "|" || syntax == ")" { break }
                if syntax == "*" || syntax == "+" || syntax == "?" { throw source.error(.nothingToRepeat) }
            }
            guard let part = try atom(sign) else { continue }
            parts.append(try quantified(part))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    /// The atom that a quantifier applies to; nil for a change of flags.
    private mutating func atom(_ sign: PatternSource.Sign) throws(PatternError) -> PatternNode? {
        switch sign.syntax {
        case "(":
            return try nested { parser throws(PatternError) in try parser.readGroup() }
        case "[":
            return node(try nested { parser throws(PatternError) in try parser.characterClass() })
        case "\\":
            return try escape()
        case "{":
            // Java takes the nothing before it as what is repeated.
            return .empty
        case "^":
            source.position += 1
            return .assertion(
                flags.contains(.multiline) ? .lineStart(onlyNewline: flags.contains(.unixLines)) : .textStart)
        case "$":
            source.position += 1
            let onlyNewline = flags.contains(.unixLines)
            return .assertion(
                flags.contains(.multiline)
                    ? .lineEnd(onlyNewline: onlyNewline) : .lastLineEnd(onlyNewline: onlyNewline))
        case ".":
            source.position += 1
            return node(
                flags.contains(.dotAll) ? .everything : .notLineBreak(onlyNewline: flags.contains(.unixLines)))
        default:
            source.position += 1
            return node(.range(sign.value...sign.value, flags.folding))
        }
    }

    private mutating func quantified(_ part: PatternNode) throws(PatternError) -> PatternNode {
        var minimum = 0
        var maximum: Int?
        switch source.peek()?.syntax {
        case "*":
            source.position += 1
        case "+":
            source.position += 1
            minimum = 1
        case "?":
            source.position += 1
            maximum = 1
        case "{":
            source.position += 1
            minimum = try count()
            maximum = minimum
            if source.takeRaw(",") {
                maximum = source.raw()?.syntax == "}" ? nil : try count()
            }
            guard source.takeRaw("}") else { throw source.error(.expected("'}'")) }
            if let maximum, maximum < minimum { throw source.error(.badRange) }
        default:
            return part
        }
        if source.take("?") {
            return .repetition(part, minimum: minimum, maximum: maximum, isGreedy: false)
        }
        let greedy = PatternNode.repetition(part, minimum: minimum, maximum: maximum, isGreedy: true)
        return source.take("+") ? .atomic(greedy) : greedy
    }

    private mutating func count() throws(PatternError) -> Int {
        var value = 0
        var hasDigits = false
        while let digit = source.raw()?.syntax?.value, 0x30...0x39 ~= digit {
            value = value * 10 + Int(digit - 0x30)
            guard value <= Int(Int32.max) else { throw source.error(.badRange) }
            hasDigits = true
            source.position += 1
        }
        guard hasDigits else { throw source.error(.expected("a number")) }
        return value
    }
}
