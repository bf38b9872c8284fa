import Testing

@testable import JSON

@Suite("Objects")
struct ObjectTests {
    @Test("members keep their order, and a key that comes again keeps its place", arguments: [3, 16, 17, 40])
    func keepsOrder(count: Int) {
        var object = JSONObject((0..<count).map { ("k\($0)", .integer(Int64($0))) })
        object["k1"] = "again"
        #expect(object.keys == (0..<count).map { "k\($0)" })
        #expect(object["k1"] == "again")
        #expect(object["k\(count - 1)"] == .integer(Int64(count - 1)))
        #expect(object["none"] == nil)
    }

    @Test("a removed member is gone, and the others are still found", arguments: [3, 16, 17, 18, 40])
    func removes(count: Int) {
        var object = JSONObject((0..<count).map { ("k\($0)", .integer(Int64($0))) })
        object["k0"] = nil
        object.remove("none")
        #expect(object["k0"] == nil)
        #expect(object.count == count - 1)
        #expect(object["k\(count - 1)"] == .integer(Int64(count - 1)))
        object["k0"] = 7
        #expect(object.keys.last == "k0")
    }

    @Test("objects are equal whatever the order of their members")
    func comparesWithoutOrder() {
        let left: JSONValue = ["a": 1, "b": [2]]
        #expect(left == ["b": [2], "a": 1])
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "b": [3]])
        #expect(left != ["a": 1, "c": [2]])
    }

    @Test("keys are compared by their bytes", arguments: [0, 30])
    func comparesKeysByBytes(others: Int) {
        var object = JSONObject((0..<others).map { ("k\($0)", nil) })
        object["\u{e9}"] = 1
        object["e\u{301}"] = 2
        #expect(object.count == others + 2)
        #expect(object["\u{e9}"] == 1)
    }

    @Test("a value answers as what it is, and as nothing else")
    func answers() {
        let value: JSONValue = ["list": [1, 2.5, "x", nil, true]]
        #expect(value["list"]?[0]?.integer == 1)
        #expect(value["list"]?[0]?.number == 1)
        #expect(value["list"]?[1]?.number == 2.5)
        #expect(value["list"]?[2]?.string == "x")
        #expect(value["list"]?[3]?.isNull == true)
        #expect(value["list"]?[4]?.bool == true)
        #expect(value["list"]?[5] == nil)
        #expect(value["list"]?[-1] == nil)
        #expect(value[0] == nil)
        #expect(value["list"]?["x"] == nil)
        #expect(value.string == nil)
        #expect(JSONValue.largeInteger("18446744073709551616").number == 18446744073709551616)
    }

    @Test("members are found near a place, in their order and in any other", arguments: [3, 16, 17, 40])
    func findsNear(count: Int) {
        let object = JSONObject((0..<count).map { ("a longer key \($0)", .integer(Int64($0))) })
        var place = 0
        for number in Array(0..<count) + Array((0..<count).reversed()) + [1, 1, count - 1, 0] {
            #expect(object.value(of: "a longer key \(number)", near: &place) == .integer(Int64(number)))
            #expect(place == number + 1)
        }
        #expect(object.value(of: "none", near: &place) == nil && place == 1)
        place = count
        #expect(object.value(of: "none", near: &place) == nil && place == count)
    }

    @Test("questions about a value need no copy of it", arguments: [0, 30])
    func questions(others: Int) {
        var object = JSONObject((0..<others).map { ("k\($0)", 1) })
        object["null"] = .null
        object["empty"] = ""
        object["text"] = "\u{301}"
        object["zero"] = 0
        for (key, isMissing, isNull, isEmpty) in [
            ("null", true, true, false), ("empty", false, false, true), ("text", false, false, false),
            ("zero", false, false, false), ("none", true, false, false),
        ] {
            #expect(object.isMissing(key) == isMissing && object.isNull(key) == isNull)
            #expect(object.isEmptyText(key) == isEmpty)
        }
    }

    @Test("room for more members changes none")
    func room() {
        var object = JSONObject([("a", 1)])
        let copy = object
        object.makeRoom(for: 4)
        object["b"] = 2
        #expect(object == JSONObject([("a", 1), ("b", 2)]) && copy == JSONObject([("a", 1)]))
    }
}
