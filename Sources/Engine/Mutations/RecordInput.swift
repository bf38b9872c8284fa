import Blueprint
import JSON
import Patterns
import Store

/// The input of a mutation on its way to a change of a record, step by step in AppSync's order.
///
///     init      automatic values, defaults      `fill`
///     preAuth   keys of several fields          `checkKeys`
///     auth
///     validate  @validate                       `validate`
///     data                                      `change`
struct RecordInput {
    let type: RecordType
    let kind: MutationPlan.Kind
    /// The input with what was filled in.
    private(set) var values: JSONObject
    /// What the caller gave.
    private(set) var given: JSONObject
    private let now: Timestamp
    /// What a record is called that is made without an id.
    private let newID: String?

    private var model: Model { type.model }

    init(
        _ type: RecordType, _ kind: MutationPlan.Kind, _ input: JSONObject, now: Timestamp, newID: String? = nil
    ) {
        self.type = type
        self.kind = kind
        values = input
        given = input
        self.now = now
        self.newID = newID
    }

    /// Takes what the app's own steps have made of it: rights are asked of the input as it was before those behind them.
    mutating func take(_ change: OperationChange) {
        if let checked = change.checkedInput { given = checked }
        for member in change.defaults where values[member.key] == nil { values.set(member.key, to: member.value) }
    }

    /// Returns whether the value of a field is another than the one that rights were asked of.
    func isChanged(_ field: String) -> Bool { values[field] != given[field] && values[field] != nil }

    // MARK: Automatic values and defaults

    mutating func fill() {
        switch kind {
        case .create:
            if let newID, model.hasID, isMissing("id"), type.table.column(of: "id")?.kind == .text {
                values.set("id", to: .string(newID))
            }
            values.makeRoom(for: Self.filledUsually)
            setTime(type.inputRules.creationTimes)
            if let versioning = model.versioning { values.set(versioning.field, to: .integer(1)) }
            fillDefaults()
        case .update:
            setTime(type.inputRules.updateTimes)
        case .delete: break
        }
    }

    mutating func set(_ field: String, to value: JSONValue) { values.set(field, to: value) }

    /// The fields that want the next whole number of their column.
    var generatedFields: [String] {
        guard kind == .create else { return [] }
        return type.inputRules.generatedFields.filter { isMissing($0) }
    }

    private func isMissing(_ field: String) -> Bool { values.isMissing(field) }

    /// The fields that a create gets beside those that it is given, mostly: its id, both times, the owner.
    private static let filledUsually = 4

    private mutating func setTime(_ fields: [String]) {
        var text: String?
        for field in fields where isMissing(field) {
            let time = text ?? now.text
            text = time
            values.set(field, to: .string(time))
        }
    }

    private mutating func fillDefaults() {
        for (field, value) in type.inputRules.defaults where isMissing(field) { values.set(field, to: value) }
    }

    // MARK: Keys

    /// Of an index with several sort fields either all are given or none: together they are one attribute.
    func checkKeys() throws(FieldFailure) {
        guard kind != .delete else { return }
        for index in model.indexes where index.sort.count > 1 {
            try checkKey("@index '\(index.name)'", index.sort.map(\.field))
        }
        for index in model.relationIndexes where index.sort.count > 1 && isReference(index) {
            try checkKey("global secondary index '\(index.name)'", index.sort.map(\.field))
        }
    }

    /// The keys that relations add themselves are never written as one, so nothing is asked of them.
    private func isReference(_ index: ModelIndex) -> Bool {
        index.parts.allSatisfy { part in !model.keyFields.contains { $0.name == part.field } }
    }

    private func checkKey(_ label: String, _ fields: [String]) throws(FieldFailure) {
        let isPresent = fields.map { values[$0] != nil }
        guard isPresent.contains(true), let missing = isPresent.firstIndex(of: false) else { return }
        let verb = kind == .create ? "creating" : "updating"
        throw FieldFailure(
            "When \(verb) any part of the composite sort key for \(label), you must provide all fields for the key. "
                + "Missing key: '\(fields[missing])'.",
            type: nil)
    }

    /// What the keys of the cloud's database do not take: empty texts, and nulls that are kept.
    private mutating func checkAttributes() throws(FieldFailure) {
        for attribute in type.inputRules.keyAttributes {
            if values.isEmptyText(attribute.field) { throw .database(attribute.refusalOfEmptyText) }
            guard kind == .create, values.isNull(attribute.field), let refusal = attribute.refusalOfNull else {
                continue
            }
            if attribute.dropsNull { values.remove(attribute.field) } else { throw .database(refusal) }
        }
    }

    // MARK: Validation

    /// Checks what `@validate` asks of the values, in the order of the fields; the first failure counts. `isOver`
    /// says whether the mutation's time is over.
    func validate(isOver: @escaping () -> Bool) throws(FieldFailure) {
        // Like the defaults, they hang on the usual names.
        switch kind {
        case .create: guard type.inputRules.hasUsualCreate else { return }
        case .update: guard type.inputRules.hasUsualUpdate else { return }
        case .delete: return
        }
        var steps = PatternSteps(isOver: isOver)
        for field in type.inputRules.validatedFields {
            guard let value = values[field.name], !value.isNull else { continue }
            for validation in field.validations where !validation.accepts(value, type.patterns, &steps) {
                throw FieldFailure(validation.message(for: field.name, of: model.name), type: nil)
            }
        }
    }

    // MARK: The change

    /// The change of the record, under the caller's condition.
    mutating func change(if condition: Predicate, returning fields: [String]) throws(FieldFailure) -> RecordChange {
        if kind != .delete { try checkAttributes() }
        switch kind {
        case .create:
            return .create(in: type.table, assignments(without: []), if: condition, returning: fields)
        case .update:
            let (key, condition) = try identified(condition)
            let keyFields = model.key.fields
            return .update(
                in: type.table, key: key, assignments(without: keyFields), if: condition, returning: fields)
        case .delete:
            let (key, condition) = try identified(condition)
            return .delete(from: type.table, key: key, if: condition, returning: fields)
        }
    }

    /// The values of the key, and the condition with the version that the first transformer's `@versioned` asks for.
    private mutating func identified(
        _ condition: Predicate
    ) throws(FieldFailure) -> (key: [StoredValue], condition: Predicate) {
        let key = keyValues
        guard let versioning = model.versioning else { return (key, condition) }
        let expected = values[versioning.input]?.integer ?? 0
        let (next, isTooLarge) = expected.addingReportingOverflow(1)
        guard !isTooLarge else { throw .conditionFailed }
        if kind == .update { values.set(versioning.field, to: .integer(next)) }
        return (key, .all([condition, .field(versioning.field, .compare(.equal, .integer(expected)))]))
    }

    /// The values of the record's key.
    var keyValues: [StoredValue] {
        model.key.fields.map { field in
            StoredValue(values[field] ?? .null, as: type.table.column(of: field)?.kind ?? .text)
        }
    }

    private func assignments(without left: [String]) -> [RecordChange.Assignment] {
        var assignments: [RecordChange.Assignment] = []
        assignments.reserveCapacity(values.count)
        var place = 0
        for member in values.members {
            guard left.isEmpty || !left.contains(member.key),
                let kind = type.table.kind(of: member.key, near: &place)
            else { continue }
            assignments.append(RecordChange.Assignment(member.key, StoredValue(member.value, as: kind)))
        }
        return assignments
    }
}
