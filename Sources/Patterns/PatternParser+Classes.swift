// Character classes: ranges, classes in classes, intersections.

extension PatternParser {
    /// Reads a class with its brackets.
    mutating func characterClass() throws(PatternError) -> ScalarSet {
        try source.expect("[")
        let isNegated = source.take("^")
        let set = try members()
        try source.expect("]")
        return isNegated ? .complement(set) : set
    }

    /// Reads members up to the bracket that closes the class, and leaves that. A first `]` is a member.
    private mutating func members() throws(PatternError) -> ScalarSet {
        var members: [ScalarSet] = []
        while let sign = source.peek() {
            switch sign.syntax {
            case "[":
                members.append(try nested { parser throws(PatternError) in try parser.characterClass() })
            case "]" where !members.isEmpty:
                return .joined(members)
            case "&" where takeIntersection():
                guard let right = try intersected() else {
                    // Java lets an intersection with nothing pass.
                    guard !members.isEmpty else { throw source.error(.expected("a class")) }
                    continue
                }
                members = members.isEmpty ? [right] : [.intersection(.joined(members), right)]
            default:
                members.append(try range(sign))
            }
        }
        throw source.error(.expected("']'"))
    }

    private mutating func takeIntersection() -> Bool {
        let start = source.position
        guard source.take("&"), source.take("&") else {
            source.position = start
            return false
        }
        return true
    }

    /// The right side of `&&`: everything up to the end of the class, or to an `&` behind a class.
    private mutating func intersected() throws(PatternError) -> ScalarSet? {
        var parts: [ScalarSet] = []
        while let sign = source.peek(), sign.syntax != "]", sign.syntax != "&" {
            parts.append(
                sign.syntax == "["
                    ? try nested { parser throws(PatternError) in try parser.characterClass() }
                    : try nested { parser throws(PatternError) in try parser.members() })
        }
        return parts.isEmpty ? nil : .joined(parts)
    }

    /// One member: a set that an escape means, a code point, or a range of them.
    private mutating func range(_ sign: PatternSource.Sign) throws(PatternError) -> ScalarSet {
        let first: UInt32
        if sign.syntax == "\\" {
            if source.raw(1)?.syntax == "v", source.raw(2)?.syntax == "-" {
                // Where a range begins, \v is the vertical tabulator.
                source.position += 2
                first = 0x0B
            } else if let set = try setEscape() {
                return set
            } else {
                first = try scalarEscape()
            }
        } else {
            source.position += 1
            first = sign.value
        }
        guard source.peek()?.syntax == "-", let end = source.raw(1), end.syntax != "[", end.syntax != "]" else {
            return .range(first...first, flags.folding)
        }
        source.position += 1
        guard let last = source.peek() else { throw source.error(.expected("the end of the range")) }
        let upper: UInt32
        if last.syntax == "\\" {
            if source.raw(1)?.syntax == "v" {
                source.position += 2
                upper = 0x0B
            } else {
                upper = try scalarEscape()
            }
        } else {
            source.position += 1
            upper = last.value
        }
        guard first <= upper else { throw source.error(.badRange) }
        return .range(first...upper, flags.folding)
    }
}
