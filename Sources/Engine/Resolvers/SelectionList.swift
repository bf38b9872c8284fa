import GraphQL
import JSON

/// What is selected of a field, as handlers are told of it: `["id","author","author/name"]`.
struct SelectionList {
    private(set) var paths: [String] = []
    private let variables: VariableValues
    private static let pathsMax = 10_000

    init(_ plan: ValuePlan, _ variables: VariableValues) {
        self.variables = variables
        guard let fields = Self.fields(plan) else { return }
        add(fields, below: "")
    }

    /// Of an interface or a union: what all of its types have.
    private static func fields(_ plan: ValuePlan) -> [ValueField]? {
        switch plan.form {
        case .written, .scalar, .enumeration: return nil
        case .object(let selection): return selection.fields
        case .abstract(let selections):
            let all = selections.sorted { $0.key.string < $1.key.string }.map(\.value)
            guard let first = all.first else { return [] }
            return first.fields.filter { field in
                all.allSatisfy { $0.fields.contains { $0.responseName == field.responseName && $0.name == field.name } }
            }
        }
    }

    private static func plan(_ field: ValueField) -> ValuePlan? {
        switch field.source {
        case .typename, .hidden: nil
        case .member(let plan), .guarded(let plan, _): plan
        case .computed(let field): field.plan
        }
    }

    private mutating func add(_ fields: [ValueField], below path: String) {
        for field in fields where field.isMet(variables) {
            guard paths.count < Self.pathsMax else { break }
            let name = path + field.responseName
            paths.append(name)
            if let plan = Self.plan(field), let inner = Self.fields(plan) { add(inner, below: name + "/") }
        }
    }

    /// As much of a value as is selected of the field.
    static func cut(_ value: JSONValue, _ plan: ValuePlan, _ variables: VariableValues) -> JSONValue {
        guard let fields = fields(plan) else { return value }
        switch value {
        case .array(let elements): return .array(elements.map { cut($0, plan, variables) })
        case .object(let object):
            var shown = JSONObject()
            for field in fields where field.isMet(variables) {
                guard let member = object[field.name], let inner = Self.plan(field) else { continue }
                shown.set(field.responseName, to: cut(member, inner, variables))
            }
            return .object(shown)
        case .null, .bool, .integer, .double, .largeInteger, .string: return value
        }
    }
}
