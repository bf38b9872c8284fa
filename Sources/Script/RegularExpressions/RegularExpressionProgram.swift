/// A compiled pattern: instructions in a row, and the sets that they ask. It never changes after compilation.
struct RegularExpressionProgram: Sendable {
    enum Operation: UInt8 {
        /// The unit `a`.
        case unit, unitBefore
        /// The unit `a` or `b`.
        case either, eitherBefore
        /// A unit of the set `a`.
        case set, setBefore
        /// A code point of the set `a`: one unit or a pair.
        case pointSet, pointSetBefore
        /// The single-character instruction behind this one from `a` to `b` times without a place to come back to for each;
        /// then the one behind that.
        case runGreedy, runLazy, runGreedyPoints, runLazyPoints
        /// Go on; come back to `a`.
        case choice
        case jump
        /// The register `a` takes the position.
        case mark
        /// The registers from `a` up to `b` take -1.
        case forget
        /// The register `a` takes 0.
        case zero
        /// A counted repetition: register `a` counts, at least `b`, at most `c` rounds, then `d`.
        case loopGreedy, loopLazy
        /// A round that took no unit since register `a` fails; with a register `b` only once it counts more than `c`.
        case progress
        case textStart, lineStart, textEnd, lineEnd
        /// Set `a` is what words are made of.
        case wordBoundary, notWordBoundary
        /// The units of the group `a` again; `b` is 1 when case makes no difference.
        case reference, referenceBefore
        /// Looks around: `a` is where a negative one goes on, `b` the register that keeps the height of the stack.
        case look, lookNot
        case lookEnd, lookNotEnd
        case match
    }

    struct Instruction {
        var operation: Operation
        var a: Int32 = 0
        var b: Int32 = 0
        var c: Int32 = 0
        var d: Int32 = 0
    }

    /// A set as the matcher asks it: a bit for each of the first 256 code points, ranges for the others.
    struct Membership {
        var low: (UInt64, UInt64, UInt64, UInt64)
        /// The ranges as places in `bounds`: pairs of first and after.
        var start: Int32
        var count: Int32

        @inline(__always)
        func containsLow(_ point: UInt32) -> Bool {
            let word =
                switch point >> 6 {
                case 0: low.0
                case 1: low.1
                case 2: low.2
                default: low.3
                }
            return word &>> UInt64(point & 63) & 1 == 1
        }
    }

    var instructions: [Instruction] = []
    var memberships: [Membership] = []
    var bounds: [UInt32] = []
    var registerCount = 0
    var groupCount = 0
    var isUnicode = false
    var isAnchored = false
    /// The units that a match can begin with; nil when it may begin with any or be empty.
    var firstUnits: Membership?

    mutating func add(_ set: CodePointSet) -> Int32 {
        memberships.append(membership(of: set))
        return Int32(truncatingIfNeeded: memberships.count - 1)
    }

    mutating func membership(of set: CodePointSet) -> Membership {
        var membership = Membership(low: (0, 0, 0, 0), start: Int32(truncatingIfNeeded: bounds.count), count: 0)
        for range in set.ranges {
            var point = range.lowerBound
            while point < min(range.upperBound, 256) {
                let bit: UInt64 = 1 &<< UInt64(point & 63)
                switch point >> 6 {
                case 0: membership.low.0 |= bit
                case 1: membership.low.1 |= bit
                case 2: membership.low.2 |= bit
                default: membership.low.3 |= bit
                }
                point += 1
            }
            if range.upperBound > 256 {
                bounds.append(range.lowerBound)
                bounds.append(range.upperBound)
                membership.count += 1
            }
        }
        return membership
    }
}
