import Foundation
import Postgres
import Store
import Testing

/// Where the data of a test is: in memory, or with `HOMEPORT_TEST_DATABASE=postgres` on a real server, in a schema for each. With
/// `HOMEPORT_TEST_DATABASE=replayed` it is in memory and read as on a server.
package enum TestDatabase {
    private static let asked = ProcessInfo.processInfo.environment["HOMEPORT_TEST_DATABASE"]
    package static let isOnServer = asked == "postgres"
    private static let isReplayed = asked == "replayed"
    /// True if loops read the data by themselves.
    package static let isLocal = !isOnServer && !isReplayed

    /// Why a test is left out where the data is on a server.
    package static let needsFile: Comment = "it is about a database in a file"

    package static func location() throws -> Store.Location {
        isOnServer ? try server() : isReplayed ? .replayed : .memory
    }

    /// The same for data that is opened again: the file, or the schema that has its name.
    package static func location(file path: String) throws -> Store.Location {
        isOnServer ? try server(path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }) : .file(path)
    }

    /// A new schema on the tests' PostgreSQL.
    package static func server(_ number: UInt64 = .random(in: 0 ... .max)) throws -> Store.Location {
        let server = try PostgresServer.shared.get()
        let name = "test\(number)"
        let connection = try server.app()
        defer { connection.close() }
        _ = try connection.answer("CREATE SCHEMA IF NOT EXISTS \(name)")
        var settings = server.socketSettings()
        settings.options = "-c search_path=\(name)"
        return .server(ServerPlace(settings))
    }
}
