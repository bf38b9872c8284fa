import JSON
import Patterns

/// A regular expression as the methods of Java's `String` take it: `matches`, `replaceFirst`, `replaceAll`, `split`.
///
/// Both languages change texts with it. What it costs is taken from the steps that a run has left.
struct JavaPattern: Sendable {
    private let text: String
    private let finder: PatternFinder

    /// Throws what is wrong with it.
    init(_ text: String) throws(ResolverError) {
        self.text = text
        do {
            finder = try PatternFinder(text)
        } catch {
            throw .fault("'\(text.prefix(100))' is no regular expression: \(error.description).")
        }
    }

    /// Whether a whole text matches. In time that goes with its length, where the expression is a regular one.
    func matches(_ text: String, _ stepsLeft: inout Int) throws(ResolverError) -> Bool {
        guard let pattern = try? Pattern(self.text) else { return false }
        var steps = Self.steps(stepsLeft)
        let isMatch = pattern.matches(text, &steps)
        try take(steps, &stepsLeft)
        return isMatch
    }

    /// The text with another one for each match, or for the first.
    ///
    /// - Parameters:
    ///   - replacement: `$1` and `${name}` are what groups have matched, a backslash takes the next sign as it is.
    ///   - bytesMax: of what comes of it.
    func replacing(
        in text: String, with replacement: String, onlyFirst: Bool = false, bytesMax: Int, _ stepsLeft: inout Int
    ) throws(ResolverError) -> String {
        let parts = try ReplacementText(replacement, finder).parts
        var steps = Self.steps(stepsLeft)
        var search = PatternSearch(finder, in: text, &steps)
        let scalars = search.scalars
        var result = String.UnicodeScalarView()
        var bytes = 0
        func append(_ range: Range<Int>) throws(ResolverError) {
            bytes += range.count
            guard bytes <= bytesMax else { throw Self.tooLong(bytesMax) }
            for scalar in scalars[range] { result.append(Unicode.Scalar(scalar) ?? "\u{FFFD}") }
        }
        var end = 0
        while let match = search.next(&steps) {
            try append(end..<match.range.lowerBound)
            for part in parts {
                switch part {
                case .text(let text):
                    bytes += text.utf8.count
                    guard bytes <= bytesMax else { throw Self.tooLong(bytesMax) }
                    result.append(contentsOf: text.unicodeScalars)
                case .group(0): try append(match.range)
                case .group(let number): if let range = match.groups[number - 1] { try append(range) }
                }
            }
            end = match.range.upperBound
            if onlyFirst { break }
        }
        try take(steps, &stepsLeft)
        try append(end..<scalars.count)
        return String(result)
    }

    /// The parts between matches. Empty ones at the end are left out; a match of nothing at the beginning separates nothing.
    func split(_ text: String, _ stepsLeft: inout Int) throws(ResolverError) -> [String] {
        var steps = Self.steps(stepsLeft)
        var search = PatternSearch(finder, in: text, &steps)
        let scalars = search.scalars
        func part(_ range: Range<Int>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range].lazy.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
            return String(view)
        }
        var parts: [String] = []
        var end = 0
        var isFound = false
        while let match = search.next(&steps) {
            // A match of nothing at the beginning separates nothing.
            guard match.range.upperBound > 0 else { continue }
            isFound = true
            parts.append(part(end..<match.range.lowerBound))
            end = match.range.upperBound
        }
        try take(steps, &stepsLeft)
        guard isFound else { return [text] }
        parts.append(part(end..<scalars.count))
        while parts.last == "" { parts.removeLast() }
        return parts
    }

    /// The first match and what its groups have matched; nil for a group that took no part.
    func firstMatch(in text: String, _ stepsLeft: inout Int) throws(ResolverError) -> [String?]? {
        var steps = Self.steps(stepsLeft)
        var search = PatternSearch(finder, in: text, &steps)
        let scalars = search.scalars
        let match = search.next(&steps)
        try take(steps, &stepsLeft)
        guard let match else { return nil }
        return ([match.range] + match.groups).map { range in
            guard let range else { return nil }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range].lazy.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
            return String(view)
        }
    }

    // MARK: Steps

    /// A step of a pattern is a small one: four are one of the code's.
    private static let patternSteps = 4

    private static func steps(_ left: Int) -> PatternSteps {
        PatternSteps(left: min(max(left, 0), PatternLimits.stepsMax / patternSteps) * patternSteps)
    }

    private func take(_ steps: PatternSteps, _ stepsLeft: inout Int) throws(ResolverError) {
        stepsLeft -= (Self.steps(stepsLeft).remaining - steps.remaining) / Self.patternSteps
        guard !steps.areExhausted else {
            throw .fault("The regular expression '\(text.prefix(100))' takes too long on this text.")
        }
    }

    private static func tooLong(_ bytesMax: Int) -> ResolverError {
        .fault("A text would have more than \(bytesMax) bytes.")
    }
}

/// What Java's `Matcher.replaceAll` puts in the place of a match.
private struct ReplacementText {
    enum Part {
        case text(String)
        case group(Int)
    }

    private(set) var parts: [Part] = []

    init(_ text: String, _ finder: PatternFinder) throws(ResolverError) {
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        func flush(_ parts: inout [Part]) {
            if !plain.isEmpty { parts.append(.text(String(plain))) }
            plain.removeAll()
        }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard let next = rest.popFirst() else { throw .fault("character to be escaped is missing") }
                plain.append(next)
            case "$":
                let group = try Self.group(&rest, finder)
                flush(&parts)
                parts.append(.group(group))
            default: plain.append(scalar)
            }
        }
        flush(&parts)
    }

    /// `1`, `12` where there are so many groups, `{name}`
    private static func group(
        _ rest: inout Substring.UnicodeScalarView, _ finder: PatternFinder
    ) throws(ResolverError) -> Int {
        if rest.first == "{" {
            let name = rest.dropFirst().prefix { $0 != "}" }
            guard rest.count > name.count + 1 else { throw .fault("named capturing group is missing trailing '}'") }
            guard let group = finder.names[String(String.UnicodeScalarView(name))] else {
                throw .fault("No group with name {\(String(String.UnicodeScalarView(name)).prefix(100))}")
            }
            rest = rest.dropFirst(name.count + 2)
            return group
        }
        func digit(_ scalar: Unicode.Scalar?) -> Int? {
            scalar.flatMap { ("0"..."9").contains($0) ? Int($0.value) - 0x30 : nil }
        }
        guard var group = digit(rest.first) else { throw .fault("Illegal group reference") }
        rest.removeFirst()
        guard group <= finder.groupCount else { throw .fault("No group \(group)") }
        while let next = digit(rest.first), group * 10 + next <= finder.groupCount {
            group = group * 10 + next
            rest.removeFirst()
        }
        return group
    }
}
