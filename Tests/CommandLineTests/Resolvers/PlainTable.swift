import JSON
import TestSupport

/// A table with a key of `id` and `at` and an index `byKind`, as one would write it for a test: every operation walks over all items.
struct PlainTable {
    struct Key: Hashable, Comparable {
        let id: String
        let at: Int64

        static func < (left: Key, right: Key) -> Bool {
            left.id.utf8.elementsEqual(right.id.utf8)
                ? left.at < right.at : left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
        }
    }

    /// What an item holds: its key among the rest, as handlers see it.
    typealias Item = [String: JSONValue]

    private(set) var items: [Key: Item] = [:]

    /// A request, and what the handler is to be told.
    struct Round {
        let request: JSONValue
        let result: JSONValue
        /// The type of its error; nil: none.
        var error: String?
        /// How many items a page of it has; nil: all of them stand on the first.
        var pageMax: Int64?
    }

    private static let failed = "DynamoDB:ConditionalCheckFailedException"
    private static let kinds = ["a", "b"]

    private func item(_ key: Key) -> JSONValue { items[key].map(Self.value) ?? .null }

    static func value(_ item: Item) -> JSONValue {
        .object(JSONObject(item.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    static func typed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string: ["S": value]
        case .integer: ["N": value]
        case .bool: ["BOOL": value]
        case .array(let elements): ["L": .array(elements.map(typed))]
        case .object(let object): ["M": .object(JSONObject(object.map { ($0.key, typed($0.value)) }))]
        default: ["NULL": .null]
        }
    }

    private static func typed(_ key: Key) -> JSONValue {
        ["id": ["S": .string(key.id)], "at": ["N": .integer(key.at)]]
    }

    private static func whole(_ key: Key, _ rest: Item) -> Item {
        rest.merging(["id": .string(key.id), "at": .integer(key.at)]) { _, new in new }
    }

    // MARK: Random requests

    private func key(_ random: inout SeededRandom) -> Key {
        Key(id: "k\(Int.random(in: 0..<3, using: &random))", at: Int64.random(in: 0..<4, using: &random))
    }

    private func attributes(_ random: inout SeededRandom) -> Item {
        var item: Item = [:]
        if Bool.random(using: &random) { item["kind"] = .string(Self.kinds.randomElement(using: &random) ?? "a") }
        if Bool.random(using: &random) { item["n"] = .integer(Int64.random(in: -3..<10, using: &random)) }
        if Bool.random(using: &random) {
            item["list"] = .array((0..<Int.random(in: 0..<3, using: &random)).map { .integer(Int64($0)) })
        }
        if Bool.random(using: &random) { item["map"] = ["deep": ["x": true, "none": .null]] }
        return item
    }

    /// One more request, done here.
    mutating func next(_ random: inout SeededRandom) -> Round {
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: put(key(&random), attributes(&random), condition(&random))
        case 2, 3:
            update(
                key(&random), Int.random(in: 0..<6, using: &random), Int64.random(in: 1..<5, using: &random),
                condition(&random))
        case 4: delete(key(&random), condition(&random))
        case 5: get(key(&random), projection(&random))
        case 6, 7: query(id: "k\(Int.random(in: 0..<3, using: &random))", &random)
        case 8: query(kind: Self.kinds.randomElement(using: &random) ?? "a", &random)
        case 9: scan(&random)
        case 10: batch(&random)
        case 11, 12: transaction(&random)
        default: transactGet(keys(3, &random), projection(&random))
        }
    }

    private func condition(_ random: inout SeededRandom) -> PlainFilter? {
        Int.random(in: 0..<3, using: &random) == 0 ? nil : .random(&random)
    }

    private func projection(_ random: inout SeededRandom) -> PlainProjection? {
        Bool.random(using: &random) ? nil : .random(&random)
    }

    /// Different ones.
    private func keys(_ count: Int, _ random: inout SeededRandom) -> [Key] {
        var keys: [Key] = []
        for _ in 0..<count {
            let key = key(&random)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    private func isMet(_ condition: PlainFilter?, by key: Key) -> Bool { condition?.holds(items[key] ?? [:]) ?? true }

    private mutating func put(_ key: Key, _ rest: Item, _ condition: PlainFilter?) -> Round {
        var request = JSONObject([("operation", "PutItem"), ("key", Self.typed(key))])
        request.set("attributeValues", to: .object(JSONObject(rest.map { ($0.key, Self.typed($0.value)) })))
        if let condition { request.set("condition", to: condition.json) }
        let wanted = Self.whole(key, rest)
        guard isMet(condition, by: key) else {
            // What is wanted is there already.
            let isSame = items[key] == wanted
            return Round(request: .object(request), result: item(key), error: isSame ? nil : Self.failed)
        }
        items[key] = wanted
        return Round(request: .object(request), result: Self.value(wanted))
    }

    private mutating func update(_ key: Key, _ kind: Int, _ n: Int64, _ condition: PlainFilter?) -> Round {
        var item = items[key] ?? Self.whole(key, [:])
        var condition = condition
        let expression: String
        var values: JSONValue = [":n": ["N": .integer(n)]]
        switch kind {
        case 0:
            expression = "SET n = :n"
            item["n"] = .integer(n)
        case 1:
            expression = "ADD n :n"
            item["n"] = .integer((item["n"]?.integer ?? 0) + n)
        case 2:
            expression = "SET n = if_not_exists(n, :n)"
            if item["n"] == nil { item["n"] = .integer(n) }
        case 3:
            expression = "SET #l = list_append(if_not_exists(#l, :none), :more)"
            values = [":none": ["L": []], ":more": ["L": [["N": .integer(n)]]]]
            item["list"] = .array((item["list"]?.array ?? []) + [.integer(n)])
        case 4:
            expression = "REMOVE #l SET kind = :kind"
            values = [":kind": ["S": "b"]]
            item["list"] = nil
            item["kind"] = "b"
        default:
            expression = "SET n = n + :n"
            // Without a number there is nothing to add to.
            condition = PlainFilter(expression: "attribute_exists(n)") { $0["n"] != nil }
            item["n"] = .integer((item["n"]?.integer ?? 0) + n)
        }
        var update = JSONObject([("expression", .string(expression)), ("expressionValues", values)])
        if expression.contains("#l") { update.set("expressionNames", to: ["#l": "list"]) }
        var request = JSONObject([("operation", "UpdateItem"), ("key", Self.typed(key)), ("update", .object(update))])
        if let condition { request.set("condition", to: condition.json) }
        guard isMet(condition, by: key) else {
            return Round(request: .object(request), result: self.item(key), error: Self.failed)
        }
        items[key] = item
        return Round(request: .object(request), result: Self.value(item))
    }

    private mutating func delete(_ key: Key, _ condition: PlainFilter?) -> Round {
        var request = JSONObject([("operation", "DeleteItem"), ("key", Self.typed(key))])
        if let condition { request.set("condition", to: condition.json) }
        guard isMet(condition, by: key) else {
            // What is gone already is what is wanted.
            return Round(request: .object(request), result: item(key), error: items[key] == nil ? nil : Self.failed)
        }
        defer { items[key] = nil }
        return Round(request: .object(request), result: item(key))
    }

    private func get(_ key: Key, _ projection: PlainProjection?) -> Round {
        var request = JSONObject([("operation", "GetItem"), ("key", Self.typed(key))])
        guard let projection, let item = items[key] else {
            return Round(request: .object(request), result: item(key))
        }
        request.set("projection", to: projection.json)
        return Round(request: .object(request), result: Self.value(projection.shown(item)))
    }

    // MARK: Pages

    /// What is asked of a page beside where it is: a filter, a projection, how many items stand on it.
    private func page(
        _ request: JSONObject, of scanned: [Item], _ random: inout SeededRandom, key: String? = nil
    ) -> Round {
        var request = request
        var found = scanned
        // A filter may not name what is a part of the key.
        if let filter = condition(&random), !filter.expression.contains(key ?? "no key") {
            // What `util.transform.toDynamoDBFilterExpression` gives is a text.
            request.set(
                "filter",
                to: Bool.random(using: &random) ? filter.json : .string(JSONWriter.text(of: filter.json)))
            found = found.filter(filter.holds)
        }
        if let projection = projection(&random) {
            request.set("projection", to: projection.json)
            request.set("select", to: "SPECIFIC_ATTRIBUTES")
            found = found.map(projection.shown)
        }
        let pageMax = Bool.random(using: &random) ? nil : Int64.random(in: 1..<4, using: &random)
        return Round(
            request: .object(request),
            result: [
                "items": .array(found.map(Self.value)), "nextToken": .null,
                "scannedCount": .integer(Int64(scanned.count)),
            ], pageMax: pageMax)
    }

    private static func isWithin(_ at: Int64, _ comparison: Int, _ from: Int64, _ to: Int64) -> Bool {
        switch comparison {
        case 0: at >= from
        case 1: at > from
        case 2: at < from
        case 3: at <= from
        case 4: at == from
        default: (from...to).contains(at)
        }
    }

    private func query(id: String, _ random: inout SeededRandom) -> Round {
        let isForward = Bool.random(using: &random)
        let from = Int64.random(in: 0..<3, using: &random)
        let comparison = Int.random(in: 0..<6, using: &random)
        let to = from + Int64.random(in: 0..<3, using: &random)
        var found = items.keys.filter {
            $0.id.utf8.elementsEqual(id.utf8) && Self.isWithin($0.at, comparison, from, to)
        }.sorted()
        if !isForward { found.reverse() }
        var values = JSONObject()
        values.set(":id", to: ["S": .string(id)])
        values.set(":from", to: ["N": .integer(from)])
        if comparison == 5 { values.set(":to", to: ["N": .integer(to)]) }
        let signs = [">= :from", "> :from", "< :from", "<= :from", "= :from", "BETWEEN :from AND :to"]
        var request = JSONObject([("operation", "Query"), ("scanIndexForward", .bool(isForward))])
        request.set(
            "query",
            to: [
                "expression": .string("id = :id AND #at \(signs[comparison])"), "expressionNames": ["#at": "at"],
                "expressionValues": .object(values),
            ])
        return page(request, of: found.compactMap { items[$0] }, &random)
    }

    /// In the index items with the same key stand in any order: those of one `at` are asked for.
    private func query(kind: String, _ random: inout SeededRandom) -> Round {
        let at = Int64.random(in: 0..<4, using: &random)
        let keys = items.keys.filter { $0.at == at && items[$0]?["kind"] == .string(kind) }.sorted()
        var request = JSONObject([("operation", "Query"), ("index", "byKind")])
        request.set(
            "query",
            to: [
                "expression": "kind = :kind AND #at = :at", "expressionNames": ["#at": "at"],
                "expressionValues": [":kind": ["S": .string(kind)], ":at": ["N": .integer(at)]],
            ])
        return page(request, of: keys.compactMap { items[$0] }, &random, key: "kind")
    }

    private func scan(_ random: inout SeededRandom) -> Round {
        var request = JSONObject([("operation", "Scan")])
        var scanned = items.keys.sorted().compactMap { items[$0] }
        if Bool.random(using: &random) {
            request.set("index", to: "byKind")
            scanned = scanned.filter { $0["kind"] != nil }
        }
        return page(request, of: scanned, &random)
    }

    // MARK: Several items

    private mutating func batch(_ random: inout SeededRandom) -> Round {
        let keys = keys(4, &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return Round(
                request: ["operation": "BatchGetItem", "tables": ["Things": ["keys": .array(keys.map(Self.typed))]]],
                result: ["data": ["Things": .array(keys.map(item))], "unprocessedKeys": ["Things": []]])
        case 1:
            var written: [JSONValue] = []
            var result: [JSONValue] = []
            for key in keys {
                let new = Self.whole(key, attributes(&random))
                items[key] = new
                written.append(.object(JSONObject(new.map { ($0.key, Self.typed($0.value)) })))
                result.append(Self.value(new))
            }
            return Round(
                request: ["operation": "BatchPutItem", "tables": ["Things": .array(written)]],
                result: ["data": ["Things": .array(result)], "unprocessedItems": ["Things": []]])
        default:
            for key in keys { items[key] = nil }
            return Round(
                request: ["operation": "BatchDeleteItem", "tables": ["Things": .array(keys.map(Self.typed))]],
                result: [
                    "data": ["Things": .array(keys.map { Self.value(Self.whole($0, [:])) })],
                    "unprocessedKeys": ["Things": []],
                ])
        }
    }

    /// What one entry of a transaction does: the entry, whether its condition holds, and the item that is there then.
    private func change(_ key: Key, _ random: inout SeededRandom) -> (entry: JSONValue, isMet: Bool, new: Item?) {
        var condition = condition(&random)
        var entry = JSONObject([("table", "Things"), ("key", Self.typed(key))])
        var new = items[key]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let rest = attributes(&random)
            entry.set("operation", to: "PutItem")
            entry.set("attributeValues", to: .object(JSONObject(rest.map { ($0.key, Self.typed($0.value)) })))
            new = Self.whole(key, rest)
        case 1:
            let n = Int64.random(in: 1..<9, using: &random)
            entry.set("operation", to: "UpdateItem")
            entry.set(
                "update", to: ["expression": "SET n = :new", "expressionValues": [":new": ["N": .integer(n)]]])
            new = new ?? Self.whole(key, [:])
            new?["n"] = .integer(n)
        case 2:
            entry.set("operation", to: "DeleteItem")
            new = nil
        default:
            entry.set("operation", to: "ConditionCheck")
            condition = condition ?? PlainFilter(expression: "attribute_exists(id)") { $0["id"] != nil }
        }
        if let condition { entry.set("condition", to: condition.json) }
        return (.object(entry), isMet(condition, by: key), new)
    }

    private mutating func transaction(_ random: inout SeededRandom) -> Round {
        let keys = keys(3, &random)
        var changes: [(entry: JSONValue, isMet: Bool, new: Item?)] = []
        for key in keys { changes.append(change(key, &random)) }
        let request: JSONValue = [
            "operation": "TransactWriteItems", "transactItems": .array(changes.map(\.entry)),
        ]
        guard changes.allSatisfy(\.isMet) else {
            let reasons = zip(keys, changes).map { key, change -> JSONValue in
                change.isMet
                    ? ["type": "None", "message": "None"]
                    : [
                        "type": "ConditionCheckFailed", "message": "The condition check failed.",
                        "item": item(key),
                    ]
            }
            return Round(
                request: request, result: ["keys": .null, "cancellationReasons": .array(reasons)],
                error: "DynamoDB:TransactionCanceledException")
        }
        for (key, change) in zip(keys, changes) { items[key] = change.new }
        return Round(
            request: request,
            result: [
                "keys": .array(keys.map { Self.value(Self.whole($0, [:])) }), "cancellationReasons": .null,
            ])
    }

    private func transactGet(_ keys: [Key], _ projection: PlainProjection?) -> Round {
        let entries = keys.map { key -> JSONValue in
            var entry = JSONObject([("table", "Things"), ("key", Self.typed(key))])
            if let projection { entry.set("projection", to: projection.json) }
            return .object(entry)
        }
        let shown = keys.map { key -> JSONValue in
            guard let item = items[key] else { return .null }
            return Self.value(projection?.shown(item) ?? item)
        }
        return Round(
            request: ["operation": "TransactGetItems", "transactItems": .array(entries)],
            result: ["items": .array(shown), "cancellationReasons": .null])
    }
}
