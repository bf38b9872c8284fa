import JSON
import Testing

@testable import Blueprint

@Suite("Operations that no rule names")
struct OpenOperationTests {
    private static func open(
        _ schema: String, version: Int = 1, _ open: OpenOperations = .all
    ) throws -> [String] {
        var settings = Settings(silentProjectOfVersion: version)
        settings.defaultMode = .userPools
        settings.additionalModes = [.apiKey]
        settings.version1OpenOperations = open
        let reading = SDLReader.read(schema, settings: settings)
        let blueprint = try #require(reading.blueprint, "\(reading.diagnostics)")
        return blueprint.openOperations.map {
            "\($0.model.name): \(($0.writes + ["|"] + $0.reads).joined(separator: " "))"
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let directives: String
        let open: [String]
        var testDescription: String { directives }
    }

    static let rows = [
        Row(directives: "@model", open: ["Note: create update delete | read"]),
        Row(directives: "@model @auth(rules: [])", open: ["Note: create update delete | read"]),
        Row(directives: "@model @auth(rules: [{allow: owner}])", open: []),
        Row(
            directives: "@model @auth(rules: [{allow: owner, operations: [create, read]}])",
            open: ["Note: update delete |"]),
        Row(
            directives:
                "@model @auth(rules: [{allow: owner, operations: [create]}, {allow: public, operations: [update]}])",
            open: ["Note: delete | read"]),
        Row(
            directives: "@model @auth(rules: [{allow: owner, queries: [get], mutations: null}])",
            open: ["Note: create update delete | list read"]),
        // What the model does not have is not open.
        Row(
            directives: "@model(mutations: null, queries: {get: \"one\"}, subscriptions: null)", open: ["Note: | get"]),
        Row(
            directives: "@model(subscriptions: null) @auth(rules: [{allow: owner, queries: [get, list]}])", open: []),
    ]

    @Test("are told by the words that rules have for them", arguments: rows)
    func words(row: Row) throws {
        let schema = "type Note \(row.directives) { id: ID! text: String }"
        #expect(try Self.open(schema) == row.open)
        #expect(try Self.open(schema, .nothing) == [])
        let reads = row.open.compactMap { $0.split(separator: "|").dropFirst().first }
        #expect(try Self.open(schema, .reads) == reads.map { "Note: |\($0)" })
    }

    @Test("include what relations read of a model that has no queries")
    func relations() throws {
        let open = try Self.open(
            """
            type Post @model @auth(rules: [{allow: private}]) { id: ID! note: Note @connection }
            type Note @model(queries: null, mutations: null, subscriptions: null) { id: ID! }
            """)
        #expect(open == ["Note: | read"])
    }

    @Test("are none in version 2")
    func version2() throws {
        #expect(
            try Self.open(
                "type Note @model @auth(rules: [{allow: owner, operations: [create]}]) { id: ID! }", version: 2) == [])
    }
}
