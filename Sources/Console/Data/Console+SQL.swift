import JSON
import Store
import Threads

extension Console {
    /// One statement of the operator, over the models' tables.
    func sql(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        let text = try input.text("sql")
        guard text.utf8.count <= ConsoleLimits.sqlBytesMax else { throw .tooLarge }
        let limit = try input.number("limit", default: 1_000, 1...ConsoleLimits.sqlRowsMax)
        var parameters: [StoredValue] = []
        for value in try input.list("parameters", max: ConsoleLimits.sqlParametersMax) ?? [] {
            parameters.append(try Self.stored(value))
        }
        let store = try host.engine.store
        guard store.isLocal else {
            throw .notServed("SQL reads a database in a file of this machine, and the data is on a server.")
        }
        let began = Timestamp.monotonicMilliseconds
        let outcome = await sqlWorkers.value { [parameters] () -> Result<SQLView.Outcome, ConsoleError> in
            do throws(StoreError) {
                let view = try SQLView(path: store.path, store.layout)
                do throws(SQLView.Failure) {
                    return .success(
                        try view.run(
                            text, parameters,
                            SQLView.Bounds(
                                rowsMax: limit, bytesMax: ConsoleLimits.sqlAnswerBytesMax,
                                milliseconds: ConsoleLimits.sqlMilliseconds)))
                } catch {
                    var failure = ConsoleError(400, error.isTimeOver ? "tooSlow" : "sql", error.message)
                    failure.offset = error.offset
                    return .failure(failure)
                }
            } catch {
                return .failure(ConsoleError(error))
            }
        }
        guard let outcome else {
            throw ConsoleError(503, "busy", "Other statements are still running: try again.", retrySeconds: 1)
        }
        switch outcome {
        case .failure(let error):
            // Also a statement that fails has been tried.
            audit.note("sql", error.code, text, by: request)
            throw error
        case .success(let outcome):
            audit.note("sql", "", text, by: request)
            return .json([
                "columns": .texts(outcome.columns), "rows": .array(outcome.rows.map { .array($0.map(Self.json)) }),
                "truncated": .bool(outcome.isTruncated), "plan": .texts(outcome.plan),
                "milliseconds": .integer(Timestamp.monotonicMilliseconds - began),
            ])
        }
    }

    private static func stored(_ value: JSONValue) throws(ConsoleError) -> StoredValue {
        switch value {
        case .null: .null
        case .bool(let bool): .boolean(bool)
        case .integer(let integer): .integer(integer)
        case .double(let double): .real(double)
        case .string(let text): .text(text)
        default: throw .badRequest("A parameter is a text, a number, true, false or null.", place: "parameters")
        }
    }

    private static func json(_ value: StoredValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): real.isFinite ? .double(real) : .string("\(real)")
        case .text(let text): .string(text)
        case .utf8(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): ["blob": .count(bytes.count)]
        }
    }

    /// The tables that such a statement may read.
    func sqlTables() async throws(ConsoleError) -> ConsoleAnswer {
        let layout = try host.engine.store.layout
        let tables: [JSONValue] = try await read { reader throws(StoreError) in
            var tables: [JSONValue] = []
            for table in layout.tables {
                let count = try reader.count(of: table, countingTo: ConsoleLimits.countMax)
                tables.append([
                    "name": .string(table.name), "rows": .integer(count.count), "isEstimate": .bool(count.isEstimate),
                    "columns": .array(
                        table.columns.map { ["name": .string($0.name), "type": .string($0.kind.rawValue)] }),
                    "indexes": .array(
                        table.keys.map { key in
                            ["name": .string(key.name), "fields": .texts([key.partition] + key.sort)]
                        }),
                ])
            }
            return tables
        }
        return .json(["tables": .array(tables)])
    }
}
