import Blueprint
import JSON
import Network
import Store

extension Console {
    /// The records of a selection as a file.
    func export(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        let format = try RowFile(try input.optionalText("format") ?? "json")
        let page = try await page(request, input)
        let fields = page.query.table.columns.map(\.field)
        let bytes: [UInt8] = try await read(milliseconds: ConsoleLimits.readMilliseconds * 3) {
            reader throws(StoreError) in
            var bytes: [UInt8] = []
            var count = 0
            format.begin(fields, to: &bytes)
            let sight = page.sight()
            var after: TextSearch.Position?
            while count < ConsoleLimits.exportRowsMax, bytes.count < ConsoleLimits.exportBytesMax {
                let search = page.query.search(limit: ConsoleLimits.rowsMax, after: after)
                let read = try reader.search(search) { found throws(StoreError) in
                    let row = RecordRow(found, page.query.table, page.query.model)
                    guard let values = Self.shown(row, sight) else { return }
                    format.append(values, fields, isFirst: count == 0, to: &bytes)
                    count += 1
                }
                guard read.matchCount == ConsoleLimits.rowsMax, let next = read.next else { break }
                after = next
            }
            format.end(&bytes)
            return bytes
        }
        audit.note("export", page.query.model.name, "as \(page.caller.label)", by: request)
        return .file(name: "\(page.query.model.name).\(format.ending)", type: format.type, .bytes(bytes))
    }

    /// What somebody may see of a record; nil: nothing.
    private static func shown(_ row: RecordRow, _ sight: RecordSight?) -> JSONObject? {
        guard let sight else { return row.values }
        switch sight.hidden(row) {
        case .bool(true): return nil
        case .array(let fields):
            var values = row.values
            for field in fields.compactMap(\.string) { values.remove(field) }
            return values
        default: return row.values
        }
    }

    /// Creates the records of a file, each by the API's own mutation. What fails leaves the others.
    func importRows(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let host = try host
        let view = try await view(host)
        let format = try RowFile(request.parameter("format") ?? "json")
        let name = request.parameter("model") ?? ""
        guard let model = view.blueprint.model(named: name), let table = view.layout.table(of: model) else {
            throw .badRequest("There is no model \(name).", place: "model")
        }
        var wish: JSONValue?
        if let text = request.parameter("as") {
            guard let value = try? JSONReader.value(of: text) else { throw .badRequest("as is no JSON.", place: "as") }
            wish = value
        }
        let caller = try await CallerResolver(host: host, loop: request.loop).resolved(try CallerWish(wish))
        let operation = try RecordOperation(.create, model, view, hasCondition: false)
        let wanted = Set(texts: view.schema.inputFields(of: "Create\(model.name)Input"))
        let records = try format.records(try await request.wholeBody()) { field, text in
            Self.value(text, table.column(of: field)?.kind)
        }
        var (created, failed) = (0, 0)
        var failures: [JSONValue] = []
        for (line, record) in records {
            // What the server makes is not sent: times, versions, and what relations count.
            let input = JSONObject(record.members.filter { wanted.contains($0.key) }.map { ($0.key, $0.value) })
            let outcome = await OperationRun(host: host, loop: request.loop, caller: caller).run(
                operation.body(input, nil))
            let errors = outcome.response["errors"]?.array ?? []
            guard let error = errors.first else {
                created += 1
                continue
            }
            failed += 1
            if failures.count < ConsoleLimits.importFailuresMax {
                failures.append(["line": .count(line), "message": error["message"] ?? .null])
            }
        }
        audit.note("import", model.name, "\(created) created, \(failed) failed, as \(caller.label)", by: request)
        return .json(["created": .count(created), "failed": .array(failures), "failedCount": .count(failed)])
    }

    /// What a text of a file stands for in a column.
    private static func value(_ text: String, _ kind: ColumnKind?) -> JSONValue {
        switch kind {
        case .integer?: Int64(text).map { JSONValue.integer($0) } ?? .string(text)
        case .real?: Double(text).map { JSONValue.double($0) } ?? .string(text)
        case .boolean?: text == "true" ? true : text == "false" ? false : .string(text)
        case .list?, .object?: (try? JSONReader.value(of: text)) ?? .string(text)
        case .text?, .json?, nil: .string(text)
        }
    }
}

extension ConsoleRequest {
    /// The body, read to its end.
    func wholeBody() async throws(ConsoleError) -> [UInt8] {
        guard case .stream(let stream) = request.body else { return body }
        var bytes: [UInt8] = []
        do throws(HTTPBodyError) {
            while let piece = try await stream.next() { bytes += piece }
        } catch {
            switch error {
            case .unacceptable(let fault):
                throw fault.status == .contentTooLarge ? .tooLarge : .badRequest(fault.description)
            case .connectionClosed: throw .badRequest("The connection ended before the body did.")
            }
        }
        return bytes
    }
}
