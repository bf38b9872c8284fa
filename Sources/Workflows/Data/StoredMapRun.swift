import JSON
import Store

/// A run of a distributed map as the database has it.
struct StoredMapRun: Sendable {
    let number: Int64
    let id: String
    let execution: Int64
    /// The machine of its executions: `orders/rows`.
    let machine: String
    let status: FlowStatus
    let started: Int64
    let stopped: Int64?
    let executions: Int64
    let items: Int64
    /// `maxConcurrency` and what failures it bears.
    private let details: JSONObject

    static let counts = "counts"

    init(_ row: borrowing Row) {
        number = row.integer(0)
        id = row.text(1)
        execution = row.integer(2)
        machine = row.text(3)
        status = FlowStatus(rawValue: row.text(4)) ?? .failed
        started = row.integer(5)
        stopped = row.isNull(6) ? nil : row.integer(6)
        executions = row.integer(7)
        items = row.integer(8)
        details = Workflows.value(of: row.text(9)).object ?? JSONObject()
    }

    var settings: JSONObject {
        var settings = details
        settings.remove(Self.counts)
        return settings
    }

    /// How its executions have ended, when it has.
    var ended: [FlowStatus: (executions: Int64, items: Int64)]? {
        guard let counts = details[Self.counts]?.object else { return nil }
        var ended: [FlowStatus: (executions: Int64, items: Int64)] = [:]
        for member in counts.members {
            guard let status = FlowStatus(rawValue: member.key), let pair = member.value.array, pair.count == 2 else {
                continue
            }
            ended[status] = (pair[0].integer ?? 0, pair[1].integer ?? 0)
        }
        return ended
    }
}

extension WorkflowTransaction {
    /// Begins a run, unless it has begun before.
    func open(_ run: FlowMapRun, _ settings: FlowRunSettings) throws {
        try session.change(
            WorkflowRows.openingRun,
            [
                .text(run.id), .integer(run.parent), .text(run.machine), .integer(now),
                .text(JSONWriter.text(of: .object(Self.told(settings)))),
            ])
    }

    private static func told(_ settings: FlowRunSettings) -> JSONObject {
        JSONObject([
            ("maxConcurrency", .integer(settings.concurrency)),
            ("toleratedFailureCount", .integer(settings.tolerance.count ?? 0)),
            ("toleratedFailurePercentage", .double(settings.tolerance.percentage ?? 0)),
        ])
    }

    func measure(_ id: String, executions: Int, items: Int) throws {
        try session.change(
            WorkflowRows.measuringRun, [.text(id), .integer(Int64(executions)), .integer(Int64(items))])
    }

    /// Ends a run. What its executions came to is kept with it: they go before it, those of the type EXPRESS at once.
    func close(_ id: String, _ status: FlowStatus, _ settings: FlowRunSettings, _ tally: MapTally?) throws {
        var told = Self.told(settings)
        var counts = JSONObject()
        for (status, count) in tally?.counts ?? [:] {
            counts.set(status.rawValue, to: .array([.integer(count.executions), .integer(count.items)]))
        }
        told.set(StoredMapRun.counts, to: .object(counts))
        try session.change(
            WorkflowRows.closingRun,
            [
                .text(id), .text(status.rawValue), .integer(now), .text(JSONWriter.text(of: .object(told))),
            ])
    }
}
