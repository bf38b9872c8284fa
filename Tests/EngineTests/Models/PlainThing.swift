import JSON
import TestSupport

/// A record in memory, and what filters and keys mean for it, as the specification words it.
///
/// A field that is not among the values is absent; one that is null was written as null.
struct PlainThing {
    let values: [String: JSONValue]

    var id: String { values["id"]?.string ?? "" }

    static func random(_ number: Int, _ schema: PlainSchema, using random: inout SeededRandom) -> PlainThing {
        var values: [String: JSONValue] = ["id": .string("t\(number)")]
        let stepsAreGiven = Int.random(in: 0..<4, using: &random) > 0
        for field in schema.fields where field.name != "id" {
            let isKey = !field.name.hasPrefix("one") && !field.name.hasPrefix("all")
            let value = { (random: inout SeededRandom) in
                field.isList
                    ? .array(
                        (0..<Int.random(in: 0...3, using: &random)).map { _ in
                            Int.random(in: 0..<8, using: &random) == 0
                                ? .null : PlainSchema.value(field.kind, using: &random)
                        })
                    : PlainSchema.value(field.kind, isKey: isKey, using: &random)
            }
            if field.isRequired || (field.name.hasPrefix("step") && stepsAreGiven) {
                values[field.name] = value(&random)
            } else if !field.name.hasPrefix("step") {
                switch Int.random(in: 0..<5, using: &random) {
                case 0: break
                case 1 where !isKey: values[field.name] = .null
                case 1: break
                default: values[field.name] = value(&random)
                }
            }
        }
        return PlainThing(values: values)
    }

    /// The input of the mutation that creates it.
    func input(_ schema: PlainSchema) -> JSONObject {
        JSONObject(
            schema.fields.compactMap { field in
                values[field.name].map { (field.name, field.kind == .json && !$0.isNull ? .string($0.text) : $0) }
            })
    }

    /// What a response shows of it.
    func shown(_ fields: [String], _ schema: PlainSchema) -> JSONValue {
        .object(
            JSONObject(
                fields.map { name in
                    guard let value = values[name], !value.isNull else { return (name, .null) }
                    return (name, schema.field(name)?.kind == .json ? .string(value.text) : value)
                }))
    }

    // MARK: Filters

    func meets(_ filter: JSONValue?) -> Bool {
        guard case .object(let object)? = filter else { return true }
        return object.members.allSatisfy { member in
            switch member.key {
            case "and": Self.elements(member.value).allSatisfy(meets)
            case "or": Self.elements(member.value).contains(where: meets)
            case "not": !meets(member.value)
            default:
                member.value.object?.members.allSatisfy { meets($0.key, $0.value, values[member.key]) } ?? true
            }
        }
    }

    /// The fields that a filter names, at any depth.
    static func fields(of filter: JSONValue?) -> Set<String> {
        guard case .object(let object)? = filter else { return [] }
        return object.members.reduce(into: []) { names, member in
            switch member.key {
            case "and", "or", "not": for part in elements(member.value) { names.formUnion(fields(of: part)) }
            default: names.insert(member.key)
            }
        }
    }

    /// A single object is a list of one.
    private static func elements(_ value: JSONValue) -> [JSONValue] { value.array ?? [value] }

    private func meets(_ name: String, _ operand: JSONValue, _ value: JSONValue?) -> Bool {
        switch name {
        case "eq": operand.isNull ? value == .null : Self.areEqual(value, operand)
        case "ne": operand.isNull ? value != .null : !Self.areEqual(value, operand)
        case "lt", "le", "gt", "ge": Self.order(value, operand).map { Self.holds(name, $0) } ?? false
        case "between":
            operand.array.map { ends in
                (Self.order(value, ends[0]).map { $0 >= 0 } ?? false)
                    && (Self.order(value, ends[1]).map { $0 <= 0 } ?? false)
            } ?? false
        case "beginsWith": Self.bytes(value).map { $0.starts(with: Self.bytes(operand) ?? []) } ?? false
        case "contains": Self.contains(value, operand)
        case "notContains": !Self.contains(value, operand)
        case "attributeExists": (value != nil) == operand.bool
        case "attributeType": value.map { Self.typeName($0) == operand.string } ?? false
        case "size":
            Self.size(value).map { size in
                operand.object?.members.allSatisfy { member in
                    meets(member.key, member.value, .integer(Int64(size)))
                } ?? false
            } ?? false
        default: false
        }
    }

    private static func areEqual(_ value: JSONValue?, _ operand: JSONValue) -> Bool {
        if let list = value?.array, let others = operand.array {
            return list.count == others.count
                && zip(list, others).allSatisfy { $0.isNull && $1.isNull || areEqual($0, $1) }
        }
        return order(value, operand) == 0
    }

    /// How a value compares with one of the same type: below 0, 0, above 0.
    static func order(_ value: JSONValue?, _ operand: JSONValue) -> Int? {
        if let left = bytes(value), let right = bytes(operand) {
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        }
        if let left = value?.number, let right = operand.number { return left == right ? 0 : left < right ? -1 : 1 }
        if let left = value?.bool, let right = operand.bool { return left == right ? 0 : left ? 1 : -1 }
        return nil
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.string.map { Array($0.utf8) } }

    private static func holds(_ name: String, _ order: Int) -> Bool {
        switch name {
        case "lt": order < 0
        case "le": order <= 0
        case "gt": order > 0
        default: order >= 0
        }
    }

    private static func contains(_ value: JSONValue?, _ operand: JSONValue) -> Bool {
        if let list = value?.array { return list.contains { areEqual($0, operand) } }
        guard let text = bytes(value), let part = bytes(operand) else { return false }
        return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    }

    private static func typeName(_ value: JSONValue) -> String {
        switch value {
        case .null: "_null"
        case .bool: "bool"
        case .integer, .double, .largeInteger: "number"
        case .string: "string"
        case .array: "list"
        case .object: "map"
        }
    }

    private static func size(_ value: JSONValue?) -> Int? {
        switch value {
        case .string(let text)?: text.utf8.count
        case .array(let elements)?: elements.count
        case .object(let object)?: object.count
        default: nil
        }
    }

    // MARK: Keys

    /// What orders it under a key: a value, or the text of several; nil when it is not under that key.
    func sortValue(_ key: PlainSchema.Key) -> JSONValue? {
        switch key.sort.count {
        case 0: return .null
        case 1: return values[key.sort[0]].flatMap { $0.isNull ? nil : $0 }
        default:
            let parts = key.sort.map { values[$0] }
            return parts.contains { $0 == nil || $0 == .null } ? nil : .string(Self.joined(parts.compactMap(\.self)))
        }
    }

    static func joined(_ parts: [JSONValue]) -> String {
        parts.map { part in
            switch part {
            case .double(let double): "\(double)"
            case .integer(let integer): "\(integer)"
            default: part.string ?? ""
            }
        }.joined(separator: "#")
    }

    /// Whether the condition on what orders holds: `{ge: 3}`, `{beginsWith: {status: OPEN}}`.
    func meets(_ condition: JSONValue?, on key: PlainSchema.Key) -> Bool {
        guard let member = condition?.object?.members.first, let value = sortValue(key) else { return true }
        func operand(_ given: JSONValue) -> JSONValue {
            guard key.sort.count > 1 else { return given }
            return .string(Self.joined(key.sort.compactMap { given[$0] }))
        }
        let operands: JSONValue =
            member.key == "between" ? .array((member.value.array ?? []).map(operand)) : operand(member.value)
        return meets(member.key, operands, value)
    }
}
