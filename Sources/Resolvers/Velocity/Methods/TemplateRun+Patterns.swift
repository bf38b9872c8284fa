import JSON
import Patterns

/// Methods of texts that take a regular expression, in Java's syntax.
extension TemplateRun {
    /// Whether the whole text matches.
    func matches(_ pattern: String, _ text: String) throws(TemplateExit) -> Bool {
        try library { () throws(ResolverError) in try JavaPattern(pattern).matches(text, &call.stepsLeft) }
    }

    func replaced(
        _ text: String, pattern: String, _ new: String, isAll: Bool
    ) throws(TemplateExit) -> TemplateValue {
        let replaced = try library { () throws(ResolverError) in
            try JavaPattern(pattern).replacing(
                in: text, with: new, onlyFirst: !isAll, bytesMax: limits.resultBytesMax, &call.stepsLeft)
        }
        return try made(replaced)
    }

    /// Java's arrays of parts. Without a limit, empty ones at the end are left out; a limit of less than none keeps them.
    func split(_ text: String, _ pattern: String, limit: Int) throws(TemplateExit) -> TemplateValue {
        let parts = try library { () throws(ResolverError) in
            let expression = try JavaPattern(pattern)
            return limit == 0
                ? try expression.split(text, &call.stepsLeft) : try split(text, pattern, inParts: limit)
        }
        try hold(bytes: text.utf8.count)
        return try list(parts.map { .text($0) }, form: .array)
    }

    private func library<Result>(_ body: () throws(ResolverError) -> Result) throws(TemplateExit) -> Result {
        do throws(ResolverError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    /// At most so many parts, the last of which is the rest; as many as there are if the number is none.
    private func split(_ text: String, _ pattern: String, inParts partsMax: Int) throws(ResolverError) -> [String] {
        guard let finder = try? PatternFinder(pattern) else {
            throw .fault("'\(pattern.prefix(100))' is no regular expression.")
        }
        let all = min(max(call.stepsLeft, 0), PatternLimits.stepsMax)
        var steps = PatternSteps(left: all)
        let matches = finder.matches(in: text, &steps)
        call.stepsLeft -= all - steps.remaining
        guard let matches else {
            throw .fault("The regular expression '\(pattern.prefix(100))' takes too long on this text.")
        }
        let scalars = Array(text.unicodeScalars)
        func part(_ range: Range<Int>) -> String {
            String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)]))
        }
        var parts: [String] = []
        var end = 0
        // A match of nothing at the beginning separates nothing.
        for match in matches where match.range.upperBound > 0 {
            if partsMax > 0, parts.count == partsMax - 1 { break }
            parts.append(part(end..<match.range.lowerBound))
            end = match.range.upperBound
        }
        return parts + [part(end..<scalars.count)]
    }
}
