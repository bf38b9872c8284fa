/// Two texts that Unicode calls equivalent, and that are two names, claims, keys or tokens all the same.
public struct LookAlikes: Sendable, CustomStringConvertible {
    /// The one.
    public let one: String
    /// What looks like it.
    public let other: String

    /// Both by their bytes: they look the same.
    public var description: String { "\(one) as \(Array(one.utf8)) and as \(Array(other.utf8))" }

    private static let pairs = [
        LookAlikes(one: "Kate", other: "\u{212A}ate"),  // the sign for kelvin
        LookAlikes(one: "jos\u{E9}", other: "jose\u{301}"),  // composed, and decomposed
        LookAlikes(one: "\u{C5}sa", other: "A\u{30A}sa"),
        LookAlikes(one: "\u{C5}sa", other: "\u{212B}sa"),  // the sign for ångström
        LookAlikes(one: "\u{3A9}", other: "\u{2126}"),  // the sign for ohm
        LookAlikes(one: "\u{AC00}", other: "\u{1100}\u{1161}"),  // a syllable of Hangul, and its letters
        LookAlikes(one: "a\u{323}\u{307}", other: "a\u{307}\u{323}"),  // two marks, in two orders
    ]

    /// Every pair in both directions: who is first must not matter.
    public static let all = pairs + pairs.map { LookAlikes(one: $0.other, other: $0.one) }
}
