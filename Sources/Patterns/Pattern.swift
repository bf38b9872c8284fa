/// A regular expression as `java.util.regex.Pattern` reads it, ready to match texts.
///
/// AppSync documents `$util.matches(pattern, text)` as based on Java's `Pattern`, in the form and with the example of
/// `Pattern.matches(regex, input)`. So the **whole** text has to match: `[A-Z]` does not match `ABC`. With `^` and `$`
/// around the pattern, as everybody writes it, there is no difference but one: a line break at the end is not forgiven.
///
/// Where Java's versions differ (`\b`, `(?i)\p{Lu}`, negation with `&&`) this does as Java 17. Not supported, and so
/// an error: `\X`, `\N{…}`, `\b{g}` and the flag `c`. A look-behind may be of any length.
package struct Pattern: Sendable {
    let program: PatternProgram

    package init(_ text: String) throws(PatternError) {
        var parser = try PatternParser(text)
        let tree = try parser.parse()
        var compiler = PatternCompiler(isRegular: tree.isRegular, groups: parser.groups, sets: parser.sets)
        program = try compiler.compile(tree)
    }

    /// The outcome of a match.
    package enum Outcome: Equatable, Sendable {
        case matches
        case differs
        /// It cost more than `PatternLimits` allow.
        case exhausted
    }

    /// Returns whether the whole text matches. A match that costs too much counts as none: what cannot be checked is refused.
    package func matches(_ text: String) -> Bool {
        outcome(of: text) == .matches
    }

    /// The same where several matches share what they may cost.
    package func matches(_ text: String, _ steps: inout PatternSteps) -> Bool {
        outcome(of: text, &steps) == .matches
    }

    /// The same, with the reason. Tests lower `stepsMax`.
    package func outcome(of text: String, stepsMax: Int = PatternLimits.stepsMax) -> Outcome {
        var steps = PatternSteps(left: stepsMax)
        return outcome(of: text, &steps)
    }

    private func outcome(of text: String, _ steps: inout PatternSteps) -> Outcome {
        let text = PatternText(text)
        if program.isRegular {
            var simulation = StateSimulation(program)
            return simulation.run(on: text, &steps)
        }
        var backtracker = Backtracker(program)
        return backtracker.run(on: text, &steps)
    }
}
