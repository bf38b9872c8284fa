import Access
import Blueprint
import GraphQL
import JSON

/// Who may do what: models by operation by kind of caller, each cell asked of the checks that decide requests.
struct AccessView: Sendable {
    let policy: AccessPolicy
    let view: SchemaView

    func json() -> JSONValue {
        let callers = MatrixCaller.all(of: view.blueprint)
        return [
            "callers": .array(callers.map(\.json)),
            "models": .array(view.models.map { json($0, callers) }),
            "operations": .array(
                OperationType.allCases.flatMap { type in
                    view.blueprint.customOperations(type).map { json($0, type, callers) }
                }),
        ]
    }

    /// The same for one caller.
    func json(for caller: ResolvedCaller) -> JSONValue {
        let asker = MatrixCaller(
            id: "as", label: caller.label, provider: .userPools, identity: caller.identity,
            kind: .someone(withGroups: false), wish: .null)
        return [
            "models": .array(
                view.models.map { model in
                    let question = MatrixQuestion(policy: policy, view: view, model: model)
                    var rows = question.operations.map { ($0.rawValue, question.cell($0, for: asker)) }
                    // The page has one row for reads where those are the same for all kinds of callers.
                    let reads = question.operations.filter(\.isRead).map { question.cell($0, for: asker) }
                    if let read = Self.least(of: reads) { rows.append(("read", read)) }
                    return [
                        "name": .string(model.name),
                        "rows": .array(
                            rows.map { operation, cell in
                                var json = cell.json(report(caller.label)).object ?? JSONObject()
                                json.set("operation", to: .string(operation))
                                return .object(json)
                            }),
                    ]
                }),
            "operations": .array(
                OperationType.allCases.flatMap { type in
                    view.blueprint.customOperations(type).map { json($0, type, [asker]) }
                }),
        ]
    }

    /// The one of several cells that allows the least.
    private static func least(of cells: [MatrixCell]) -> MatrixCell? {
        let order: [MatrixCell.Verdict] = [.none, .some, .own, .all]
        return cells.min {
            (order.firstIndex(of: $0.verdict) ?? 0) < (order.firstIndex(of: $1.verdict) ?? 0)
        }
    }

    private func report(_ label: String) -> DenialReport {
        DenialReport(
            view: view,
            caller: ResolvedCaller(identity: .apiKey, label: label, detail: "", wish: .administrator))
    }

    private func json(_ model: Model, _ callers: [MatrixCaller]) -> JSONValue {
        let question = MatrixQuestion(policy: policy, view: view, model: model)
        var rows: [(operation: MatrixCell.Operation, cells: [MatrixCell])] = question.operations.map { operation in
            (operation, callers.map { question.cell(operation, for: $0) })
        }
        // Reads that are the same for everybody are one row.
        let reads = rows.filter(\.operation.isRead)
        let isOne =
            reads.count > 1
            && reads.dropFirst().allSatisfy { row in
                zip(row.cells, reads[0].cells).allSatisfy {
                    $0.verdict == $1.verdict && ($0.fields.map(\.name) as [String]) == $1.fields.map(\.name)
                }
            }
        if isOne { rows.removeAll { row in row.operation.isRead && row.operation != reads[0].operation } }
        return .members([
            "name": .string(model.name), "place": view.places.place(model.position), "isJoin": .bool(model.isJoin),
            "rows": .array(
                rows.map { row in
                    [
                        "operation": .string(isOne && row.operation.isRead ? "read" : row.operation.rawValue),
                        "cells": .array(zip(row.cells, callers).map { $0.json(report($1.label)) }),
                    ]
                }),
            "warnings": .array(warnings(model, rows.map { ($0.operation, $0.cells) }, callers)),
        ])
    }

    // MARK: Warnings

    private func warnings(
        _ model: Model, _ rows: [(MatrixCell.Operation, [MatrixCell])], _ callers: [MatrixCaller]
    ) -> [JSONValue] {
        var warnings: [JSONValue] = []
        func warn(_ message: String, _ operation: String? = nil, at place: JSONValue? = nil) {
            warnings.append([
                "message": .string(message), "operation": .text(operation),
                "place": place ?? view.places.place(model.position),
            ])
        }
        if rows.allSatisfy({ $0.1.allSatisfy { $0.verdict == .none } }) {
            warn("Nobody may do anything with \(model.name) but an administrator.")
        }
        for role in model.matrix?.roles ?? [] where role.strategy == .owner {
            guard let field = role.entity, canGiveAway(field, model) else { continue }
            let rule = view.rules.entries(of: model.name).first { entry in
                entry.rule.strategy == .owner
                    && ByteText(entry.rule.ownerField ?? AccessRule.defaultOwnerField) == ByteText(field)
            }
            warn(
                "The owner may hand a record to somebody else, because \(field) itself has no rule.", "update",
                at: rule.map { view.places.place($0.rule.position) })
        }
        if let place = callers.firstIndex(where: { $0.id == "apiKey" }) {
            for (operation, cells) in rows where [.create, .update, .delete].contains(operation) {
                guard cells.indices.contains(place), cells[place].verdict == .all else { continue }
                warn(
                    "Everybody with the API key may \(operation.rawValue) every \(model.name).", operation.rawValue)
            }
        }
        return warnings
    }

    /// Whether an owner may change the field that makes them the owner.
    private func canGiveAway(_ field: String, _ model: Model) -> Bool {
        guard view.schema.inputFields(of: "Update\(model.name)Input").contains(field),
            let owner = MatrixCaller.all(of: view.blueprint).first(where: {
                if case .owner = $0.kind { true } else { false }
            }), let access = policy.model(model.name)
        else { return false }
        let input = JSONObject([(field, .string("somebody else"))])
        let caller = policy.caller(owner.identity)
        return access.update.decision(for: caller, input: input, record: owner.record(model, isOwn: true)) == .allow
    }

    // MARK: Operations of the schema's own

    private func json(_ field: ModelField, _ type: OperationType, _ callers: [MatrixCaller]) -> JSONValue {
        let root = view.blueprint.roots.name(of: type)
        let cells = callers.map { asker -> JSONValue in
            let trace = DecisionTrace(subject: asker.label)
            let caller = policy.caller(asker.identity, trace: trace)
            let isAdmitted =
                policy.gate(type: root, field: field.name).admits(caller)
                && (policy.field(type: root, field: field.name)?.decision(for: caller).admits { _ in nil } ?? true)
            let steps = trace.questions.last ?? []
            return MatrixCell(verdict: isAdmitted ? .all : .none, fields: [], steps: steps).json(report(asker.label))
        }
        return [
            "type": .string(type.rawValue), "name": .string(field.name), "place": view.places.place(field.position),
            "cells": .array(cells),
        ]
    }
}
