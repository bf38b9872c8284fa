import TestSupport
import Testing

@testable import Patterns

/// The expectations of the tables are the answers of Java 17's `Pattern.matches`, but where a comment says otherwise.
@Suite("Pattern")
struct PatternTests {
    typealias Row = (pattern: String, text: String, matches: Bool)

    static let asWritten: [Row] = [
        ("^[A-Z].*$", "Todo", true), ("^[A-Z].*$", "todo", false), ("^[A-Z].*$", "", false),
        ("^[A-Z0-9]+$", "AB12", true), ("^[A-Z0-9]+$", "AB-12", false),
        ("^@[a-z0-9_]{2,30}$", "@homer_1", true), ("^@[a-z0-9_]{2,30}$", "@h", false),
        (#"^\d{3}-\d{4}$"#, "555-0123", true), (#"^\d{3}-\d{4}$"#, "555-012", false),
        (#"^[^@\s]+@[^@\s]+\.[^@\s]+$"#, "a@b.example", true), (#"^[^@\s]+@[^@\s]+\.[^@\s]+$"#, "a@b", false),
        (#"^(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$"#, "Passw0rd!", true),
        (#"^(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$"#, "Password!", false),
        // The whole text, anchors or not.
        ("[A-Z]", "ABC", false), ("b", "abc", false), ("", "", true), ("", "a", false), ("a|", "", true),
        // A line break at the end is a part of the text, though `$` holds before it.
        ("^a$", "a\n", false), ("^a$\\n", "a\n", true), ("a.*", "a\nb", false), ("(?s)a.*", "a\nb", true),
    ]

    static let quantifiers: [Row] = [
        ("a*", "aaa", true), ("a+", "", false), ("a?b", "b", true), ("a??b", "ab", true), ("a{2}", "aa", true),
        ("a{2}", "aaa", false), ("a{2,}", "aaaa", true), ("a{1,2}", "aaa", false), ("a{0}b", "b", true),
        ("(ab){2,3}", "abab", true), ("(ab){2,3}", "ab", false), ("(a*)*", "aaa", true), ("(a*)+b", "b", true),
        ("(a|b*)*c", "abbac", true), ("a*+a", "aaa", false), ("a*+b", "aab", true), ("(?>a|ab)c", "abc", false),
        ("(?>ab|a)c", "abc", true), ("a++*", "a", false), ("{3}", "", true), ("^*a", "a", true), ("(?=a)*a", "a", true),
        ("(?:)*", "", true), ("(?:(?:){1000000}){1000000}", "", true), ("((((a+)+)+)+)+", "aaaa", true),
        ("a {2}", "a  ", true), ("(?x)a {2}", "aa", true),
    ]

    static let classes: [Row] = [
        ("[abc]", "b", true), ("[^abc]", "b", false), ("[a-c&&[^b]]", "b", false), ("[a-c&&[^b]]", "a", true),
        ("[a-z&&def]", "e", true), ("[a-z&&def]", "a", false), ("[^a&&b]", "a", true), ("[a[^b]]", "c", true),
        ("[]a]", "]", true), ("[^]a]", "b", true), ("[a-]", "-", true), ("[a-[b]]", "-", true), ("[a&&]", "a", true),
        ("[&&a]", "a", true), ("[a&b]", "&", true), ("[a&&[b]&c]", "c", true), ("[a-z&&^b]", "^", false),
        ("[\\v-\\x0c]", "\u{0C}", true), ("[\\d-z]", "-", true), ("[\\]]", "]", true), ("(?x)[a b]", " ", false),
        (#"\d"#, "٣", false), (#"(?U)\d"#, "٣", true), (#"\w"#, "é", false), (#"(?U)\w"#, "é", true),
        (#"\s"#, "\u{0B}", true), (#"\S"#, "\u{A0}", true), (#"\h"#, "\u{A0}", true), (#"\v"#, "\u{2028}", true),
        (#"\V\H\D\W"#, "ab !", true), (#"\p{L}\p{Lu}\p{Ll}\pL\P{L}"#, "éÉéa1", true), (#"\p{Alpha}"#, "é", false),
        (#"\p{IsAlphabetic}"#, "é", true), (#"\p{IsLatin}\p{InGreek}\p{sc=Cyrl}"#, "aαя", true),
        (#"\p{InBasicLatin}\p{InBASIC_LATIN}\p{blk=basic latin}"#, "aaa", true), (#"\p{javaLowerCase}"#, "A", false),
        (#"\p{gc=Lu}\p{general_category=L}\p{IsLu}"#, "AaA", true), (#"(?i)\p{Lu}\p{Lower}"#, "aA", true),
        (#"\p{Punct}+"#, "!$~", true), (#"(?U)\p{Lower}"#, "é", true), (#"\p{IsHan}+"#, "漢字", true),
    ]

    static let escapes: [Row] = [
        (#"\Q[a]\E+"#, "[a]]", true), (#"[\Q]-a\E]"#, "-", true), (#"\Qa.b"#, "a.b", true), (#"\Qa.b"#, "axb", false),
        (#"\x41\u0042\0103\x{1F600}"#, "ABC😀", true), (#"\uD83D\uDE00"#, "😀", true), (".", "😀", true),
        (#"\uD83D"#, "😀", false), (#"\t\n\r\f\a\e\cA"#, "\t\n\r\u{0C}\u{07}\u{1B}\u{01}", true), (#"\ca"#, "!", true),
        (#"\.\*\_\-"#, ".*_-", true), (#"\é"#, "é", true), (#"\0400"#, " 0", true), (#"\R"#, "\r\n", true),
        (#"\R\n"#, "\r\n", true), (#"\R"#, "\u{85}", true), ("]}", "]}", true),
    ]

    static let flags: [Row] = [
        ("(?i)abc", "ABC", true), ("(?i)é", "É", false), ("(?iu)é", "É", true), ("(?i:a)b", "Ab", true),
        ("(?i:a)b", "AB", false), ("((?i)a)b", "AB", false), ("a(?i)b|c", "C", true), ("(?i)a(?-i)b", "AB", false),
        ("(?i)[a-c]", "B", true), ("(?iu)[à-é]", "É", true), ("(?iu)k", "\u{212A}", true), ("(?iu)ß", "ẞ", false),
        ("(?m)^a$\\n^b$", "a\nb", true), ("(?m)^$", "", false), ("(?m)a$.", "a\n", false),
        ("(?ms)a$.^b", "a\nb", true), ("(?ms)a.$.b", "a\r\nb", false), ("(?d).", "\r", true), (".", "\r", false),
        ("(?x) a b # c\n c", "abc", true), (#"(?x)a\ b"#, "a b", true),
    ]

    static let places: [Row] = [
        (#"\ba\b"#, "a", true), (#"\b.\b"#, "é", true), (#"a\Bb"#, "ab", true), (#"a\b\W"#, "a!", true),
        ("a\\b\u{301}", "a\u{301}", false), (#"\Aa\z"#, "a", true), (#"a\Z\n"#, "a\n", true), (#"a\z\n"#, "a\n", false),
        (#"\Ga"#, "a", true), (#"a\Ga"#, "aa", false), (#"a$\r\n"#, "a\r\n", true), (#"a\r$\n"#, "a\r\n", false),
    ]

    static let irregular: [Row] = [
        ("(a)\\1", "aa", true), ("(a|b)\\1", "ab", false), ("(a)\\11", "aa1", true), ("(a)?\\1", "", false),
        ("\\1(a)", "aa", false), ("(?<n>a+)-\\k<n>", "aa-aa", true), ("(?<n>a+)-\\k<n>", "aa-a", false),
        ("(?i)(a)\\1", "aA", true), ("(?iu)(é)\\1", "éÉ", true), ("(?i)(é)\\1", "éÉ", false),
        ("(?=a)\\w+", "ab", true), ("(?!a)\\w+", "ab", false), ("(?=(a+))a*b\\1", "aaabaaa", true),
        ("\\w+(?<=b)", "ab", true), ("\\w+(?<!b)", "ab", false), ("a(?<=(?:ab){1,2}|a)b", "ab", true),
        ("(?<=a{1,3})b", "b", false), ("(?<!a)b", "b", true), ("(?:(a)|b)*\\1", "abba", true),
        ("(?>(a+))b\\1", "aabaa", true), ("(?!(a)b)a.", "ac", true), ("(?:a|(?=b))*b", "aab", true),
        ("(?:(?=(a))a|b)*\\1", "aba", true), ("(?:(a*)x?)*+", "aaxa", true),
        // Java has no look-behind without a bound; here it may look back as far as it likes.
        ("a+b(?<=a+b)", "aab", true),
    ]

    @Test(
        "a pattern matches as Java's does",
        arguments: asWritten + quantifiers + classes + escapes + flags + places + irregular)
    func matches(row: Row) {
        #expect(((try? Pattern(row.pattern))?.matches(row.text) ?? false) == row.matches)
    }

    @Test(
        "what is no pattern says why and where",
        arguments: [
            ("[a", .expected("']'"), 2), ("[]", .expected("']'"), 2), ("(a", .expected("')'"), 2),
            (")", .expected("the end, or a '(' before"), 0), ("a**", .nothingToRepeat, 2),
            ("*a", .nothingToRepeat, 0), ("(?i)*", .nothingToRepeat, 4), ("{", .expected("a number"), 1),
            ("a{2", .expected("'}'"), 3), ("a{,2}", .expected("a number"), 2), ("a{2,1}", .badRange, 6),
            ("a{2147483648}", .badRange, 11), ("[z-a]", .badRange, 4), (#"[a-\d]"#, .unknownEscape(#"\d"#), 3),
            (#"\y"#, .unknownEscape(#"\y"#), 0), (#"\E"#, .unknownEscape(#"\E"#), 0),
            (#"\X"#, .unsupported(#"\X"#), 0), (#"\b{g}"#, .unsupported(#"\b{g}"#), 2),
            (#"\N{DIGIT ONE}"#, .unsupported(#"\N"#), 0), ("(?ic)a", .unsupported("the flag c"), 3),
            (#"\"#, .expected("something behind the backslash"), 0), (#"\p{Foo}"#, .unknownProperty("Foo"), 7),
            (#"\p{lu}"#, .unknownProperty("lu"), 6), (#"\p{IsEmoji}"#, .unknownProperty("IsEmoji"), 11),
            (#"\p"#, .unknownProperty(""), 2), (#"\p{L"#, .expected("'}'"), 4),
            (#"\08"#, .expected("an octal digit"), 2),
            (#"\x4"#, .expected("a hexadecimal digit"), 3), (#"\x{110000}"#, .badRange, 9),
            (#"\u12"#, .expected("a hexadecimal digit"), 4), (#"\c"#, .expected("a control character"), 2),
            (#"\k<n>(?<n>a)"#, .unknownGroup("n"), 5), ("(?<n>a)(?<n>a)", .duplicateGroup("n"), 12),
            ("(?<1>a)", .expected("a group's name"), 3), ("(?<a", .expected("'>'"), 4),
            ("(?P<n>a)", .expected("a kind of group"), 2), ("(?#c)a", .expected("a kind of group"), 2),
            ("(?z)a", .expected("a kind of group"), 2),
        ] as [(String, PatternError.Reason, Int)])
    func errors(pattern: String, reason: PatternError.Reason, position: Int) {
        #expect(throws: PatternError(reason: reason, position: position)) { try Pattern(pattern) }
    }

    @Test(
        "a pattern beyond a limit is refused, one at it is not",
        arguments: [
            (String(repeating: "a", count: PatternLimits.patternLengthMax), nil),
            (String(repeating: "a", count: PatternLimits.patternLengthMax + 1), .tooLong),
            (nested("(", "a", ")", PatternLimits.nestingDepthMax), nil),
            (nested("(", "a", ")", PatternLimits.nestingDepthMax + 1), .nestedTooDeeply),
            (nested("[", "a", "]", PatternLimits.nestingDepthMax), nil),
            (nested("[", "a", "]", PatternLimits.nestingDepthMax + 1), .nestedTooDeeply),
            ("[a" + String(repeating: "&&b", count: PatternLimits.nestingDepthMax) + "]", .nestedTooDeeply),
            (String(repeating: "(?=", count: PatternLimits.patternLengthMax / 3), .nestedTooDeeply),
            ("a{\(PatternLimits.programInstructionsMax - 1)}", nil),
            ("a{\(PatternLimits.programInstructionsMax)}", .programTooLarge),
            ("((a{1000}){1000}){1000}", .programTooLarge),
            (nested("(", "a", "){2,}", PatternLimits.nestingDepthMax), .programTooLarge),
            (nested("(", "a", ")+", PatternLimits.nestingDepthMax), nil),
        ] as [(String, PatternError.Reason?)])
    func limits(pattern: String, reason: PatternError.Reason?) {
        do throws(PatternError) {
            _ = try Pattern(pattern)
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
        }
    }

    private static func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    @Test("a regular pattern costs its text times its states, however it is written")
    func linear() throws {
        let text = String(repeating: "a", count: 100_000)
        for pattern in ["(a+)+$", "(a|a)*", "(a*)*", "(a|aa)+", "(.*.*.*)*"] {
            let pattern = try Pattern(pattern)
            // Thirty steps for a code point are enough for all of these.
            #expect(pattern.outcome(of: text, stepsMax: 3_000_000) == .matches)
        }
        for pattern in ["(a+)+b", "(a|a)*b", "(a*)*b", "(a|aa)+b"] {
            let pattern = try Pattern(pattern)
            #expect(pattern.outcome(of: text + "!", stepsMax: 3_000_000) == .differs)
        }
    }

    @Test(
        "a match that costs too much is none",
        arguments: ["(?=(a+)+$)\\1b", "(a+)+\\1b", "(?:a|a)*(?!a)b", "(.{0,300})*b", "(?<=(a*)*)b", "(a*)*+b"])
    func exhausted(pattern: String) throws {
        let pattern = try Pattern(pattern)
        let text = String(repeating: "a", count: 2_000)
        #expect(pattern.outcome(of: text, stepsMax: 100_000) != .matches)
        #expect(pattern.outcome(of: text, stepsMax: 100) == .exhausted)
    }

    @Test(
        "several texts share what they may cost, and nothing is left when the time is over",
        arguments: ["(a|b)*", "(?=a)[ab]*"])
    func sharedSteps(pattern: String) throws {
        let pattern = try Pattern(pattern)
        let text = String(repeating: "a", count: 2_000)
        var steps = PatternSteps(left: 100_000)
        let count = (0..<1_000).prefix { _ in pattern.matches(text, &steps) }.count
        #expect((1..<100).contains(count))
        let long = String(repeating: "a", count: PatternLimits.stepsPerLook)
        var isAsked = false
        var over = PatternSteps {
            isAsked = true
            return true
        }
        #expect(!pattern.matches(long, &over))
        #expect(isAsked)
    }

    @Test("the backtracking matcher remembers a limited number of choices")
    func frames() throws {
        let pattern = try Pattern("(?=a).*")
        let fits = String(repeating: "a", count: 10_000)
        #expect(pattern.outcome(of: fits) == .matches)
        let tooLong = String(repeating: "a", count: PatternLimits.framesMax + 10)
        #expect(pattern.outcome(of: tooLong) == .exhausted)
    }

    @Test("no pattern and no text end the process, and both matchers agree")
    func random() {
        var random = SeededRandom(test: "PatternTests.random")
        let parts = [
            "a", "b", "é", "😀", "1", " ", "\n", ".", "^", "$", "|", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!",
            "(?>",
            "(?<n>", "(?i)", "(?x)", "(?m:", "[", "[^", "]", "-", "&&", "*", "+", "?", "{", "{1,2}", "{2}", "}", ",",
            "\\",
            "\\d", "\\w", "\\b", "\\R", "\\1", "\\k<n>", "\\p{L}", "\\p{", "\\Q", "\\E", "\\x", "\\x{", "\\u00e9",
            "\\0",
            "\\c", "\\uD83D", "#", "\\Z", "\\v",
        ]
        let signs = ["a", "b", "A", "é", "É", "😀", "1", " ", "\r", "\n", "\u{301}", "]"]
        var compared = 0
        for _ in 0..<Fuzz.rounds(ordinarily: 3_000) {
            let written = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                parts.randomElement(using: &random)
            }
            .joined()
            guard let pattern = try? Pattern(written) else { continue }
            // An atomic group around nothing sends the same pattern to the other matcher.
            let other = pattern.program.isRegular ? try? Pattern("(?>)(?:\(written))") : nil
            for _ in 0..<3 {
                let text = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in
                    signs.randomElement(using: &random)
                }
                .joined()
                let outcome = pattern.outcome(of: text, stepsMax: 20_000)
                guard let other, outcome != .exhausted else { continue }
                let otherOutcome = other.outcome(of: text, stepsMax: 20_000)
                #expect(otherOutcome == outcome || otherOutcome == .exhausted, "\(written) on \(text)")
                compared += 1
            }
        }
        #expect(compared > 100)
    }
}
