/// A regular expression of Java that is looked for in texts: `replaceAll`, `split`, `find`.
///
/// Matches are found from left to right, each behind the one before, as `java.util.regex.Matcher.find` does.
package struct PatternFinder: Sendable {
    /// A match: its places among the text's code points, and those of its groups, from the first on.
    package struct Match: Sendable {
        package let range: Range<Int>
        /// Nil: the group took no part.
        package let groups: [Range<Int>?]
    }

    fileprivate let program: PatternProgram
    /// The code point that each match begins with, if there is one.
    fileprivate let first: UInt32?
    package let groupCount: Int
    /// Groups by their names, which are letters and digits.
    package let names: [String: Int]

    package init(_ text: String) throws(PatternError) {
        var parser = try PatternParser(text)
        let tree = try parser.parse()
        // What is found depends on the order of the ways, which only the matcher that tries them keeps.
        var compiler = PatternCompiler(isRegular: false, groups: parser.groups, sets: parser.sets)
        program = try compiler.compile(tree)
        groupCount = parser.groups
        names = parser.names
        if case .scalar(let value)? = program.instructions.first { first = value } else { first = nil }
    }

    /// The matches in a text, at most as many as said.
    ///
    /// - Returns: nil: it costs more than the steps allow.
    package func matches(in text: String, limit: Int = .max, _ steps: inout PatternSteps) -> [Match]? {
        var search = PatternSearch(self, in: text, &steps)
        var found: [Match] = []
        while found.count < limit, let match = search.next(&steps) { found.append(match) }
        return steps.areExhausted ? nil : found
    }
}

/// The matches of a `PatternFinder` in one text, one after the other.
package struct PatternSearch {
    private let finder: PatternFinder
    private let text: PatternText
    private var matcher: Backtracker
    /// Where the next match may begin.
    private var start = 0

    package init(_ finder: PatternFinder, in text: String, _ steps: inout PatternSteps) {
        self.finder = finder
        var text = PatternText(text)
        text.prepare(for: finder.program, &steps)
        self.text = text
        matcher = Backtracker(finder.program)
    }

    /// The code points of the text.
    package var scalars: [UInt32] { text.scalars }

    /// The next match. Nil: there is none, or the steps are used up.
    package mutating func next(_ steps: inout PatternSteps) -> PatternFinder.Match? {
        while start <= text.count, !steps.areExhausted {
            let place = start
            start += 1
            if let first = finder.first {
                steps.take(1)
                guard place < text.count, text.scalars[place] == first else { continue }
            }
            switch matcher.run(on: text, from: place, isWhole: false, &steps) {
            case .exhausted: return nil
            case .differs: continue
            case .matches:
                // Behind a match of nothing the search goes on one code point further.
                start = max(start, matcher.end)
                return .init(
                    range: place..<matcher.end, groups: (0..<finder.groupCount).map { matcher.group($0 + 1) })
            }
        }
        return nil
    }
}
