/// `localeCompare` without the tables of the Unicode Collation Algorithm: an approximation of its root order.
///
/// It does: texts equal in their canonical forms are equal; control characters count for nothing; then spaces, punctuation,
/// symbols, digits (by their value), letters (Latin, Greek, Cyrillic and so on in the order of their code points) are compared
/// without accents and case; if these are the same, by accents; if those are too, by case, small letters first.
/// It does not: order by a language, letters of Latin that only decompose in the collation's own tables other than the
/// common ones below, contractions, Han characters by radical. Options and locales are no part of it.
package enum TextCollation {
    /// Below zero when the first text comes first, zero when they are equal.
    package static func compare(_ left: [UInt16], _ right: [UInt16]) -> Int {
        if left == right { return 0 }
        let leftWeights = weights(of: left)
        let rightWeights = weights(of: right)
        for level in [\Weight.primary, \Weight.secondary, \Weight.tertiary] {
            var leftIndex = 0
            var rightIndex = 0
            while true {
                // What has no weight on this level is passed over: an accent on the first one.
                while leftIndex < leftWeights.count, leftWeights[leftIndex][keyPath: level] == 0 { leftIndex += 1 }
                while rightIndex < rightWeights.count, rightWeights[rightIndex][keyPath: level] == 0 { rightIndex += 1 }
                let leftValue = leftIndex < leftWeights.count ? leftWeights[leftIndex][keyPath: level] : 0
                let rightValue = rightIndex < rightWeights.count ? rightWeights[rightIndex][keyPath: level] : 0
                if leftValue != rightValue { return leftValue < rightValue ? -1 : 1 }
                if leftValue == 0 { break }
                leftIndex += 1
                rightIndex += 1
            }
        }
        return 0
    }

    private struct Weight {
        var primary: UInt32
        var secondary: UInt32
        var tertiary: UInt32
    }

    /// The order of ASCII that is neither digit nor letter.
    private static let symbols = Array("\t\n\u{B}\u{C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8)

    /// Letters of Latin that stand with others, told apart on the second level.
    private static let expansions: [UInt32: String] = [
        0xDF: "ss", 0x1E9E: "SS", 0xE6: "ae", 0xC6: "AE", 0x153: "oe", 0x152: "OE", 0xF8: "o", 0xD8: "O", 0x142: "l",
        0x141: "L", 0x111: "d", 0x110: "D", 0xF0: "d", 0xD0: "D", 0x127: "h", 0x126: "H",
    ]

    private static func weights(of units: [UInt16]) -> [Weight] {
        let plain = Normalization.decomposed.apply(to: units)
        var result: [Weight] = []
        result.reserveCapacity(plain.count)
        var index = 0
        while index < plain.count {
            let (point, length) = CodePoints.point(in: plain, at: index)
            index += length
            append(point, to: &result)
        }
        return result
    }

    private static func append(_ point: UInt32, to result: inout [Weight]) {
        if point < 0x80 {
            if let weight = asciiWeight(UInt8(truncatingIfNeeded: point)) { result.append(weight) }
            return
        }
        if let expansion = expansions[point] {
            for (place, byte) in expansion.utf8.enumerated() {
                guard var weight = asciiWeight(byte) else { continue }
                if place == 0 { weight.secondary = 2 &+ point }
                result.append(weight)
            }
            return
        }
        guard let properties = Unicode.Scalar(point)?.properties else {
            result.append(Weight(primary: 0x8000_0000 | point, secondary: 1, tertiary: 1))
            return
        }
        switch properties.generalCategory {
        case .control, .format: break
        case .nonspacingMark, .enclosingMark: result.append(Weight(primary: 0, secondary: 2 &+ point, tertiary: 1))
        // All of them stand where the space of ASCII does.
        case .spaceSeparator, .lineSeparator, .paragraphSeparator:
            result.append(Weight(primary: 0x85, secondary: 1, tertiary: 2 &+ point))
        case .decimalNumber, .letterNumber, .otherNumber:
            let value = properties.numericValue ?? 0
            guard value >= 0, value < 10, value == value.rounded() else {
                result.append(Weight(primary: 0x3000_0000 | point, secondary: 1, tertiary: 1))
                return
            }
            result.append(Weight(primary: 0x2000_0000 | UInt32(value), secondary: 1, tertiary: 2 &+ point))
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            let lower = properties.lowercaseMapping.unicodeScalars
            let isUpper = lower.first.map { $0.value != point } ?? false
            result.append(
                Weight(primary: 0x4000_0000 | (lower.first?.value ?? point), secondary: 1, tertiary: isUpper ? 2 : 1))
        default:
            let isPunctuation =
                switch properties.generalCategory {
                case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                    .finalPunctuation, .otherPunctuation:
                    true
                default: false
                }
            // Behind the punctuation of ASCII, in front of its symbols; other symbols stand behind those, in front of the digits.
            result.append(
                Weight(primary: (isPunctuation ? 0x0100_0000 : 0x0200_0000) | point, secondary: 1, tertiary: 1))
        }
    }

    /// nil for a control character.
    private static func asciiWeight(_ byte: UInt8) -> Weight? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Weight(primary: 0x2000_0000 | UInt32(byte &- 48), secondary: 1, tertiary: 1)
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            return Weight(primary: 0x4000_0000 | UInt32(byte), secondary: 1, tertiary: 1)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return Weight(primary: 0x4000_0000 | UInt32(byte | 0x20), secondary: 1, tertiary: 2)
        default:
            guard let place = symbols.firstIndex(of: byte) else { return nil }
            let isSymbol = byte == UInt8(ascii: "`") || place > (symbols.firstIndex(of: UInt8(ascii: "%")) ?? 0)
            return Weight(primary: (isSymbol ? 0x0180_0000 : 0x80) &+ UInt32(place), secondary: 1, tertiary: 1)
        }
    }
}
