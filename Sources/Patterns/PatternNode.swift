/// A part of a pattern as parsed. Its depth is bounded by `PatternLimits.nestingDepthMax`.
indirect enum PatternNode: Sendable {
    case empty
    case scalar(UInt32)
    /// One of the parser's `sets`, by number: a repetition written out shares it.
    case set(Int)
    case sequence([PatternNode])
    case choice([PatternNode])
    case group(PatternNode, number: Int)
    case repetition(PatternNode, minimum: Int, maximum: Int?, isGreedy: Bool)
    case assertion(PatternAssertion)
    case backReference(Int, CaseFolding)
    /// Once it has matched, it is not tried another way. A possessive quantifier is one, too.
    case atomic(PatternNode)
    case look(PatternNode, isBehind: Bool, isNegative: Bool)

    /// True if a finite automaton can match it. Captures matter to back references only.
    var isRegular: Bool {
        switch self {
        case .empty, .scalar, .set, .assertion: true
        case .sequence(let parts), .choice(let parts): parts.allSatisfy(\.isRegular)
        case .group(let part, _), .repetition(let part, _, _, _): part.isRegular
        case .backReference, .atomic, .look: false
        }
    }

    /// True if it can match the empty text. Says yes when in doubt.
    var canBeEmpty: Bool {
        switch self {
        case .empty, .assertion, .backReference, .look: true
        case .scalar, .set: false
        case .sequence(let parts): parts.allSatisfy(\.canBeEmpty)
        case .choice(let parts): parts.contains(where: \.canBeEmpty)
        case .group(let part, _), .atomic(let part): part.canBeEmpty
        case .repetition(let part, let minimum, _, _): minimum == 0 || part.canBeEmpty
        }
    }
}

extension PatternNode {
    /// How many code points it can match: at least, and at most if that is known.
    var width: (minimum: Int, maximum: Int?) {
        switch self {
        case .empty, .assertion, .look: (0, 0)
        case .scalar, .set: (1, 1)
        case .sequence(let parts):
            parts.reduce((0, 0)) { sum, part in
                let width = part.width
                return (
                    Self.bounded(sum.minimum + width.minimum) ?? Self.widthMax,
                    sum.maximum.flatMap { sum in width.maximum.flatMap { Self.bounded(sum + $0) } }
                )
            }
        case .choice(let parts):
            parts.dropFirst().reduce(parts.first?.width ?? (0, 0)) { result, part in
                let width = part.width
                return (
                    min(result.minimum, width.minimum),
                    result.maximum.flatMap { most in width.maximum.map { max(most, $0) } }
                )
            }
        case .group(let part, _), .atomic(let part): part.width
        case .repetition(let part, let minimum, let maximum, _):
            (
                Self.product(part.width.minimum, minimum) ?? Self.widthMax,
                maximum.flatMap { times in part.width.maximum.flatMap { Self.product($0, times) } }
            )
        case .backReference: (0, nil)
        }
    }

    /// Longer than any text that is matched within its steps: beyond it a width counts as unknown.
    private static let widthMax = 1 << 30

    private static func bounded(_ width: Int) -> Int? {
        width <= widthMax ? width : nil
    }

    private static func product(_ width: Int, _ times: Int) -> Int? {
        let (product, overflow) = width.multipliedReportingOverflow(by: times)
        return overflow ? nil : bounded(product)
    }
}

/// A condition on a place in the text.
enum PatternAssertion: Sendable {
    case textStart
    case textEnd
    /// The end, or before a line break that ends the text.
    case lastLineEnd(onlyNewline: Bool)
    case lineStart(onlyNewline: Bool)
    case lineEnd(onlyNewline: Bool)
    case wordBoundary(isUnicode: Bool)
    case noWordBoundary(isUnicode: Bool)
}

/// Which differences of case do not count.
enum CaseFolding: Sendable {
    case none, ascii, unicode
}
