import JSON

@testable import Items

/// An item with a value of each type, and readers of expressions over it, for the tests of this folder.
enum ExpressionSample {
    static let item: Item = [
        "id": .string("x"), "n": .number(ItemNumber(5)), "s": .string("hello"), "blank": .string(""),
        "b": .binary([1, 2, 3]), "t": .bool(true), "nul": .null,
        "l": .list([.string("a"), .number(ItemNumber(2)), .null]),
        "m": .map(["k": .string("v"), "deep": .map(["els": .list([.map(["x": .number(ItemNumber(1))])])])]),
        "ss": .strings(["a", "b"]), "ns": .numbers([ItemNumber(1), ItemNumber(2)]), "bs": .binaries([[1], [2]]),
    ]

    static let values =
        #"{":five":{"N":"5"},":one":{"N":"1.0"},":ten":{"N":"10"},":s":{"S":"hello"},":he":{"S":"he"},":a":{"S":"a"},":e":{"S":""},"#
        + #"":b":{"B":"AQID"},":b1":{"B":"AQ=="},":t":{"BOOL":true},":nul":{"NULL":true},":l":{"L":[{"S":"z"}]},"#
        + #"":m":{"M":{"z":{"N":"1"}}},":ss":{"SS":["b","c"]},":ns":{"NS":["2","3"]},":bs":{"BS":["AQ=="]},":S":{"S":"S"},":X":{"S":"X"}}"#

    static let names = ##"{"#s":"s","#m":"m","#k":"k","#dotted":"a.b","#name":"name"}"##

    static func substitutions() throws -> Substitutions {
        try Substitutions(names: JSONReader.value(of: names), values: JSONReader.value(of: values))
    }

    static func condition(_ text: String, _ kind: ExpressionKind = .condition) throws -> Condition {
        var substitutions = try substitutions()
        return try substitutions.condition(text, kind)
    }

    static func update(_ text: String) throws -> Update {
        var substitutions = try substitutions()
        return try substitutions.update(text)
    }
}
