import Testing

@testable import Patterns

@Suite("Finding patterns in texts")
struct PatternFinderTests {
    /// A pattern, a text, and where its matches are.
    static let rows: [(String, String, [Range<Int>])] = [
        ("a", "banana", [1..<2, 3..<4, 5..<6]), ("a+?", "aaa", [0..<1, 1..<2, 2..<3]), ("a+", "aaba", [0..<2, 3..<4]),
        ("", "ab", [0..<0, 1..<1, 2..<2]), ("a*", "ab", [0..<1, 1..<1, 2..<2]), ("x", "ab", []), ("^a", "aa", [0..<1]),
        ("a$", "aa", [1..<2]), ("\\bb", "b ab b", [0..<1, 5..<6]), ("(?<=a)b", "bab", [2..<3]),
        ("(a)\\1", "aaaa", [0..<2, 2..<4]),
        ("ab|a", "aab", [0..<1, 1..<3]), ("😀", "a😀b😀", [1..<2, 3..<4]), ("", "", [0..<0]),
    ]

    @Test("matches follow each other as Java finds them", arguments: rows)
    func ranges(pattern: String, text: String, ranges: [Range<Int>]) throws {
        var steps = PatternSteps(left: 10_000)
        let matches = try #require(try PatternFinder(pattern).matches(in: text, &steps))
        #expect(matches.map(\.range) == ranges)
    }

    @Test("a group has the text of its last round, or none")
    func groups() throws {
        var steps = PatternSteps(left: 10_000)
        let finder = try PatternFinder("(?<year>\\d+)-(x)?((a|b)+)")
        #expect(finder.groupCount == 4)
        #expect(finder.names == ["year": 1])
        let match = try #require(finder.matches(in: "2018-ab, 1-xb", &steps)?.first)
        #expect(match.groups == [0..<4, nil, 5..<7, 6..<7])
        // What the match before has captured is forgotten.
        let last = try #require(finder.matches(in: "2018-xab, 1-b", &steps)?.last)
        #expect(last.groups == [10..<11, nil, 12..<13, 12..<13])
    }

    @Test("only so many matches are looked for")
    func limit() throws {
        var steps = PatternSteps(left: 10_000)
        #expect(try PatternFinder("a").matches(in: "aaa", limit: 2, &steps)?.count == 2)
    }

    @Test("a search that costs too much ends", arguments: ["b", "(a|aa)+$"])
    func exhausted(pattern: String) throws {
        var steps = PatternSteps(left: 1_000)
        let text = String(repeating: "a", count: 2_000) + "c"
        #expect(try PatternFinder(pattern).matches(in: text, &steps) == nil)
        #expect(steps.areExhausted)
        #expect(steps.remaining == 0)
    }
}
