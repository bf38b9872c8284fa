import Access
import Engine
import JSON
import Store

extension ConsoleEndpoint {
    /// Records, as the administrator sees them, and as somebody else would.
    static let data: [ConsoleEndpoint] = [
        ConsoleEndpoint(.post, "/rows") { console, request throws(ConsoleError) in
            let input = try request.members()
            let page = try await console.page(request, input)
            return .json(try await console.read { reader throws(StoreError) in try page.json(reader) })
        },
        ConsoleEndpoint(.post, "/row") { console, request throws(ConsoleError) in try await console.row(request) },
        ConsoleEndpoint(.post, "/change", body: .collected(ConsoleLimits.operationBytesMax)) {
            console, request throws(ConsoleError) in
            try await console.change(request)
        },
        ConsoleEndpoint(.post, "/children") { console, request throws(ConsoleError) in
            try await console.children(request)
        },
        ConsoleEndpoint(.post, "/export") { console, request throws(ConsoleError) in
            try await console.export(request)
        },
        ConsoleEndpoint(.post, "/import", body: .streamed(ConsoleLimits.importBytesMax)) {
            console, request throws(ConsoleError) in
            try await console.importRows(request)
        },
        ConsoleEndpoint(.post, "/sql") { console, request throws(ConsoleError) in try await console.sql(request) },
        ConsoleEndpoint(.get, "/sql/tables") { console, _ throws(ConsoleError) in try await console.sqlTables() },
        ConsoleEndpoint(.get, "/find") { console, request throws(ConsoleError) in try await console.find(request) },
    ]
}

extension Console {
    /// Reads the database on a thread beside the loops.
    func read<Value: Sendable>(
        milliseconds: Int64 = ConsoleLimits.readMilliseconds,
        _ body: @escaping @Sendable (Reader) throws(StoreError) -> Value
    ) async throws(ConsoleError) -> Value {
        let store = try host.engine.store
        do throws(StoreError) {
            return try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + milliseconds, body)
        } catch {
            throw ConsoleError(error)
        }
    }

    func page(
        _ request: ConsoleRequest, _ input: ConsoleInput, limitMax: Int = ConsoleLimits.rowsMax
    ) async throws(ConsoleError) -> RowPage {
        let host = try host
        let view = try await view(host)
        let caller = try await caller(request)
        return RowPage(
            query: try RowQuery(input, view, limitMax: limitMax), view: view, policy: host.engine.policy,
            caller: caller, countsRelated: try input.flag("related"))
    }

    fileprivate func row(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        var asked = input.object
        asked.set("keys", to: .array([input["key"] ?? .null]))
        let page = try await page(request, ConsoleInput(asked))
        let (policy, caller, view) = (page.policy, page.caller, page.view)
        let found: JSONValue? = try await read { reader throws(StoreError) in
            var row: RecordRow?
            _ = try reader.search(page.query.search(limit: 1)) { found throws(StoreError) in
                row = RecordRow(found, page.query.table, page.query.model)
            }
            guard let row else { return nil }
            let trace = DecisionTrace(subject: caller.label)
            let columns = page.query.table.columns.map(\.field)
            let sight = RecordSight(policy, caller.identity, page.query.model, columns, trace: trace)
            let hidden = sight?.hidden(row) ?? .null
            let writable = view.schema.inputFields(of: "Update\(page.query.model.name)Input")
            let may = sight?.may(row, writing: writable) ?? .null
            let report = DenialReport(view: view, caller: caller)
            return .members([
                "key": .object(row.key), "values": .object(row.values), "hidden": hidden,
                "related": try page.related(row, reader), "may": may,
                "denials": caller.isAdministrator ? [] : report.json(trace, errors: []),
            ])
        }
        guard let found, var answer = found.object else {
            throw .notFound("There is no such \(page.query.model.name).")
        }
        let users = AdmittedUsers(host: try host, loop: request.loop)
        answer.set("denials", to: await users.named(in: answer["denials"] ?? []))
        return .json(.object(answer))
    }

    // MARK: Changes

    fileprivate func change(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        let host = try host
        let view = try await view(host)
        let caller = try await caller(request)
        let name = try input.text("model")
        guard let model = view.blueprint.model(named: name) else {
            throw .badRequest("There is no model \(name).", place: "model")
        }
        guard let kind = RecordOperation.Kind(rawValue: try input.text("operation")) else {
            throw .badRequest("The operation is create, update or delete.", place: "operation")
        }
        let condition = input["condition"] == nil ? nil : try input.objectMember("condition")
        let operation = try RecordOperation(kind, model, view, hasCondition: condition != nil)
        guard let several = try input.list("inputs", max: ConsoleLimits.changesMax) else {
            let wanted = try input.objectMember("input")
            let changed = try await change(operation, wanted, condition, caller, request, host)
            note(kind, model.name, wanted, changed, caller, request)
            return .json(.object(changed))
        }
        var results: [JSONValue] = []
        var denials: [JSONValue] = []
        var stories: [JSONValue] = []
        for wanted in several {
            guard let wanted = wanted.object else { throw .badRequest("inputs are objects.", place: "inputs") }
            let changed = try await change(operation, wanted, condition, caller, request, host)
            note(kind, model.name, wanted, changed, caller, request)
            results.append(["row": changed["row"] ?? .null, "errors": changed["response"]?["errors"] ?? []])
            if denials.count < 20 { denials += changed["denials"]?.array ?? [] }
            if let story = changed["happened"] { stories.append(story) }
        }
        return .json(["results": .array(results), "denials": .array(denials), "happened": .array(stories)])
    }

    /// One change, as the API makes it.
    func change(
        _ operation: RecordOperation, _ input: JSONObject, _ condition: JSONObject?, _ caller: ResolvedCaller,
        _ request: ConsoleRequest, _ host: any ConsoleHost
    ) async throws(ConsoleError) -> JSONObject {
        let body = operation.body(input, condition)
        let outcome = await OperationRun(host: host, loop: request.loop, caller: caller).run(body)
        var answer = try await self.answer(to: outcome, body, caller, request, host)
        answer.set("status", to: .integer(Int64(outcome.status)))
        answer.set("row", to: outcome.response["data"]?[operation.field] ?? .null)
        return answer
    }

    private func note(
        _ kind: RecordOperation.Kind, _ model: String, _ input: JSONObject, _ answer: JSONObject,
        _ caller: ResolvedCaller, _ request: ConsoleRequest
    ) {
        let row = answer["row"]
        let id = (row?["id"] ?? input["id"])?.string ?? ""
        let errors = answer["response"]?["errors"]?.array ?? []
        let result = errors.isEmpty ? "" : ", refused: \(errors.first?["message"]?.string ?? "")"
        audit.note(
            "row.\(kind.rawValue)", "\(model) \(id)",
            "\(input.keys.joined(separator: ", ")) as \(caller.label)\(result)", by: request)
    }

    /// How many records would be left without the one that they belong to.
    fileprivate func children(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        let page = try await page(request, input, limitMax: ConsoleLimits.keysMax)
        let rows: [RecordRow] = try await read { reader throws(StoreError) in
            var rows: [RecordRow] = []
            _ = try reader.search(page.query.search(limit: ConsoleLimits.keysMax)) { row throws(StoreError) in
                rows.append(RecordRow(row, page.query.table, page.query.model))
            }
            return rows
        }
        let counted: [JSONValue] = try await read { reader throws(StoreError) in
            var counted: [JSONValue] = []
            for relation in page.query.model.relations where relation.kind != .belongsTo {
                var sum: Int64 = 0
                for row in rows {
                    sum += try RowPage.count(relation, of: row, page.view, reader) ?? 0
                }
                guard sum > 0 else { continue }
                counted.append([
                    "model": .string(relation.target), "field": .string(relation.field), "count": .integer(sum),
                    "targetFields": .texts(relation.targetFields),
                ])
            }
            return counted
        }
        return .json(["children": .array(counted)])
    }
}
