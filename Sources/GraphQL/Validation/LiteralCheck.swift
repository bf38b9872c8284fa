/// Finds the first thing in a literal that its type does not allow. Specification: section 5.6.
enum LiteralCheck {
    /// What is wrong.
    struct Problem {
        /// The steps from the argument to the place, the last one first: `[1]`, `.tags`.
        var path: [String] = []
        /// The part of the literal that is wrong; nil for the whole of it.
        var value: Value?
        let reason: String
    }

    static func problem(of value: Value, _ type: TypeUse, _ schema: Schema) -> Problem? {
        switch value {
        case .null: return type.isNonNull ? Problem(value: value, reason: "must not be null") : nil
        case .variable: return nil
        default: break
        }
        let type = type.nullable
        if type.isList {
            guard case .list(let list) = value else { return problem(of: value, type.item, schema) }
            for (index, element) in list.values.enumerated() {
                guard var problem = problem(of: element, type.item, schema) else { continue }
                problem.path.append("[\(index)]")
                return problem
            }
            return nil
        }
        switch schema[type.named] {
        case .scalar(let scalar):
            return isLiteral(value, of: scalar)
                ? nil : Problem(value: value, reason: "is not a valid '\(scalar.name)'")
        case .enum(let type):
            if case .enum(let name) = value, type.contains(name.text) { return nil }
            return Problem(value: value, reason: "is not a valid '\(type.name)'")
        case .inputObject(let input): return problem(of: value, input, schema)
        case .object, .interface, .union: return nil
        }
    }

    private static func problem(of value: Value, _ type: InputObjectType, _ schema: Schema) -> Problem? {
        guard case .object(let object) = value else { return Problem(reason: "must be an object type") }
        let names = Set(object.fields.map(\.name.text))
        let missing = type.fields.values.filter { $0.isRequired && !names.contains($0.name) }.map(\.name)
        guard missing.isEmpty else {
            return Problem(reason: "is missing required fields '[\(missing.joined(separator: ", "))]'")
        }
        for field in object.fields {
            guard let definition = type.fields[field.name.text] else {
                return Problem(reason: "contains a field not in '\(type.name)': '\(field.name)'")
            }
            if var problem = problem(of: field.value, definition.type, schema) {
                problem.path.append(".\(field.name)")
                return problem
            }
        }
        return nil
    }

    private static func isLiteral(_ value: Value, of scalar: ScalarType) -> Bool {
        do {
            _ = try scalar.coercion.parseLiteral(value)
            return true
        } catch {
            return false
        }
    }
}
