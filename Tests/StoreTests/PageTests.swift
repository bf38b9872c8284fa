import Blueprint
import Crypto
import TestSupport
import Testing

@testable import Store

@Suite("A page")
struct PageTests {
    static let schema = """
        type Note @model {
          id: ID! title: String likes: Int
          folder: String @index(name: "byFolder") @index(name: "byFolderAndLikes", sortKeyFields: ["likes"]) @index(name: "byFolderAndBoth", sortKeyFields: ["title", "likes"])
        }
        type Part @model { whole: ID! @primaryKey(sortKeyFields: ["number"]) number: Int! name: String }
        """

    /// Walks all pages of a query and answers with the ids.
    private func walk(_ query: ListQuery, in store: Store, pageMax: Int = 1_000) throws -> (ids: [String], sizes: [Int])
    {
        var ids: [String] = []
        var sizes: [Int] = []
        var position: ListQuery.Position?
        repeat {
            let page = ListQuery(
                query.table, fields: query.fields, key: query.key, isDescending: query.isDescending,
                filter: query.filter, limit: query.limit, semantics: query.semantics, after: position)
            let (rows, next) = try store.values(page)
            ids += rows.map { if case .text(let id) = $0[0] { id } else { "?" } }
            sizes.append(rows.count)
            // Every position survives its way through a token.
            position = try next.map {
                try store.cursors.position(of: store.cursors.token(of: $0, scope: [1]), scope: [1])
            }
        } while position != nil && sizes.count < pageMax
        return (ids, sizes)
    }

    private func fill(_ store: Store, count: Int) async throws {
        for number in 0..<count {
            try await store.create(
                "Note",
                [
                    "id": .text("\(number)"), "title": .text("t\(number % 3)"),
                    "likes": number % 5 == 4 ? .null : .integer(Int64(number * 7 % 12)),
                    "folder": .text(number % 2 == 0 ? "even" : "odd"),
                ])
        }
    }

    @Test("comes in the order of creation, and counts what was read, or what matches")
    func semantics() async throws {
        let store = try Store.opened(Self.schema)
        try await fill(store, count: 10)
        let table = try store.table("Note")
        let filter = Predicate.field("title", .equal(.value("t0")))
        let appsync = try walk(ListQuery(table, fields: ["id"], filter: filter, limit: 5), in: store)
        #expect(appsync.ids == ["0", "3", "6", "9"])
        // The reading stopped at the limit twice, so there is a third, empty page.
        #expect(appsync.sizes == [2, 2, 0])
        let filled = try walk(ListQuery(table, fields: ["id"], filter: filter, limit: 2, semantics: .filled), in: store)
        #expect(filled.ids == ["0", "3", "6", "9"])
        #expect(filled.sizes == [2, 2])
        try store.close()
    }

    @Test("of an index is ordered by its sort field, either way, and leaves out records without one")
    func index() async throws {
        let store = try Store.opened(Self.schema)
        try await fill(store, count: 20)
        let table = try store.table("Note")
        let key = try #require(table.index(named: "byFolderAndLikes"))
        func ids(_ sort: KeyQuery.SortCondition?, descending: Bool = false) throws -> [String] {
            let query = ListQuery(
                table, fields: ["id"], key: KeyQuery(key, partition: "even", sort: sort), isDescending: descending,
                limit: 3)
            return try walk(query, in: store).ids
        }
        // Even numbers without those whose likes are null (4, 14), by number * 7 % 12.
        let likes: [String: Int] = ["0": 0, "2": 2, "6": 6, "8": 8, "10": 10, "12": 0, "16": 4, "18": 6]
        let expected = ["0", "12", "2", "16", "6", "18", "8", "10"]
        #expect(try ids(nil) == expected)
        #expect(try ids(nil, descending: true) == Array(expected.reversed()))
        #expect(try ids(.compare(.greaterOrEqual, .integer(6))) == expected.filter { likes[$0, default: 0] >= 6 })
        #expect(
            try ids(.between(.integer(2), .integer(6))) == expected.filter { (2...6).contains(likes[$0, default: 0]) })
        #expect(try ids(.compare(.equal, .integer(0))) == expected.filter { likes[$0, default: 0] == 0 })
        try store.close()
    }

    @Test("of several sort fields is ordered by their text, in which 10 comes before 9")
    func composite() async throws {
        let store = try Store.opened(Self.schema)
        for (id, title, likes) in [("a", "x", 9), ("b", "x", 10), ("c", "xy", 1), ("d", "w", 5)] {
            try await store.create(
                "Note", ["id": .text(id), "title": .text(title), "likes": .integer(Int64(likes)), "folder": "f"])
        }
        let table = try store.table("Note")
        let key = try #require(table.index(named: "byFolderAndBoth"))
        func ids(_ query: KeyQuery?) throws -> [String] {
            let query = try #require(query)
            return try walk(ListQuery(table, fields: ["id"], key: query, limit: 2), in: store).ids
        }
        #expect(try ids(KeyQuery(key, partition: "f")) == ["d", "b", "a", "c"])
        #expect(try ids(KeyQuery(key, partition: "f", sort: .beginsWith("x#"))) == ["b", "a"])
        #expect(try ids(KeyQuery(key, partition: "f", sort: .beginsWith("x#1"))) == ["b"])
        #expect(try ids(KeyQuery(key, startingWith: ["f", "x"])) == ["b", "a"])
        #expect(try ids(KeyQuery(key, startingWith: ["f", "x", .integer(9)])) == ["a"])
        #expect(KeyQuery(key, startingWith: ["f", .null]) == nil)
        #expect(KeyQuery(key, startingWith: ["f", "x", .integer(9), "more"]) == nil)
        try store.close()
    }

    @Test("of a key with a sort field finds the records of one partition, and one record by both")
    func primaryKey() async throws {
        let store = try Store.opened(Self.schema)
        for number in [10, 9, 1] {
            try await store.create(
                "Part", ["whole": "w", "number": .integer(Int64(number)), "name": .text("\(number)")])
            try await store.create("Part", ["whole": "v", "number": .integer(Int64(number)), "name": "other"])
        }
        #expect(try await !store.create("Part", ["whole": "w", "number": .integer(9)]))
        let table = try store.table("Part")
        let query = ListQuery(
            table, fields: ["name"], key: KeyQuery(try #require(table.primaryKey), partition: "w"), limit: 2)
        #expect(try walk(query, in: store).ids == ["1", "9", "10"])
        var name = ""
        let lookup = KeyLookup(table, fields: ["name"])
        _ = try store.reader().get(lookup, key: ["w", .integer(9)]) { row throws(StoreError) in name = row.text(0) }
        #expect(name == "9")
        #expect(throws: StoreError.self) { try store.reader().get(lookup, key: ["w"]) { _ throws(StoreError) in } }
        try store.close()
    }

    @Test("goes through an index, never through the whole table, and sorts nothing")
    func plans() async throws {
        let store = try Store.opened(Self.schema)
        let table = try store.table("Note")
        let connection = try Connection.open(path: store.path, mode: .reader)
        let position = ListQuery.Position(sort: .integer(1), row: 1)
        for key in table.keys.dropFirst() {
            for after in [nil, position] {
                let query = ListQuery(
                    table, fields: ["id"], key: KeyQuery(key, partition: "x"), isDescending: true, limit: 10,
                    after: after)
                let list = try query.prepared()
                var steps: [String] = []
                try connection.query(SQLText("EXPLAIN QUERY PLAN \(list.sql)"), list.values) { row throws(StoreError) in
                    steps.append(row.text(3))
                    return true
                }
                #expect(steps.count == 1 && steps[0].contains("USING INDEX Note by"), "\(key.name): \(steps)")
            }
        }
        try store.close()
    }

    @Test("of records that one of several owners has is merged, page by page, from what each of them has")
    func merged() async throws {
        let store = try Store.opened(Self.schema)
        try await fill(store, count: 30)
        let table = try store.table("Note")
        let choice = Predicate.field("folder", .isOneOf(["odd", "none", "even"]))
        let title = Predicate.field("title", .equal(.value("t0")))
        let cases: [(Predicate, (Int) -> Bool)] = [
            (choice, { _ in true }), (.all([title, .any([choice])]), { $0 % 3 == 0 }),
            (.field("folder", .isOneOf(["odd", "none"])), { $0 % 2 == 1 }),
            (.field("folder", .isOneOf(["none", "nobody"])), { _ in false }),
            (.not(.field("folder", .isOneOf(["odd", "none"]))), { $0 % 2 == 0 }),
            (.any([.field("folder", .isOneOf(["odd", "none"])), title]), { $0 % 2 == 1 || $0 % 3 == 0 }),
        ]
        for (filter, isMet) in cases {
            for limit in [1, 4, 7, 100] {
                for isDescending in [false, true] {
                    let query = ListQuery(
                        table, fields: ["id"], isDescending: isDescending, filter: filter, limit: limit,
                        semantics: .filled)
                    let found = try walk(query, in: store)
                    let expected = (0..<30).filter(isMet).map { "\($0)" }
                    #expect(found.ids == (isDescending ? expected.reversed() : expected))
                    #expect(found.sizes.dropLast().allSatisfy { $0 == limit })
                }
            }
        }
        let connection = try Connection.open(path: store.path, mode: .reader)
        let list = try ListQuery(
            table, fields: ["id"], filter: choice, limit: 10, semantics: .filled,
            after: ListQuery.Position(sort: .null, row: 3)
        ).prepared()
        var steps: [String] = []
        try connection.query(SQLText("EXPLAIN QUERY PLAN \(list.sql)"), list.values) { row throws(StoreError) in
            steps.append(row.text(3))
            return true
        }
        #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0 == "SCAN Note" }, "\(steps)")
        try store.close()
    }

    @Test("of one parent after the other is prepared once, also when they are nested")
    func relation() async throws {
        let store = try Store.opened(Self.schema)
        try await fill(store, count: 12)
        let table = try store.table("Note")
        let key = try #require(table.index(named: "byFolder"))
        let reader = try store.reader()
        for semantics in [ListQuery.Semantics.appsync, .filled] {
            let query = ListQuery(
                table, fields: ["id"], key: KeyQuery(key, partition: .null),
                filter: .field("likes", .notEqual(.null)), limit: 4, semantics: semantics)
            var list = try query.prepared()
            let count = reader.statementCount
            var ids: [String] = []
            for folder in ["odd", "even", "none"] {
                list.move(to: .text(folder))
                var inner = list
                inner.move(to: "odd")
                _ = try reader.list(list) { row throws(StoreError) in
                    ids.append(row.text(0))
                    let page = try reader.list(inner) { _ throws(StoreError) in }
                    #expect(page.matchCount > 0)
                }
            }
            let expected =
                semantics == .appsync ? ["1", "3", "5", "7", "0", "2", "6"] : ["1", "3", "5", "7", "0", "2", "6", "8"]
            #expect(ids == expected)
            #expect(reader.statementCount == count + 1)
        }
        try store.close()
    }

    @Test("is one of a walk that finds every record once, while others are written")
    func walking() async throws {
        var random = SeededRandom(test: "PageTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 10) {
            let store = try Store.opened(Self.schema)
            let count = Int.random(in: 0...40, using: &random)
            try await fill(store, count: count)
            let table = try store.table("Note")
            let key =
                Bool.random(using: &random) ? table.index(named: "byFolderAndLikes") : table.index(named: "byFolder")
            let isDescending = Bool.random(using: &random)
            let limit = Int.random(in: 1...9, using: &random)
            for semantics in [ListQuery.Semantics.appsync, .filled] {
                let whole = ListQuery(
                    table, fields: ["id"], key: key.map { KeyQuery($0, partition: "even") }, isDescending: isDescending,
                    limit: 1_000, semantics: semantics)
                let expected = try walk(whole, in: store).ids
                var found: [String] = []
                var position: ListQuery.Position?
                repeat {
                    let page = ListQuery(
                        table, fields: ["id"], key: whole.key, isDescending: isDescending, limit: limit,
                        semantics: semantics, after: position)
                    let (rows, next) = try store.values(page)
                    #expect(rows.count <= limit)
                    found += rows.map { if case .text(let id) = $0[0] { id } else { "?" } }
                    position = next
                    // Not for ever: a walk of one record a page would be overtaken by one new record a page.
                    if found.count < 100 {
                        let new = "new\(random.next())"
                        try await store.create(
                            "Note", ["id": .text(new), "likes": .integer(3), "folder": "even", "title": "n"])
                    }
                    if let last = found.last {
                        _ = try await store.update("Note", key: [.text(last)], ["title": "seen"])
                    }
                } while position != nil && found.count < 500
                let old = found.filter { !$0.hasPrefix("new") }
                #expect(old == expected.filter { !$0.hasPrefix("new") })
                #expect(Set(found).count == found.count)
            }
            try store.close()
        }
    }
}

@Suite("A cursor")
struct CursorTests {
    static let positions: [ListQuery.Position] = [
        .init(sort: .null, row: 1), .init(sort: .integer(.min), row: .max), .init(sort: .real(-0.5), row: 7),
        .init(sort: "", row: 2), .init(sort: .text(String(repeating: "é#", count: 100)), row: 3),
    ]

    @Test("comes back as it was", arguments: positions)
    func roundTrip(_ position: ListQuery.Position) throws {
        let seal = CursorSeal(key: Array(repeating: 7, count: 32))
        let token = seal.token(of: position, scope: Array("listNotes".utf8))
        #expect(try seal.position(of: token, scope: Array("listNotes".utf8)) == position)
    }

    @Test("shows nothing of the record that it stands for")
    func secret() throws {
        let seal = CursorSeal(key: Array(repeating: 7, count: 32))
        let token = seal.token(of: .init(sort: "confidential", row: 1), scope: [])
        let bytes = try #require(Base64.bytes(of: token.utf8))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("confid"))
    }

    @Test("shows no repetition of what it stands for, and none between tokens")
    func keystream() throws {
        let seal = CursorSeal(key: Array(repeating: 7, count: 32))
        var blocks: Set<[UInt8]> = []
        for row: Int64 in 0..<4 {
            let text = StoredValue.text(String(repeating: "a", count: 1_000))
            let bytes = try #require(Base64.bytes(of: seal.token(of: .init(sort: text, row: row), scope: []).utf8))
            for start in stride(from: 64, to: bytes.count - 32, by: 32) {
                #expect(blocks.insert(Array(bytes[start..<start + 32])).inserted)
            }
        }
        #expect(blocks.count > 100)
    }

    @Test("is worth nothing with another key, another scope, or any change", arguments: positions)
    func forged(_ position: ListQuery.Position) throws {
        let seal = CursorSeal(key: Array(repeating: 7, count: 32))
        let token = seal.token(of: position, scope: [1, 2])
        let other = CursorSeal(key: Array(repeating: 8, count: 32))
        func isRefused(_ token: String, by seal: CursorSeal, scope: [UInt8]) -> Bool {
            do {
                _ = try seal.position(of: token, scope: scope)
                return false
            } catch { return error == CursorSeal.invalid }
        }
        #expect(isRefused(token, by: other, scope: [1, 2]))
        #expect(isRefused(token, by: seal, scope: [1]))
        #expect(isRefused(token, by: seal, scope: []))
        for text in ["", "A", "!!!!", token + "A", String(token.dropLast()), String(repeating: "A", count: 2 << 20)] {
            #expect(isRefused(text, by: seal, scope: [1, 2]))
        }
        let characters = Array(token.utf8)
        for index in characters.indices {
            var changed = characters
            // Every bit that a character stands for, the last one's too, which may have some that no byte needs.
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            let value = try #require(alphabet.firstIndex(of: characters[index]))
            for bit in 0..<6 {
                changed[index] = alphabet[value ^ 1 << bit]
                #expect(isRefused(String(decoding: changed, as: UTF8.self), by: seal, scope: [1, 2]))
            }
        }
    }

    @Test("a token for one scope is none for another, however both could be put together from the same bytes")
    func borders() throws {
        let seal = CursorSeal(key: Array(repeating: 7, count: 32))
        let bytes = Array("listNotes and what follows it in the token".utf8)
        for border in 0..<bytes.count - 1 {
            let plain = Array(bytes[border...])
            let token = try #require(Base64.bytes(of: seal.token(of: plain, scope: Array(bytes[..<border])).utf8))
            #expect(try seal.plain(of: Base64.text(of: token), scope: Array(bytes[..<border])) == plain)
            // Who knows what a token holds knows the bytes that it was combined with, and can put other ones in.
            let stream = zip(token.dropFirst(16), plain).map { $0 ^ $1 }
            for other in border + 1..<bytes.count {
                let forged = token.prefix(16) + zip(bytes[other...], stream).map { $0 ^ $1 }
                #expect(throws: CursorSeal.invalid) {
                    _ = try seal.plain(of: Base64.text(of: Array(forged)), scope: Array(bytes[..<other]))
                }
            }
        }
    }
}
