import Foundation
import JSON
import TestSupport
import Testing

@Suite("The console's SQL view")
struct ConsoleSQLTests {
    @Test("reads the models' tables")
    func reads() throws {
        let client = try ConsoleClient.server()
        try client.make("p-1", title: "one")
        let answer = try client.post(
            "sql", ["sql": "SELECT id, upper(title) AS t FROM Post WHERE id = ?;", "parameters": ["p-1"]]
        ).json
        #expect(answer["columns"] == ["id", "t"] && answer["rows"] == [["p-1", "ONE"]], "\(answer)")
        #expect(answer["plan"]?[0]?.string?.contains("Post") ?? false)
        for statement in [
            "WITH p AS (SELECT * FROM Post) SELECT count(*) FROM p", "SELECT count(*) FROM Post",
            "SELECT element.value FROM Post, json_each(Post.tags) AS element", "EXPLAIN QUERY PLAN SELECT * FROM Post",
        ] {
            #expect(try client.post("sql", ["sql": .string(statement)]).status == 200, "\(statement)")
        }
        #expect(try client.get("sql/tables").json["tables"]?.array?.contains { $0["name"]?.string == "Post" } ?? false)
    }

    /// Refused statements. They change nothing, so one server gets all of them.
    private static let refused: [String] = [
        "INSERT INTO Post (id, title) VALUES ('x', 'x')", "UPDATE Post SET title = 'x'", "DELETE FROM Post",
        "DROP TABLE Post", "CREATE TABLE x (y)", "CREATE TEMP TABLE x (y)", "ATTACH '/tmp/x.sqlite' AS x",
        "VACUUM INTO '/tmp/x.sqlite'", "PRAGMA journal_mode = delete", "PRAGMA query_only = 0", "BEGIN IMMEDIATE",
        "SELECT * FROM _homeport_settings", "SELECT * FROM main._homeport_settings", "SELECT * FROM sqlite_schema",
        "SELECT * FROM sqlite_master", "SELECT * FROM pragma_table_info('Post')", "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')", "SELECT writefile('/tmp/x', 'x')", "SELECT fts3_tokenizer('x')",
        "SELECT 1; DROP TABLE Post", "SELECT * FROM Post; DELETE FROM Post", "",
        "WITH x AS (SELECT * FROM _homeport_console_settings) SELECT * FROM x",
        "SELECT (SELECT value FROM _homeport_settings LIMIT 1)", "SELECT randomblob(100000000)",
        "EXPLAIN SELECT * FROM _homeport_settings",
        "SELECT * FROM Post WHERE id IN (SELECT name FROM _homeport_settings)",
        "SELECT zeroblob(1000000000)", "REINDEX", "ANALYZE", "SELECT * FROM dbstat", "SELECT sqlite_version()",
    ]

    @Test("writes nothing, attaches nothing, reads no other file and no table of the server's own")
    func refuses() throws {
        let client = try ConsoleClient.server()
        try client.make("p-1")
        for statement in Self.refused {
            let answer = try client.post("sql", ["sql": .string(statement)])
            #expect(answer.status == 400 && answer.code == "sql", "\(statement): \(answer)")
            #expect(try client.post("rows", ["model": "Post"]).json["total"]?.integer == 1, "\(statement)")
        }
    }

    @Test("ends in time, and has no more rows than it may")
    func bounds() throws {
        let client = try ConsoleClient.server()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let answer = try client.post("sql", ["sql": .string(endless)])
        #expect(answer.status == 400 && answer.code == "tooSlow", "\(answer)")
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        let cut = try client.post("sql", ["sql": .string(many), "limit": 10]).json
        #expect(cut["rows"]?.array?.count == 10 && cut["truncated"] == true)
    }
}
