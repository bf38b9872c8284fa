extension RegularExpressionParser {
    /// One end of a range, or what stands alone in a class.
    private enum ClassAtom {
        case character(UInt32)
        case set(CodePointSet)
    }

    /// `[…]`; the position is at the bracket.
    mutating func characterClass() throws(Failure) -> Node {
        position += 1
        let isInverted = take("^")
        var ranges: [Range<UInt32>] = []
        func add(_ atom: ClassAtom) {
            switch atom {
            case .character(let character): ranges.append(character..<(character + 1))
            case .set(let set): ranges.append(contentsOf: set.ranges)
            }
        }
        while unit != nil, !isAt("]") {
            let first = try classAtom()
            guard take("-") else {
                add(first)
                continue
            }
            guard unit != nil else { break }
            if isAt("]") {
                add(first)
                add(.character(0x2D))
                break
            }
            let second = try classAtom()
            guard case .character(let low) = first, case .character(let high) = second else {
                // A class at an end of a range is no range: the older forms take the hyphen for itself.
                if isUnicode { throw failure(.characterClass) }
                add(first)
                add(.character(0x2D))
                add(second)
                continue
            }
            guard low <= high else { throw failure(.classOutOfOrder) }
            ranges.append(low..<(high + 1))
        }
        guard take("]") else { throw failure(.unterminatedCharacterClass) }
        return .set(CodePointSet(ranges), isInverted: isInverted)
    }

    private mutating func classAtom() throws(Failure) -> ClassAtom {
        guard isAt("\\") else {
            return .character(takeCharacter(asPoints: isUnicode) ?? 0)
        }
        guard let next = unit(after: 1) else { throw failure(.escapeAtEnd) }
        if next == UInt16(ascii: "b") {
            position += 2
            return .character(0x08)
        }
        if let set = try classEscape(isInClass: true) { return .set(set) }
        return .character(try characterEscape(isInClass: true))
    }
}
