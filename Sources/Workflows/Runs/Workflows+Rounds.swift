import Store

/// The rows of executions under way that rounds read and write.
extension Workflows {
    /// Those that want to be looked at, and when the next one wants to.
    func due(at now: Int64) async throws(WorkflowError) -> (numbers: [Int64], next: Int64?) {
        try await read(
            { reader throws(StoreError) in
                var numbers: [Int64] = []
                try reader.rows(
                    WorkflowRows.due, [.integer(now), .integer(Int64(WorkflowLimits.executionsAtOnce))]
                ) { row throws(StoreError) in
                    numbers.append(row.integer(0))
                    return true
                }
                var next: Int64?
                try reader.rows(WorkflowRows.nextDue, [.integer(now)]) { row throws(StoreError) in
                    next = row.isNull(0) ? nil : row.integer(0)
                    return false
                }
                return (numbers, next)
            }, ifNone: ([], nil))
    }

    /// Writes what has changed: as much at a time as the writer has time for between others.
    func save(_ executions: [FlowExecution]) async throws(WorkflowError) {
        var group: [FlowExecution] = []
        var bytes: Int64 = 0
        for execution in executions {
            group.append(execution)
            bytes += execution.changes.bytes
            guard bytes >= WorkflowLimits.writtenAtOnceBytesMax else { continue }
            try await save(together: group)
            (group, bytes) = ([], 0)
        }
        try await save(together: group)
    }

    private func save(together executions: [FlowExecution]) async throws(WorkflowError) {
        guard !executions.isEmpty else { return }
        try await writeAsRunner { transaction in for execution in executions { try transaction.save(execution) } }
    }

    /// Has what an earlier process was at gone on with.
    func wakeAll() async throws(WorkflowError) {
        // Tables of an earlier version are brought to this one by the change: reads do not see them before.
        guard hasPast else { return }
        _ = try await write { transaction in try transaction.session.change(WorkflowRows.waking) }
    }

    /// Takes out what has ended long ago.
    package func sweep() async throws(WorkflowError) {
        guard try await read({ _ throws(StoreError) in true }, ifNone: false) else { return }
        while try await write({ [capacity] in try $0.sweep(endedMax: capacity.endedMax) }) {}
    }
}
