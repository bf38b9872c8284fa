import JSON

/// Percent escapes, for the parts of a URL.
enum URLEscapes {
    /// A value: everything but letters, digits and `-._~` is escaped.
    static func encoded(_ text: String) -> String {
        // A segment of dots would lead to another place.
        if text == "." || text == ".." { return String(repeating: "%2E", count: text.utf8.count) }
        return PercentCoding.encoded(text)
    }

    /// A part of a URL that the schema's author wrote: only what no URL may hold is escaped.
    static func encodedURLPart(_ text: String) -> String {
        PercentCoding.encoded(text, keeping: { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) })
    }
}
