import JSON
import TestSupport

/// Random calls to one table, and what a judge says of them who keeps the items in a list and goes through all of them.
struct RandomCalls {
    enum Call {
        /// What is answered as `ALL_OLD` or `ALL_NEW`, null for nothing; nil: the condition does not hold.
        case write(operation: String, body: String, expected: JSONValue?)
        case read(
            operation: String, body: String, limit: Int?, expected: [JSONValue], sort: (name: String, isForward: Bool)?)
    }

    private typealias Test = (text: String, holds: (JSONValue?) -> Bool)

    private let table: RandomTable
    private var random: SeededRandom
    private var items: [JSONValue] = []
    private var names = JSONObject()
    private var values = JSONObject()

    init(_ table: RandomTable, _ random: SeededRandom) {
        self.table = table
        self.random = random
    }

    mutating func next() -> Call {
        (names, values) = (JSONObject(), JSONObject())
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: return put()
        case 3, 4: return update()
        case 5: return delete()
        case 6: return get()
        case 7: return scan()
        default: return query()
        }
    }

    // MARK: Parts

    private mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

    private mutating func pick<Element>(_ all: [Element]) -> Element {
        all[Int.random(in: 0..<all.count, using: &random)]
    }

    private mutating func key() -> JSONObject {
        // Mostly one that is there.
        if !items.isEmpty, !chance(3) {
            let item = pick(items)
            return JSONObject(["p", "s"].compactMap { name in item[name].map { (name, $0) } })
        }
        var key = JSONObject()
        key.set("p", to: ["S": .string(pick(["1", "2", "é"]))])
        key.set("s", to: RandomTable.value(table.sort, &random))
        return key
    }

    private mutating func item(_ key: JSONObject) -> JSONValue {
        var item = key
        if !chance(3) { item.set("g", to: ["S": .string(pick(["u", "v"]))]) }
        if !chance(3) { item.set("l", to: RandomTable.value(table.indexSort, &random)) }
        if table.hasH, !chance(3) { item.set("h", to: ["S": .string(pick(["u", "v"]))]) }
        for (name, kinds) in table.kinds.sorted(by: { $0.key < $1.key }) where !chance(3) {
            item.set(name, to: RandomTable.value(pick(kinds), &random))
        }
        return .object(item)
    }

    /// The item as it is kept.
    private func kept(_ item: JSONValue) -> JSONValue {
        guard let typeName = table.typeName, var object = item.object else { return item }
        object.set("__typename", to: ["S": .string(typeName)])
        return .object(object)
    }

    private func place(_ key: JSONObject) -> Int? {
        items.firstIndex { item in
            PlainItems.areSame(item["p"], key["p"]) && PlainItems.areSame(item["s"], key["s"])
        }
    }

    private mutating func name(_ attribute: String) -> String {
        names.set("#\(attribute)", to: .string(attribute))
        return "#\(attribute)"
    }

    private mutating func value(_ value: JSONValue) -> String {
        let key = ":v\(values.count)"
        values.set(key, to: value)
        return key
    }

    private mutating func condition() -> Test {
        let attribute = pick(["x", "y", "z", "w", "g", "l"])
        let text = name(attribute)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ("attribute_exists(\(text))", { $0?[attribute] != nil })
        case 1: return ("attribute_not_exists(\(text))", { $0?[attribute] == nil })
        case 2:
            let type = pick(["S", "N", "NULL", "BOOL", "L"])
            return (
                "attribute_type(\(text), \(value(["S": .string(type)])))",
                { $0?[attribute]?.object?.keys.first == type }
            )
        default:
            let kind: RandomTable.Kind = attribute == "g" ? .text : attribute == "l" ? table.indexSort : .number
            let bound = kind == .text ? ["S": .string(pick(["u", "v"]))] : RandomTable.bound(kind, &random)
            let comparator = pick(["=", "<", ">="])
            return (
                "\(text) \(comparator) \(value(bound))",
                { item in
                    guard let order = PlainItems.order(item?[attribute], bound) else { return false }
                    return comparator == "=" ? order == 0 : comparator == "<" ? order < 0 : order >= 0
                }
            )
        }
    }

    private func body(_ parts: [String]) -> String {
        var parts = [#""TableName": "\#(table.name)""#] + parts
        if !names.isEmpty { parts.append(#""ExpressionAttributeNames": \#(JSONWriter.text(of: .object(names)))"#) }
        if !values.isEmpty { parts.append(#""ExpressionAttributeValues": \#(JSONWriter.text(of: .object(values)))"#) }
        return "{\(parts.joined(separator: ", "))}"
    }

    // MARK: Writes

    private mutating func put() -> Call {
        let key = key()
        let item = item(key)
        let condition = chance(2) ? condition() : nil
        let old = place(key)
        let body = body(
            [#""Item": \#(JSONWriter.text(of: item))"#, #""ReturnValues": "ALL_OLD""#]
                + (condition.map { [#""ConditionExpression": "\#($0.text)""#] } ?? []))
        guard condition?.holds(old.map { items[$0] }) ?? true else {
            return .write(operation: "PutItem", body: body, expected: nil)
        }
        let before = old.map { items[$0] }
        if let old { items[old] = kept(item) } else { items.append(kept(item)) }
        return .write(operation: "PutItem", body: body, expected: before ?? .null)
    }

    private mutating func update() -> Call {
        let key = key()
        let other = item(JSONObject())
        var sets: [String] = []
        var removes: [String] = []
        let old = place(key)
        var new = old.map { items[$0] }?.object ?? key
        for attribute in ["g", "h", "l", "x", "y", "z", "w"] where chance(3) && (table.hasH || attribute != "h") {
            if let given = other[attribute] {
                sets.append("\(name(attribute)) = \(value(given))")
                new.set(attribute, to: given)
            } else {
                removes.append(name(attribute))
                new[attribute] = nil
            }
        }
        let condition = chance(3) ? condition() : nil
        let text =
            (sets.isEmpty ? "" : "SET \(sets.joined(separator: ", ")) ")
            + (removes.isEmpty ? "" : "REMOVE \(removes.joined(separator: ", "))")
        let body = body(
            [#""Key": \#(JSONWriter.text(of: .object(key)))"#]
                + (text.isEmpty ? [] : [#""UpdateExpression": "\#(text)""#])
                + (condition.map { [#""ConditionExpression": "\#($0.text)""#] } ?? []) + [#""ReturnValues": "ALL_OLD""#]
        )
        guard condition?.holds(old.map { items[$0] }) ?? true else {
            return .write(operation: "UpdateItem", body: body, expected: nil)
        }
        let before = old.map { items[$0] }
        // What only takes away makes no item.
        let makesOne = !sets.isEmpty || removes.isEmpty
        if let old { items[old] = .object(new) } else if makesOne { items.append(kept(.object(new))) }
        return .write(operation: "UpdateItem", body: body, expected: before ?? .null)
    }

    private mutating func delete() -> Call {
        let key = key()
        let condition = chance(3) ? condition() : nil
        let old = place(key)
        let body = body(
            [#""Key": \#(JSONWriter.text(of: .object(key)))"#, #""ReturnValues": "ALL_OLD""#]
                + (condition.map { [#""ConditionExpression": "\#($0.text)""#] } ?? []))
        guard condition?.holds(old.map { items[$0] }) ?? true else {
            return .write(operation: "DeleteItem", body: body, expected: nil)
        }
        return .write(operation: "DeleteItem", body: body, expected: old.map { items.remove(at: $0) } ?? .null)
    }

    // MARK: Reads

    private static func shown(_ item: JSONValue, _ attributes: [String]?) -> JSONValue {
        guard let attributes else { return item }
        return .object(JSONObject(attributes.compactMap { name in item[name].map { (name, $0) } }))
    }

    /// The attributes that are asked for, and how.
    private mutating func projection() -> (attributes: [String]?, text: [String]) {
        guard chance(3) else { return (nil, []) }
        let attributes = ["p", "x", "l"].filter { _ in !chance(2) } + ["g"]
        let text = attributes.map { name($0) }.joined(separator: ", ")
        return (attributes, [#""ProjectionExpression": "\#(text)""#])
    }

    private mutating func get() -> Call {
        let key = key()
        var (attributes, text) = projection()
        if attributes != nil {
            // A key that is not there has no projection to be empty of.
            attributes = attributes?.eachOnce()
        }
        let found = place(key).map { Self.shown(items[$0], attributes) }
        text.insert(#""Key": \#(JSONWriter.text(of: .object(key)))"#, at: 0)
        return .read(
            operation: "GetItem", body: body(text), limit: nil, expected: [found].compactMap(\.self), sort: nil)
    }

    private mutating func limit() -> (Int?, [String]) {
        guard chance(2) else { return (nil, []) }
        let limit = pick([1, 2, 3, 7])
        return (limit, [#""Limit": \#(limit)"#])
    }

    private mutating func index() -> (name: String?, text: [String]) {
        guard let name = pick([nil, "byG", table.hasH ? "byH" : "byL"] as [String?]) else { return (nil, []) }
        return (name, [#""IndexName": "\#(name)""#])
    }

    private func keys(of index: String?) -> (partition: String, sort: String?) {
        switch index {
        case "byG": ("g", "l")
        case "byH": ("h", nil)
        case "byL": ("p", "l")
        default: ("p", "s")
        }
    }

    /// The items of an index, as it shows them.
    private func items(of index: String?) -> [JSONValue] {
        let keys = keys(of: index)
        return items.filter { item in
            item[keys.partition] != nil && keys.sort.map { item[$0] != nil } ?? true
        }
        .map { Self.shown($0, table.projected(index)) }
    }

    private mutating func scan() -> Call {
        let (index, indexText) = index()
        let (limit, limitText) = limit()
        let filter = chance(2) ? condition() : nil
        let found = items(of: index).filter { filter?.holds($0) ?? true }
        return .read(
            operation: "Scan",
            body: body(indexText + limitText + (filter.map { [#""FilterExpression": "\#($0.text)""#] } ?? [])),
            limit: limit, expected: found, sort: nil)
    }

    private mutating func query() -> Call {
        let (index, indexText) = index()
        let keys = keys(of: index)
        let partition: JSONValue = [
            "S": .string(pick(keys.partition == "p" ? ["1", "2", "é", "é"] : ["u", "v", "w"]))
        ]
        var text = "\(name(keys.partition)) = \(value(partition))"
        var holds: (JSONValue) -> Bool = { _ in true }
        if let sort = keys.sort, !chance(3) {
            let test = sortTest(sort, sort == "s" ? table.sort : table.indexSort)
            text += " AND \(test.text)"
            holds = { test.holds($0[sort]) }
        }
        let (limit, limitText) = limit()
        let isForward = chance(2)
        let filter = chance(3) && index == nil ? filterBesideKeys() : nil
        let found = items(of: index).filter { item in
            PlainItems.areSame(item[keys.partition], partition) && holds(item) && filter?.holds(item) ?? true
        }
        return .read(
            operation: "Query",
            body: body(
                indexText + limitText + [#""KeyConditionExpression": "\#(text)", "ScanIndexForward": \#(isForward)"#]
                    + (filter.map { [#""FilterExpression": "\#($0.text)""#] } ?? [])), limit: limit, expected: found,
            sort: keys.sort.map { ($0, isForward) })
    }

    private mutating func filterBesideKeys() -> Test {
        let text = name("x")
        return ("attribute_exists(\(text))", { $0?["x"] != nil })
    }

    private mutating func sortTest(_ sort: String, _ kind: RandomTable.Kind) -> Test {
        let name = name(sort)
        let bound = RandomTable.bound(kind, &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where kind == .text:
            let start = bound["S"]?.string ?? ""
            return (
                "begins_with(\(name), \(value(bound)))",
                { $0?["S"]?.string.map { $0.utf8.starts(with: start.utf8) } ?? false }
            )
        case 0, 1:
            let other = RandomTable.bound(kind, &random)
            let isOrdered = (PlainItems.order(bound, other) ?? 0) <= 0
            let (low, high) = isOrdered ? (bound, other) : (other, bound)
            return (
                "\(name) BETWEEN \(value(low)) AND \(value(high))",
                { (PlainItems.order($0, low) ?? -1) >= 0 && (PlainItems.order($0, high) ?? 1) <= 0 }
            )
        default:
            let comparator = pick(["=", "<", "<=", ">", ">="])
            return (
                "\(name) \(comparator) \(value(bound))",
                { found in
                    guard let order = PlainItems.order(found, bound) else { return false }
                    return order < 0
                        ? comparator.hasPrefix("<") : order > 0 ? comparator.hasPrefix(">") : comparator.hasSuffix("=")
                }
            )
        }
    }
}
