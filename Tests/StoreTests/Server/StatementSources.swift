import Foundation
import TestSupport
import Testing

/// The statements of all rooms, as their sources have them: what no room can forget to name.
enum StatementSources {
    struct Statement: CustomTestStringConvertible, Sendable {
        /// The file, and how it begins.
        let place: String
        let text: String
        /// PostgreSQL's own text, where it has one.
        let server: String?
        /// True if its reader ends the walk.
        let isOpen: Bool

        var isDefinition: Bool { ["CREATE", "ALTER", "DROP"].contains { text.utf8.starts(with: $0.utf8) } }
        var testDescription: String { place }
    }

    static let all: [Statement] = {
        let sources = repositoryFile("Sources")
        let paths = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            FileManager.default.contents(atPath: "\(sources)/\(path)").map { statements(in: $0, path) } ?? []
        }
    }()

    private static let opening = Data("RoomStatement(".utf8)

    private static func statements(in file: Data, _ path: String) -> [Statement] {
        // Most files have none, and looking at each byte takes a debug build seconds.
        guard var next = file.range(of: opening) else { return [] }
        let bytes = Array(file)
        var found: [Statement] = []
        while true {
            var reader = LiteralReader(bytes, next.upperBound)
            if let text = reader.literal() {
                let server = reader.takes(", server:") ? reader.literal() : nil
                found.append(
                    Statement(
                        place: "\(path): \(text.prefix(60))", text: text, server: server,
                        isOpen: reader.takes(", isOpen: true")))
            }
            guard let other = file.range(of: opening, in: next.upperBound..<file.endIndex) else { return found }
            next = other
        }
    }
}

/// Reads literals of Swift: those of one line, and those of several.
private struct LiteralReader {
    let bytes: [UInt8]
    var place: Int

    init(_ bytes: [UInt8], _ place: Int) {
        self.bytes = bytes
        self.place = place
    }

    private mutating func skipBlanks() {
        while place < bytes.count, bytes[place] <= UInt8(ascii: " ") { place += 1 }
    }

    /// Passes these characters, whatever blanks are between them.
    mutating func takes(_ text: String) -> Bool {
        let before = place
        for byte in text.utf8 where byte > UInt8(ascii: " ") {
            skipBlanks()
            guard place < bytes.count, bytes[place] == byte else {
                place = before
                return false
            }
            place += 1
        }
        return true
    }

    mutating func literal() -> String? {
        skipBlanks()
        let quotes = Array("\"\"\"".utf8)
        if bytes[place...].starts(with: quotes) {
            place += quotes.count
            let start = place
            while place < bytes.count, !bytes[place...].starts(with: quotes) { place += 1 }
            let lines = bytes[start..<place].split(separator: UInt8(ascii: "\n")).map { line in
                line.drop { $0 == UInt8(ascii: " ") }
            }
            place += quotes.count
            return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
        place += 1
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") { place += 1 }
            text.append(bytes[place])
            place += 1
        }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }
}
