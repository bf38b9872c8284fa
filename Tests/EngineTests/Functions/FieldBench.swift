import Blueprint
import GraphQL
import JSON
import Synchronization
import Testing

@testable import Engine

/// Computes a field of a schema as the engine does.
struct FieldBench {
    let program: FieldProgram
    let directory: FunctionDirectory
    let reports = Reports()

    /// What was told to the operator.
    final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    static let functions = [
        "echo": "http://functions.test/fn/echo", "hello": "http://functions.test/fn/hello",
        "rie": "http://rie.test:9000",
    ]

    /// `field` is a field of `Query` as a schema declares it: `echo(msg: String): String @function(name: "echo")`.
    init(_ field: String, functions: [String: String] = functions, types: String = "") throws {
        let reading = SDLReader.read("type Query { \(field) } type T { id: ID } \(types)")
        let blueprint = try #require(reading.blueprint, "\(reading.diagnostics)")
        let declared = try #require(blueprint.customOperations(.query).first)
        try self.init(declared, of: "Query", functions)
    }

    init(_ field: ModelField, of typeName: String, _ functions: [String: String] = [:]) throws {
        directory = FunctionDirectory(functions, report: { [reports] in reports.append($0) })
        program = try #require(FieldProgram(field, of: typeName, directory))
    }

    static let path = ResponsePath([.name("alias")])
    static let locations = [SourceLocation(line: 2, column: 3)]

    func outcome(
        _ arguments: String = "{}", source: String? = nil, identity: JSONValue = .null,
        fields: [(name: String, value: String)] = [], over outside: FakeOutside
    ) async throws -> (value: JSONValue, errors: [GraphQLError]) {
        let call = FieldCall(
            arguments: try #require(JSONReader.value(of: arguments).object),
            source: try source.flatMap { try JSONReader.value(of: $0).object },
            caller: FieldCaller { FieldCaller.Told(identity: identity, fields: fields) }, path: Self.path,
            locations: Self.locations)
        switch await program.outcome(of: call, over: CallPlace(outside: outside, directory: directory)) {
        case .value(let value, let errors): return (value, errors)
        case .written: throw Failure()
        }
    }

    struct Failure: Error {}

    /// The error of a resolver at the field.
    static func error(_ message: String, _ type: String?) -> GraphQLError {
        GraphQLError(message, type: type, at: path, locations: locations)
    }
}
