/// A pattern as instructions, the same for both matchers.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        case scalar(UInt32)
        case set(Int32)
        case assertion(PatternAssertion)
        /// Goes on at the first place, and at the second if that fails.
        case split(Int32, Int32)
        case jump(Int32)
        case openGroup(Int32)
        case closeGroup(Int32)
        /// Keeps the place where a round of a loop begins.
        case mark(slot: Int32)
        /// Leaves the loop when the round since the mark matched nothing.
        case leaveIfUnmoved(slot: Int32, exit: Int32)
        case backReference(Int32, CaseFolding)
        case open(enclosure: Int32)
        case close(enclosure: Int32)
        case match
    }

    /// A part that is matched by itself: look-around, an atomic group.
    struct Enclosure: Sendable {
        enum Kind: Sendable {
            case atomic
            case ahead(isNegative: Bool)
            case behind(isNegative: Bool, minimum: Int, maximum: Int?)
        }

        let kind: Kind
        /// The first instruction behind it.
        var end: Int32
    }

    var instructions: [Instruction] = []
    var sets: [ClassTable] = []
    var enclosures: [Enclosure] = []
    /// True if `StateSimulation` can run it.
    let isRegular: Bool
    /// Places kept during a match: three for each group, then the marks of loops.
    var slots: Int
    var asksForWords = false
    var asksForUnicodeWords = false

    /// A set with the answers for the first code points at hand.
    struct ClassTable: Sendable {
        private let latin: (UInt64, UInt64, UInt64, UInt64)
        private let set: ScalarSet
        /// About how many looks a code point beyond takes.
        let cost: Int

        init(_ set: ScalarSet) {
            self.set = set
            cost = set.cost
            func word(_ start: UInt32) -> UInt64 {
                (UInt32(0)..<64).reduce(into: UInt64(0)) { bits, bit in
                    if set.contains(start + bit) { bits |= 1 << UInt64(bit) }
                }
            }
            latin = (word(0), word(64), word(128), word(192))
        }

        /// Hot: asked for each code point of a text.
        func contains(_ value: UInt32) -> Bool {
            let word: UInt64
            switch value {
            case 0..<64: word = latin.0
            case 64..<128: word = latin.1
            case 128..<192: word = latin.2
            case 192..<256: word = latin.3
            default: return set.contains(value)
            }
            return word & (1 << UInt64(value & 63)) != 0
        }
    }
}
