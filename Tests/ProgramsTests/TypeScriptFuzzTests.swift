import GraphQL
import Testing
import TestSupport

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Damaged schemas in TypeScript")
struct TypeScriptFuzzTests {
    private static let inputs = TypeScriptTests.goldenNames.compactMap { TypeScriptTests.bytes("\($0).ts") }

    /// Reads a module, makes its API, and checks that whatever is refused is refused with a reason.
    private static func read(_ bytes: [UInt8]) -> Bool {
        let schema = TypeScriptSchema.read("fuzz.ts", bytes, in: ProgramSurroundings(load: TypeScriptTests.bytes))
        let text = String(decoding: bytes, as: UTF8.self)
        if schema.document == nil {
            let errors = schema.diagnostics.filter(\.isError)
            #expect(!errors.isEmpty, "refused without a reason: \(text)")
        }
        var settings = schema.settings
        settings.additionalModes = AuthMode.allCases.filter { $0 != settings.defaultMode }
        let made = SchemaCheck(of: schema.reading(settings: settings), in: schema.sources)
        guard let api = made.api else {
            #expect(!made.errors.isEmpty, "refused without a reason: \(text)")
            return false
        }
        do {
            _ = try Document(parsing: Source(api.printed()), limits: .schema)
        } catch {
            Issue.record("what is printed cannot be read (\(error)): \(text)")
        }
        return true
    }

    @Test("damaged bytes give a schema or a diagnostic, never a trap")
    func bytes() throws {
        var random = SeededRandom(test: "TypeScriptFuzzTests/bytes")
        let pieces = [
            "(", ")", "{", "}", "[", "]", "`", "${", "'", "=>", "...", "<", ">", ".", "?.", "a", ",", ":", "/", "\\",
            "é",
        ]
        for _ in 0..<Fuzz.rounds(ordinarily: 350) {
            var bytes = try #require(Self.inputs.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(start..<end)
                case 1:
                    bytes.insert(
                        contentsOf: Array(bytes[start..<end]), at: Int.random(in: 0...bytes.count, using: &random))
                case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: start)
                default: bytes[start] = UInt8.random(in: 0...255, using: &random)
                }
            }
            _ = Self.read(bytes)
        }
    }

    @Test("words in places where they do not belong give a schema or a diagnostic, never a trap")
    func words() throws {
        var random = SeededRandom(test: "TypeScriptFuzzTests/words")
        let tokens = Self.inputs.map(Self.tokens)
        let words = Set(tokens.joined()).sorted()
        var accepted = 0
        for _ in 0..<Fuzz.rounds(ordinarily: 350) {
            var tokens = try #require(tokens.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = try #require(tokens.indices.randomElement(using: &random))
                switch Int.random(in: 0..<5, using: &random) {
                case 0: tokens.remove(at: place)
                case 1: tokens.swapAt(place, Int.random(in: tokens.indices, using: &random))
                case 2, 3: tokens[place] = words.randomElement(using: &random) ?? ""
                default:
                    // A whole run once more somewhere else: a field, a call, an entry.
                    let end = min(place + Int.random(in: 1...12, using: &random), tokens.count)
                    tokens.insert(
                        contentsOf: tokens[place..<end], at: Int.random(in: 0...tokens.count, using: &random))
                }
            }
            if Self.read(Array(tokens.joined().utf8)) { accepted += 1 }
        }
        #expect(accepted > 0)
    }

    /// Words, numbers and single signs, with the blanks before them.
    private static func tokens(of bytes: [UInt8]) -> [String] {
        var tokens: [String] = []
        var start = 0
        var place = 0
        func isWord(_ place: Int) -> Bool {
            guard bytes.indices.contains(place) else { return false }
            return bytes[place] == UInt8(ascii: "_") || bytes[place] >= 0x80 || (0x30...0x39).contains(bytes[place])
                || (0x61...0x7A).contains(bytes[place] | 0x20)
        }
        while place < bytes.count {
            while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
            if isWord(place) { while isWord(place) { place += 1 } } else { place = min(place + 1, bytes.count) }
            tokens.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place
        }
        return tokens
    }

    @Test("a module cut anywhere is read or refused with a reason")
    func cuts() throws {
        var random = SeededRandom(test: "TypeScriptFuzzTests/cuts")
        for _ in 0..<Fuzz.rounds(ordinarily: 350) / 4 {
            let bytes = try #require(Self.inputs.randomElement(using: &random))
            _ = Self.read(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
        }
    }
}
