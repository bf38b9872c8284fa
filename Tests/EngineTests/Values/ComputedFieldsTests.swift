import GraphQL
import JSON
import Synchronization
import Testing

@testable import Engine

@Suite("Computed fields of a value")
struct ComputedFieldsTests {
    private static let types = """
        type Article { id: ID! title: String notes(limit: Int): [Remark] author: Person! }
        type Remark { id: ID text: String replies: [Remark] }
        type Person { name: String }
        """

    /// What was computed, in the order of the calls.
    private final class Record: Sendable {
        private let calls = Mutex<[String]>([])
        private let running = Mutex((now: 0, most: 0))

        var all: [String] { calls.withLock { $0 } }
        var most: Int { running.withLock { $0.most } }

        func begin(_ call: String) {
            calls.withLock { $0.append(call) }
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func end() { running.withLock { $0.now -= 1 } }
    }

    private static func run(
        _ bench: ValueBench, _ value: String, record: Record = Record(), permits: ValueWriter.Permission? = nil,
        _ answer: @escaping @Sendable (ComputedField, JSONObject, ResponsePath) -> FieldOutcome
    ) async throws -> ValueBench.Answer {
        let value = try JSONReader.value(of: value)
        let outcomes = await ComputedFields.outcomes(of: value, bench.plan, at: bench.path, .none, permits: permits) {
            field, source, path in
            record.begin("\(field.typeName).\(field.fieldName) \(path) \(field.arguments.values(.none).count)")
            await Task.yield()
            defer { record.end() }
            return answer(field, source, path)
        }
        return try bench.write(.value(value), outcomes: outcomes, permits: permits)
    }

    @Test("each is asked with its object, and what comes of it stands in its place")
    func levels() async throws {
        let bench = try ValueBench(
            "[Article]", Self.types,
            query: "{ value { title n: notes(limit: 2) { text replies { id } } } }", computing: ["notes", "replies"])
        let record = Record()
        let answer = try await Self.run(
            bench, #"[{"id":1,"title":"A"},null,{"id":2,"title":"B","notes":"stored"}]"#, record: record
        ) { field, source, _ in
            switch (field.fieldName, source["id"]?.integer) {
            case ("notes", 1?): .value([["text": "x", "id": 10], ["text": "y", "id": 11]])
            case ("replies", 10?): .value([["id": 100]])
            default: .value([])
            }
        }
        #expect(
            answer.text
                == #"[{"title":"A","n":[{"text":"x","replies":[{"id":"100"}]},{"text":"y","replies":[]}]},null,{"title":"B","n":[]}]"#
        )
        #expect(answer.errors.isEmpty)
        #expect(
            Set(record.all) == [
                "Article.notes /value[0]/n 1", "Article.notes /value[2]/n 1", "Remark.replies /value[0]/n[0]/replies 0",
                "Remark.replies /value[0]/n[1]/replies 0",
            ])
    }

    @Test("an error makes the field null, and rises where it may not be null; a null without error gets one")
    func failures() async throws {
        let bench = try ValueBench(
            "[Article]", Self.types, query: "{ value { id notes { id } author { name } } }",
            computing: ["notes", "author"])
        let failed = try await Self.run(bench, #"[{"id":1},{"id":2}]"#) { field, source, path in
            if field.fieldName == "author", source["id"]?.integer == 1 { return .value(["name": "a"]) }
            return .failure(GraphQLError("no \(field.fieldName)", type: "T", at: path, locations: field.locations))
        }
        #expect(failed.text == #"[{"id":"1","notes":null,"author":{"name":"a"}},null]"#)
        #expect(failed.messages.sorted() == ["no author", "no notes", "no notes"])
        #expect(failed.errors.allSatisfy { $0.locations != nil })
        let missing = try await Self.run(bench, #"[{"id":1}]"#) { _, _, _ in .value(.null) }
        #expect(missing.text == "[null]")
        #expect(
            missing.messages == [
                "Cannot return null for non-nullable type: 'Person' within parent 'Article' (/value[0]/author)"
            ])
    }

    @Test("bytes that are complete are put in as they are")
    func writtenBytes() async throws {
        let bench = try ValueBench(
            "Article", Self.types, query: "{ value { notes { id } author { name } } }", computing: ["notes", "author"])
        let beside = GraphQLError("beside")
        let whole = try await Self.run(bench, "{}") { _, _, _ in .written(Array("[ 1]".utf8), errors: [beside]) }
        #expect(whole.text == #"{"notes":[ 1],"author":[ 1]}"#)
        #expect(whole.errors == [beside, beside])
        let without = try await Self.run(bench, "{}") { field, _, _ in
            field.fieldName == "notes" ? .written(nil) : .written(nil, errors: [beside])
        }
        #expect(without.text == "null")
        #expect(without.errors == [beside])
    }

    @Test("what the caller may not see and what is not asked for is not computed")
    func restraint() async throws {
        let bench = try ValueBench(
            "Article", Self.types,
            query: "query Q($no: Boolean = false) { value { title notes { id } author @include(if: $no) { name } } }",
            computing: ["notes", "author"])
        let record = Record()
        let answer = try await Self.run(bench, #"{"title":"t"}"#, record: record, permits: { $0.name != "notes" }) {
            _, _, _ in .value([])
        }
        #expect(answer.text == #"{"title":"t","notes":null}"#)
        #expect(answer.messages == ["Not Authorized to access notes on type Article"])
        #expect(record.all.isEmpty)
    }

    @Test("no more run together than the limit, and no more at all than the other")
    func limits() async throws {
        let bench = try ValueBench(
            "[Article]", Self.types, query: "{ value { notes { id } } }", computing: ["notes"])
        let record = Record()
        let count = ValueLimits.computedFieldsMax + 2
        let value = "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]"
        let answer = try await Self.run(bench, value, record: record) { _, _, _ in .value([]) }
        #expect(record.all.count == ValueLimits.computedFieldsMax)
        #expect(record.most <= ValueLimits.concurrentFieldsMax)
        #expect(answer.errors.count == 2)
        #expect(answer.messages.allSatisfy { $0.contains("\(ValueLimits.computedFieldsMax)") })
    }
}
