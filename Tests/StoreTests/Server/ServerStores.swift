import JSON
import Postgres
import PostgresSupport
import Testing

@testable import Store

/// A schema of its own on the tests' PostgreSQL.
struct ServerSchema {
    let server: PostgresServer
    let name: String

    init() throws {
        server = try PostgresServer.shared.get()
        name = "store\(UInt32.random(in: 0 ... .max))"
        try run("CREATE SCHEMA \(name)")
    }

    /// Behind the store's back.
    func run(_ text: String) throws {
        let connection = try server.app()
        defer { connection.close() }
        _ = try connection.answer("SET search_path = \(name)")
        _ = try connection.answer(text)
    }

    func number(_ text: String) throws -> Int64 {
        let connection = try server.app()
        defer { connection.close() }
        _ = try connection.answer("SET search_path = \(name)")
        return try #require(try connection.answer(text)[0].integer(0))
    }

    var place: ServerPlace {
        var settings = server.socketSettings()
        settings.options = "-c search_path=\(name)"
        return ServerPlace(settings)
    }

    /// The same by way of a line on this machine.
    func place(through port: UInt16) throws -> ServerPlace {
        var settings = try server.settings("")
        settings.hosts = [PostgresHost(name: "127.0.0.1", port: port)]
        settings.options = "-c search_path=\(name)"
        return ServerPlace(settings)
    }

    func opened(_ schema: String, synced: Bool = false, forcing: Set<ByteText> = []) throws -> Store {
        try Store.opened(schema, at: .server(place), synced: synced, forcing: forcing)
    }

    /// Why a store does not open; nil: it does.
    func refusal(of schema: String) throws -> StoreError? {
        let wanted = try blueprint(schema)
        do throws(StoreError) {
            let store = try Store(.server(place), for: wanted, nowMilliseconds: 1_000) { _ in }
            try store.close()
            return nil
        } catch {
            return error
        }
    }
}

extension Store {
    /// Creates a record of a test's making.
    func make(_ model: String, _ assignments: [RecordChange.Assignment]) async throws {
        let change = RecordChange.create(in: try table(model), assignments, returning: [])
        _ = try await writer.write(turn: .models, key: nil) { session throws(StoreError) in
            try session.apply(change) { _ throws(StoreError) in }
        }
    }
}
