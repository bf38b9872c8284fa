import JSON
import TestSupport
import Testing

@testable import Resolvers

@Suite("Damaged templates")
struct VelocityFuzzTests {
    /// Rounds until one may run long.
    private static let shortRounds = 16

    @Test("a damaged template is refused, fails or ends, within its limits and never by a trap")
    func survivesMutation() {
        var generator = SeededRandom(test: "VelocityFuzzTests/survivesMutation")
        let cases = VelocityLanguageTests.Case.all
        let templates = cases.compactMap { $0.json["template"]?.string } + ResolverCase.all("vtl").map(\.code)
        guard let context = (cases.first?.context).map({ ResolverContext(json: $0) }) else { return }
        // A million rounds can be run: what each of them needs is made once.
        let tokens = templates.map(Self.tokens)
        let words = tokens.flatMap(\.self)
        var limits = ResolverLimits()
        limits.resultBytesMax = 1 << 18
        limits.memoryBytesMax = 4 << 20
        var printed = 0
        for round in 0..<Fuzz.rounds(ordinarily: 3_000) {
            guard var tokens = tokens.randomElement(using: &generator) else { return }
            limits.stepsMax = round % Self.shortRounds == 0 ? 20_000 : 2_000
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                Self.damage(&tokens, words, using: &generator)
            }
            let template = tokens.joined()
            let code: ResolverCode
            do throws(ResolverCodeError) {
                code = try ResolverCode(template: template, response: template)
            } catch {
                if error.findings.isEmpty { Issue.record("refused without a reason: \(template)") }
                continue
            }
            let outcome = code.run(.response, context, limits: limits)
            if case .failed(let error) = outcome.end {
                if error.isFault, error.message.isEmpty { Issue.record("failed without a reason: \(template)") }
            } else {
                printed += 1
            }
        }
        #expect(printed > 0)
    }

    private static func damage(_ tokens: inout [String], _ words: [String], using generator: inout SeededRandom) {
        let place = Int.random(in: 0...tokens.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: if place < tokens.count { tokens.remove(at: place) }
        case 1: if place < tokens.count { tokens[place] = words.randomElement(using: &generator) ?? "" }
        case 2:
            if place < tokens.count {
                tokens.insert(tokens[place], at: Int.random(in: 0...tokens.count, using: &generator))
            }
        case 3: tokens.insert(marks.randomElement(using: &generator) ?? "", at: place)
        case 4: tokens.removeSubrange(place...)
        default: tokens.insert(words.randomElement(using: &generator) ?? "", at: place)
        }
    }

    private static let marks = [
        "$", "#", "\\", "!", "{", "}", "[", "]", "(", ")", "\"", "'", ".", "..", ",", ":", "##", "#*", "*#", "#[[",
        "]]#",
        "#end", "#if(", "#foreach($x in ", "#set($x = ", "$x", "$!x", "${x}", "-1", "2147483647", "1e308", "null", "\n",
        "é",
        "\u{1F600}", "$ctx.args.list", ".add(", ".get(", ".subList(0, 2)", "#break", "#stop", "#return(", "#define($d)",
    ]

    /// Names, numbers, blanks and marks.
    private static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
                word.unicodeScalars.append(scalar)
                continue
            }
            if !word.isEmpty { tokens.append(word) }
            word = ""
            tokens.append(String(Character(scalar)))
        }
        return word.isEmpty ? tokens : tokens + [word]
    }
}
