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
    }

    private static let failed = "DynamoDB:ConditionalCheckFailedException"
    private static let kinds = ["a", "b"]

    private func item(_ key: Key) -> JSONValue { items[key].map(Self.value) ?? .null }

    static func value(_ item: Item) -> JSONValue {
        .object(JSONObject(item.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    private static func typed(_ value: JSONValue) -> JSONValue {
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
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: put(key(&random), attributes(&random), Int.random(in: 0..<4, using: &random))
        case 2, 3: update(key(&random), Int.random(in: 0..<6, using: &random), Int64.random(in: 1..<5, using: &random))
        case 4: delete(key(&random), Int.random(in: 0..<3, using: &random))
        case 5: get(key(&random))
        case 6: query(id: "k\(Int.random(in: 0..<3, using: &random))", &random)
        case 7: query(kind: Self.kinds.randomElement(using: &random) ?? "a", &random)
        case 8: scan(above: Int64.random(in: -2..<8, using: &random))
        case 9: batch(&random)
        case 10: transaction(key(&random), key(&random), Int64.random(in: 1..<9, using: &random))
        default: transactGet([key(&random), key(&random)])
        }
    }

    private mutating func put(_ key: Key, _ rest: Item, _ condition: Int) -> Round {
        var request = JSONObject([("operation", "PutItem"), ("key", Self.typed(key))])
        request.set("attributeValues", to: .object(JSONObject(rest.map { ($0.key, Self.typed($0.value)) })))
        let stored = items[key]
        var isMet = true
        if condition == 1 {
            request.set("condition", to: ["expression": "attribute_not_exists(id)"])
            isMet = stored == nil
        } else if condition == 2 {
            request.set(
                "condition", to: ["expression": "n < :n", "expressionValues": [":n": ["N": 3]]])
            isMet = stored?["n"]?.integer.map { $0 < 3 } ?? false
        }
        let wanted = Self.whole(key, rest)
        guard isMet else {
            let isSame = stored == wanted
            return Round(request: .object(request), result: item(key), error: isSame ? nil : Self.failed)
        }
        items[key] = wanted
        return Round(request: .object(request), result: Self.value(wanted))
    }

    private mutating func update(_ key: Key, _ kind: Int, _ n: Int64) -> Round {
        var item = items[key] ?? Self.whole(key, [:])
        let before = items[key]
        var condition: JSONValue?
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
            expression = "REMOVE #l SET kind = :k"
            values = [":k": ["S": "b"]]
            item["list"] = nil
            item["kind"] = "b"
        default:
            expression = "SET n = n + :n"
            condition = ["expression": "attribute_exists(n)"]
            item["n"] = .integer((item["n"]?.integer ?? 0) + n)
        }
        var update = JSONObject([("expression", .string(expression)), ("expressionValues", values)])
        if expression.contains("#l") { update.set("expressionNames", to: ["#l": "list"]) }
        var request = JSONObject([("operation", "UpdateItem"), ("key", Self.typed(key)), ("update", .object(update))])
        if let condition {
            request.set("condition", to: condition)
            guard before?["n"] != nil else {
                return Round(request: .object(request), result: self.item(key), error: Self.failed)
            }
        }
        items[key] = item
        return Round(request: .object(request), result: Self.value(item))
    }

    private mutating func delete(_ key: Key, _ condition: Int) -> Round {
        var request = JSONObject([("operation", "DeleteItem"), ("key", Self.typed(key))])
        let stored = items[key]
        if condition == 1 {
            request.set("condition", to: ["expression": "n > :n", "expressionValues": [":n": ["N": 2]]])
            guard stored?["n"]?.integer.map({ $0 > 2 }) ?? false else {
                // What is gone already is what is wanted.
                return Round(
                    request: .object(request), result: item(key), error: stored == nil ? nil : Self.failed)
            }
        }
        defer { items[key] = nil }
        return Round(request: .object(request), result: item(key))
    }

    private func get(_ key: Key) -> Round {
        Round(request: ["operation": "GetItem", "key": Self.typed(key)], result: item(key))
    }

    private func page(_ found: [Item], _ scanned: Int) -> JSONValue {
        ["items": .array(found.map(Self.value)), "nextToken": .null, "scannedCount": .integer(Int64(scanned))]
    }

    private func query(id: String, _ random: inout SeededRandom) -> Round {
        let isForward = Bool.random(using: &random)
        let from = Int64.random(in: 0..<3, using: &random)
        var found = items.keys.filter { $0.id.utf8.elementsEqual(id.utf8) && $0.at >= from }.sorted()
        if !isForward { found.reverse() }
        return Round(
            request: [
                "operation": "Query", "scanIndexForward": .bool(isForward),
                "query": [
                    "expression": "id = :id AND #at >= :from", "expressionNames": ["#at": "at"],
                    "expressionValues": [":id": ["S": .string(id)], ":from": ["N": .integer(from)]],
                ],
            ], result: page(found.compactMap { items[$0] }, found.count))
    }

    /// In the index items with the same key stand in any order: those of one `at` are asked for.
    private func query(kind: String, _ random: inout SeededRandom) -> Round {
        let at = Int64.random(in: 0..<4, using: &random)
        let keys = items.keys.filter { $0.at == at && items[$0]?["kind"] == .string(kind) }.sorted()
        let found = keys.compactMap { items[$0] }
        let shown = found.filter { $0["n"]?.integer.map { $0 >= 0 } ?? false }
        return Round(
            request: [
                "operation": "Query", "index": "byKind",
                "query": [
                    "expression": "kind = :k AND #at = :at", "expressionNames": ["#at": "at"],
                    "expressionValues": [":k": ["S": .string(kind)], ":at": ["N": .integer(at)]],
                ],
                "filter": ["expression": "n >= :zero", "expressionValues": [":zero": ["N": 0]]],
            ], result: page(shown, found.count))
    }

    private func scan(above n: Int64) -> Round {
        let found = items.keys.sorted().compactMap { items[$0] }.filter { $0["n"]?.integer.map { $0 > n } ?? false }
        return Round(
            request: [
                "operation": "Scan",
                "filter": .string(
                    ##"{"expression":"#n > :n","expressionNames":{"#n":"n"},"expressionValues":{":n":{"N":\##(n)}}}"##),
            ], result: page(found, items.count))
    }

    private mutating func batch(_ random: inout SeededRandom) -> Round {
        var keys: [Key] = []
        for _ in 0..<3 {
            let key = key(&random)
            if !keys.contains(key) { keys.append(key) }
        }
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

    private mutating func transaction(_ first: Key, _ second: Key, _ n: Int64) -> Round {
        let entry: (JSONValue, String, JSONObject) -> JSONValue = { key, operation, more in
            var entry = JSONObject([("table", "Things"), ("operation", .string(operation)), ("key", key)])
            for member in more { entry.set(member.key, to: member.value) }
            return .object(entry)
        }
        guard first != second else { return get(first) }
        let update: JSONValue = ["expression": "SET n = :n", "expressionValues": [":n": ["N": .integer(n)]]]
        let condition: JSONValue = ["expression": "attribute_exists(id)"]
        let request: JSONValue = [
            "operation": "TransactWriteItems",
            "transactItems": [
                entry(
                    Self.typed(first), "UpdateItem",
                    JSONObject([("update", update)])),
                entry(
                    Self.typed(second), "ConditionCheck",
                    JSONObject([("condition", condition)])),
            ],
        ]
        guard items[second] != nil else {
            return Round(
                request: request,
                result: [
                    "keys": .null,
                    "cancellationReasons": [
                        ["type": "None", "message": "None"],
                        [
                            "type": "ConditionCheckFailed", "message": "The condition check failed.", "item": .null,
                        ],
                    ],
                ], error: "DynamoDB:TransactionCanceledException")
        }
        var item = items[first] ?? Self.whole(first, [:])
        item["n"] = .integer(n)
        items[first] = item
        return Round(
            request: request,
            result: [
                "keys": .array([first, second].map { Self.value(Self.whole($0, [:])) }), "cancellationReasons": .null,
            ])
    }

    private func transactGet(_ keys: [Key]) -> Round {
        guard Set(keys).count == keys.count else { return get(keys[0]) }
        return Round(
            request: [
                "operation": "TransactGetItems",
                "transactItems": .array(keys.map { ["table": "Things", "key": Self.typed($0)] }),
            ], result: ["items": .array(keys.map(item)), "cancellationReasons": .null])
    }
}
