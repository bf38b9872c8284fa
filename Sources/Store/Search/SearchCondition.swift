import JSON

/// What a search asks of a field, in the meaning of OpenSearch: a list is its elements, and one that meets it is enough.
///
/// Words are those of `SearchWords`. What has no words in an index, such as a time, is compared as a whole.
package enum SearchCondition: Sendable, Equatable {
    case equal(StoredValue)
    /// Also true of a field without a value.
    case notEqual(StoredValue)
    case compare(Predicate.Comparison, StoredValue)
    /// Both ends included; an end that is null is open.
    case range(StoredValue, StoredValue)
    /// Null and the empty list are no values.
    case exists(Bool)
    /// One of the words is there.
    case match(String)
    /// The same: a filter names one field.
    case multiMatch(String)
    /// The words are there, one after the other.
    case matchPhrase(String)
    /// The same, and the last may be the start of a word.
    case matchPhrasePrefix(String)
    /// The whole value, with `*` for any text and `?` for a character.
    case wildcard(String)
    /// The whole value, by a regular expression of Lucene.
    case regexp(String)
}

extension PredicateWriter {
    mutating func write(_ condition: SearchCondition, of operand: ColumnOperand) throws(StoreError) {
        switch condition {
        case .equal(let value): write("=", value, of: operand)
        case .notEqual(let value):
            sql += "NOT \(dialect.ifNull)("
            write("=", value, of: operand)
            sql += ", \(dialect.fails))"
        case .compare(let comparison, let value): write(comparison.rawValue, value, of: operand)
        case .range(let low, let high): writeRange(low, high, of: operand)
        case .exists(let isWanted):
            let isThere = operand.isList ? "\(operand.size) > 0" : "\(operand.quoted) IS NOT NULL"
            sql += "\(isWanted ? "" : "NOT ")\(dialect.ifNull)(\(isThere), \(dialect.fails))"
        case .match(let text), .multiMatch(let text):
            // A word that is there twice asks for nothing more.
            let words = try words(of: text).eachOnce()
            guard dialect == .sqlite else { return writeServerWords(ServerWords.anyOf(words), text, of: operand) }
            try writeWords(words, words.map(Self.phrase).joined(separator: " OR "), text, of: operand)
        case .matchPhrase(let text):
            let words = try wordsOfPhrase(text)
            guard dialect == .sqlite else {
                return writeServerWords(ServerWords.phrase(words, isPrefix: false), text, of: operand)
            }
            try writeWords(words, Self.phrase(words.joined(separator: " ")), text, of: operand)
        case .matchPhrasePrefix(let text):
            let words = try wordsOfPhrase(text)
            guard dialect == .sqlite else {
                return writeServerWords(ServerWords.phrase(words, isPrefix: true), text, isPrefix: true, of: operand)
            }
            let phrase = Self.phrase(words.joined(separator: " ")) + " *"
            try writeWords(words, phrase, text, isPrefix: true, of: operand)
        case .wildcard(let pattern):
            let known = try TextPattern(wildcard: pattern)
            guard dialect == .sqlite else {
                return try writeServerPattern("LIKE", ServerPattern.like(wildcard: pattern), of: operand)
            }
            try write(SQLFunction.wildcard, pattern, known, of: operand)
        case .regexp(let pattern):
            let known = try TextPattern(regexp: pattern)
            guard dialect == .sqlite else {
                return try writeServerPattern("~", ServerPattern.expression(lucene: pattern), of: operand)
            }
            try write(SQLFunction.regexp, pattern, known, of: operand)
        }
    }

    private mutating func writeServerWords(
        _ words: String?, _ text: String, isPrefix: Bool = false, of operand: ColumnOperand
    ) {
        guard let index = table.searchIndex, let column = index.column(of: operand.column.field) else {
            return isPrefix ? writeBeginning(operand.text, with: text) : write("=", .text(text), of: operand)
        }
        guard let words else { return sql += dialect.fails }
        let row = SQLName.quoted(SQLName.row)
        sql +=
            "\(table.quotedName).\(row) IN (SELECT \(row) FROM \(SQLName.quoted(index.name)) "
            + "WHERE \(SQLName.quoted(column)) @@ CAST(\(parameter(.text(words))) AS tsquery))"
    }

    private mutating func writeServerPattern(
        _ word: String, _ pattern: String, of operand: ColumnOperand
    ) throws(StoreError) {
        try countPattern()
        writeForOne(operand, like: .text("")) { writer, one in
            writer.sql += "\(one) \(word) \(writer.parameter(.text(pattern)))"
        }
    }

    private mutating func countPattern() throws(StoreError) {
        patternCount += 1
        guard patternCount <= StoreLimits.filterPatternsMax else {
            throw StoreError(
                .tooLarge, "a filter has more than \(StoreLimits.filterPatternsMax) wildcards and regular expressions")
        }
    }

    /// The words of a text that is searched for. Finding them takes time in proportion to the text, and one variable may be
    /// the text of thousands of conditions.
    private mutating func words(of text: String) throws(StoreError) -> [String] {
        searchedBytes += text.utf8.count
        guard searchedBytes <= StoreLimits.searchBytesMax else {
            throw StoreError(
                .tooLarge,
                "the texts that a search looks for have more than \(StoreLimits.searchBytesMax) bytes together")
        }
        let words = SearchWords.words(of: text)
        guard words.count <= StoreLimits.searchWordsMax else {
            throw StoreError(.tooLarge, "a search has more than \(StoreLimits.searchWordsMax) words in a condition")
        }
        return words
    }

    /// A phrase is compared word by word at each place that its first word has in a record.
    private mutating func wordsOfPhrase(_ text: String) throws(StoreError) -> [String] {
        let words = try words(of: text)
        guard words.count <= StoreLimits.phraseWordsMax else {
            throw StoreError(.tooLarge, "a phrase of a search has more than \(StoreLimits.phraseWordsMax) words")
        }
        return words
    }

    /// Words have neither quotes nor white space in them.
    private static func phrase(_ words: String) -> String { "\"\(words)\"" }

    private mutating func write(_ word: String, _ value: StoredValue, of operand: ColumnOperand) {
        writeForOne(operand, like: value) { writer, one in writer.sql += "\(one) \(word) \(writer.parameter(value))" }
    }

    private mutating func writeRange(_ low: StoredValue, _ high: StoredValue, of operand: ColumnOperand) {
        // Between a text and a number there is nothing, and a server does not even compare them.
        if dialect == .postgres, !low.isNull, !high.isNull, low.isText != high.isText { return sql += dialect.fails }
        writeForOne(operand, like: low.isNull ? high : low) { writer, one in
            var ends: [String] = []
            if !low.isNull { ends.append("\(one) >= \(writer.parameter(low))") }
            if !high.isNull { ends.append("\(one) <= \(writer.parameter(high))") }
            writer.sql += ends.isEmpty ? "\(one) IS NOT NULL" : "(\(ends.joined(separator: " AND ")))"
        }
    }

    private mutating func write(
        _ function: SQLFunction, _ text: String, _ pattern: TextPattern, of operand: ColumnOperand
    ) throws(StoreError) {
        try countPattern()
        writeForOne(operand, like: .text("")) { writer, one in
            writer.sql += "\(function.name)(\(writer.parameter(.text(text))), \(one))"
        }
    }

    /// Writes a condition on the value, or on one of the list's elements.
    private mutating func writeForOne(
        _ operand: ColumnOperand, like value: StoredValue, _ body: (inout PredicateWriter, String) -> Void
    ) {
        guard operand.isList else { return body(&self, operand.comparable(with: value)) }
        guard dialect == .sqlite else {
            let one = value.isText ? ServerElement.text : ServerElement.number
            sql += "EXISTS (SELECT 1 FROM jsonb_array_elements(\(operand.document)) AS element(part) WHERE "
            body(&self, one)
            return sql += ")"
        }
        let types: String
        switch value {
        case .text, .utf8: types = "= 'text'"
        case .integer, .real: types = "IN ('integer', 'real', 'true', 'false')"
        case .null, .blob: types = "= ''"
        }
        sql += "EXISTS (SELECT 1 FROM json_each(\(operand.quoted)) AS element WHERE element.type \(types) AND "
        body(&self, "element.value")
        sql += ")"
    }

    private mutating func writeWords(
        _ words: [String], _ expression: String, _ text: String, isPrefix: Bool = false, of operand: ColumnOperand
    ) throws(StoreError) {
        guard let index = table.searchIndex, let column = index.column(of: operand.column.field) else {
            if isPrefix {
                return writeBeginning(operand.text, with: text)
            }
            return write("=", .text(text), of: operand)
        }
        guard !words.isEmpty else { return sql += "0" }
        let row = "\(table.quotedName).\(SQLName.quoted(SQLName.row))"
        let name = SQLName.quoted(index.name)
        let match = "\(SQLName.quoted(column)) : (\(expression))"
        sql += "\(row) IN (SELECT rowid FROM \(name) WHERE \(name) MATCH \(parameter(.text(match))))"
    }
}
