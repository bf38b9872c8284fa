import Access
import Blueprint
import GraphQL
import JSON
import Resolvers
import Synchronization
import Testing

@testable import Engine

@Suite("Runs of handlers that end at once, and those that wait")
struct ResolverRunTests {
    /// Tables of which some answer at once, and who keeps what was asked.
    private final class Tables: ResolverServices, TablePlace {
        private struct State {
            var calls: [String] = []
            var lines: [String] = []
            var effects: [String] = []
        }

        private let state = Mutex(State())
        let environment = JSONObject()
        let apiID = "api"

        var calls: [String] { state.withLock { $0.calls } }
        var lines: [String] { state.withLock { $0.lines } }
        var effects: [String] { state.withLock { $0.effects } }
        func note(_ effects: ResolverEffects) { state.withLock { $0.effects += effects.headers.map(\.0) } }
        func write(_ line: String) { state.withLock { $0.lines.append(line) } }

        func source(named name: String) -> ResolverSource? {
            switch name {
            case "Slow": .http(endpoint: "http://slow.test", signing: nil)
            case "NONE": ResolverSource.none
            default: .table(name, isVersioned: false)
            }
        }

        private func answer(_ operation: String, _ request: JSONObject, _ way: String) -> JSONObject {
            state.withLock { $0.calls.append("\(operation) \(way)") }
            return JSONObject([("Item", .object(JSONObject([("id", request["Key"]?["id"]?["S"] ?? .null)])))])
        }

        func callTables(
            _ operation: String, _ request: JSONObject, isPlain: Bool, until end: Int64, at place: (any TablePlace)?
        ) async -> Result<JSONObject, TableRefusal> {
            if let refusal = Self.refusal(request) { return .failure(refusal) }
            return .success(answer(operation, request, "waited for"))
        }

        func callTablesNow(
            _ operation: String, _ request: JSONObject, isPlain: Bool, at place: any TablePlace
        ) -> Result<JSONObject, TableRefusal>? {
            guard operation == "GetItem" else { return nil }
            if let refusal = Self.refusal(request) { return .failure(refusal) }
            return .success(answer(operation, request, "at once"))
        }

        private static func refusal(_ request: JSONObject) -> TableRefusal? {
            request["TableName"] == "Broken" ? TableRefusal(type: "ValidationException", message: "no") : nil
        }

        func putEvents(_ request: JSONObject) async -> Result<JSONObject, TableRefusal> { .success(JSONObject()) }
        func answerHere(_ request: OutsideRequest) async -> OutsideResponse? { nil }
        func askModel(_ path: String, _ body: [UInt8]) async -> OutsideResponse {
            OutsideResponse(status: 500, fields: [], body: [])
        }
        func outgoing(_ request: OutsideRequest, signing: ResolverSource.Signing?) -> OutsideRequest { request }
    }

    private static let code = """
        import { runtime, util } from '@aws-appsync/utils';
        export function request(ctx) {
          console.log('asks');
          const l = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
          let n = 0;
          if (ctx.args.long) l.forEach(() => l.forEach(() => l.forEach(() => { n += 1; n += 1; n += 1; n += 1; })));
          if (ctx.args.early) runtime.earlyReturn('early');
          ctx.stash.times = (ctx.stash.times ?? 0) + 1;
          util.appendError('beside');
          util.http.addResponseHeader('x-own', 'told');
          return { operation: ctx.args.operation, key: { id: { S: 'a' } }, payload: 'p' };
        }
        export function response(ctx) {
          console.log('answers');
          if (ctx.args.fails) util.error('fails', 'Own');
          return { result: ctx.result?.id ?? null, error: ctx.error?.type ?? null, times: ctx.stash.times,
            before: ctx.prev.result ?? null };
        }
        """

    private struct Outcome: Equatable {
        var value: JSONValue
        var errors: [String]
        var calls: [String]
        var lines: Int
        var effects: [String]
    }

    /// What comes of a pipeline of steps on these sources, and whether it has been there at once; nil: it was not begun.
    private static func outcome(
        _ sources: [String], _ arguments: JSONValue, atOnce: Bool = true
    ) async throws -> (outcome: Outcome, isAtOnce: Bool?) {
        let tables = Tables()
        let directory = FunctionDirectory(services: tables, tellOfHandlers: { tables.write($0) })
        let handlers = sources.map { source in
            CustomHandler(
                typeName: "Query", fieldName: "f", dataSource: source, entry: "f.js", position: .none,
                code: .javaScript(code, isTypeScript: false))
        }
        let program = FieldProgram(ResolverProgram(handlers, of: "Query", "f", directory), directory)
        let place = CallPlace(
            outside: FakeOutside(status: 200, "{}"), directory: directory, tables: tables,
            handlers: HandlerTurns(HandlerWorkers(waitingMax: 10), EngineLimits()) { false })
        var call = FieldCall(
            arguments: arguments.object ?? JSONObject(), caller: FieldCaller { FieldCaller.Told(identity: .null) },
            path: ResponsePath([.name("f")]))
        call.tellOfEffects = { tables.note($0) }
        let outcome: FieldOutcome
        var isAtOnce: Bool?
        if atOnce, program.mayEndAtOnce, let beginning = program.beginning(of: call, over: place) {
            switch beginning {
            case .ended(let ended): (outcome, isAtOnce) = (ended, true)
            case .waits(let run): (outcome, isAtOnce) = (await program.outcome(goingOnWith: run), false)
            }
        } else {
            outcome = await program.outcome(of: call, over: place)
        }
        guard case .value(let value, let errors) = outcome else { throw TestFailure() }
        return (
            Outcome(
                value: value, errors: errors.map(\.message), calls: tables.calls, lines: tables.lines.count,
                effects: tables.effects),
            isAtOnce
        )
    }

    private struct TestFailure: Error {}

    @Test(
        "the same comes of both, and each handler and each source is asked once",
        arguments: [
            (["T"], ["operation": "GetItem"], true), (["T", "NONE", "T"], ["operation": "GetItem"], true),
            (["Broken"], ["operation": "GetItem"], true), (["T"], ["operation": "Nothing"], true),
            (["T"], ["operation": "GetItem", "fails": true], true), (["NONE"], ["early": true], true),
            (["T"], [:], true), (["T"], ["operation": "PutItem"], false),
            (["NONE", "T", "T"], ["operation": "PutItem"], false),
            (["T", "T"], ["operation": "GetItem", "long": true], false),
            (["T", "Slow"], ["operation": "GetItem"], nil),
        ] as [([String], JSONValue, Bool?)])
    func same(_ sources: [String], _ arguments: JSONValue, isAtOnce: Bool?) async throws {
        // The first run of all makes what later ones find.
        _ = try await Self.outcome(["NONE"], [:])
        let waiting = try await Self.outcome(sources, arguments, atOnce: false)
        let begun = try await Self.outcome(sources, arguments)
        func bare(_ outcome: Outcome) -> Outcome {
            var outcome = outcome
            outcome.calls = outcome.calls.map { $0.parts(separatedBy: " ").first ?? "" }
            return outcome
        }
        #expect(bare(begun.outcome) == bare(waiting.outcome))
        #expect(begun.isAtOnce == isAtOnce)
        if isAtOnce == true { #expect(begun.outcome.calls.allSatisfy { $0.hasSuffix("at once") }) }
    }
}
