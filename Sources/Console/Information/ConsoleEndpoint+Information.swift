import Files
import JSON
import Store

extension ConsoleEndpoint {
    /// What the server is.
    static let information: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/info") { console, request throws(ConsoleError) in
            .json(try await console.info(request))
        },
        ConsoleEndpoint(.get, "/schema") { console, _ throws(ConsoleError) in
            .json(try await console.schemaJSON(try console.host))
        },
    ]

    /// How the server is set up, and how it does.
    static let server: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/server") { console, request throws(ConsoleError) in
            let host = try console.host
            var members = await host.serverDescription(on: request.loop)
            let layout = host.engine.store.layout
            let tables: [JSONValue] = try await console.read { reader throws(StoreError) in
                var tables: [JSONValue] = []
                for table in layout.tables {
                    let count = try reader.count(of: table, countingTo: ConsoleLimits.countMax)
                    tables.append([
                        "name": .string(table.name), "rows": .integer(count.count),
                        "isEstimate": .bool(count.isEstimate),
                    ])
                }
                return tables
            }
            if var database = members["database"]?.object {
                database.set("tables", to: .array(tables))
                members.set("database", to: .object(database))
            }
            return .json(.object(members))
        },
        ConsoleEndpoint(.get, "/server/history") { console, _ throws(ConsoleError) in .json(console.history.json) },
        ConsoleEndpoint(.get, "/server/log") { console, request throws(ConsoleError) in
            let after = try request.number("after", default: 0, 0...Int.max)
            let limit = try request.number("limit", default: 200, 1...ConsoleLimits.logLinesMax)
            return .json(.object(try console.host.logLines(after: Int64(after), max: limit)))
        },
        ConsoleEndpoint(.get, "/backup") { console, request throws(ConsoleError) in
            try await console.backup(request)
        },
    ]
}

extension Console {
    fileprivate func info(_ request: ConsoleRequest) async throws(ConsoleError) -> JSONValue {
        let host = try host
        var members = JSONObject([
            ("name", .string(settings.name)), ("version", .string(settings.version)),
            ("instance", .string(settings.instance)),
            ("environment", .string(settings.isDevelopment ? "development" : "production")),
        ])
        for member in await host.information(on: request.loop) { members.set(member.key, to: member.value) }
        let (blueprint, layout) = (host.engine.blueprint, host.engine.store.layout)
        let models: [JSONValue] = try await read { reader throws(StoreError) in
            var models: [JSONValue] = []
            for model in blueprint.models {
                guard let table = layout.table(of: model) else { continue }
                let count = try reader.count(of: table, countingTo: ConsoleLimits.countMax)
                models.append([
                    "name": .string(model.name), "count": .integer(count.count), "isEstimate": .bool(count.isEstimate),
                    "synced": .bool(model.isSynced), "searchable": .bool(model.search != nil),
                    "isJoin": .bool(model.isJoin),
                ])
            }
            return models
        }
        members.set("models", to: .array(models))
        let files = await files(host)
        members.set("counts", to: await counts(host, files, request))
        if var disk = members["disk"]?.object {
            disk.set("filesBytes", to: files.map { .integer($0.bytes) } ?? .null)
            members.set("disk", to: .object(disk))
        }
        members.set("live", to: await history.rates(of: host))
        return .object(members)
    }

    /// How many files there are; nil where there is no place for any, or they cannot be counted now.
    private func files(_ host: any ConsoleHost) async -> FileTotals? {
        host.files.bucketNames.isEmpty ? nil : try? await host.files.totals()
    }

    /// How many messages there are; nil where that cannot be told now.
    private func messages(_ host: any ConsoleHost) async -> Int? {
        let max = Int(ConsoleLimits.countMax)
        guard let ofOutbox = try? await host.outbox.messageCount(upTo: max) else { return nil }
        guard let pool = host.pool else { return ofOutbox }
        return (try? await pool.messageCount(upTo: max)).map { $0 + ofOutbox }
    }

    private func counts(
        _ host: any ConsoleHost, _ files: FileTotals?, _ request: ConsoleRequest
    ) async -> JSONValue {
        var users: JSONValue = .null
        if let pool = host.pool {
            let calls = PoolCalls(pool: pool, shard: host.poolShard(on: request.loop))
            let described = try? await calls.call("DescribeUserPool", JSONObject())
            users = described?["UserPool"]?["EstimatedNumberOfUsers"] ?? .null
        }
        return [
            "users": users, "files": files.map { .integer($0.count) } ?? .null,
            "messages": .count(await messages(host)),
        ]
    }
}
