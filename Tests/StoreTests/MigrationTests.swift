import Blueprint
import JSON
import TestSupport
import Testing

@testable import Store

@Suite("A migration")
struct MigrationTests {
    static let old = """
        type Post @model { id: ID! title: String! likes: Int note: String kind: Kind tags: [String] meta: AWSJSON }
        type Empty @model { id: ID! name: String }
        enum Kind { A B }
        """

    /// A new schema over two records of the old one, and what stands in its way: the names that force it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let schema: String
        let losses: [String: Int]
    }

    static let cases = [
        Case(
            testDescription: "a new model, field and index",
            schema: old.replacing("note:", with: "more: String @index(name: \"byMore\") note:")
                + "type Tag @model { id: ID! }",
            losses: [:]),
        Case(
            testDescription: "an empty model gone",
            schema:
                "type Post @model { id: ID! title: String! likes: Int note: String kind: String tags: [String] meta: AWSJSON }",
            losses: [:]),
        Case(
            testDescription: "an empty field gone",
            schema: "type Post @model { id: ID! title: String! likes: Int kind: String tags: [String] meta: AWSJSON }",
            losses: [:]),
        Case(
            testDescription: "integers become floats",
            schema:
                "type Post @model { id: ID! title: String! likes: Float note: String kind: String tags: [String] meta: AWSJSON }",
            losses: [:]),
        Case(
            testDescription: "integers become texts",
            schema:
                "type Post @model { id: ID! title: String! likes: String note: String kind: String tags: [String] meta: AWSJSON }",
            losses: [:]),
        Case(
            testDescription: "a model with records gone", schema: "type Empty @model { id: ID! }", losses: ["Post": 2]),
        Case(
            testDescription: "fields with values gone",
            schema: "type Post @model { id: ID! note: String kind: String meta: AWSJSON }",
            losses: ["Post.title": 2, "Post.likes": 1, "Post.tags": 1]),
        Case(
            testDescription: "texts become integers",
            schema:
                "type Post @model { id: ID! title: Int likes: Int note: String kind: String tags: [String] meta: AWSJSON }",
            losses: ["Post.title": 2]),
        Case(
            testDescription: "a list becomes a text",
            schema:
                "type Post @model { id: ID! title: String likes: Int note: String kind: String tags: String meta: AWSJSON }",
            losses: ["Post.tags": 1]),
        Case(
            testDescription: "a key that every record has once",
            schema:
                "type Post @model { id: ID! title: String! @primaryKey likes: Int note: String kind: String tags: [String] meta: AWSJSON }",
            losses: [:]),
        Case(
            testDescription: "a key that a record lacks",
            schema:
                "type Post @model { id: ID! title: String! likes: Int! @primaryKey note: String kind: String tags: [String] meta: AWSJSON }",
            losses: ["Post.@primaryKey": 1]),
    ]

    private func makeOld(_ folder: TestFolder) async throws {
        let store = try Store.opened(Self.old, at: .file(folder.database))
        try await store.create("Post", ["id": "1", "title": "12", "likes": .integer(7), "tags": "[\"x\"]"])
        try await store.create("Post", ["id": "2", "title": "b", "note": .null])
        try store.close()
    }

    @Test("of a store in use is the same as at an opening, and what waits is written before", arguments: cases)
    func changeInUse(_ test: Case) async throws {
        let folder = TestFolder()
        try await makeOld(folder)
        let old = try Store.opened(Self.old, at: .file(folder.database))
        let blueprint = try blueprint(test.schema)
        if !test.losses.isEmpty {
            let error = await #expect(throws: StoreError.self) {
                try await old.changed(to: blueprint, nowMilliseconds: 1)
            }
            #expect(error?.kind == .migrationRefused)
            #expect(Set(error?.refusedChanges ?? []) == Set(test.losses.keys))
            // It goes on as it was.
            #expect(try old.ids("Post", where: .always).count == 2)
        }
        let store = try await old.changed(
            to: blueprint, forcing: Set(texts: test.losses.keys), nowMilliseconds: 1)
        #expect((store.backupPath != nil) == !test.losses.isEmpty)
        let tables = store.layout.tables
        let models = tables.filter { $0.primaryKey?.partition == "id" }.map(\.model)
        for model in models { try await store.create(model, ["id": "new"]) }
        try store.close()
        let again = try Store.opened(test.schema, at: .file(folder.database))
        #expect(again.layout.tables == tables && !again.wasUnclean && again.backupPath == nil)
        for model in models { #expect(try again.ids(model, where: .always).contains("new")) }
        try again.close()
    }

    @Test("of a store in use goes on taking changes down, whether it is made or refused")
    func streamsInUse() async throws {
        var store = try Store.opened("type Post @model { id: ID! title: String note: String }")
        let table = try store.table("Post")
        try await store.writer.write(turn: .all, key: nil) { session in
            try session.keep([TableStream(table, readers: ["f"])])
        }
        try await store.create("Post", ["id": "1", "title": "a"])
        await #expect(throws: StoreError.self) {
            try await store.changed(to: try blueprint("type Post @model { id: ID! }"), nowMilliseconds: 1)
        }
        try await store.create("Post", ["id": "2", "title": "b"])
        store = try await store.changed(
            to: try blueprint("type Post @model { id: ID! title: String more: Int }"), nowMilliseconds: 1)
        try await store.create("Post", ["id": "3", "more": .integer(7)])
        let part = try await TableStreamQueue(store, of: try store.table("Post"), for: "f").next(
            max: 10, bytesMax: 10_000)
        let told = part.changes.map { String(decoding: $0.new ?? [], as: UTF8.self) }
        #expect(told.count == 3 && told.last?.contains(#""more":7"#) == true, "\(told)")
    }

    @Test("of a store in use brings its searches and its reads with it")
    func searchInUse() async throws {
        let plain = "type Post @model { id: ID! title: String }"
        let searched = "type Post @model @searchable { id: ID! title: String }"
        var store = try Store.opened(plain)
        try await store.create("Post", ["id": "1", "title": "one fox"])
        let reader = try store.reader()
        for schema in [searched, plain, searched] {
            store = try await store.changed(to: try blueprint(schema), nowMilliseconds: 1)
            let count = try store.ids("Post", where: .always).count
            try await store.create("Post", ["id": .text("\(count + 1)"), "title": "a fox"])
        }
        #expect(try reader.count(of: try store.table("Post"), where: .always) == 4)
        #expect(try store.ids("Post", where: .field("title", .search(.match("fox")))).sorted() == ["1", "2", "3", "4"])
    }

    @Test("is made when nothing is lost, refused with a list when something is, and forced by names", arguments: cases)
    func change(_ test: Case) async throws {
        let folder = TestFolder()
        try await makeOld(folder)
        if !test.losses.isEmpty {
            #expect {
                _ = try Store.opened(test.schema, at: .file(folder.database))
            } throws: { error in
                guard let error = error as? StoreError, error.kind == .migrationRefused else { return false }
                return test.losses.allSatisfy { name, count in
                    error.message.contains("\n  \(name): ") && error.message.contains("(\(count) record")
                }
            }
            // One name of several is not enough, and the old schema still works.
            if test.losses.count > 1, let name = test.losses.keys.first {
                #expect(throws: StoreError.self) {
                    try Store.opened(test.schema, at: .file(folder.database), forcing: [ByteText(name)])
                }
            }
            let store = try Store.opened(Self.old, at: .file(folder.database))
            #expect(try store.ids("Post", where: .always).count == 2)
            try store.close()
        }
        let store = try Store.opened(test.schema, at: .file(folder.database), forcing: Set(texts: test.losses.keys))
        #expect((store.backupPath != nil) == !test.losses.isEmpty)
        let fresh = DatabaseLayout(of: try blueprint(test.schema))
        #expect(store.layout.tables.map(\.model) == fresh.tables.map(\.model))
        if let table = store.layout.table(storing: "Post") {
            let expected = test.losses["Post.@primaryKey"] == nil ? 2 : 1
            #expect(try store.values(ListQuery(table, fields: ["id"], limit: 10)).rows.count == expected)
        }
        try store.close()
        // The second time there is nothing to do.
        let again = try Store.opened(test.schema, at: .file(folder.database))
        #expect(again.backupPath == nil)
        try again.close()
    }

    @Test("keeps every digit of a number that becomes a text")
    func exactTexts() async throws {
        let folder = TestFolder()
        let store = try Store.opened("type T @model { id: ID! n: Float }", at: .file(folder.database))
        let numbers: [Double] = [0.1, 0.1 + 0.2, 1e300, 1e-300, -0.5, 3, 1 / 3]
        for (number, value) in numbers.enumerated() {
            try await store.create("T", ["id": .text("\(number)"), "n": .real(value)])
        }
        try store.close()
        let texts = try Store.opened("type T @model { id: ID! n: String }", at: .file(folder.database))
        let rows = try texts.values(ListQuery(try texts.table("T"), fields: ["n"], limit: 10)).rows
        let read = rows.compactMap { row in
            if case .text(let text)? = row.first { Double(text) } else { nil }
        }
        #expect(read == numbers)
        try texts.close()
    }

    @Test("a refusal says what else might have been meant, and how to go back")
    func advises() async throws {
        let folder = TestFolder()
        try await makeOld(folder)
        func message(_ schema: String, forcing: Set<ByteText> = []) -> String {
            do {
                _ = try Store.opened(schema, at: .file(folder.database), forcing: forcing)
                return ""
            } catch { return (error as? StoreError)?.message ?? "" }
        }
        let renamed = message("type Article @model { id: ID! title: String! }")
        #expect(renamed.contains("write type Article @model @mapsTo(name: \"Post\")"), "\(renamed)")
        let field = message(
            "type Post @model { id: ID! headline: String likes: Int note: String kind: String tags: [String] meta: AWSJSON }",
            forcing: ["Post.titel"])
        #expect(field.contains("If headline is title under a new name: export"), "\(field)")
        #expect(field.contains("There is no change Post.titel to force; did you mean Post.title?"), "\(field)")
        #expect(field.contains("--database :memory:") && field.contains("a copy is written beside"), "\(field)")
    }

    @Test("turns values into the new kind where they fit, and keeps a copy of those that do not")
    func conversion() async throws {
        let folder = TestFolder()
        try await makeOld(folder)
        let schema = "type Post @model { id: ID! title: Int likes: Float tags: [String] }"
        let store = try Store.opened(schema, at: .file(folder.database), forcing: ["Post.title"])
        let query = ListQuery(try store.table("Post"), fields: ["title", "likes"], limit: 10)
        #expect(try store.values(query).rows == [[.integer(12), .real(7)], [.null, .null]])
        let backup = try #require(store.backupPath)
        try store.close()
        let copy = try Store.opened(Self.old, at: .file(backup))
        #expect(try copy.ids("Post", where: .field("title", .equal(.value("b")))) == ["2"])
        try copy.close()
    }

    @Test("gives records a version when conflict detection is turned on")
    func sync() async throws {
        let folder = TestFolder()
        try await makeOld(folder)
        let store = try Store.opened(Self.old, at: .file(folder.database), synced: true)
        let fields = SyncField.allCases.map(\.rawValue)
        let rows = try store.values(ListQuery(try store.table("Post"), fields: fields, limit: 10)).rows
        #expect(rows == [[.integer(1), .null, .integer(1_000)], [.integer(1), .null, .integer(1_000)]])
        try store.close()
    }

    @Test("forgets the explicit nulls of a field that goes")
    func nulls() async throws {
        let folder = TestFolder()
        try await makeOld(folder)
        let without = "type Post @model { id: ID! title: String! likes: Int kind: String tags: [String] meta: AWSJSON }"
        try Store.opened(without, at: .file(folder.database)).close()
        let store = try Store.opened(Self.old, at: .file(folder.database))
        #expect(try store.ids("Post", where: .field("note", .exists(true))).isEmpty)
        try store.close()
    }

    @Test("keeps the columns of names that differ in nothing but case, whatever comes before them")
    func names() async throws {
        let folder = TestFolder()
        let first = try Store.opened("type A @model { id: ID! name: String rowid: String }", at: .file(folder.database))
        try await first.create("A", ["id": "1", "name": "n", "rowid": "r"])
        try first.close()
        let schema =
            "type a @model { id: ID! } type A @model { id: ID! NAME: String name: String ID: String rowid: String }"
        let store = try Store.opened(schema, at: .file(folder.database))
        try await store.create("A", ["id": "2", "NAME": "upper", "name": "lower", "ID": "other"])
        try await store.create("a", ["id": "3"])
        let query = ListQuery(try store.table("A"), fields: ["NAME", "name", "ID", "rowid"], limit: 10)
        #expect(try store.values(query).rows == [[.null, "n", .null, "r"], ["upper", "lower", "other", .null]])
        try store.close()
    }

    @Test("makes a database for every schema of the golden cases, with nothing to do the second time")
    func golden() throws {
        var count = 0
        for (name, text) in try TestFile.goldenSchemas() {
            guard let plain = SDLReader.read(text).blueprint else { continue }
            let folder = TestFolder()
            let store = try Store(.file(folder.database), for: plain, nowMilliseconds: 0) { _ in }
            for table in store.layout.tables {
                let query = ListQuery(table, fields: table.columns.map(\.field), limit: 1)
                #expect(try store.values(query).rows.isEmpty, "\(name)")
            }
            try store.close()
            let connection = try Connection.open(path: folder.database, mode: .writer)
            func statements(_ layout: DatabaseLayout) throws -> [String] {
                try Migration(from: store.layout, to: layout, nowMilliseconds: 0, in: connection).statements
            }
            #expect(try statements(DatabaseLayout(of: plain, keeping: store.layout)).isEmpty, "\(name)")

            var settings = Settings()
            settings.conflictStrategy = .automerge
            if let synced = SDLReader.read(text, settings: settings).blueprint {
                for statement in try statements(DatabaseLayout(of: synced, keeping: store.layout)) {
                    try connection.execute(statement)
                }
            }
            count += 1
        }
        #expect(count > 40)
    }

    @Test("leaves a file alone that somebody else made, and one of a later version")
    func foreign() throws {
        let folder = TestFolder()
        do {
            let connection = try Connection.open(path: folder.database, mode: .writer)
            try connection.execute("CREATE TABLE theirs (a)")
        }
        #expect { _ = try Store.opened(Self.old, at: .file(folder.database)) } throws: {
            ($0 as? StoreError)?.kind == .unknownFormat
        }

        let later = folder.path + "/later.sqlite"
        try Store.opened(Self.old, at: .file(later)).close()
        do {
            let connection = try Connection.open(path: later, mode: .writer)
            try SettingsTable.set(.layout, to: "{\"format\":99,\"tables\":[]}", in: connection)
        }
        #expect { _ = try Store.opened(Self.old, at: .file(later)) } throws: {
            ($0 as? StoreError)?.kind == .unknownFormat
        }
    }

    @Test("keeps its layout as a text that databases have had since the first")
    func layoutText() throws {
        let layout = DatabaseLayout(
            of: try blueprint(
                """
                type Post @model @searchable { id: ID! title: String! @index(name: "byTitle", sortKeyFields: ["kind"]) kind: String likes: [Int] }
                type Tag @model { id: ID! }
                """))
        let written = try JSONReader.value(of: layout.text)
        #expect(JSONWriter.text(of: written) == layout.text && written["format"] == 1)
        let members = written["tables"]?.array?.map { $0.object?.keys ?? [] }
        #expect(members == Array(repeating: ["model", "table", "changeLog", "columns", "keys", "search"], count: 2))
        let post = written["tables"]?.array?.first
        #expect(post?["columns"]?.array?.first == ["field": "id", "column": "id", "kind": "text"])
        #expect(post?["keys"]?.array?.last == ["name": "byTitle", "partition": "title", "sort": ["kind"]])
        #expect(try DatabaseLayout(json: written) == layout)
    }

    @Test("makes tables that a person can read")
    func tables() throws {
        let schema = """
            type Post @model { id: ID! title: String! @index(name: "byTitle", sortKeyFields: ["kind", "likes"]) kind: String likes: Int comments: [Comment] @hasMany }
            type Comment @model { id: ID! text: String post: Post @belongsTo }
            """
        let layout = DatabaseLayout(of: try blueprint(schema))
        let post = try #require(layout.table(storing: "Post"))
        #expect(
            post.creation == """
                CREATE TABLE "Post" (
                  "_homeport_row" INTEGER PRIMARY KEY,
                  "id" TEXT,
                  "title" TEXT,
                  "kind" TEXT,
                  "likes" INTEGER,
                  "createdAt" TEXT,
                  "updatedAt" TEXT,
                  "_homeport_nulls" TEXT,
                  "kind#likes" TEXT GENERATED ALWAYS AS ("kind" || '#' || "likes") VIRTUAL
                ) STRICT
                """)
        #expect(
            post.indexes.map(\.sql) == [
                "CREATE UNIQUE INDEX \"Post primary key\" ON \"Post\" (\"id\")",
                "CREATE INDEX \"Post by byTitle\" ON \"Post\" (\"title\", \"kind#likes\") "
                    + "WHERE \"title\" IS NOT NULL AND \"kind#likes\" IS NOT NULL",
            ])
        let comment = try #require(layout.table(storing: "Comment"))
        #expect(comment.column(of: "postCommentsId")?.kind == .text)
        #expect(comment.indexes.contains { $0.sql.contains("(\"postCommentsId\")") })
    }
}
