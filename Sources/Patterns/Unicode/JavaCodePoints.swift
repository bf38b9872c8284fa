/// Questions about single code points. Plain numbers: a pattern may name a surrogate, which no text contains.
enum JavaCodePoints {
    static let last: UInt32 = 0x10_FFFF

    /// Java's line terminators.
    static func isLineBreak(_ value: UInt32) -> Bool {
        value == 0x0A || value == 0x0D || value == 0x85 || value == 0x2028 || value == 0x2029
    }

    /// One range of the tables: `41-5a` or `aa`.
    static func range(_ text: Substring) -> ClosedRange<UInt32>? {
        let ends = text.split(separator: "-")
        guard let first = ends.first, let lower = UInt32(first, radix: 16),
            let last = ends.last, let upper = UInt32(last, radix: 16), lower <= upper
        else { return nil }
        return lower...upper
    }

    static func properties(_ value: UInt32) -> Unicode.Scalar.Properties? {
        Unicode.Scalar(value)?.properties
    }

    /// The upper case as one code point; itself where there is none or it takes several.
    static func upper(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return 0x61...0x7A ~= value ? value - 0x20 : value }
        return properties(value).map { single($0.uppercaseMapping) ?? value } ?? value
    }

    /// The lower case as one code point; itself where there is none or it takes several.
    static func lower(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return 0x41...0x5A ~= value ? value + 0x20 : value }
        // U+0130 lower-cases to two code points; alone it is an i.
        if value == 0x130 { return 0x69 }
        return properties(value).map { single($0.lowercaseMapping) ?? value } ?? value
    }

    /// The case folding of a code point: equal for texts that differ only in case.
    static func folded(_ value: UInt32) -> UInt32 {
        lower(upper(value))
    }

    private static func single(_ mapping: String) -> UInt32? {
        let scalars = mapping.unicodeScalars
        guard let first = scalars.first, scalars.dropFirst().isEmpty else { return nil }
        return first.value
    }

    /// Returns whether Java's `\b` counts it as part of a word by itself.
    static func isWord(_ value: UInt32) -> Bool {
        value == 0x5F || isLetterOrDigit(value)
    }

    static func isLetterOrDigit(_ value: UInt32) -> Bool {
        if value < 0x80 {
            return 0x30...0x39 ~= value || 0x41...0x5A ~= value || 0x61...0x7A ~= value
        }
        return ScalarProperty.category([.letters, .decimalNumbers]).contains(value)
    }
}
