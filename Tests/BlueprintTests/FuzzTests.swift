import GraphQL
import TestSupport
import Testing

@testable import Blueprint

@Suite("Damaged schemas")
struct FuzzTests {
    @Test("a damaged schema is read or refused with a reason, never a trap")
    func survivesMutation() {
        var generator = SeededRandom(test: "FuzzTests/survivesMutation")
        let cases = GoldenCase.all
        let words = Self.words(of: cases)
        var accepted = 0
        for _ in 0..<Fuzz.rounds(ordinarily: 2_000) {
            guard let golden = cases.randomElement(using: &generator) else { return }
            var tokens = Self.tokens(of: golden.input)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                Self.damage(&tokens, words: words, using: &generator)
            }
            var settings = golden.settings
            if Int.random(in: 0..<8, using: &generator) == 0 { settings.transformerVersion = 1 }
            if Int.random(in: 0..<8, using: &generator) == 0 { settings.conflictStrategy = .automerge }
            if Int.random(in: 0..<8, using: &generator) == 0 { settings.enableIamAccess.toggle() }
            let text = tokens.joined(separator: " ")
            let made = check(text, settings)
            guard let api = made.api else {
                #expect(!made.errors.isEmpty, "refused without a reason: \(text)")
                continue
            }
            accepted += 1
            #expect(throws: Never.self, "what is printed cannot be read: \(text)") {
                try Document(parsing: Source(api.printed()), limits: .schema)
            }
        }
        #expect(accepted > 0)
    }

    @Test("a schema cut anywhere is read or refused with a reason")
    func survivesCuts() {
        var generator = SeededRandom(test: "FuzzTests/survivesCuts")
        for _ in 0..<Fuzz.rounds(ordinarily: 2_000) / 4 {
            guard let golden = GoldenCase.all.randomElement(using: &generator) else { return }
            var bytes = Array(golden.input.utf8)
            bytes.removeSubrange(Int.random(in: 0...bytes.count, using: &generator)...)
            if !bytes.isEmpty, Bool.random(using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let made = SchemaCheck(of: [Source(bytes)], settings: golden.settings)
            #expect(made.api != nil || !made.errors.isEmpty)
        }
    }

    /// The names, numbers, strings and marks of a schema.
    private static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "#" {
                rest = rest.drop { !$0.isNewline }
            } else if first == "\"" {
                let mark = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
                let inner = rest.dropFirst(mark.count)
                let end = inner.firstRange(of: mark)?.upperBound ?? rest.endIndex
                tokens.append(String(rest[..<end]))
                rest = rest[end...]
            } else if first.isLetter || first.isNumber || first == "_" || first == "-" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
                tokens.append(String(word))
                rest = rest.dropFirst(word.count)
            } else {
                if !first.isWhitespace { tokens.append(String(first)) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    /// What the schemas are made of, to put in places where it does not belong.
    private static func words(of cases: [GoldenCase]) -> [String] {
        Set(cases.flatMap { tokens(of: $0.input) }).sorted()
    }

    private static func damage(_ tokens: inout [String], words: [String], using generator: inout SeededRandom) {
        guard let place = tokens.indices.randomElement(using: &generator) else { return }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(tokens[place], at: place)
        case 2: tokens.swapAt(place, Int.random(in: tokens.indices, using: &generator))
        case 3: tokens[place] = words.randomElement(using: &generator) ?? ""
        default:
            // A whole run of tokens once more somewhere else: a field, a directive, a type.
            let end = min(place + Int.random(in: 1...12, using: &generator), tokens.count)
            tokens.insert(
                contentsOf: tokens[place..<end], at: Int.random(in: 0...tokens.count, using: &generator))
        }
    }
}
