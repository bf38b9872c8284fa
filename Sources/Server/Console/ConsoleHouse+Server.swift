import Console
import Glibc
import JSON
import Network
import Realtime

extension ConsoleHouse {
    func serverDescription(on loop: EventLoop) async -> JSONObject {
        var description = JSONObject()
        description["configuration"] = .array(parts.resolution.settings.map(Self.json))
        let path = engine.store.path
        description["database"] = .members([
            "path": .string(configuration.database.shown),
            "bytes": .integer(FileStatus.bytes(of: path)), "walBytes": .integer(FileStatus.bytes(of: "\(path)-wal")),
        ])
        let usage = ProcessUsage.now()
        description["process"] = .members([
            "pid": .integer(Int64(getpid())), "startedAt": .moment(parts.startedMilliseconds),
            "residentBytes": .count(usage.residentBytes), "openFiles": .count(usage.openDescriptors),
            "openFilesMax": .count(usage.descriptorsMax),
            "cpuSeconds": usage.cpuSeconds.map(JSONValue.double) ?? JSONValue.null,
        ])
        description["paths"] = .array(
            Route.allCases.map { route -> JSONValue in
                .members(["path": .string(route.path), "purpose": .string(route.purpose)])
            })
        return description
    }

    func writeBackup(to path: String) throws(ConsoleError) {
        let maker = BackupMaker(
            database: engine.store.path, files: parts.files.folderPath,
            notes: { [configuration] in KeptFiles.notes(of: configuration, over: $0) })
        do throws(BackupFailure) {
            _ = try maker.write(to: path)
        } catch {
            throw ConsoleError(503, "busy", "The backup cannot be made: \(error.message)")
        }
    }

    var settingNames: [(name: String, purpose: String)] { ConfigurationKey.all.map { ($0.path, $0.summary) } }

    func logLines(after number: Int64, max: Int) -> JSONObject {
        let found = parts.log.queue.tail.lines(after: number, max: max)
        return JSONObject([
            (
                "lines",
                .array(
                    found.lines.map { line in
                        [
                            "id": .integer(line.number), "level": .text(line.level?.rawValue),
                            "text": .string(line.text),
                        ]
                    })
            ),
            ("last", .integer(found.last)), ("level", .string(parts.log.level.rawValue)),
        ])
    }

    private static func json(_ setting: ConfigurationResolver.Setting) -> JSONValue {
        let shown = ConfigurationListing.shown(setting)
        let value: JSONValue = shown.isMasked ? .null : .string(JSONWriter.text(of: shown.value))
        return .members([
            "key": .string(setting.key.path), "value": value, "origin": .string(setting.origin.description),
            "purpose": .string(setting.key.summary), "isSecret": .bool(shown.isMasked),
            "default": .string(JSONWriter.text(of: setting.key.defaultValue)),
            "environment": .string(setting.key.environmentName), "option": .text(setting.key.option),
        ])
    }

    func sample() async -> ServerSample {
        var sample = parts.application.consoleSample
        sample.residentBytes = ProcessUsage.now().residentBytes.map(Int64.init)
        let path = engine.store.path
        sample.databaseBytes = FileStatus.bytes(of: path) + FileStatus.bytes(of: "\(path)-wal")
        return sample
    }
}
