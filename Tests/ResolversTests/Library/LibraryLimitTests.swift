import JSON
import Testing

@testable import Resolvers

@Suite("Limits of the library")
struct LibraryLimitTests {
    @Test("what functions look at costs steps")
    func steps() throws {
        var limits = ResolverLimits()
        limits.stepsMax = 100
        var calls = LibraryCalls(limits: limits)
        _ = try calls.run("util.dynamodb.toMapValues", #"[{"a":1,"b":[1,2,3]}]"#)
        #expect(calls.call.stepsLeft == 94)
        let list = JSONValue.array([JSONValue](repeating: 1, count: 94))
        #expect(throws: ResolverError.fault("The code has taken more than 100 steps.")) {
            _ = try calls.run("util.dynamodb.toList", [list])
        }
    }

    @Test(
        "values that are nested too deeply are refused",
        arguments: ["util.dynamodb.toDynamoDB", "util.dynamodb.toMapValues"])
    func nesting(name: String) throws {
        func nested(_ depth: Int) -> JSONValue {
            (0..<depth).reduce(into: JSONValue.null) { value, _ in value = ["a": value] }
        }
        var calls = LibraryCalls()
        _ = try calls.run(name, [nested(100)])
        let error = #expect(throws: ResolverError.self) { _ = try calls.run(name, [nested(101)]) }
        #expect(error?.message == "\(name) is given values that are nested more than 100 deep.")
    }

    @Test("texts have the size that an answer may have")
    func texts() throws {
        var limits = ResolverLimits()
        limits.resultBytesMax = 1_000
        for (name, more) in [
            ("util.urlEncode", []), ("util.escapeJavaScript", []), ("util.str.toUpper", []), ("util.xml.toMap", []),
            ("util.str.normalize", ["nfc"]), ("util.rds.toJsonObject", []), ("util.str.toReplace", ["y", "z"]),
        ] as [(String, [JSONValue])] {
            var calls = LibraryCalls(limits: limits)
            let error = #expect(throws: ResolverError.self) {
                _ = try calls.run(name, [.string(String(repeating: "x", count: 1_001))] + more)
            }
            #expect(error?.message == "\(name) has to do with a text of more than 1000 bytes.")
        }
        var calls = LibraryCalls(limits: limits)
        #expect(throws: ResolverError.self) {
            _ = try calls.run(
                "util.str.toReplace",
                [.string(String(repeating: "x", count: 100)), "x", .string(String(repeating: "y", count: 20))])
        }
    }

    @Test("every function has one name, and no language lacks another's by mistake")
    func names() {
        #expect(LibraryTable.javaScript.count > 100)
        #expect(LibraryTable.javaScript["util.str.toUpper"] == nil)
        #expect(LibraryTable.velocity("util.str.toUpper") != nil)
        #expect(LibraryTable.velocity("extensions.setSubscriptionFilter") != nil)
        #expect(LibraryTable.javaScript["rds.agg.countDistinct"] != nil)
    }
}
