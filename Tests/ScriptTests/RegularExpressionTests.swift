import Testing

@testable import Script

/// Regular expressions as the language defines them, without the object `RegExp`.
struct RegularExpressionTests {
    /// What a pattern with flags finds in a text from a place on: the groups with bars between them, `-` for one without part.
    private static func found(_ pattern: String, _ flags: String, _ text: [UInt16], from: Int = 0) throws -> String? {
        let flags = try #require(RegularExpressionFlags(flags.utf16))
        let expression = try RegularExpression(pattern: Array(pattern.utf16), flags: flags)
        var steps = 1_000_000
        let match = try text.withUnsafeBufferPointer { units in
            flags.contains(.sticky)
                ? try expression.match(units, at: from, steps: &steps)
                : try expression.firstMatch(in: units, from: from, steps: &steps)
        }
        return match.map { offsets in
            stride(from: 0, to: offsets.count, by: 2).map { place in
                offsets[place] < 0 ? "-" : String(decoding: text[offsets[place]..<offsets[place + 1]], as: UTF16.self)
            }.joined(separator: "|")
        }
    }

    @Test(
        "a pattern finds what the language says",
        arguments: [
            ("abc", "", "xxabcx", "abc"), ("a|ab", "", "abc", "a"),
            ("((a)|(ab))((c)|(bc))", "", "abc", "abc|a|a|-|bc|-|bc"),
            ("a[a-z]{2,4}", "", "abcdefghi", "abcde"), ("a[a-z]{2,4}?", "", "abcdefghi", "abc"),
            ("(aa|aabaac|ba|b|c)*", "", "aabaac", "aaba|ba"),
            ("(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", "zaacbbbcac|z|ac|a|-|c"),
            ("(a*)*", "", "b", "|-"), ("(?=(a+))a*b\\1", "", "baaabac", "aba|a"), ("(?=(a+))", "", "baaabac", "|aaa"),
            ("(.*?)a(?!(a+)b\\2c)\\2(.*)", "", "baaabaac", "baaabaac|ba|-|abaac"), ("(?:(a)|b)*", "", "ab", "ab|-"),
            ("\\b\\w+\\b", "", "  hey you", "hey"), ("^b", "m", "a\nb", "b"), ("a$", "m", "a\nb", "a"),
            ("a.b", "s", "a\nb", "a\nb"),
            ("a.b", "", "a\u{2028}b", nil), ("(?<=\\$)\\d+(?:\\.\\d*)?", "", "$10.53", "10.53"),
            ("(?<!\\$)\\b\\d+", "", "$10 20", "20"), ("(?<=(\\d+)(\\d+))$", "", "1053", "|1|053"),
            ("(?<=\\1(a))b", "", "aab", "b|a"), ("(?<=([abc]+)([abc]+))$", "", "abc", "|a|bc"),
            ("(?<year>\\d{4})-(?<month>\\d\\d)", "", "on 2026-11", "2026-11|2026|11"),
            ("\\k<a>(?<a>x)", "", "x", "x|x"),
            ("(?<a>.)\\k<a>", "", "abb", "bb|b"), ("\\k<a>", "", "k<a>", "k<a>"), ("\\1(a)", "", "aa", "a|a"),
            ("(a\\1)", "", "aa", "a|a"),
            ("[^]", "", "\n", "\n"), ("[]", "", "a", nil), ("\\u{2}", "", "uu", "uu"), ("\\u{1F600}", "u", "😀", "😀"),
            ("^.$", "u", "😀", "😀"), ("^.$", "", "😀", nil), ("^[😀]$", "u", "😀", "😀"), ("^[^x]$", "u", "😀", "😀"),
            ("\\d+(?=%)", "", "10 20%", "20"), ("é", "i", "É", "É"), ("ſ", "i", "s", nil), ("ſ", "iu", "s", "s"),
            ("\\w", "iu", "ſ", "ſ"),
            ("[^\\W]", "iu", "\u{212A}", "\u{212A}"), ("ß", "iu", "ẞ", "ẞ"), ("[a-z]+", "i", "ABC", "ABC"),
            ("(Ab)\\1", "i", "aBAb", "aBAb|aB"),
            ("\\x41\\u0042\\103\\cJ", "", "ABC\n", "ABC\n"), ("\\c", "", "\\c", "\\c"),
            ("[\\c1]", "", "\u{11}", "\u{11}"), ("a{,2}", "", "a{,2}", "a{,2}"),
            ("x{2}{", "", "xx{", "xx{"), ("]", "", "]", "]"), ("(?=a)*b", "", "b", "b"),
            ("(?:){1000000000}a", "", "a", "a"), ("[\\w-a]", "", "-", "-"),
            ("\\p{L}+", "u", "1aБ中2", "aБ中"), ("\\P{L}", "u", "a1", "1"), ("\\p{Script=Greek}+", "u", "abγδ", "γδ"),
            ("\\p{scx=Deva}", "u", "\u{1CD1}", "\u{1CD1}"),
            ("\\p{Lu}", "iu", "a", "a"), ("[\\p{Nd}_]+", "u", "٣_", "٣_"),
            ("\\p{Extended_Pictographic}", "u", "😀", "😀"), ("\\p{ASCII}", "u", "é", nil),
            ("\\p{L}", "", "p{L}", "p{L}"), ("(a+)+b", "", "aaaab", "aaaab|aaaa"), ("(?:a?)*?b", "", "aab", "aab"),
            ("(a?)??b", "", "b", "b|-"),
            ("(?:a|b)+?c", "", "abac", "abac"), ("(a{2,3}?){2}", "", "aaaaa", "aaaa|aa"),
            ("(?:(?=(x))){2}x", "", "x", "x|x"), ("[😀-😅]{2}", "u", "😁😂", "😁😂"),
        ] as [(String, String, String, String?)])
    func finds(_ pattern: String, _ flags: String, _ text: String, _ expected: String?) throws {
        #expect(try Self.found(pattern, flags, Array(text.utf16)) == expected, "/\(pattern)/\(flags)")
    }

    @Test("half of a pair is a character only without its other half")
    func surrogates() throws {
        let pair: [UInt16] = [0xD83D, 0xDE00]
        #expect(try Self.found("\\ud83d", "u", pair) == nil)
        #expect(try Self.found("\\ud83d", "", pair) != nil)
        #expect(try Self.found("\\ude00", "u", pair, from: 1) == nil)
        #expect(try Self.found("^\\ud83d$", "u", [0xD83D]) != nil)
        #expect(try Self.found("(?<=\\ud83d)", "u", pair) == nil)
        #expect(try Self.found("(.)\\1", "u", [0xD83D, 0xD83D, 0xDE00]) == nil)
        #expect(try Self.found("\\B", "u", [0x20] + pair) == "")
    }

    @Test("a sticky expression matches at its place or nowhere")
    func sticky() throws {
        #expect(try Self.found("b", "y", Array("ab".utf16)) == nil)
        #expect(try Self.found("b", "y", Array("ab".utf16), from: 1) == "b")
        #expect(try Self.found("b", "", Array("ab".utf16), from: 3) == nil)
    }

    @Test(
        "a wrong pattern is refused with the text that people know",
        arguments: [
            ("(", "", "Unterminated group"), ("(", "u", "Unterminated group"), ("a)", "", "Unmatched ')'"),
            ("*", "", "Nothing to repeat"),
            ("a**", "", "Nothing to repeat"), ("^*", "", "Nothing to repeat"), ("{1}", "", "Nothing to repeat"),
            ("a{2,1}", "", "numbers out of order in {} quantifier"),
            ("[b-a]", "", "Range out of order in character class"),
            ("[", "", "Unterminated character class"), ("\\", "", "\\ at end of pattern"),
            ("(?<a>x)(?<a>y)", "", "Duplicate capture group name"),
            ("(?<1>x)", "", "Invalid capture group name"), ("\\k<a>", "u", "Invalid named capture referenced"),
            ("\\k(?<b>x)", "", "Invalid named reference"), ("\\p{Foo}", "u", "Invalid property name"),
            ("\\p{Script}", "u", "Invalid property name"),
            ("[\\p{Foo}]", "u", "Invalid property name in character class"),
            ("\\u{110000}", "u", "Invalid Unicode escape"),
            ("\\x", "u", "Invalid escape"), ("\\-", "u", "Invalid escape"), ("\\1", "u", "Invalid escape"),
            ("\\01", "u", "Invalid decimal escape"),
            ("[\\1]", "u", "Invalid class escape"), ("{", "u", "Lone quantifier brackets"),
            ("a{1", "u", "Incomplete quantifier"),
            ("(?=a)*", "u", "Invalid quantifier"), ("(?<=a)*", "", "Invalid quantifier"),
            ("[\\w-a]", "u", "Invalid character class"),
            ("(?", "", "Invalid group"), ("(?i:a)", "", "Invalid group"), ("(?<a", "", "Invalid capture group name"),
        ])
    func refuses(_ pattern: String, _ flags: String, _ reason: String) throws {
        let error = try #require(throws: RegularExpressionSyntaxError.self) {
            try RegularExpression(pattern: Array(pattern.utf16), flags: #require(RegularExpressionFlags(flags.utf16)))
        }
        #expect(error.message == "Invalid regular expression: /\(pattern)/\(flags): \(reason)")
    }

    @Test("groups have their numbers and names")
    func names() throws {
        let expression = try RegularExpression(pattern: Array("(?<a>.(?<b>.))(.)".utf16), flags: [])
        #expect(expression.groupCount == 3)
        #expect(expression.groupNames.map { String(decoding: $0.name, as: UTF16.self) } == ["a", "b"])
        #expect(expression.groupNames.map(\.index) == [1, 2])
    }

    @Test("flags are known letters, each once")
    func flags() {
        #expect(RegularExpressionFlags("yusmigd".utf16)?.text == "dgimsuy")
        #expect(RegularExpressionFlags("gg".utf16) == nil)
        #expect(RegularExpressionFlags("v".utf16) == nil)
        #expect(RegularExpressionFlags.asksForUnicodeSets("gv".utf16))
    }

    @Test(
        "a search that explodes ends with its steps",
        arguments: [
            "(a+)+$", "(a|a)*$", "(?:a|aa)+$", "(.*)(.*)(.*)(.*)(.*)x", "(?=(a+)+$)x", "(?<!(a+)+x)b", "(a?){40}a{40}x",
        ])
    func explodes(_ pattern: String) throws {
        let expression = try RegularExpression(pattern: Array(pattern.utf16), flags: [])
        let text = Array((String(repeating: "a", count: 60) + "b").utf16)
        var steps = 300_000
        let isBounded = text.withUnsafeBufferPointer { units in
            let outcome = Result { try expression.firstMatch(in: units, from: 0, steps: &steps) }
            switch outcome {
            case .success: return steps >= 0
            case .failure(let error): return error as? RegularExpressionError == .tooManySteps && steps < 0
            }
        }
        #expect(isBounded)
    }

    @Test("the way back has an end that steps do not move")
    func backtrackLimit() throws {
        let expression = try RegularExpression(pattern: Array("(?:a|b)*?c|(?:a|b)*c".utf16), flags: [])
        let text = [UInt16](repeating: 0x61, count: RegularExpressionLimits.backtrackFrames + 10)
        var steps = Int.max
        _ = text.withUnsafeBufferPointer { units in
            #expect(throws: RegularExpressionError.tooManySteps) { try expression.match(units, at: 0, steps: &steps) }
        }
    }

    @Test("groups inside one another have a depth that is refused")
    func depth() throws {
        func nested(_ count: Int) -> [UInt16] {
            Array((String(repeating: "(", count: count) + "a" + String(repeating: ")*", count: count)).utf16)
        }
        #expect(throws: Never.self) {
            try RegularExpression(pattern: nested(RegularExpressionLimits.depth - 1), flags: [])
        }
        for count in [RegularExpressionLimits.depth, 100_000] {
            #expect(throws: RegularExpressionSyntaxError.self) {
                try RegularExpression(pattern: nested(count), flags: [])
            }
        }
    }

    @Test("places where no match can begin cost next to nothing")
    func skips() throws {
        let text = [UInt16](repeating: 0x20, count: 80_000) + Array("needle".utf16)
        for pattern in ["needle", "[mn]eedle", "(n)eed", "(?:q|n)e", "\\w+"] {
            let expression = try RegularExpression(pattern: Array(pattern.utf16), flags: [])
            var steps = 20_000
            let match = try text.withUnsafeBufferPointer { try expression.firstMatch(in: $0, from: 0, steps: &steps) }
            #expect(match?.first == 80_000)
        }
        let anchored = try RegularExpression(pattern: Array("^x".utf16), flags: [])
        var steps = 100
        #expect(try text.withUnsafeBufferPointer { try anchored.firstMatch(in: $0, from: 1, steps: &steps) } == nil)
    }

    @Test("compiled patterns are remembered up to a number")
    func known() throws {
        for number in 0..<(2 * RegularExpression.knownMax) {
            let pattern = Array("(a)\(number)".utf16)
            let once = try RegularExpression.known(pattern: pattern, flags: [])
            let twice = try RegularExpression.known(pattern: pattern, flags: [.global])
            #expect(once.groupCount == 1 && once.flags == [] && twice.flags == .global)
        }
        #expect(RegularExpression.knownCount <= RegularExpression.knownMax)
    }
}
