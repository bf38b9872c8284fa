import JSON
import TestSupport

/// A random question for a page of things, and its answer in memory.
struct PlainQuestion {
    enum Source {
        /// The whole table.
        case all
        /// The records under a key, by its query.
        case key(PlainSchema.Key, partition: JSONValue)
        /// The things of a home, as a relation.
        case relation(PlainSchema.Key, home: String)
    }

    let source: Source
    let condition: JSONValue?
    let isDescending: Bool?
    let filter: JSONValue?
    let limit: Int?

    /// The home whose things are asked for.
    var home: String? {
        if case .relation(_, let home) = source { home } else { nil }
    }

    /// The same question for the things of another home.
    func under(home: String) -> PlainQuestion {
        guard case .relation(let key, _) = source else { return self }
        return PlainQuestion(
            source: .relation(key, home: home), condition: condition, isDescending: isDescending, filter: filter,
            limit: limit)
    }

    static func random(
        _ schema: PlainSchema, _ things: [PlainThing], using random: inout SeededRandom
    ) -> PlainQuestion {
        let source: Source
        let keys = schema.indexes + (schema.hasCustomKey ? [schema.primary] : [])
        let key = keys[Int.random(in: 0..<keys.count, using: &random)]
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: source = .all
        case 2:
            let home = things.randomElement(using: &random)?.values["homeID"]?.string
            source = .relation(schema.indexes[0], home: home ?? "nobody's")
        default:
            let known = things.randomElement(using: &random)?.values[key.partition]
            let kind = schema.field(key.partition)?.kind ?? .string
            source = .key(
                key,
                partition: known.flatMap { $0.isNull ? nil : $0 }
                    ?? PlainSchema.value(kind, isKey: true, using: &random))
        }
        var condition: JSONValue?
        var isDescending: Bool?
        switch source {
        case .all: break
        case .key(let key, _), .relation(let key, _):
            guard !key.sort.isEmpty else { break }
            if Bool.random(using: &random) { isDescending = Bool.random(using: &random) }
            if Bool.random(using: &random) { condition = self.condition(on: key, schema, using: &random) }
        }
        var filter: JSONValue?
        if Int.random(in: 0..<4, using: &random) > 0 { filter = self.filter(schema, depth: 3, using: &random) }
        let limit = Int.random(in: 0..<4, using: &random) > 0 ? Int.random(in: 1...12, using: &random) : nil
        return PlainQuestion(
            source: source, condition: condition, isDescending: isDescending, filter: filter, limit: limit)
    }

    private static func condition(
        on key: PlainSchema.Key, _ schema: PlainSchema, using random: inout SeededRandom
    ) -> JSONValue {
        let kinds = key.sort.compactMap { schema.field($0)?.kind }
        var names = ["eq", "lt", "le", "gt", "ge", "between"]
        if key.sort.count > 1 || kinds[0].isText { names.append("beginsWith") }
        func operand() -> JSONValue {
            guard key.sort.count > 1 else { return PlainSchema.value(kinds[0], using: &random) }
            // Only leading fields can be given.
            let count = Int.random(in: 1...key.sort.count, using: &random)
            return .object(
                JSONObject(
                    (0..<count).map { (key.sort[$0], PlainSchema.value(kinds[$0], isKey: true, using: &random)) }))
        }
        let name = names[Int.random(in: 0..<names.count, using: &random)]
        return .object(JSONObject([(name, name == "between" ? .array([operand(), operand()]) : operand())]))
    }

    // MARK: Filters

    static func filter(_ schema: PlainSchema, depth: Int, using random: inout SeededRandom) -> JSONValue {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
            case 4:
                object["not"] = filter(schema, depth: depth - 1, using: &random)
            case 5, 6:
                let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    filter(schema, depth: depth - 1, using: &random)
                }
                object[Bool.random(using: &random) ? "and" : "or"] =
                    parts.count == 1 && Bool.random(using: &random) ? parts[0] : .array(parts)
            default:
                let field = schema.fields[Int.random(in: 0..<schema.fields.count, using: &random)]
                object[field.name] = operators(field, using: &random)
            }
        }
        return .object(object)
    }

    private static func operators(_ field: PlainSchema.Field, using random: inout SeededRandom) -> JSONValue {
        var object = JSONObject()
        for _ in 0..<(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1) {
            let (name, value) = condition(field, using: &random)
            object[name] = value
        }
        return .object(object)
    }

    private static func condition(
        _ field: PlainSchema.Field, using random: inout SeededRandom
    ) -> (String, JSONValue) {
        func operand() -> JSONValue {
            // A filter of JSON compares with texts.
            PlainSchema.value(field.kind == .json ? .string : field.kind, using: &random)
        }
        func orNull(_ value: JSONValue) -> JSONValue { Int.random(in: 0..<4, using: &random) == 0 ? .null : value }
        func pick(_ names: [String]) -> String { names[Int.random(in: 0..<names.count, using: &random)] }
        if field.kind == .mood {
            guard field.isList else { return (pick(["eq", "ne"]), orNull(operand())) }
            let name = pick(["eq", "ne", "contains", "notContains"])
            guard name == "eq" || name == "ne" else { return (name, operand()) }
            return (name, orNull(.array((0..<Int.random(in: 0...2, using: &random)).map { _ in operand() })))
        }
        if field.kind == .boolean {
            switch pick(["eq", "ne", "attributeExists", "attributeType"]) {
            case "attributeExists": return ("attributeExists", .bool(Bool.random(using: &random)))
            case "attributeType": return ("attributeType", .string(typeName(using: &random)))
            case let name: return (name, orNull(operand()))
            }
        }
        var names = ["eq", "ne", "le", "lt", "ge", "gt", "between", "attributeExists", "attributeType"]
        if !field.kind.isNumber { names += ["contains", "notContains", "beginsWith", "size"] }
        let name = pick(names)
        switch name {
        case "eq", "ne": return (name, orNull(operand()))
        case "between": return (name, .array([operand(), operand()]))
        case "attributeExists": return (name, .bool(Bool.random(using: &random)))
        case "attributeType": return (name, .string(typeName(using: &random)))
        case "size":
            let size = { (random: inout SeededRandom) in JSONValue.integer(Int64.random(in: 0...4, using: &random)) }
            let comparison = pick(["eq", "ne", "le", "lt", "ge", "gt", "between"])
            return (
                name,
                .object(
                    JSONObject([
                        (comparison, comparison == "between" ? .array([size(&random), size(&random)]) : size(&random))
                    ]))
            )
        default: return (name, operand())
        }
    }

    private static func typeName(using random: inout SeededRandom) -> String {
        let names = ["bool", "list", "map", "number", "string", "_null", "binary", "stringSet"]
        return names[Int.random(in: 0..<names.count, using: &random)]
    }

    // MARK: The answer in memory

    struct Page {
        var items: [PlainThing]
        /// Where the next page starts.
        var next: Int?
    }

    /// The records that are read one after the other, before any filter.
    func sequence(of things: [PlainThing]) -> [PlainThing] {
        let key: PlainSchema.Key
        let partition: JSONValue
        switch source {
        case .all: return things
        case .key(let given, let value): (key, partition) = (given, value)
        case .relation(let given, let home): (key, partition) = (given, .string(home))
        }
        let found = things.enumerated().compactMap {
            place, thing -> (place: Int, sort: JSONValue, thing: PlainThing)? in
            guard PlainThing.order(thing.values[key.partition], partition) == 0, let sort = thing.sortValue(key),
                thing.meets(condition, on: key)
            else { return nil }
            return (place, sort, thing)
        }
        let sorted = found.sorted { left, right in
            let order = PlainThing.order(left.sort, right.sort) ?? 0
            return order == 0 ? left.place < right.place : order < 0
        }
        return (isDescending == true ? sorted.reversed() : sorted).map(\.thing)
    }

    /// Nil where the cloud refuses the filter.
    func page(of things: [PlainThing], from start: Int, isFilled: Bool, limitOrdinarily: Int) -> Page? {
        switch source {
        case .all: break
        case .key(let key, _), .relation(let key, _):
            guard PlainThing.fields(of: filter).isDisjoint(with: key.attributes) else { return nil }
        }
        let sequence = sequence(of: things)
        let limit = limit ?? limitOrdinarily
        guard isFilled else {
            let read = sequence.dropFirst(start).prefix(limit)
            return Page(items: read.filter { $0.meets(filter) }, next: read.count == limit ? start + limit : nil)
        }
        var items: [PlainThing] = []
        for (place, thing) in sequence.enumerated().dropFirst(start) where thing.meets(filter) {
            if items.count == limit { return Page(items: items, next: place) }
            items.append(thing)
        }
        return Page(items: items)
    }
}
