import JSON
import TestSupport
import Testing

@testable import Store

@Suite("A search")
struct SearchTests {
    static let schema = """
        enum Color { RED GREEN }
        type Book @model @searchable { id: ID! title: String pages: Int price: Float isOpen: Boolean tags: [String] marks: [Int] color: Color published: AWSDate value: [String] meta: AWSJSON }
        """

    static let titles: [(id: String, title: String)] = [
        ("1", "The quick brown Fox"), ("2", "A brown bear, quickly"), ("3", "don't panic"), ("4", "École d'été 3.5"),
        ("5", "東京タワー"), ("6", "foo_bar foo-baz"), ("7", ""), ("8", "fox \u{0} \"quoted\" AND NOT (x)*"),
    ]

    private func library() async throws -> Store {
        let store = try Store.opened(Self.schema)
        for (id, title) in Self.titles {
            try await store.create(
                "Book",
                [
                    "id": .text(id), "title": .text(title), "tags": #"["red wine","Blue"]"#, "color": "RED",
                    "value": #"["x"]"#, "published": "2020-01-01",
                ])
        }
        return store
    }

    static let matches: [(field: String, condition: SearchCondition, ids: String)] = [
        ("title", .match("FOX"), "1 8"), ("title", .match("bear fox"), "1 2 8"), ("title", .match("quick"), "1"),
        ("title", .match("don't"), "3"), ("title", .match("don"), ""), ("title", .match("école"), "4"),
        ("title", .match("ecole"), ""), ("title", .match("3.5"), "4"), ("title", .match("3"), ""),
        ("title", .match("京"), "5"), ("title", .match("foo"), "6"), ("title", .match("foo_bar"), "6"),
        ("title", .match(""), ""), ("title", .match(" ,."), ""), ("title", .match("\" OR \"x"), "8"),
        ("title", .match("fox\" OR title : \"x NOT NEAR("), "1 8"), ("title", .match("title"), ""),
        ("title", .multiMatch("Bear"), "2"),
        ("title", .matchPhrase("quick brown"), "1"), ("title", .matchPhrase("brown quick"), ""),
        ("title", .matchPhrase("東京"), "5"), ("title", .matchPhrase("foo baz"), "6"), ("title", .matchPhrase(""), ""),
        ("title", .matchPhrasePrefix("quick bro"), "1"), ("title", .matchPhrasePrefix("qui"), "1 2"),
        ("title", .matchPhrasePrefix("uick"), ""),
        ("tags", .match("wine"), "1 2 3 4 5 6 7 8"), ("tags", .matchPhrase("wine blue"), ""),
        ("tags", .equal("Blue"), "1 2 3 4 5 6 7 8"), ("tags", .equal("blue"), ""), ("tags", .notEqual("Blue"), ""),
        ("value", .equal("x"), "1 2 3 4 5 6 7 8"), ("value", .wildcard("y"), ""),
        ("color", .match("red"), "1 2 3 4 5 6 7 8"), ("color", .equal("red"), ""),
        ("published", .match("2020-01-01"), "1 2 3 4 5 6 7 8"), ("published", .match("2020"), ""),
        ("published", .matchPhrasePrefix("2020-"), "1 2 3 4 5 6 7 8"), ("id", .match("3"), "3"),
        ("title", .equal("don't panic"), "3"), ("title", .equal("Don't panic"), ""), ("title", .equal(""), "7"),
        ("title", .notEqual("don't panic"), "1 2 4 5 6 7 8"), ("pages", .notEqual(.integer(1)), "1 2 3 4 5 6 7 8"),
        ("pages", .exists(false), "1 2 3 4 5 6 7 8"), ("title", .exists(true), "1 2 3 4 5 6 7 8"),
        ("title", .wildcard("*brown*"), "1 2"), ("title", .wildcard("The*"), "1"), ("title", .wildcard("the*"), ""),
        ("title", .wildcard("?on't panic"), "3"), ("title", .wildcard("*"), "1 2 3 4 5 6 7 8"),
        ("title", .wildcard("**タ**ー"), "5"), ("title", .wildcard("[a-z]*"), ""), ("title", .wildcard(""), "7"),
        ("title", .regexp("[a-z'_ -]+"), "3 6"), ("title", .regexp(".*(fox|Fox).*"), "1 8"),
        ("title", .regexp("@\\(x\\)\\*"), "8"), ("title", .regexp("foo"), ""), ("title", .regexp(".{0,11}"), "3 5 7"),
        ("tags", .regexp("B.ue"), "1 2 3 4 5 6 7 8"), ("missing", .match("x"), ""),
        ("missing", .notEqual("x"), "1 2 3 4 5 6 7 8"),
        ("id", .range("3", "5"), "3 4 5"), ("id", .range(.null, "2"), "1 2"), ("id", .compare(.greater, "6"), "7 8"),
    ]

    @Test("finds words, phrases, patterns and whole values")
    func matches() async throws {
        let store = try await library()
        for (field, condition, ids) in Self.matches {
            let found = try store.ids("Book", where: .field(field, .search(condition)))
            #expect(found == ids.split(separator: " ").map(String.init), "\(field) \(condition)")
            let others = try store.ids("Book", where: .not(.field(field, .search(condition))))
            #expect(others == Self.titles.map(\.id).filter { !found.contains($0) }, "not \(field) \(condition)")
        }
        try store.close()
    }

    @Test("sees what was changed, deleted and undone, and nothing else")
    func upkeep() async throws {
        let store = try await library()
        func ids(_ word: String) throws -> [String] {
            try store.ids("Book", where: .field("title", .search(.match(word))))
        }
        try await store.update("Book", key: ["1"], ["title": "slow snail"])
        #expect(try ids("fox") == ["8"] && ids("snail") == ["1"])
        try await store.update("Book", key: ["1"], ["title": .null])
        #expect(try ids("snail").isEmpty)
        try await store.update("Book", key: ["1"], ["pages": .integer(3)])
        let table = try store.table("Book")
        let deletion = RecordChange.delete(from: table, key: ["8"], returning: [])
        #expect(
            try await store.writer.write(turn: .all, key: nil) { session throws(StoreError) in
                try session.apply(deletion) { _ throws(StoreError) in }
            })
        #expect(try ids("fox").isEmpty)
        // What a mutation did before it failed is gone from the index too.
        struct Undone: Error {}
        let creation = RecordChange.create(in: table, [.init("id", "9"), .init("title", "ghost")], returning: [])
        await #expect(throws: Undone.self) {
            try await store.writer.write(turn: .all, key: nil) { session in
                _ = try session.apply(creation) { _ throws(StoreError) in }
                throw Undone()
            }
        }
        #expect(try ids("ghost").isEmpty)
        #expect(
            try await store.writer.write(turn: .all, key: nil) { session throws(StoreError) in
                try session.apply(creation) { _ throws(StoreError) in }
            })
        #expect(try ids("ghost") == ["9"])
        try store.close()
    }

    @Test("of a model that becomes searchable has the records that are there, and again after every change")
    func migration() async throws {
        let folder = TestFolder()
        func open(_ fields: String, searchable: Bool = true, forcing: Set<ByteText> = []) throws -> Store {
            let directive = searchable ? "@searchable" : ""
            return try Store.opened(
                "type Note @model \(directive) { id: ID! \(fields) }", at: .file(folder.database), forcing: forcing)
        }
        func tables(_ store: Store) throws -> Int {
            let sql = SQLText("SELECT count(*) FROM sqlite_schema WHERE name LIKE '_homeport_search%'")
            guard case .integer(let count)? = try store.reader().connection.value(sql) else { return -1 }
            return Int(count)
        }
        let plain = try open("a: String b: String", searchable: false)
        try await plain.create("Note", ["id": "1", "a": "hello", "b": "world"])
        #expect(try tables(plain) == 0)
        try plain.close()
        let searchable = try open("a: String b: String")
        #expect(try searchable.ids("Note", where: .field("b", .search(.match("world")))) == ["1"])
        try await searchable.create("Note", ["id": "2", "a": "more", "b": "world"])
        try searchable.close()
        let wider = try open("a: String b: String c: [String]")
        try await wider.update("Note", key: ["1"], ["c": #"["deep"]"#])
        #expect(try wider.ids("Note", where: .field("c", .search(.match("deep")))) == ["1"])
        #expect(try wider.ids("Note", where: .field("b", .search(.match("world")))) == ["1", "2"])
        try wider.close()
        let narrower = try open("a: String c: [String]", forcing: ["Note.b"])
        #expect(try narrower.ids("Note", where: .field("a", .search(.match("hello more")))) == ["1", "2"])
        try narrower.close()
        let without = try open("a: String c: [String]", searchable: false)
        #expect(try tables(without) == 0)
        try without.close()
        _ = try open("a: String c: [String]").close()
        let gone = try Store.opened(
            "type Other @model { id: ID! }", at: .file(folder.database), forcing: ["Note"])
        #expect(try tables(gone) == 0)
        try gone.close()
    }

    @Test("agrees with a plain evaluation: filter, sort, pages, total and aggregates")
    func agrees() async throws {
        var random = SeededRandom(test: "SearchTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 15) {
            let store = try Store.opened(Self.schema)
            try await Self.agree(store, try store.reader(), using: &random)
            try store.close()
        }
    }

    /// Fills a store with random books, and compares what it finds with a plain evaluation.
    static func agree(_ store: Store, _ reader: Reader, using random: inout SeededRandom) async throws {
        let books = (0..<Int.random(in: 0...40, using: &random)).map { PlainBook.random($0, using: &random) }
        for book in books {
            let change = RecordChange.create(in: try store.table("Book"), book.assignments, returning: [])
            _ = try await store.writer.write(turn: .all, key: nil) { session throws(StoreError) in
                try session.apply(change) { _ throws(StoreError) in }
            }
        }
        let table = try store.table("Book")
        for _ in 0..<20 {
            let filter = PlainBook.randomFilter(depth: 2, using: &random)
            let matching = books.filter { $0.meets(filter) }
            let sort = PlainBook.randomSort(using: &random)
            let expected = PlainBook.sorted(matching, by: sort).map(\.id)
            #expect(try reader.count(of: table, where: filter) == matching.count)
            let whole = TextSearch(table, fields: ["id"], filter: filter, sort: sort)
            #expect(try walk(whole, reader, store) == expected, "\(filter) \(sort)")
            let limit = Int.random(in: 1...7, using: &random)
            let paged = TextSearch(table, fields: ["id"], filter: filter, sort: sort, limit: limit)
            #expect(try walk(paged, reader, store) == expected, "\(filter) \(sort) by \(limit)")
            let from = Int.random(in: 0...10, using: &random)
            let later = TextSearch(table, fields: ["id"], filter: filter, sort: sort, from: from, limit: limit)
            #expect(try walk(later, reader, store) == Array(expected.dropFirst(from)))
            for kind in SearchAggregate.Kind.allCases {
                for field in ["title", "pages", "price", "isOpen", "tags", "marks"] {
                    let aggregate = SearchAggregate(kind, of: field)
                    let found = try reader.aggregate(aggregate, of: table, where: filter)
                    let wanted = PlainBook.aggregate(aggregate, of: matching)
                    #expect(PlainBook.areNear(found, wanted), "\(aggregate): \(found), expected \(wanted)")
                }
            }
        }
    }

    private static func walk(_ search: TextSearch, _ reader: Reader, _ store: Store) throws -> [String] {
        var ids: [String] = []
        var after: TextSearch.Position?
        while true {
            let page = TextSearch(
                search.table, fields: search.fields, filter: search.filter, sort: search.sort, from: search.from,
                limit: search.limit, after: after)
            let outcome = try reader.search(page) { row throws(StoreError) in ids.append(row.text(0)) }
            guard let next = outcome.next else {
                #expect(outcome.matchCount == 0)
                return ids
            }
            let token = store.cursors.token(of: next, scope: [1])
            after = try store.cursors.searchPosition(of: token, scope: [1])
            #expect(throws: CursorSeal.invalid) { try store.cursors.searchPosition(of: token, scope: [2]) }
            #expect(throws: CursorSeal.invalid) { try store.cursors.position(of: token, scope: [1]) }
        }
    }

    static let words: [(text: String, words: String)] = [
        ("", ""), ("Hello, World!", "hello|world"), ("can't stop", "can't|stop"), ("'quoted'", "quoted"),
        ("3.5 1,000 v1.2", "3.5|1,000|v1.2"), ("a.b.c. d", "a.b.c|d"), ("foo_bar-baz", "foo_bar|baz"),
        ("user@example.com", "user|example.com"), ("日本語のテキスト", "日|本|語|の|テキスト"), ("Straße ÉTÉ", "straße|été"),
        ("e\u{301}a", "e\u{301}a"), ("👍 ok", "ok"), ("a\u{0}b\u{E000}c", "a|b|c"), ("한국어 문장", "한국어|문장"),
        ("one:two 3:4", "one:two|3|4"), ("it’s", "it’s"), ("--", ""),
    ]

    @Test("cuts text into words as OpenSearch does", arguments: words)
    func cuts(text: String, words: String) {
        #expect(SearchWords.words(of: text).joined(separator: "|") == words)
    }

    static let patterns: [(regexp: String, matching: [String], others: [String])] = [
        ("ab*c", ["ac", "abbc"], ["abcd", "xac", ""]), ("a|bc|", ["a", "bc", ""], ["b"]),
        ("(a|b)+", ["abab"], ["", "c"]),
        ("[^a-c]{2}", ["xy"], ["xa", "x", "xyz"]), ("a{2,3}", ["aa", "aaa"], ["a", "aaaa"]),
        ("a{2,}", ["aaaaa"], ["a"]),
        ("a{0}", [""], ["a"]), ("\"a.b\"c?", ["a.b", "a.bc"], ["axb"]), ("a\\.b", ["a.b"], ["axb"]), ("x#", [], ["x"]),
        ("a@", ["a", "abc"], ["ba"]), ("()*", [""], ["a"]), ("(a*)*b", ["aaab", "b"], ["a"]),
        ("[a\\]-]", ["a", "]", "-"], ["b"]), ("[a-c'x-z]", ["a", "b", "'", "y"], ["-", "d"]),
        ("[^a-c-]", ["d"], ["b", "-"]), ("é.", ["é👍"], ["e"]),
    ]

    @Test("reads Lucene's regular expressions", arguments: patterns)
    func reads(regexp: String, matching: [String], others: [String]) throws {
        let pattern = try TextPattern(regexp: regexp)
        for text in matching { #expect(pattern.describes(text) { _ in true } == true, "\(text)") }
        for text in others { #expect(pattern.describes(text) { _ in true } == false, "\(text)") }
    }

    @Test(
        "refuses an expression that is none, and one that stands for too much",
        arguments: [
            "(", ")", "[", "[]", "[b-a]", "*", "a{", "a{2", "a{3,2}", "\"a", "\\", "~a", "a&b", "<1-5>", "a{99999}",
            "((((a{9}){9}){9}){9}){9}", String(repeating: "(", count: 65) + String(repeating: ")", count: 65),
            String(repeating: "a", count: 1_001),
        ])
    func refuses(pattern: String) {
        #expect(throws: StoreError.self) { try TextPattern(regexp: pattern) }
    }

    @Test("gives up on a pattern that would take for ever, and takes time in proportion for others")
    func bounded() throws {
        let text = String(repeating: "a", count: 5_000)
        #expect(try TextPattern(wildcard: "*a*a*a*a*a*a*a*b").describes(text) { _ in true } == false)
        let pattern = try TextPattern(regexp: "(a*){500}b")
        var steps = 0
        let short = String(repeating: "a", count: 100)
        #expect(
            pattern.describes(short) {
                steps += $0; return true
            } == false)
        #expect(steps > 10_000)
        steps = 0
        #expect(
            pattern.describes(short) {
                steps += $0; return steps <= 10_000
            } == nil)
    }

    @Test("of too many words, conditions or fields to sort by is refused")
    func limits() async throws {
        let store = try Store.opened(Self.schema)
        let reader = try store.reader()
        let table = try store.table("Book")
        let words = String(repeating: "word ", count: StoreLimits.searchWordsMax + 1)
        #expect(throws: StoreError.self) {
            try reader.count(of: table, where: .field("title", .search(.match(words))))
        }
        #expect(
            try reader.count(of: table, where: .field("title", .search(.match(String(words.dropLast(5)))))) == 0)
        let many = Array(
            repeating: Predicate.field("title", .search(.wildcard("*a*"))), count: StoreLimits.filterPatternsMax)
        #expect(try reader.count(of: table, where: .any(many)) == 0)
        for pattern in [SearchCondition.wildcard("b"), .regexp("b")] {
            #expect {
                try reader.count(of: table, where: .any(many + [.field("title", .search(pattern))]))
            } throws: {
                ($0 as? StoreError)?.message == "a filter has more than 32 wildcards and regular expressions"
            }
        }
        let phrase = Array(repeating: "a", count: StoreLimits.phraseWordsMax)
        for (words, isTaken) in [(phrase, true), (phrase + ["a"], false)] {
            for condition in [SearchCondition.matchPhrase, SearchCondition.matchPhrasePrefix] {
                let filter = Predicate.field("title", .search(condition(words.joined(separator: " "))))
                #expect(((try? reader.count(of: table, where: filter)) != nil) == isTaken)
            }
        }
        let text = String(repeating: "w", count: 64 << 10)
        let count = StoreLimits.searchBytesMax / text.utf8.count
        for (count, isTaken) in [(count, true), (count + 1, false)] {
            let filter = Predicate.any(Array(repeating: .field("title", .search(.match(text))), count: count))
            #expect(((try? reader.count(of: table, where: filter)) != nil) == isTaken)
        }
        let sort = (0...StoreLimits.searchSortMax).map { _ in TextSearch.SortKey("title") }
        #expect(throws: StoreError.self) {
            try reader.search(TextSearch(table, fields: [], sort: sort)) { _ throws(StoreError) in }
        }
        let none = try reader.search(TextSearch(table, fields: ["id"], limit: 0)) { _ throws(StoreError) in }
        #expect(none.next == nil)
        try store.close()
    }

    @Test("counts numbers that are equal as one value, in the order of the database, and only so many bytes of values")
    func terms() throws {
        var terms = TermCounts()
        for value: StoredValue in ["b", .integer(2), .real(2), "a", .real(0.5), "B", "b"] { try terms.add(value) }
        #expect(terms.buckets.map { "\($0.key) \($0.count)" } == ["2 2", "b 2", "0.5 1", "B 1", "a 1"])
        let piece = [UInt8](repeating: 97, count: 4 << 20)
        for number in 0..<UInt8(StoreLimits.countedBytesMax >> 22) - 1 { try terms.add(.utf8(piece + [number])) }
        try terms.add(.utf8(piece + [0]))
        #expect { try terms.add(.utf8(piece + [255])) } throws: { ($0 as? StoreError)?.kind == .tooLarge }
    }
}
