import Foundation
import Postgres
import PostgresSupport
import Store

/// Where the data of the tests' engines is: in memory, or with `HOMEPORT_TEST_DATABASE=postgres` on a real server, in a schema for each.
enum TestDatabase {
    private static let isOnServer = ProcessInfo.processInfo.environment["HOMEPORT_TEST_DATABASE"] == "postgres"

    static func location() throws -> Store.Location { isOnServer ? try server() : .memory }

    /// A new schema on the tests' PostgreSQL.
    static func server() throws -> Store.Location {
        let server = try PostgresServer.shared.get()
        let name = "engine\(UInt64.random(in: 0 ... .max))"
        let connection = try server.app()
        defer { connection.close() }
        _ = try connection.answer("CREATE SCHEMA \(name)")
        var settings = server.socketSettings()
        settings.options = "-c search_path=\(name)"
        return .server(ServerPlace(settings))
    }
}
