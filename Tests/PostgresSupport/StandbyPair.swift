import Store
import TestSupport

/// A server and its standby, with a line between them that a test may hold, and a schema for nodes.
package struct StandbyPair {
    package let primary: PostgresServer
    package let line: HeldLine
    package let standby: PostgresServer
    /// Both servers, without the password.
    package let url: String

    package init() throws {
        primary = try PostgresServer()
        line = try HeldLine(to: primary.port)
        standby = try PostgresServer(following: line.port)
        let app = try primary.app()
        defer { app.close() }
        _ = try app.answer("CREATE SCHEMA nodes")
        url =
            "postgres://app@127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)/blog?sslmode=disable"
            + "&options=-c%20search_path%3Dnodes&target_session_attrs=read-write"
    }

    package var location: Store.Location {
        get throws { .server(try ServerPlace(url).with(password: PostgresServer.password)) }
    }

    /// Waits until the standby has all that is committed.
    package func catchUp() throws {
        let admin = try primary.admin()
        defer { admin.close() }
        try eventually("the standby has all") {
            try admin.answer(
                "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_flush_lsn()")[0]
                .integer(0) == 1
        }
    }

    /// Has the standby take the place of the primary, which is gone.
    package func failOver() throws {
        primary.stop()
        try standby.promote()
    }

    package func end() {
        line.close()
        primary.stop()
        standby.stop()
    }
}
