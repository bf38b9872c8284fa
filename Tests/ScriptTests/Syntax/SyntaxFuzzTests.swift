import TestSupport
import Testing

@testable import Script

@Suite("Random programs, read")
struct SyntaxFuzzTests {
    private static let rounds = Fuzz.rounds(ordinarily: 500)

    private static let pieces: [String] =
        TokenKind.words.map(\.spelling)
        + [
            "a", "b", "#c", "'d'", "`e`", "`${", "}", "1", "0x1", ".5", "/f/g", "=>", "...", "?.", "??", "**", "++",
            "--", "&&=", ">>>",
            "(", ")", "[", "]", "{", "<", ">", ";", ",", ":", "?", "!", "=", "@", "\\u0061", "\n", "//", "/*", "*/",
            "\u{2028}", "é", "😀",
            "\"", "'", "`", "\\", "<T>", "(a: b)", "({ c = 1 })", "async ", "function ", "class ", "eval", "arguments",
            "__proto__:", "10n",
        ]

    private static let seeds = SyntaxTests.trees.map(\.0) + TypeScriptTests.same.map(\.0) + [SyntaxTests.sample]

    private func check(_ source: String, _ round: Int) {
        for isTypeScript in [false, true] {
            let time = processorTime {
                do throws(ScriptSyntaxError) {
                    _ = try ProgramNode(
                        parsing: Array(source.utf16), names: NameNumbers(),
                        options: SyntaxOptions(
                            goal: round.isMultiple(of: 3) ? .script : .module, isTypeScript: isTypeScript))
                } catch {
                    // Whatever is refused is refused at a place of the text.
                    #expect(
                        error.place.offset >= 0 && error.place.offset <= source.utf16.count && error.place.line >= 1
                            && error.place.column >= 1, "\(source)")
                }
            }
            #expect(time < .seconds(5), "\(source)")
        }
    }

    @Test("no row of words and signs traps or hangs")
    func rowsOfTokens() {
        var random = SeededRandom(test: "SyntaxFuzzTests/rowsOfTokens")
        for round in 0..<Self.rounds {
            let count = Int.random(in: 1...40, using: &random)
            let source = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            check(source.joined(separator: Bool.random(using: &random) ? " " : ""), round)
        }
    }

    @Test("no program with pieces put in, taken out, doubled or moved traps or hangs")
    func mutatedPrograms() {
        var random = SeededRandom(test: "SyntaxFuzzTests/mutatedPrograms")
        for round in 0..<Self.rounds {
            var text = Array((Self.seeds.randomElement(using: &random) ?? "").unicodeScalars)
            if Bool.random(using: &random) {
                text += Array((Self.seeds.randomElement(using: &random) ?? "").unicodeScalars)
            }
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                let end = min(text.count, place + Int.random(in: 0...12, using: &random))
                switch Int.random(in: 0...4, using: &random) {
                case 0: text.removeSubrange(place..<end)
                case 1: text.insert(contentsOf: text[place..<end], at: place)
                case 2: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
                default:
                    text.insert(contentsOf: (Self.pieces.randomElement(using: &random) ?? "").unicodeScalars, at: place)
                }
            }
            var source = String.UnicodeScalarView()
            source.append(contentsOf: text)
            check(String(source), round)
        }
    }

    static let repeated: [String] = [
        "(", "((a)=>", "async(", "<a>(", "a<", "a<(b)=>", "a?(b):", "a?(b):c=>", "(a:", "({a=", "[a=", "`${", "/a/[",
        "f<a,", "async<a>(", "a as (", "(a?:b,", "class{a=", "namespace A{", "enum A{a=",
        "x=a?(", "x=a?(b):(", "type A=(", "type A=(a:", "type A={a:", "type A=B extends infer C extends ", "import a=",
        "let a:b<", "a!", "a?.<", "@", "export ", "({__proto__:", "((a,", "(a=(b):c=>", "a?(b=(c):d=>e,",
        "label:", "if(a)", "if(a);else ", "for(;;)", "new ", "-", "a**", "a??", "...", "\\u0061", "/*", "0_", "'\\",
        "{let a;var b;", "a?b:", "()=>", "async a=>", "a=", "let{a:", "[...", "#a in ",
    ]

    @Test("nothing that is repeated many times takes long", arguments: repeated)
    func repetition(_ piece: String) {
        for count in [30, 70, 1_000, 4_000] {
            check(String(repeating: piece, count: count), count)
            check("x = " + String(repeating: piece, count: count) + "b", count)
        }
    }
}
