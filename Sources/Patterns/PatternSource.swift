/// The pattern's code points, quotations undone, and the place that is read.
struct PatternSource {
    /// One code point of a pattern; a literal one stood between `\Q` and `\E` and means itself.
    struct Sign {
        let value: UInt32
        let isLiteral: Bool

        /// The ASCII character that may mean something here.
        var syntax: Unicode.Scalar? {
            !isLiteral && value < 0x80 ? Unicode.Scalar(value) : nil
        }
    }

    private let signs: [Sign]
    var position = 0
    /// The flag `x`: white space and comments between the signs do not count.
    var skipsComments = false

    init(_ text: String) throws(PatternError) {
        var signs: [Sign] = []
        var isQuoted = false
        var scalars = text.unicodeScalars[...]
        var length = 0
        while let scalar = scalars.popFirst() {
            length += 1
            guard length <= PatternLimits.patternLengthMax else {
                throw PatternError(reason: .tooLong, position: length)
            }
            guard scalar == "\\", let next = scalars.first else {
                signs.append(Sign(value: scalar.value, isLiteral: isQuoted))
                continue
            }
            if isQuoted {
                if next == "E" {
                    scalars.removeFirst()
                    isQuoted = false
                } else {
                    signs.append(Sign(value: scalar.value, isLiteral: true))
                }
            } else {
                scalars.removeFirst()
                if next == "Q" {
                    isQuoted = true
                } else {
                    signs.append(Sign(value: scalar.value, isLiteral: false))
                    signs.append(Sign(value: next.value, isLiteral: false))
                }
            }
        }
        self.signs = signs
    }

    /// The sign read next, comments skipped when they are; nil at the end.
    mutating func peek() -> Sign? {
        if skipsComments { skipComments() }
        return raw()
    }

    /// The sign at a distance, whatever it is.
    func raw(_ distance: Int = 0) -> Sign? {
        let index = position + distance
        return signs.indices.contains(index) ? signs[index] : nil
    }

    /// Reads the next sign if it is this one.
    mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard peek()?.syntax == wanted else { return false }
        position += 1
        return true
    }

    /// The same without skipping comments.
    mutating func takeRaw(_ wanted: Unicode.Scalar) -> Bool {
        guard raw()?.syntax == wanted else { return false }
        position += 1
        return true
    }

    mutating func expect(_ wanted: Unicode.Scalar) throws(PatternError) {
        guard take(wanted) else { throw error(.expected("'\(wanted)'")) }
    }

    func error(_ reason: PatternError.Reason) -> PatternError {
        PatternError(reason: reason, position: position)
    }

    private mutating func skipComments() {
        while let sign = raw(), let syntax = sign.syntax {
            switch syntax {
            case " ", "\t", "\n", "\u{0B}", "\u{0C}", "\r":
                position += 1
            case "#":
                while let sign = raw(), !JavaCodePoints.isLineBreak(sign.value) { position += 1 }
            default:
                return
            }
        }
    }
}
