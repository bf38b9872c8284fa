import Testing

@Suite("Statements of rooms")
struct RoomStatementTests {
    /// What PostgreSQL does not have, or reads otherwise: a pattern of words, each with a statement that has it. In a pattern `…` is anything,
    /// `?` a parameter and `n` a number.
    static let foreign: [(pattern: String, example: String, instead: String)] = [
        ("INSERT OR", "INSERT OR IGNORE INTO t (a) VALUES (?)", "ON CONFLICT (…) DO NOTHING or DO UPDATE"),
        ("REPLACE INTO", "REPLACE INTO t (a) VALUES (?)", "ON CONFLICT (…) DO UPDATE"),
        ("UPDATE OR", "UPDATE OR IGNORE t SET a = ?", "a condition"),
        ("rowid", "SELECT rowid FROM t", "a column of its own"),
        ("_rowid_", "SELECT _rowid_ FROM t", "a column of its own"),
        ("oid", "SELECT oid FROM t", "a column of its own"),
        ("GLOB", "SELECT a FROM t WHERE a GLOB ?", "substr(a, 1, n) = ?"),
        ("REGEXP", "SELECT a FROM t WHERE a REGEXP ?", "a walk"),
        ("MATCH", "SELECT a FROM t WHERE t MATCH ?", "a search"),
        ("PRAGMA", "PRAGMA user_version", "nothing"),
        ("IS ?", "SELECT a FROM t WHERE a IS ?", "a = ? OR …"),
        ("IS NOT ?", "SELECT a FROM t WHERE a IS NOT ?", "a <> ? OR …"),
        ("? IS NULL", "SELECT a FROM t WHERE ?1 IS NULL OR a = ?1", "CAST(?1 AS TEXT) IS NULL"),
        ("LIMIT - n", "SELECT a FROM t LIMIT -1 OFFSET ?", "a limit"),
        ("= =", "SELECT a FROM t WHERE a == ?", "="),
        ("ifnull (", "SELECT ifnull(a, 0) FROM t", "coalesce"),
        ("iif (", "SELECT iif(a, 1, 0) FROM t", "CASE"),
        ("total (", "SELECT total(a) FROM t", "coalesce(sum(a), 0)"),
        ("group_concat (", "SELECT group_concat(a) FROM t", "rows"),
        ("instr (", "SELECT instr(a, 'b') FROM t", "substr"),
        ("typeof (", "SELECT typeof(a) FROM t", "a column's type"),
        ("printf (", "SELECT printf('%d', a) FROM t", "numbers"),
        ("hex (", "SELECT hex(a) FROM t", "bytes"),
        ("quote (", "SELECT quote(a) FROM t", "bytes"),
        ("random (", "SELECT random()", "a parameter"),
        ("changes (", "SELECT changes()", "what change answers"),
        ("last_insert_rowid (", "SELECT last_insert_rowid()", "lastRowNumber"),
        ("julianday (", "SELECT julianday('now')", "a parameter"),
        ("strftime (", "SELECT strftime('%s', 'now')", "a parameter"),
        ("datetime (", "SELECT datetime('now')", "a parameter"),
        ("unixepoch (", "SELECT unixepoch()", "a parameter"),
        ("max ( … , … )", "UPDATE t SET a = max(a, 1)", "CASE"),
        ("min ( … , … )", "UPDATE t SET a = min(a - 1, (b))", "CASE"),
        ("sum ( … = … )", "SELECT sum(a = 1) FROM t", "count(*) FILTER (WHERE …)"),
        ("sum ( … < … )", "SELECT sum(a < 1) FROM t", "count(*) FILTER (WHERE …)"),
        ("sum ( … > … )", "SELECT sum(a > 1) FROM t", "count(*) FILTER (WHERE …)"),
        ("FROM ( … ) !AS", "SELECT count(*) FROM (SELECT 1 FROM t LIMIT ?) WHERE a = 1", "a name: (…) AS found"),
        ("CROSS JOIN … ON", "SELECT a FROM t CROSS JOIN u ON u.a = t.a WHERE t.b = ?", "CROSS JOIN … WHERE"),
        ("BEGIN", "CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; END", "a text of the server's own"),
    ]

    /// Functions and tables of SQLite by how their names begin.
    static let foreignBeginnings = ["sqlite_", "json_", "jsonb_", "pragma_", "fts5"]

    @Test("are in words of SQLite's that PostgreSQL has too, or have two texts")
    func common() {
        #expect(StatementSources.all.count > 500)
        for statement in StatementSources.all where statement.server == nil {
            #expect(Self.problem(with: statement.text) == nil, "\(statement.place)")
        }
    }

    @Test("that only SQLite takes are found", arguments: foreign.indices)
    func foreignWords(row: Int) {
        let (pattern, example, instead) = Self.foreign[row]
        #expect(Self.problem(with: example) == "\(pattern): \(instead)")
    }

    @Test("of names that SQLite keeps for itself are found, and those with double quotes and letters in patterns")
    func names() {
        for (example, isFine) in [
            ("SELECT seq FROM sqlite_sequence", false), ("SELECT value FROM json_each(?)", false),
            (#"SELECT a FROM t WHERE a = "b""#, false), ("SELECT a FROM t WHERE a LIKE '%.fifo'", false),
            ("SELECT a FROM t WHERE a LIKE '%:%'", true), ("SELECT json FROM t WHERE a = 'json_each'", true),
            ("SELECT max(a) FROM t WHERE b IN (?, ?)", true), ("SELECT a FROM (SELECT a, b FROM t) AS u", true),
            ("CREATE TABLE t (a TEXT PRIMARY KEY) STRICT, WITHOUT ROWID", true),
        ] {
            #expect((Self.problem(with: example) == nil) == isFine, "\(example)")
        }
    }

    // MARK: Words

    /// Why PostgreSQL does not take a statement; nil where nothing is known.
    static func problem(with text: String) -> String? {
        let words = words(of: text)
        for word in words {
            if word.utf8.first == UInt8(ascii: "\"") { return "double quotes" }
            if foreignBeginnings.contains(where: { word.utf8.starts(with: $0.utf8) }) { return word }
        }
        for (place, word) in words.enumerated() where word == "LIKE" && place + 1 < words.count {
            if words[place + 1].contains(where: \.isLetter) {
                return "LIKE with letters, which SQLite compares whatever their case"
            }
        }
        for (pattern, _, instead) in foreign {
            let parts = pattern.split(separator: " ").map(String.init)
            for start in words.indices where words[start] == parts[0] && (start == 0 || words[start - 1] != "WITHOUT") {
                if meets(words[start...], parts[...]) { return "\(pattern): \(instead)" }
            }
        }
        return nil
    }

    /// Whether words begin with a pattern.
    private static func meets(_ words: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
        guard let part = pattern.first else { return true }
        let rest = pattern.dropFirst()
        if part.first == "!" {
            // What has to come, and does not.
            return words.first.map { $0 != String(part.dropFirst()) } ?? true
        }
        if part != "…" {
            guard let word = words.first, word == part || part == "n" && word.allSatisfy(\.isNumber) else {
                return false
            }
            return meets(words.dropFirst(), rest)
        }
        // Anything within the same parentheses, up to the next part.
        var depth = 0
        for place in words.indices {
            if depth == 0, words[place] == rest.first { return meets(words[place...], rest) }
            if words[place] == "(" { depth += 1 }
            if words[place] == ")" { depth -= 1 }
            if depth < 0 || depth == 0 && rest.first == "ON" && words[place] == "WHERE" { return false }
        }
        return false
    }

    /// Words, signs and quoted texts; parameters are `?`.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for character in text {
            if let open = quote {
                word.append(character)
                if character == open {
                    quote = nil
                    end()
                }
            } else if character == "'" || character == "\"" {
                end()
                quote = character
                word.append(character)
            } else if character.isLetter || character == "_" || character.isNumber && words.last != "?" {
                word.append(character)
            } else if character.isNumber {
                continue
            } else {
                end()
                if !character.isWhitespace { words.append(String(character)) }
            }
        }
        end()
        return words
    }
}
