import JSON
import TestSupport
import Testing

@testable import Resolvers

/// Functions of the library on a loop: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("No function of the library holds a loop")
struct LibraryDoors {
    /// As much as a handler on a loop is told.
    private static let long = String(repeating: "a", count: 120_000)
    private static let half = String(repeating: "a", count: 60_000) + "b"
    private static let list: JSONValue = .array((0..<4_000).map { .string("text \($0)") })
    private static let object: JSONValue = .object(
        JSONObject((0..<4_000).map { ("key\($0)", ["eq": .integer(Int64($0))]) }))
    private static let nested: JSONValue = (0..<90).reduce(["eq": 1]) { value, _ in ["and": [value, value["x"] ?? 1]] }

    /// How long a loop may be held, in milliseconds. A build that checks everything takes twenty times as long for what goes letter by
    /// letter through generic views, as Base64 does, as for the mixture that `HeldTime` goes by.
    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 100 : 5

    /// What every function is asked: whatever it makes of it, it takes no longer.
    private static let arguments: [[JSONValue]] = [
        [.string(long), .string(half), "x"], [.string(half), .string(long), .string(long)],
        [.string("(a+)+$"), .string(long)], [.string("(a|aa)*b"), .string(long)],
        [list, list, list], [object, object, object], [nested, .string(long)],
        [.string("yyyy-MM-dd"), .string(long), .string("UTC")], [.string(long), .string("yyyy-MM-dd"), .string("UTC")],
        [["table": .string("t"), "where": object, "columns": list, "values": object]],
        [["key": object, "update": object, "item": object, "filter": object, "condition": object]],
        [.integer(1_700_000_000_000), .string(String(repeating: "'y'", count: 300))], [0.5, 1e300],
    ]

    @Test("whatever it is given", arguments: LibraryTable.names)
    func functions(_ name: String) throws {
        let function = try #require(LibraryTable.javaScript[name] ?? LibraryTable.velocity(name), "\(name)")
        for (row, arguments) in Self.arguments.enumerated() {
            var taken = Double.infinity
            // Others disturb: what takes too long is looked at once more.
            for _ in 0..<10 where taken >= Self.heldMilliseconds {
                taken = HeldTime.milliseconds(tries: 1) {
                    var call = LibraryCalls(limits: .brief).call
                    call.arguments = arguments
                    _ = try? function.run(&call)
                }
            }
            #expect(taken < Self.heldMilliseconds, "\(name) \(row) takes \(taken) ms")
        }
    }
}
