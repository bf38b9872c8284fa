import Testing

@testable import Store

@Suite("PostgreSQL's text of a statement")
struct ServerTextTests {
    @Test(
        "has parameters, types and words of its own",
        arguments: [
            ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
            ("SELECT a FROM t WHERE b = ?2 AND c = ?1 LIMIT ?", "SELECT a FROM t WHERE b = $2 AND c = $1 LIMIT $3"),
            (
                "CREATE TABLE t (n INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL, b BLOB, c REAL) STRICT",
                #"CREATE TABLE t (n bigint PRIMARY KEY, a text COLLATE "C" NOT NULL, b bytea, c double precision)"#
            ),
            (
                "CREATE TABLE t (a TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
                #"CREATE TABLE t (a text COLLATE "C" PRIMARY KEY)"#
            ),
            (
                "CREATE TABLE t (text TEXT, user INTEGER) WITHOUT ROWID",
                #"CREATE TABLE t (text text COLLATE "C", "user" bigint)"#
            ),
            ("SELECT CAST(?1 AS TEXT), CAST(?2 AS INTEGER)", "SELECT CAST($1 AS text), CAST($2 AS bigint)"),
            (
                "ALTER TABLE t ADD COLUMN a BLOB NOT NULL DEFAULT x'00ff'",
                #"ALTER TABLE t ADD COLUMN a bytea NOT NULL DEFAULT '\x00ff'::bytea"#
            ),
            ("ALTER TABLE t ADD COLUMN a BLOB DEFAULT x''", #"ALTER TABLE t ADD COLUMN a bytea DEFAULT '\x'::bytea"#),
            (
                "SELECT coalesce(sum(a * (b + 1)), 0), count(*) FROM t",
                "SELECT coalesce(sum(a * (b + 1))::bigint, 0), count(*) FROM t"
            ),
            ("SELECT t.user, users.name FROM t", #"SELECT t."user", users.name FROM t"#),
            ("BEGIN IMMEDIATE", "BEGIN"),
            // Texts and names between quotes stay as they are.
            (
                #"SELECT 'a ? ''TEXT'' user', "user ? TEXT" FROM t"#,
                #"SELECT 'a ? ''TEXT'' user', "user ? TEXT" FROM t"#
            ),
            ("SELECT 'é', x FROM t", "SELECT 'é', x FROM t"),
            ("SELECT 'open", "SELECT 'open"), ("SELECT x'0", #"SELECT '\x0'::bytea"#), ("", ""), (")", ")"),
        ])
    func words(text: String, wanted: String) {
        #expect(ServerText.text(of: text) == wanted)
    }

    @Test("is the statement's own where it has one, with the same words")
    func own() {
        let statement = RoomStatement("SELECT ifnull(a, ?) FROM t", server: "SELECT coalesce(a, ?) FROM t")
        #expect(statement.sql.text == "SELECT ifnull(a, ?) FROM t")
        #expect(statement.sql.serverText == "SELECT coalesce(a, $1) FROM t")
    }
}
