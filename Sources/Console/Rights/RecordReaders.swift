import Access
import Blueprint
import JSON

/// Who can see one record, and why: each caller is asked for in turn.
struct RecordReaders: Sendable {
    let policy: AccessPolicy
    let view: SchemaView
    let model: Model
    let row: RecordRow

    func json(_ caller: ResolvedCaller, wish: JSONValue) -> JSONValue {
        let trace = DecisionTrace(subject: caller.label)
        let columns = row.values.keys
        guard let sight = RecordSight(policy, caller.identity, model, columns, trace: trace) else { return .null }
        let hidden = sight.hidden(row)
        let verdict =
            switch hidden {
            case .bool(true): "none"
            case .array: "some"
            default: "all"
            }
        let writable = view.schema.inputFields(of: "Update\(model.name)Input")
        let report = DenialReport(view: view, caller: caller)
        return .members([
            "label": .string(caller.label), "detail": .string(caller.detail), "as": wish,
            "verdict": .string(verdict), "hidden": hidden.array.map { JSONValue.array($0) } ?? [],
            "may": sight.may(row, writing: writable),
            "explanation": .array((trace.questions.first.map(report.steps) ?? [])),
        ])
    }
}
