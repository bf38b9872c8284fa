import GraphQL

/// Something to say about a schema: why it is refused, or what may surprise its author.
package struct Diagnostic: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        /// The schema is refused.
        case error
        case warning
        /// What a legacy directive was read as.
        case note
    }

    package let severity: Severity
    /// What is wrong. Where Amplify's transformer says the same, it says it in these words.
    package let message: String
    /// What to do about it, when that is known.
    package let hint: String?
    /// The file, when the schema came from one.
    package let file: String?
    /// Line and column, both from 1; nil when the whole schema is meant.
    package let location: SourceLocation?
    /// The line that the location is in, or as much of it as is shown.
    package let sourceLine: String?
    /// Where the caret stands below it, from 1.
    private let caretColumn: Int

    package init(
        severity: Severity, message: String, hint: String? = nil, file: String? = nil,
        location: SourceLocation? = nil, sourceLine: String? = nil, caretColumn: Int? = nil
    ) {
        self.severity = severity
        self.message = message
        self.hint = hint
        self.file = file
        self.location = location
        self.sourceLine = sourceLine
        self.caretColumn = caretColumn ?? location?.column ?? 1
    }

    /// What is to be said of a place in a source.
    package init(
        severity: Severity, message: String, hint: String? = nil, file: String?, at position: Position,
        in lines: LineMap
    ) {
        let excerpt = lines.excerpt(around: position)
        self.init(
            severity: severity, message: message, hint: hint, file: file, location: lines.location(of: position),
            sourceLine: excerpt?.text, caretColumn: excerpt?.column)
    }

    /// The same thing where it stands in nobody's way, with words before it where there are any.
    package init(asWarning other: Diagnostic, after words: String = "") {
        self.init(
            severity: .warning, message: words + other.message, hint: other.hint, file: other.file,
            location: other.location, sourceLine: other.sourceLine, caretColumn: other.caretColumn)
    }

    /// The same thing where it stands in the way, with words before it.
    package init(asError other: Diagnostic, after words: String) {
        self.init(
            severity: .error, message: words + other.message, hint: other.hint, file: other.file,
            location: other.location, sourceLine: other.sourceLine, caretColumn: other.caretColumn)
    }

    package var isError: Bool { severity == .error }

    /// The first line of the message.
    package var firstLine: String {
        // Hot path of a start: looking for characters takes longer than all else about a warning.
        guard message.utf8.contains(where: { $0 < 0x20 || $0 >= 0x80 }) else { return message }
        return String(message.prefix { !$0.isNewline })
    }
}

extension Diagnostic: CustomStringConvertible {
    /// As a compiler prints it:
    ///
    ///     schema.graphql:3:9: error: Unknown type "Zed". Did you mean "ID"?
    ///       3 |   zed: Zed
    ///         |        ^
    ///       hint: …
    package var description: String {
        var lines = [headline(message)]
        if let location, let sourceLine {
            let number = String(location.line)
            lines.append("  \(number) | \(sourceLine)")
            lines.append(
                "  \(String(repeating: " ", count: number.utf8.count)) | \(caret(under: sourceLine))")
        }
        if let hint { lines.append("  hint: \(hint)") }
        return lines.joined(separator: "\n")
    }

    /// What a start says of it, where it is one thing among others: the place, the first line, and what to do.
    package var brief: String {
        headline(firstLine) + (hint.map { "\n  hint: \($0)" } ?? "")
    }

    private func headline(_ message: String) -> String {
        var place = file ?? ""
        if let location {
            if !place.isEmpty { place += ":" }
            place += "\(location.line):\(location.column)"
        }
        return "\(place.isEmpty ? "" : place + ": ")\(severity.rawValue): \(message)"
    }

    /// Spaces up to the column, with tabs kept so that the caret stands right however wide they are.
    private func caret(under line: String) -> String {
        let before = line.unicodeScalars.prefix(caretColumn - 1).map { $0 == "\t" ? "\t" : " " }
        return before.joined() + "^"
    }
}
