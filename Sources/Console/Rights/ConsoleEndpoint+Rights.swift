import Access
import Blueprint
import JSON
import Store

extension ConsoleEndpoint {
    /// Who may do what.
    static let rights: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/access") { console, _ throws(ConsoleError) in
            let host = try console.host
            return .json(try await console.accessMatrix(host))
        },
        ConsoleEndpoint(.post, "/access/as") { console, request throws(ConsoleError) in
            let host = try console.host
            let view = try await console.view(host)
            let caller = try await console.caller(request)
            let access = AccessView(policy: host.engine.policy, view: view)
            return .json(try await console.aside { access.json(for: caller) })
        },
        ConsoleEndpoint(.post, "/access/record") { console, request throws(ConsoleError) in
            try await console.readers(request)
        },
    ]
}

extension Console {
    fileprivate func readers(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        var asked = input.object
        asked.set("keys", to: .array([input["key"] ?? .null]))
        asked.remove("as")
        let host = try host
        let view = try await view(host)
        let query = try RowQuery(ConsoleInput(asked), view)
        let row: RecordRow? = try await read { reader throws(StoreError) in
            var row: RecordRow?
            _ = try reader.search(query.search(limit: 1)) { found throws(StoreError) in
                row = RecordRow(found, query.table, query.model)
            }
            return row
        }
        guard let row else { throw .notFound("There is no such \(query.model.name).") }
        let readers = RecordReaders(policy: host.engine.policy, view: view, model: query.model, row: row)
        var callers: [JSONValue] = MatrixCaller.all(of: view.blueprint).compactMap { kind in
            if case .stranger = kind.kind {} else { return nil }
            let caller = ResolvedCaller(
                identity: kind.identity, label: kind.label, detail: "any", wish: .administrator)
            return readers.json(caller, wish: kind.wish)
        }
        let (users, left) = try await usersToJudge(host, request)
        for user in users {
            guard let caller = try? await CallerResolver(host: host, loop: request.loop).resolved(.user(user)) else {
                continue
            }
            callers.append(readers.json(caller, wish: caller.wish.json))
        }
        return .json(["callers": .array(callers), "usersLeft": .count(left)])
    }

    /// The first users of the pool, and how many there are beside.
    private func usersToJudge(
        _ host: any ConsoleHost, _ request: ConsoleRequest
    ) async throws(ConsoleError) -> (names: [String], left: Int) {
        guard let pool = host.pool, host.engine.blueprint.settings.modes.contains(.userPools) else { return ([], 0) }
        let calls = PoolCalls(pool: pool, shard: host.poolShard(on: request.loop))
        var names: [String] = []
        var token: JSONValue?
        repeat {
            var members = JSONObject([("Limit", .integer(60))])
            if let token { members.set("PaginationToken", to: token) }
            let page = try await calls.call("ListUsers", members)
            names += (page["Users"]?.array ?? []).compactMap { $0["Username"]?.string }
            token = page["PaginationToken"].flatMap { $0.isNull ? nil : $0 }
        } while token != nil && names.count < ConsoleLimits.judgedUsersMax
        let judged = Array(names.prefix(ConsoleLimits.judgedUsersMax))
        return (judged, names.count - judged.count + (token == nil ? 0 : 1))
    }
}
