import JSON
import Store

/// What the console was used for: each change, with who made it and from where. The oldest entries go.
struct AuditLog: Sendable {
    let store: @Sendable () -> Store
    let clock: @Sendable () -> Int64

    /// Notes a change that was made, or that was tried: it is on the disk with the next commit.
    func note(_ action: String, _ target: String, _ detail: String = "", by request: ConsoleRequest) {
        note(action, target, detail, who: request.who, address: request.visit.address)
    }

    func note(_ action: String, _ target: String, _ detail: String = "", who: String, address: String) {
        let values: [StoredValue] =
            [.integer(clock())]
            + [who, address, action, target, detail].map { .text($0.shortened(to: ConsoleLimits.auditTextBytesMax)) }
        store().writer.submit(
            turn: .console, key: nil,
            { session in
                try session.bring(ConsoleTables.all)
                try session.change(ConsoleRows.auditInsertion, values)
                let trimmed = try session.lastRowNumber - ConsoleLimits.auditEntriesMax
                if trimmed > 0 { try session.change(ConsoleRows.auditTrimming, [.integer(trimmed)]) }
            }, answer: { _ in })
    }

    /// The entries, newest first.
    func page(before id: Int64?, limit: Int) async throws(ConsoleError) -> JSONValue {
        let entries: [(id: Int64, json: JSONValue)]
        do throws(StoreError) {
            entries = try await store().readersAside.read(
                until: Timestamp.monotonicMilliseconds + ConsoleLimits.readMilliseconds
            ) { reader throws(StoreError) in
                guard try reader.has(ConsoleTables.all) else { return [] }
                var entries: [(id: Int64, json: JSONValue)] = []
                try reader.rows(
                    ConsoleRows.auditSelection, [.integer(id ?? .max), .integer(Int64(limit))]
                ) { row throws(StoreError) in
                    let json: JSONValue = .members([
                        "id": .integer(row.integer(0)), "at": .moment(row.integer(1)), "who": .string(row.text(2)),
                        "from": .string(row.text(3)), "action": .string(row.text(4)),
                        "target": .string(row.text(5)), "detail": .string(row.text(6)),
                    ])
                    entries.append((row.integer(0), json))
                    return true
                }
                return entries
            }
        } catch {
            throw ConsoleError(error)
        }
        let next = entries.count == limit ? entries.last?.id : nil
        return ["entries": .array(entries.map(\.json)), "next": next.map { JSONValue.integer($0) } ?? .null]
    }
}
