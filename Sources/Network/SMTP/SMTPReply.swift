/// The answer of a mail server to one command.
package struct SMTPReply: Sendable, Equatable, CustomStringConvertible {
    /// 200 to 599.
    package let code: Int
    /// The words of its lines, without control characters.
    package let lines: [String]

    /// The most bytes of a server's words that are told on.
    private static let wordsBytesMax = 500

    /// The enhanced status ("5.1.1", RFC 3463), where the words begin with one that is of the code's class.
    package var status: String? { lines.first.flatMap { Self.status(of: $0, code: code) } }

    package var isPositive: Bool { code / 100 == 2 }
    package var isPermanent: Bool { code / 100 == 5 }

    /// In one line: code, enhanced status once, words.
    package var description: String {
        let status = status
        let words = lines.enumerated().map { place, line in
            guard place > 0, let status, Self.status(of: line, code: code) == status else { return line }
            return String(line.dropFirst(status.count + 1))
        }
        let text = ([String(code)] + words.filter { !$0.isEmpty }).joined(separator: " ")
        guard text.utf8.count > Self.wordsBytesMax else { return text }
        // A character that is cut would be replaced by a sign for it.
        return String(decoding: text.utf8.prefix(Self.wordsBytesMax), as: UTF8.self) + "..."
    }

    private static func status(of line: String, code: Int) -> String? {
        let word = line.prefix { $0 != " " }
        let parts = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(HTTPCharacters.isDigit) }),
            parts[0].count == 1, parts[0].first == UInt8(ascii: "0") + UInt8(clamping: code / 100)
        else { return nil }
        return String(word)
    }
}
