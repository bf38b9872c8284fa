import JSON
import TestSupport

/// A condition on items of a `PlainTable`: as a handler writes it, and as a function.
struct PlainFilter: Sendable {
    let expression: String
    var names: [String: String] = [:]
    var values: [String: JSONValue] = [:]
    let holds: @Sendable (PlainTable.Item) -> Bool

    /// As the member of a request.
    var json: JSONValue {
        var object = JSONObject([("expression", .string(expression))])
        if !names.isEmpty {
            object.set(
                "expressionNames",
                to: .object(JSONObject(names.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
        }
        if !values.isEmpty {
            object.set(
                "expressionValues",
                to: .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, PlainTable.typed($0.value)) })))
        }
        return .object(object)
    }

    private static func n(_ item: PlainTable.Item) -> Int64? { item["n"]?.integer }
    private static func list(_ item: PlainTable.Item) -> [JSONValue]? { item["list"]?.array }

    /// One of each function and each comparison; what is compared with what is not there never holds.
    static func random(_ random: inout SeededRandom) -> PlainFilter {
        let bound = Int64.random(in: -2..<8, using: &random)
        let all: [PlainFilter] = [
            PlainFilter(expression: "attribute_exists(n)") { n($0) != nil },
            PlainFilter(expression: "attribute_not_exists(#l)", names: ["#l": "list"]) { list($0) == nil },
            PlainFilter(expression: "n = :b", values: [":b": .integer(bound)]) { n($0) == bound },
            PlainFilter(expression: "n <> :b", values: [":b": .integer(bound)]) { n($0) != bound },
            PlainFilter(expression: "n < :b", values: [":b": .integer(bound)]) { n($0).map { $0 < bound } ?? false },
            PlainFilter(expression: ":b <= n", values: [":b": .integer(bound)]) { n($0).map { bound <= $0 } ?? false },
            PlainFilter(
                expression: "n BETWEEN :a AND :b", values: [":a": .integer(bound - 2), ":b": .integer(bound)]
            ) { n($0).map { (bound - 2...bound).contains($0) } ?? false },
            PlainFilter(expression: "n IN (:a, :b)", values: [":a": 0, ":b": .integer(bound)]) {
                n($0).map { $0 == 0 || $0 == bound } ?? false
            },
            PlainFilter(expression: "NOT (n > :b)", values: [":b": .integer(bound)]) {
                !(n($0).map { $0 > bound } ?? false)
            },
            PlainFilter(expression: "begins_with(kind, :k)", values: [":k": "a"]) { $0["kind"] == "a" },
            PlainFilter(expression: "contains(#l, :one)", names: ["#l": "list"], values: [":one": 1]) {
                list($0)?.contains(1) ?? false
            },
            PlainFilter(expression: "size(#l) > :one", names: ["#l": "list"], values: [":one": 1]) {
                list($0).map { $0.count > 1 } ?? false
            },
            PlainFilter(expression: "attribute_type(n, :t)", values: [":t": "N"]) { n($0) != nil },
            PlainFilter(expression: "#m.deep.x = :yes", names: ["#m": "map"], values: [":yes": true]) {
                $0["map"]?["deep"]?["x"] == true
            },
            PlainFilter(expression: "#l[1] = :one", names: ["#l": "list"], values: [":one": 1]) {
                list($0).map { $0.count > 1 && $0[1] == 1 } ?? false
            },
            PlainFilter(
                expression: "(kind = :k OR attribute_exists(#m)) AND NOT n = :b", names: ["#m": "map"],
                values: [":k": "b", ":b": .integer(bound)]
            ) { ($0["kind"] == "b" || $0["map"] != nil) && n($0) != bound },
        ]
        return all[Int.random(in: 0..<all.count, using: &random)]
    }
}

/// What of items is shown: as a handler writes it, and as a function.
struct PlainProjection: Sendable {
    let expression: String
    let names: [String: String]
    let shown: @Sendable (PlainTable.Item) -> PlainTable.Item

    var json: JSONValue {
        var object = JSONObject([("expression", .string(expression))])
        if !names.isEmpty {
            object.set(
                "expressionNames",
                to: .object(JSONObject(names.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
        }
        return .object(object)
    }

    private static func only(_ item: PlainTable.Item, _ names: [String]) -> PlainTable.Item {
        item.filter { names.contains($0.key) }
    }

    static func random(_ random: inout SeededRandom) -> PlainProjection {
        let all: [PlainProjection] = [
            PlainProjection(expression: "id", names: [:]) { only($0, ["id"]) },
            PlainProjection(expression: "id, n, kind", names: [:]) { only($0, ["id", "n", "kind"]) },
            PlainProjection(expression: "#at, #l", names: ["#at": "at", "#l": "list"]) { only($0, ["at", "list"]) },
            PlainProjection(expression: "id, #m.deep.x", names: ["#m": "map"]) { item in
                var shown = only(item, ["id"])
                if let x = item["map"]?["deep"]?["x"] { shown["map"] = ["deep": ["x": x]] }
                return shown
            },
            PlainProjection(expression: "id, #l[1]", names: ["#l": "list"]) { item in
                var shown = only(item, ["id"])
                if let list = item["list"]?.array, list.count > 1 { shown["list"] = .array([list[1]]) }
                return shown
            },
        ]
        return all[Int.random(in: 0..<all.count, using: &random)]
    }
}
