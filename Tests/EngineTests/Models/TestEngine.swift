import Access
import Blueprint
import GraphQL
import JSON
import PostgresSupport
import Store
import Testing

@testable import Engine

/// An engine over a database of its own, for a schema that is written in a test.
final class TestEngine {
    let engine: Engine
    let shard: EngineShard
    let blueprint: Blueprint
    /// The API of the blueprint, which engines over the same data and schema share: making it takes longer than most tests do.
    private let api: APISchema
    /// The one whose data this one shares: they are there as long as it is.
    private var owner: TestEngine?
    private var ownsStore: Bool { owner == nil }

    init(
        _ schema: String, outside: (any OutsideService)? = nil, functions: [String: String] = [:],
        sync: SyncSettings = SyncSettings(), keepsTurns: Bool = false, at location: Store.Location? = nil,
        project: (inout Settings) -> Void = { _ in },
        change: (inout EngineSettings) -> Void = { _ in }
    ) throws {
        var settings = Settings()
        project(&settings)
        let reading = SDLReader.read(schema, settings: settings)
        blueprint = try #require(reading.blueprint, "\(reading.diagnostics.map(\.message)) in\n\(schema)")
        let diagnostics: [Diagnostic]
        (api, diagnostics) = APISchema.generate(from: blueprint)
        try #require(!diagnostics.contains { $0.severity == .error }, "\(diagnostics.map(\.message)) in\n\(schema)")
        let store = try Store(
            location ?? TestDatabase.location(), for: blueprint, sync: sync, nowMilliseconds: 0
        ) { Issue.record("\($0)") }
        var engineSettings = Self.settings(functions)
        change(&engineSettings)
        engine = try Engine(api, of: blueprint, over: store, engineSettings)
        // A loop that is always in the same turn.
        shard = EngineShard(outside: outside, atEndOfTurn: keepsTurns ? { _ in } : nil)
    }

    /// The same data and schema, with other settings.
    init(
        sharing other: TestEngine, outside: (any OutsideService)? = nil, functions: [String: String] = [:],
        change: (inout EngineSettings) -> Void
    ) throws {
        (blueprint, api) = (other.blueprint, other.api)
        var settings = Self.settings(functions)
        change(&settings)
        engine = try Engine(api, of: blueprint, over: other.engine.store, settings)
        shard = EngineShard(outside: outside)
        owner = other
    }

    /// The same data, as a later schema sees it whose tables look alike.
    init(sharing other: TestEngine, schema: String, project: (inout Settings) -> Void = { _ in }) throws {
        var settings = Settings()
        project(&settings)
        let reading = SDLReader.read(schema, settings: settings)
        blueprint = try #require(reading.blueprint, "\(reading.diagnostics.map(\.message)) in\n\(schema)")
        api = APISchema.generate(from: blueprint).schema
        engine = try Engine(api, of: blueprint, over: other.engine.store, Self.settings([:]))
        shard = EngineShard(outside: nil)
        owner = other
    }

    /// Those of a server, but that no request and no change takes too long: thousands of tests share a machine.
    private static func settings(_ functions: [String: String]) -> EngineSettings {
        var settings = EngineSettings()
        settings.functions = functions
        settings.limits.milliseconds = 3_600_000
        settings.limits.mutationMilliseconds = 3_600_000
        return settings
    }

    deinit {
        shard.close()
        guard ownsStore else { return }
        do { try engine.store.close() } catch { Issue.record("\(error)") }
    }

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// The bytes of a response.
    func bytes(
        _ query: String, _ variables: JSONObject = JSONObject(), as identity: Identity = .apiKey
    ) async throws -> [UInt8] {
        var body = JSONObject([("query", .string(query))])
        if !variables.isEmpty { body["variables"] = .object(variables) }
        return try await bytes(
            of: engine.answer(JSONWriter.bytes(of: .object(body)), from: Requester(identity), on: shard))
    }

    func bytes(of answer: Engine.Answer) async throws -> [UInt8] {
        switch answer {
        case .response(let bytes), .invalid(let bytes): return bytes
        case .pending(let pending):
            guard let found = pending.found else { return await pending.response() }
            return await withCheckedContinuation { continuation in
                _ = found.begin { continuation.resume(returning: $0) }
            }
        case .preparing(let preparation): return try await bytes(of: preparation.answer())
        case .refused(let error): throw Refused(description: "\(error.errorType): \(error.message)")
        case .unauthorized(let message, _): throw Refused(description: "UnauthorizedException: \(message)")
        }
    }

    func text(
        _ query: String, _ variables: JSONObject = JSONObject(), as identity: Identity = .apiKey
    ) async throws -> String {
        String(decoding: try await bytes(query, variables, as: identity), as: UTF8.self)
    }

    func value(
        _ query: String, _ variables: JSONObject = JSONObject(), as identity: Identity = .apiKey
    ) async throws -> JSONValue {
        try JSONReader.value(of: try await bytes(query, variables, as: identity))
    }

    /// Creates records with one document, and insists that all of them are made.
    func create(_ model: String, _ inputs: [JSONObject], as identity: Identity = .apiKey) async throws {
        guard !inputs.isEmpty else { return }
        let declared = inputs.indices.map { "$i\($0): Create\(model)Input!" }.joined(separator: ", ")
        let fields = inputs.indices.map { "c\($0): create\(model)(input: $i\($0)) { __typename }" }
        let variables = JSONObject(inputs.enumerated().map { ("i\($0)", .object($1)) })
        let response = try await value(
            "mutation (\(declared)) { \(fields.joined(separator: " ")) }", variables, as: identity)
        try #require(response["errors"] == nil, "\(response)")
    }
}

extension JSONValue {
    /// The value at a path of names.
    subscript(path names: String...) -> JSONValue? {
        names.reduce(self as JSONValue?) { $0?[$1] }
    }

    /// The messages of a response's errors.
    var messages: [String] { self["errors"]?.array?.compactMap { $0["message"]?.string } ?? [] }
    var errorTypes: [String?] { self["errors"]?.array?.map { $0["errorType"]?.string } ?? [] }
    var paths: [String] {
        self["errors"]?.array?.map { String(decoding: JSONWriter.bytes(of: $0["path"] ?? .null), as: UTF8.self) } ?? []
    }
    var text: String { String(decoding: JSONWriter.bytes(of: self), as: UTF8.self) }
}
