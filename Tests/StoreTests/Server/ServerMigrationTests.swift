import Network
import Postgres
import PostgresSupport
import TestSupport
import Testing

@testable import Store

/// A change of the tables on a server, whose line is cut behind any message.
@Suite(
    "A migration on a server that is cut off", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct ServerMigrationTests {
    private static let old = "type Post @model { id: ID! title: String count: Int gone: String }"
    private static let new = """
        type Post @model { id: ID! title: String @index(name: "byTitle") count: Float more: String }
        type Other @model { id: ID! }
        """

    /// Opens the data by a line that is cut behind so many messages; nil: it opened. Answers with the messages too.
    private static func openCut(
        _ server: ServerSchema, behind messages: Int
    ) throws -> (error: StoreError?, messageCount: Int, wasCut: Bool) {
        let line = try CutLine(to: server.server.port)
        defer { line.close() }
        var settings = server.server.socketSettings()
        settings.hosts = [PostgresHost(name: "127.0.0.1", port: line.port)]
        settings.options = "-c search_path=\(server.name)"
        settings.tlsMode = .disable
        let wanted = try blueprint(new)
        line.arm(.cut, behind: messages)
        do throws(StoreError) {
            let store = try Store(.server(ServerPlace(settings)), for: wanted, nowMilliseconds: 1_000) { _ in }
            let count = line.messageCount
            try? store.close()
            return (nil, count, line.faultCount > 0)
        } catch {
            return (error, line.messageCount, line.faultCount > 0)
        }
    }

    /// How many of the signs of the new tables there are: in the layout, the columns, the tables and the indexes.
    private static func signs(_ server: ServerSchema) throws -> [Int64] {
        let here = "table_schema = current_schema()"
        let signs = [
            "_homeport_settings WHERE name = 'layout' AND words LIKE '%\"more\"%'",
            "_homeport_settings WHERE name = 'layout' AND words NOT LIKE '%\"gone\"%'",
            "information_schema.columns WHERE \(here) AND table_name = 'Post' AND column_name = 'more'",
            "information_schema.columns WHERE \(here) AND table_name = 'Post' AND column_name = 'count' AND data_type = 'double precision'",
            "information_schema.tables WHERE \(here) AND table_name = 'Other'",
            "pg_indexes WHERE schemaname = current_schema() AND indexname LIKE '%byTitle'",
        ]
        // At one moment: the server may be about to commit what it was sent before the cut.
        let counts = signs.enumerated().map { "((SELECT count(*) FROM \($1)) << \(8 * $0))" }
        let all = try server.number("SELECT \(counts.joined(separator: " | "))")
        return signs.indices.map { all >> Int64(8 * $0) & 0xFF }
    }

    @Test("has more time between two statements than a change has, and so has a change of names and keys")
    func patience() async throws {
        let server = try ServerSchema()
        try server.opened(Self.old).close()
        try server.run("CREATE TABLE patience (during text)")
        try server.run(
            """
            CREATE FUNCTION notes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO patience VALUES (current_setting('idle_in_transaction_session_timeout')); RETURN NEW; END $$
            """)
        for table in ["_homeport_settings", "\"Post\""] {
            try server.run(
                "CREATE TRIGGER notes BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW EXECUTE FUNCTION notes()")
        }
        let store = try server.opened(Self.new)
        try await store.make("Post", [.init("id", "1")])
        try store.close()
        let change = "\(StoreLimits.idleTransactionMilliseconds / 1_000)s"
        let thinking = "\(StoreLimits.idleThinkingMilliseconds / 60_000)min"
        let count = try server.number("SELECT count(*) FROM patience WHERE during = '\(thinking)'")
        #expect(count > 0)
        try server.place.changeNotes { known throws(StoreError) in (known.merging(["key": [1]]) { $1 }, ()) }
        #expect(try server.number("SELECT count(*) FROM patience WHERE during = '\(thinking)'") > count)
        #expect(try server.number("SELECT count(*) FROM patience WHERE during = '\(change)'") == 1)
        #expect(
            try server.number("SELECT count(*) FROM patience WHERE during NOT IN ('\(change)', '\(thinking)')") == 0)
    }

    @Test("leaves the tables as they were or as they are to be, and the next one finds them")
    func cuts() async throws {
        var random = SeededRandom(test: "ServerMigrationTests")
        var messages = Int.max
        // The first one is not cut, and says how many messages there are.
        for round in 0...Fuzz.rounds(ordinarily: 16) {
            let server = try ServerSchema()
            let before = try server.opened(Self.old)
            try await before.create("Post", ["id": "1", "title": "a", "count": .integer(3)])
            try before.close()
            #expect(try Self.signs(server).reduce(0, +) == 0)
            let place = round == 0 ? 1_000_000 : Int.random(in: 1..<messages, using: &random)
            let opening = try Self.openCut(server, behind: place)
            if round == 0 { messages = opening.messageCount }
            let signs = try Self.signs(server)
            #expect(Set(signs).count == 1, "cut behind message \(place): \(signs)")
            if opening.error == nil { #expect(signs.allSatisfy { $0 == 1 }, "opened, and not whole: \(signs)") }
            #expect(opening.wasCut == (round > 0))
            let after = try server.opened(Self.new)
            try await after.create("Other", ["id": "1"])
            #expect(try after.rows("Post", ["title", "count", "more"]) == [["a", .real(3), .null]])
            try after.close()
        }
    }
}
