/// What a rule has found.
package struct SchemaFinding {
    package let error: SchemaError
    package let rule: any SchemaRule.Type
    /// The name that it is about, where somebody may have more to say about it.
    package let name: String?
    /// Where a walk through the document comes to it.
    fileprivate let place: Position
    /// That of the rule among those that are asked.
    fileprivate let order: Int
}

/// Collects what rules find.
package struct SchemaReport {
    private(set) var findings: [SchemaFinding] = []
    private var rule: any SchemaRule.Type = LoneSchemaDefinition.self
    private var order = 0
    /// Comparing with all names of a schema is for a person's eyes, and nobody reads more than this.
    private var suggestionsLeft = 100

    /// Has the document checked by rules, one after the other.
    mutating func check(_ document: SchemaDocument, by rules: [any SchemaRule.Type]) {
        for (number, rule) in rules.enumerated() {
            (self.rule, order) = (rule, number)
            rule.check(document, &self)
        }
    }

    /// In the order of one walk through the document: by place, and at each place by rule. What is nowhere is at the end.
    var findingsInOrder: [SchemaFinding] {
        guard findings.count > 1 else { return findings }
        func key(_ number: Int) -> (source: Int, offset: Int, order: Int, number: Int) {
            let place = findings[number].place
            return (place.isKnown ? place.source : .max, place.offset, findings[number].order, number)
        }
        return findings.indices.sorted { key($0) < key($1) }.map { findings[$0] }
    }

    /// What a writer may have meant, as a sentence with a space before it, or nothing.
    mutating func suggestion(
        for word: String, of candidates: @autoclosure () -> [String], kind: String = ""
    ) -> String {
        guard suggestionsLeft > 0 else { return "" }
        suggestionsLeft -= 1
        return Suggestions.didYouMean(word, among: candidates(), kind: kind)
    }

    package mutating func add(_ message: String, at positions: Position...) {
        add(message, at: positions)
    }

    /// The last position is that of what is wrong; others are those of what it contradicts. `place` is where a walk comes to
    /// it, where that is earlier.
    package mutating func add(
        _ message: String, at positions: [Position], of name: String? = nil, place: Position? = nil
    ) {
        findings.append(
            SchemaFinding(
                error: SchemaError(message, at: positions), rule: rule, name: name,
                place: place ?? positions.last ?? .none, order: order))
    }
}
