import Blueprint
import Console
import Engine
import JSON
import Network

extension ConsoleHouse {
    func information(on loop: EventLoop) async -> JSONObject {
        let engine = engine
        let modes = engine.blueprint.settings.modes
        let schema = schema()
        let address = parts.addresses.first
        let scheme = configuration.tls == nil ? "http" : "https"
        var members = JSONObject()
        members["address"] = .text(address.map { "\($0.usable)" })
        members["url"] = .text(address.map { "\(scheme)://\($0.usable)\(Route.graphql.path)" })
        if configuration.hasNodes {
            members["node"] = .text(configuration.nodeAddress ?? address.map { "\(scheme)://\($0.usable)" })
        }
        members["schema"] = .members([
            "path": .text(schema?.reading.place), "files": .texts(schema?.reading.files ?? []),
            "kind": .string(schema?.reading.files.first.map { $0.hasSuffix(".graphql") } ?? true ? "gen1" : "gen2"),
        ])
        members["modes"] = [
            "default": .text(modes.first?.word), "additional": .texts(modes.dropFirst().map(\.word)),
        ]
        members["warnings"] = .array((schema?.diagnostics ?? []).filter { !$0.isError }.map(Self.json))
        members["disk"] = [
            "databaseBytes": .integer(
                FileStatus.bytes(of: engine.store.path) + FileStatus.bytes(of: "\(engine.store.path)-wal"))
        ]
        members["memory"] = ["residentBytes": .count(ProcessUsage.now().residentBytes)]
        members["startedAt"] = .moment(parts.startedMilliseconds)
        members["now"] = .moment(Timestamp.now.millisecondsSince1970)
        var rooms = JSONObject([
            ("users", .bool(parts.pool != nil)), ("messages", true),
            ("sql", .bool(engine.store.isLocal)),
            ("files", .bool(!parts.files.settings.buckets.isEmpty)),
            ("functions", .bool(!(parts.functions?.settings.isEmpty ?? true))),
        ])
        for room in roomsOfServices { rooms[room.name] = .bool(room.isThere) }
        members["rooms"] = .object(rooms)
        members["schemaVersion"] = .string(schemaVersion)
        return members
    }

    private static func json(_ diagnostic: Diagnostic) -> JSONValue {
        .members([
            "message": .string(diagnostic.message), "hint": .text(diagnostic.hint), "file": .text(diagnostic.file),
            "line": .count(diagnostic.location.map { Int($0.line) }),
            "column": .count(diagnostic.location.map { Int($0.column) }),
            "severity": .string(diagnostic.severity == .warning ? "warning" : "note"),
        ])
    }
}
