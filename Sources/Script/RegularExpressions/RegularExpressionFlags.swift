/// The flags of a regular expression, in the order in which `flags` prints them.
package struct RegularExpressionFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let hasIndices = RegularExpressionFlags(rawValue: 1)
    package static let global = RegularExpressionFlags(rawValue: 2)
    package static let ignoreCase = RegularExpressionFlags(rawValue: 4)
    package static let multiline = RegularExpressionFlags(rawValue: 8)
    package static let dotAll = RegularExpressionFlags(rawValue: 16)
    package static let unicode = RegularExpressionFlags(rawValue: 32)
    package static let sticky = RegularExpressionFlags(rawValue: 64)

    private static let letters: [(letter: UInt8, flag: RegularExpressionFlags)] = [
        (UInt8(ascii: "d"), .hasIndices), (UInt8(ascii: "g"), .global), (UInt8(ascii: "i"), .ignoreCase),
        (UInt8(ascii: "m"), .multiline), (UInt8(ascii: "s"), .dotAll), (UInt8(ascii: "u"), .unicode),
        (UInt8(ascii: "y"), .sticky),
    ]

    /// The flags that a text names; nil when a letter is unknown or stands there twice.
    package init?(_ units: some Sequence<UInt16>) {
        var flags: RegularExpressionFlags = []
        for unit in units {
            guard let flag = Self.letters.first(where: { UInt16($0.letter) == unit })?.flag, !flags.contains(flag)
            else { return nil }
            flags.insert(flag)
        }
        self = flags
    }

    /// The flags as letters, in alphabetical order.
    package var text: String {
        String(decoding: Self.letters.filter { contains($0.flag) }.map(\.letter), as: UTF8.self)
    }

    /// Returns whether a text that is no set of flags asks for `v`, which ECMAScript has only since 2024:
    /// the error then names the flag instead of calling the text invalid.
    package static func asksForUnicodeSets(_ units: some Sequence<UInt16>) -> Bool {
        units.contains(UInt16(UInt8(ascii: "v")))
    }
}
