import JSON
import Testing

@testable import Resolvers

/// A call of a function of the library as a row of a table: what it is given and what it gives, as JSON.
struct LibraryRow: Sendable, CustomTestStringConvertible {
    let function: String
    /// A list. `{"$": "rds.select", "of": […]}` in it is what that function gives.
    let arguments: String
    let expected: String

    init(_ function: String, _ arguments: String, _ expected: String) {
        self.function = function
        self.arguments = arguments
        self.expected = expected
    }

    /// Rows of functions whose names begin with the same.
    static func table(_ prefix: String, _ rows: [(String, String, String)]) -> [LibraryRow] {
        rows.map { LibraryRow(prefix + $0.0, $0.1, $0.2) }
    }

    var testDescription: String { "\(function)(\(arguments.dropFirst().dropLast()))" }
}

/// Calls functions of the library by their names, one after the other in one run.
struct LibraryCalls {
    var call: LibraryCall

    /// A clock and chance that are always the same.
    static let surroundings = ResolverSurroundings(
        now: { 1_517_943_695_758 }, randomBytes: { Array((0..<$0).map { UInt8(truncatingIfNeeded: $0 * 17) }) })

    init(_ context: ResolverContext = ResolverContext(), limits: ResolverLimits = ResolverLimits()) {
        call = LibraryCall(context, limits: limits, in: Self.surroundings)
    }

    mutating func run(_ name: String, _ arguments: [JSONValue]) throws -> JSONValue {
        let function = try #require(LibraryTable.javaScript[name] ?? LibraryTable.velocity(name), "\(name)")
        call.arguments = try arguments.map { try evaluated($0) }
        return try function.run(&call)
    }

    mutating func run(_ name: String, _ arguments: String) throws -> JSONValue {
        let arguments = try JSONReader.value(of: arguments)
        return try run(name, try #require(arguments.array))
    }

    /// The values of the calls in a value.
    private mutating func evaluated(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .array(let elements): return .array(try elements.map { try evaluated($0) })
        case .object(let object):
            if let name = object["$"]?.string {
                return try run(name, object["of"]?.array ?? [])
            }
            return .object(JSONObject(try object.map { ($0.key, try evaluated($0.value)) }))
        default: return value
        }
    }

    /// What a call refuses with; nil: it does not.
    static func refusal(
        _ name: String, _ arguments: String, limits: ResolverLimits = ResolverLimits()
    ) throws -> ResolverError? {
        var calls = LibraryCalls(limits: limits)
        do {
            _ = try calls.run(name, arguments)
            return nil
        } catch let error as ResolverError {
            return error
        }
    }

    /// Checks a row.
    static func check(_ row: LibraryRow, _ context: ResolverContext = ResolverContext()) throws {
        var calls = LibraryCalls(context)
        let value = try calls.run(row.function, row.arguments)
        let expected = try JSONReader.value(of: row.expected)
        #expect(value == expected, "\(JSONWriter.text(of: value))")
    }
}
