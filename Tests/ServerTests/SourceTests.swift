import Foundation
import TestSupport
import Testing

/// What the sources keep to, all of them.
@Suite("Sources")
struct SourceTests {
    private struct File {
        let room: Substring
        let path: String
        let lines: [Substring]
    }

    private static let files = files(in: "Sources")

    private static func files(in folder: String) -> [File] {
        let sources = repositoryFile(folder)
        let paths = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = (try? String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)) ?? ""
            return File(
                room: path.prefix { $0 != "/" }, path: path,
                // As bytes: looking for characters takes a debug build half a minute.
                lines: text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    .map(Substring.init))
        }
    }

    /// Words of grammars: a language of its own calls its parts by them, whatever another language has.
    private static let wordsOfGrammars: Set<Substring> = [
        "Lexer", "Name", "Parser", "Pattern", "Statement", "Token", "TokenKind", "Value",
    ]

    @Test("a type's name is the name of one type, in whatever room")
    func names() {
        var rooms: [Substring: Set<Substring>] = [:]
        for file in Self.files {
            for line in file.lines {
                if let name = Self.typeName(line) { rooms[name, default: []].insert(file.room) }
            }
        }
        #expect(rooms.count > 1_000)
        let shared = rooms.filter { name, rooms in
            rooms.count > 1 && !(Self.wordsOfGrammars.contains(name) && rooms.contains("Script"))
        }
        #expect(shared.isEmpty, "names of types in several rooms")
    }

    /// The name of a type that the line declares at the top of its file, where others see it.
    private static func typeName(_ line: Substring) -> Substring? {
        guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "/") else { return nil }
        let words = line.split(separator: " ")
        guard
            let place = words.firstIndex(where: { ["struct", "class", "enum", "protocol", "actor"].contains($0) }),
            place + 1 < words.count, !words[..<place].contains("private"), !words[..<place].contains("fileprivate"),
            words[..<place].allSatisfy({ $0.first == "@" || $0.allSatisfy(\.isLetter) })
        else { return nil }
        return words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    @Test("whatever may be shared between threads unchecked belongs to one loop, which is checked, or says why")
    func unchecked() {
        for file in Self.files {
            for (number, line) in file.lines.enumerated()
            where line.utf8.last == UInt8(ascii: "{") && line.utf8.contains(UInt8(ascii: "@")) {
                guard line.hasSuffix("@unchecked Sendable {"), !line.contains("LoopBound") else { continue }
                let around = file.lines[max(0, number - 12)..<min(number + 3, file.lines.count)]
                #expect(
                    around.contains { $0.contains("Unchecked: ") || $0.contains("Safe to share") },
                    "\(file.path):\(number + 1) does not say why it is safe")
            }
        }
    }

    /// Files of the tests that sleep themselves, and why.
    private static let sleepers = [
        "Programs/test-runtime/main.swift": "a program of its own, which has none of the tests' support"
    ]

    @Test("a test waits by `eventually` or pauses by `pause(_:because:)`, and never sleeps or spins")
    func sleeps() {
        let ways = ["usleep", "nanosleep", "sleep", "Task.sleep"].map { Array("\($0)(".utf8) }
        let turn = Array("Task.yield".utf8)
        let loop = Array("while ".utf8)
        var sleeping: [String] = []
        for file in Self.files(in: "Tests") where file.room != "TestSupport" && Self.sleepers[file.path] == nil {
            for (number, line) in file.lines.enumerated()
            where line.contains("sleep") || line.contains("Task.yield") {
                let bytes = Array(line.utf8)
                let isSleep = ways.contains { way in
                    bytes.firstRange(of: way).map { place in
                        place.lowerBound == 0 || !Self.isOfName(bytes[place.lowerBound - 1])
                    } ?? false
                }
                let isTurning = bytes.firstRange(of: loop) != nil && bytes.firstRange(of: turn) != nil
                if isSleep || isTurning { sleeping.append("\(file.path):\(number + 1)") }
            }
        }
        #expect(sleeping.isEmpty, "these wait for a time, or without an end")
    }

    /// Whether a byte continues a name, so that what is behind it is another one.
    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
