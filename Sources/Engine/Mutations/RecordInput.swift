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
            for field in model.timestamps.names where isMissing(field) { setTime(field) }
            if let versioning = model.versioning { values.set(versioning.field, to: .integer(1)) }
            fillDefaults()
        case .update:
            if let field = model.timestamps.updatedAt, isMissing(field) { setTime(field) }
        case .delete: break
        }
    }

    mutating func set(_ field: String, to value: JSONValue) { values.set(field, to: value) }

    /// The fields that want the next whole number of their column.
    var generatedFields: [String] {
        guard kind == .create else { return [] }
        return model.fields.filter { $0.isGenerated && isMissing($0.name) }.map(\.name)
    }

    private func isMissing(_ field: String) -> Bool { values[field]?.isNull ?? true }

    /// The text of the time goes into a text only. In the cloud it is stored into a number too, which then cannot be
    /// read.
    private mutating func setTime(_ field: String) {
        guard type.table.column(of: field)?.kind == .text else { return }
        values.set(field, to: .string(now.text))
    }

    private mutating func fillDefaults() {
        // The defaults hang on the name that the mutation has when nobody gives it one.
        guard model.operations.create == Names.operation("create", model.name) else { return }
        for field in model.fields {
            guard let text = field.defaultValue, isMissing(field.name),
                let column = type.table.column(of: field.name)
            else { continue }
            values.set(field.name, to: Self.value(text, as: column.kind))
        }
    }

    private static func value(_ text: String, as kind: ColumnKind) -> JSONValue {
        switch kind {
        case .text: .string(text)
        case .integer: Int64(text).map { .integer($0) } ?? .null
        case .real: Double(text).map { .double($0) } ?? .null
        case .boolean: .bool(text.lowercased() == "true")
        case .json, .list, .object: (try? JSONReader.value(of: text)) ?? .string(text)
        }
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
        if let key = type.table.primaryKey {
            for field in [key.partition] + key.sort where values[field] == .string("") {
                throw .database(
                    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
                        + "contain an empty string value. Key: \(field)")
            }
        }
        for index in model.indexes { try checkAttributes(of: index, isDeclared: true) }
        for index in model.relationIndexes { try checkAttributes(of: index, isDeclared: model.indexes.contains(index)) }
    }

    private mutating func checkAttributes(of index: ModelIndex, isDeclared: Bool) throws(FieldFailure) {
        let fields = index.sort.count > 1 ? [index.partition] : index.parts
        for (place, part) in fields.enumerated() {
            switch values[part.field] {
            case .string("")?:
                throw .database(
                    "One or more parameter values are not valid. A value specified for a secondary index key is "
                        + "not supported. The AttributeValue for a key attribute cannot contain an empty string "
                        + "value. IndexName: \(index.name), IndexKey: \(part.field)")
            case .null? where kind == .create:
                if isDeclared, place == 0 {
                    values.remove(part.field)
                    continue
                }
                let isNumber = ScalarKind(scalar: part.typeName).map { $0 == .int || $0 == .float } ?? false
                throw .database(
                    "One or more parameter values were invalid: Type mismatch for Index Key \(part.field) "
                        + "Expected: \(isNumber ? "N" : "S") Actual: NULL IndexName: \(index.name)")
            default: break
            }
        }
    }

    // MARK: Validation

    /// Checks what `@validate` asks of the values, in the order of the fields; the first failure counts. `isOver`
    /// says whether the mutation's time is over.
    func validate(isOver: @escaping () -> Bool) throws(FieldFailure) {
        // Like the defaults, they hang on the usual names.
        switch kind {
        case .create: guard model.operations.create == Names.operation("create", model.name) else { return }
        case .update: guard model.operations.update == Names.operation("update", model.name) else { return }
        case .delete: return
        }
        var steps = PatternSteps(isOver: isOver)
        for field in model.fields where !field.validations.isEmpty {
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
        values.compactMap { member in
            guard !left.contains(member.key), let column = type.table.column(of: member.key) else { return nil }
            return RecordChange.Assignment(member.key, StoredValue(member.value, as: column.kind))
        }
    }
}
