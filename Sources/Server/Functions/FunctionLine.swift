import JSON

/// A line that a function writes, in the forms of Lambda's runtimes.
enum FunctionLine {
    private static let words: [(word: String, level: LogLevel)] = [
        ("WARN", .warning), ("WARNING", .warning), ("ERROR", .error), ("FATAL", .error), ("CRITICAL", .error),
    ]

    /// The level of a line: `TIME<tab>ID<tab>ERROR<tab>TEXT` of Node.js, `[ERROR]<tab>TIME<tab>ID<tab>TEXT` of Python. All other lines are
    /// news.
    static func level(of text: String) -> LogLevel {
        let tab = UInt8(ascii: "\t")
        guard text.utf8.contains(tab) else { return .info }
        let parts = text.utf8.split(separator: tab, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return .info }
        let isInBrackets = parts[0].first == UInt8(ascii: "[") && parts[0].last == UInt8(ascii: "]")
        let word = isInBrackets ? parts[0].dropFirst().dropLast() : parts[2]
        return words.first { $0.word.utf8.elementsEqual(word) }?.level ?? .info
    }
}
