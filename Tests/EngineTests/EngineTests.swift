import Access
import Blueprint
import Dispatch
import GraphQL
import JSON
import Store
import Testing

@testable import Engine

@Suite("Engine")
struct EngineTests {
    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String! status: Status }
        enum Status { OPEN DONE }
        """

    private static func engine(allowsIntrospection: Bool = true) throws -> Engine {
        let blueprint = try #require(SDLReader.read(schema).blueprint)
        var settings = EngineSettings()
        settings.allowsIntrospection = allowsIntrospection
        // However busy the machine is, nothing goes on beside the loop.
        settings.limits.turnMilliseconds = 3_600_000
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0, onFailure: { _ in })
        return try Engine(APISchema.generate(from: blueprint).schema, of: blueprint, over: store, settings)
    }

    private static func answer(_ body: String, _ engine: Engine, _ shard: EngineShard = EngineShard()) -> String {
        switch engine.answer(Array(body.utf8), from: Requester(.apiKey), on: shard) {
        case .response(let bytes), .invalid(let bytes): String(decoding: bytes, as: UTF8.self)
        case .refused(let error): "400 \(error.errorType): \(error.message)"
        case .unauthorized(let message, _): "401 \(message)"
        case .pending, .preparing: "to be waited for"
        }
    }

    private static let malformed = "400 MalformedHttpRequestException: Unable to parse GraphQL query."

    static let rows: [(body: String, answer: String)] = [
        ("", "400 MalformedHttpRequestException: Request body is empty."),
        ("meow", malformed), ("{}", malformed), ("[]", malformed), (#"{"query":1}"#, malformed),
        (#"{"query":"{"}"#, malformed), (#"{"query":"{ __typename }","variables":[]}"#, malformed),
        (#"{"query":"{ __typename }"}"#, #"{"data":{"__typename":"Query"}}"#),
        (
            #"{"query":"query { a: __typename }","variables":null,"operationName":null,"extensions":1}"#,
            #"{"data":{"a":"Query"}}"#
        ),
        (
            #"{"query":"query A { __typename } query B { b: __typename }","operationName":"B"}"#,
            #"{"data":{"b":"Query"}}"#
        ),
        (
            #"{"query":"query A { __typename } query B { __typename }"}"#,
            "400 BadRequestException: Missing operation name."
        ),
        (
            #"{"query":"query A { __typename }","operationName":"C"}"#,
            "400 BadRequestException: Unknown operation named 'C'."
        ),
        (
            #"{"query":"subscription { onCreateTodo { id } }"}"#,
            "400 BadRequestException: Subscriptions over MQTT is not supported."
        ),
        (
            #"{"query":"{badfield}"}"#,
            #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":2,"sourceName":null}],"message":"Validation error of type FieldUndefined: Field 'badfield' in type 'Query' is undefined @ 'badfield'"}]}"#
        ),
        (
            #"{"query":"query A($n: String!) { __type(name: $n) { name } }"}"#,
            #"{"data":null,"errors":[{"path":null,"locations":[{"line":1,"column":9,"sourceName":null}],"message":"Variable 'n' has coerced Null value for NonNull type 'String!'"}]}"#
        ),
        (
            #"{"query":"query A($n: String!, $no: Boolean = true) { __type(name: $n) { kind name @skip(if: $no) } }","variables":{"n":"Status"}}"#,
            #"{"data":{"__type":{"kind":"ENUM"}}}"#
        ),
        (
            #"{"query":"{ __typename getTodo(id: 1) { id } }"}"#,
            #"{"data":{"__typename":"Query","getTodo":null}}"#
        ),
    ]

    @Test("answers what the schema alone answers, in AppSync's words", arguments: rows)
    func answers(_ row: (body: String, answer: String)) throws {
        let (engine, shard) = (try Self.engine(), EngineShard())
        #expect(Self.answer(row.body, engine, shard) == row.answer)
        // Again, from what the shard has kept.
        #expect(Self.answer(row.body, engine, shard) == row.answer)
    }

    @Test("the form of an early client library is read as what it means, and not advertised")
    func earlyGetForm() throws {
        let engine = try Self.engine()
        let early = Self.answer(#"{"query":"{ getTodo(input: {id: 1}) { id } }"}"#, engine)
        #expect(early == Self.answer(#"{"query":"{ getTodo(id: 1) { id } }"}"#, engine))
        let arguments = Self.answer(
            #"{"query":"{ __type(name: \"Query\") { fields { name args { name } } } }"}"#, engine)
        #expect(arguments.contains(#"{"name":"getTodo","args":[{"name":"id"}]}"#))
        let wrong = Self.answer(#"{"query":"{ getTodo(input: {name: 1}) { id } }"}"#, engine)
        #expect(wrong.contains("Unknown field argument name"))
        #expect(
            Self.answer(#"{"query":"{ listTodos(input: {id: 1}) { nextToken } }"}"#, engine).contains(
                "Unknown field argument input"))
    }

    @Test("introspection can be switched off, and `__typename` stays")
    func introspectionOff() throws {
        let engine = try Self.engine(allowsIntrospection: false)
        let refused = Self.answer(#"{"query":"{ __schema { types { name } } }"}"#, engine)
        #expect(refused.contains("Field '__schema' in type 'Query' is undefined"))
        #expect(Self.answer(#"{"query":"{ __typename }"}"#, engine) == #"{"data":{"__typename":"Query"}}"#)
    }

    @Test("a shard keeps no more documents than its limit, and those that were used last")
    func cacheIsBounded() throws {
        let (engine, shard) = (try Self.engine(), EngineShard())
        for number in 0..<3 * PlanCache.entriesMax {
            _ = Self.answer(#"{"query":"{ a\#(number): __typename }"}"#, engine, shard)
            _ = Self.answer(#"{"query":"{ often: __typename }"}"#, engine, shard)
            #expect(shard.plans.count <= PlanCache.entriesMax)
        }
        let before = shard.plans.count
        _ = Self.answer(#"{"query":"{ often: __typename }"}"#, engine, shard)
        #expect(shard.plans.count == before)
        let large = String(repeating: "#", count: PlanCache.bytesMax / 3)
        for number in 0..<8 { _ = Self.answer(#"{"query":"{ __typename } \#(large)\#(number)"}"#, engine, shard) }
        #expect(shard.plans.count <= PlanCache.entriesMax)
    }

    @Test("an operation found again by the bytes of its text is still read strictly where it is new")
    func writtenTexts() throws {
        let engine = try Self.engine()
        let shard = EngineShard()
        let rows = [
            (#"{"query":"{ __typename }"}"#, #"{"data":{"__typename":"Query"}}"#),
            // The same text in other bytes, and twice.
            (#"{"query":"{ \u005f_typename }"}"#, #"{"data":{"__typename":"Query"}}"#),
            (#"{"query":"{ a: __typename }","query":"{ __typename }"}"#, #"{"data":{"__typename":"Query"}}"#),
            (#"{"query":1,"query":"{ __typename }"}"#, #"{"data":{"__typename":"Query"}}"#),
            (#"{"query":"{ __typename }","query":1}"#, Self.malformed),
            (#"{"query":"{ \x__typename }"}"#, Self.malformed),
            (#"{"query":"{ \x }","query":"{ __typename }"}"#, Self.malformed),
            (#"{"query":"{ __typename }\"#, Self.malformed),
            (#"{"query":"{ __typename }"}"#, #"{"data":{"__typename":"Query"}}"#),
        ]
        for (body, answer) in rows { #expect(Self.answer(body, engine, shard) == answer, "\(body)") }
    }

    @Test("a page whose filter is another text of the same characters is another page")
    func rememberedPages() throws {
        let engine = try Self.engine()
        let shard = EngineShard()
        let created = DispatchSemaphore(value: 0)
        for (id, name) in [("1", "caf\u{E9}"), ("2", "cafe\u{301}")] {
            let body = #"{"query":"mutation { createTodo(input: {id: \"\#(id)\", name: \"\#(name)\"}) { id } }"}"#
            guard case .pending(let pending) = engine.answer(Array(body.utf8), from: Requester(.apiKey), on: shard),
                let written = pending.written
            else { return #expect(Bool(false), "a mutation waits for its commit") }
            written.begin { _ in created.signal() }
            created.wait()
        }
        let query = "query Q($name: String) { listTodos(filter: {name: {eq: $name}}) { items { id } } }"
        for (name, id) in [("caf\u{E9}", "1"), ("cafe\u{301}", "2"), ("caf\u{E9}", "1")] {
            let body = #"{"query":"\#(query)","variables":{"name":"\#(name)"}}"#
            #expect(Self.answer(body, engine, shard) == #"{"data":{"listTodos":{"items":[{"id":"\#(id)"}]}}}"#)
        }
    }
}
