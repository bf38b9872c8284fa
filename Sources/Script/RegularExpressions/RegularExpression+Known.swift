import Synchronization

extension RegularExpression {
    private struct Key: Hashable {
        var pattern: [UInt16]
        var flags: RegularExpressionFlags
    }

    /// Patterns that were compiled lately. A literal in a function or a loop is evaluated again and again, each time to a
    /// new object; the program behind it is the same.
    private static let known = Mutex<[Key: RegularExpression]>([:])
    package static let knownMax = 256
    private static let knownPatternMax = 256

    /// The expression of a pattern, compiled now or before.
    package static func known(
        pattern: [UInt16], flags: RegularExpressionFlags
    ) throws(RegularExpressionSyntaxError) -> RegularExpression {
        guard pattern.count <= knownPatternMax else { return try RegularExpression(pattern: pattern, flags: flags) }
        let key = Key(pattern: pattern, flags: flags)
        if let expression = known.withLock({ $0[key] }) { return expression }
        let expression = try RegularExpression(pattern: pattern, flags: flags)
        known.withLock { known in
            // What is used comes back at once, so forgetting all of them is as good as choosing.
            if known.count >= knownMax { known.removeAll(keepingCapacity: true) }
            known[key] = expression
        }
        return expression
    }

    /// How many are remembered, for tests of the limit.
    static var knownCount: Int { known.withLock { $0.count } }
}
