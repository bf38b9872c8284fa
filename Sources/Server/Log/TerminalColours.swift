import Glibc

/// Whether output is for a terminal that shows colours.
package enum TerminalColours {
    /// Yes for a terminal, unless `NO_COLOR` (no-color.org) or a dumb terminal says otherwise.
    package static func areWanted(on descriptor: Int32, environment: [String: String]) -> Bool {
        guard (environment["NO_COLOR"] ?? "").isEmpty, environment["TERM"] != "dumb" else { return false }
        return isatty(descriptor) == 1
    }

    /// A text without what sets colours: an escape, and what follows up to the `m`.
    static func removed(from text: some Collection<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var isColour = false
        for byte in text {
            if byte == 0x1B { isColour = true }
            if !isColour { plain.append(byte) }
            if byte == UInt8(ascii: "m") { isColour = false }
        }
        return plain
    }
}
