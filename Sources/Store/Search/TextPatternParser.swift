/// Reads Lucene's regular expressions: characters, `.`, `[a-z]`, `[^a-z]`, `"text"`, groups, `|`, `?`, `*`, `+`, `{2,5}`,
/// `@` for any text and `#` for none. They always describe the whole text.
struct TextPatternParser {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    private typealias Step = TextPattern.Step

    /// The steps of the whole expression, which go on behind their end.
    mutating func steps() throws(StoreError) -> [TextPattern.Step] {
        let steps = try alternatives()
        if let found = current { throw invalid("expected the end, found \(found)") }
        return steps
    }

    private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        index += 1
        return true
    }

    private mutating func alternatives() throws(StoreError) -> [Step] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= StoreLimits.patternDepthMax else {
            throw invalid("groups nest deeper than \(StoreLimits.patternDepthMax) levels")
        }
        var steps = try sequence()
        while skip("|") {
            let other = try sequence()
            // fork ─▶ one, jump ─▶ ┐
            //     └─▶ other ───────┴▶
            steps =
                [.fork(1, steps.count + 2)] + Self.moved(steps, by: 1) + [.jump(steps.count + 2 + other.count)]
                + Self.moved(other, by: steps.count + 2)
            try check(steps)
        }
        return steps
    }

    private mutating func sequence() throws(StoreError) -> [Step] {
        var steps: [Step] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            steps += Self.moved(try repeated(), by: steps.count)
            try check(steps)
        }
        return steps
    }

    private mutating func repeated() throws(StoreError) -> [Step] {
        var steps = try atom()
        while let scalar = current {
            switch scalar {
            case "?": steps = Self.optional(steps)
            case "*": steps = Self.any(steps)
            case "+": steps = steps + Self.moved(Self.any(steps), by: steps.count)
            case "{":
                steps = try counted(steps)
                continue
            default: return steps
            }
            index += 1
            try check(steps)
        }
        return steps
    }

    /// `{2}`, `{2,}` and `{2,5}`.
    private mutating func counted(_ steps: [Step]) throws(StoreError) -> [Step] {
        index += 1
        guard let low = number() else { throw invalid("expected a number after {") }
        var high: Int? = low
        if skip(",") { high = number() }
        guard skip("}") else { throw invalid("expected }") }
        guard (high ?? low) >= low else { throw invalid("a repetition from \(low) to \(high ?? low) is none") }
        guard (max(low, high ?? low) + 1) * (steps.count + 2) <= StoreLimits.patternStatesMax else { throw tooLarge }
        var result: [Step] = []
        for _ in 0..<low { result += Self.moved(steps, by: result.count) }
        guard let high else { return result + Self.moved(Self.any(steps), by: result.count) }
        for _ in low..<high { result += Self.moved(Self.optional(steps), by: result.count) }
        return result
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = current, ("0"..."9").contains(scalar), digits.count < 6 {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        return Int(digits)
    }

    private mutating func atom() throws(StoreError) -> [Step] {
        guard let scalar = current else { return [] }
        index += 1
        switch scalar {
        case ".": return [.any]
        case "@": return Self.any([.any])
        case "#": return [.fail]
        case "(":
            if skip(")") { return [] }
            let steps = try alternatives()
            guard skip(")") else { throw invalid("expected )") }
            return steps
        case "[": return [try characters()]
        case "\"":
            var steps: [Step] = []
            while let scalar = current, scalar != "\"" {
                steps.append(.scalar(scalar))
                index += 1
            }
            guard skip("\"") else { throw invalid("expected \"") }
            return steps
        case "\\":
            guard let escaped = current else { throw invalid("expected a character after \\") }
            index += 1
            return [.scalar(escaped)]
        case "?", "*", "+", "{": throw invalid("there is nothing to repeat before \(scalar)")
        case "~", "&", "<":
            throw invalid("\(scalar) has a meaning in Lucene that is not supported here; write \\\(scalar)")
        default: return [.scalar(scalar)]
        }
    }

    private mutating func characters() throws(StoreError) -> Step {
        let isNegated = skip("^")
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let low = try character() {
            guard current == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
                ranges.append(low...low)
                continue
            }
            index += 1
            guard let high = try character(), low <= high else { throw invalid("a range ends before it starts") }
            ranges.append(low...high)
        }
        guard skip("]"), !ranges.isEmpty else { throw invalid("expected characters and ]") }
        return .among(ranges, isNegated: isNegated)
    }

    /// The next character between brackets; nil at their end.
    private mutating func character() throws(StoreError) -> Unicode.Scalar? {
        guard var scalar = current, scalar != "]" else { return nil }
        index += 1
        if scalar == "\\" {
            guard let escaped = current else { throw invalid("expected a character after \\") }
            index += 1
            scalar = escaped
        }
        return scalar
    }

    // MARK: Automata

    private static func optional(_ steps: [Step]) -> [Step] {
        [.fork(1, steps.count + 1)] + moved(steps, by: 1)
    }

    private static func any(_ steps: [Step]) -> [Step] {
        [.fork(1, steps.count + 2)] + moved(steps, by: 1) + [.jump(0)]
    }

    private static func moved(_ steps: [Step], by count: Int) -> [Step] {
        guard count > 0 else { return steps }
        return steps.map { step in
            switch step {
            case .fork(let one, let other): .fork(one + count, other + count)
            case .jump(let place): .jump(place + count)
            default: step
            }
        }
    }

    // MARK: Refusals

    private func check(_ steps: [Step]) throws(StoreError) {
        guard steps.count <= StoreLimits.patternStatesMax else { throw tooLarge }
    }

    private var tooLarge: StoreError {
        StoreError(.tooLarge, "a regular expression stands for more than \(StoreLimits.patternStatesMax) states")
    }

    private func invalid(_ message: String) -> StoreError {
        StoreError(.invalidValue, "The regular expression is wrong at character \(index + 1): \(message)")
    }
}
