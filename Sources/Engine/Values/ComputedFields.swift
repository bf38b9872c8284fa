import GraphQL
import JSON

/// Runs the computed fields of a value: those of its objects, then those of the objects that came of them, and so on.
/// Fields of one level run together, a bounded number at a time.
struct ComputedFields {
    /// Computes a field of an object.
    typealias Computation =
        @Sendable (_ field: ComputedField, _ source: JSONObject, _ path: ResponsePath) async -> FieldOutcome

    /// A field of an object, and where it stands in the response.
    private struct Pending: Sendable {
        let field: ComputedField
        let source: JSONObject
        let path: ResponsePath
    }

    private let variables: VariableValues
    private let permits: ValueWriter.Permission?
    private var pending: [Pending] = []
    private var count = 0
    /// About how many bytes all results have together.
    private var bytes = 0
    private var outcomes: [ResponsePath: FieldOutcome] = [:]

    /// What comes of all computed fields of the value of the field at a path, for `ValueWriter` to write. Fields that the
    /// caller may not see are not computed. Returns at once where the plan has no such field.
    static func outcomes(
        of value: JSONValue, _ plan: ValuePlan, at path: ResponsePath, _ variables: VariableValues,
        permits: ValueWriter.Permission? = nil, _ compute: @escaping Computation
    ) async -> [ResponsePath: FieldOutcome] {
        guard plan.holdsComputed else { return [:] }
        var fields = ComputedFields(variables, permits)
        var path = path
        fields.collect(value, plan.type, plan, &path)
        while !fields.pending.isEmpty {
            let level = fields.pending
            fields.pending = []
            for (field, outcome) in await run(level, compute) {
                let outcome = fields.taken(outcome, of: field)
                fields.outcomes[field.path] = outcome
                guard case .value(let value, _) = outcome else { continue }
                var path = field.path
                fields.collect(value, field.field.plan.type, field.field.plan, &path)
            }
        }
        return fields.outcomes
    }

    private init(_ variables: VariableValues, _ permits: ValueWriter.Permission?) {
        self.variables = variables
        self.permits = permits
    }

    private static func run(_ level: [Pending], _ compute: @escaping Computation) async -> [(Pending, FieldOutcome)] {
        if level.count == 1, let only = level.first {
            return [(only, await compute(only.field, only.source, only.path))]
        }
        let concurrentMax = ComputedField.concurrentMax(
            level.lazy.map(\.field), ordinarily: ValueLimits.concurrentFieldsMax)
        return await withTaskGroup(of: (Int, FieldOutcome).self) { group in
            var next = 0
            func start() {
                let (number, one) = (next, level[next])
                group.addTask { (number, await compute(one.field, one.source, one.path)) }
                next += 1
            }
            while next < min(level.count, concurrentMax) { start() }
            var outcomes: [(Pending, FieldOutcome)] = []
            outcomes.reserveCapacity(level.count)
            while let (number, outcome) = await group.next() {
                outcomes.append((level[number], outcome))
                if next < level.count { start() }
            }
            return outcomes
        }
    }

    /// The outcome, or a failure where all together are too much to keep.
    private mutating func taken(_ outcome: FieldOutcome, of field: Pending) -> FieldOutcome {
        switch outcome {
        case .value(let value, _): bytes += value.byteCount
        case .written(let written, _): bytes += written?.count ?? 0
        }
        guard bytes > ValueLimits.computedBytesMax else { return outcome }
        return .failure(
            GraphQLError(
                "The results of the fields of one value have more than \(ValueLimits.computedBytesMax >> 20) MB together",
                type: "LimitExceeded", at: field.path, locations: field.field.locations))
    }

    // MARK: Which there are

    /// Goes where `ValueWriter` goes, and no further: through what is of its type.
    private mutating func collect(_ value: JSONValue, _ type: TypeUse, _ plan: ValuePlan, _ path: inout ResponsePath) {
        guard plan.holdsComputed else { return }
        if type.isList {
            guard case .array(let elements) = value else { return }
            path.steps.append(.index(0))
            for (index, element) in elements.enumerated() {
                path.steps[path.steps.count - 1] = .index(index)
                collect(element, type.item, plan, &path)
            }
            path.steps.removeLast()
            return
        }
        guard case .object(let object) = value else { return }
        switch plan.form {
        case .written, .scalar, .enumeration: return
        case .object(let selection): collect(object, selection, &path)
        case .abstract(let selections):
            guard let selection = selections[object["__typename"]?.string ?? ""] else { return }
            collect(object, selection, &path)
        }
    }

    private mutating func collect(_ object: JSONObject, _ selection: ValueSelection, _ path: inout ResponsePath) {
        guard selection.holdsComputed else { return }
        for field in selection.fields where field.isMet(variables) && (permits?(field) ?? true) {
            path.steps.append(.name(field.responseName))
            defer { path.steps.removeLast() }
            switch field.source {
            case .typename, .hidden, .guarded: break
            case .member(let plan): collect(object[field.name] ?? .null, plan.type, plan, &path)
            case .computed(let computed): add(Pending(field: computed, source: object, path: path))
            }
        }
    }

    private mutating func add(_ field: Pending) {
        count += 1
        guard count <= ValueLimits.computedFieldsMax else {
            outcomes[field.path] = .failure(
                GraphQLError(
                    "More than \(ValueLimits.computedFieldsMax) fields of one value are computed",
                    type: "LimitExceeded",
                    at: field.path, locations: field.field.locations))
            return
        }
        pending.append(field)
    }
}
