import JSON
import Testing

@testable import Realtime

@Suite("Events as subscribers see them")
struct EventWriterTests {
    struct Row: CustomTestStringConvertible {
        let query: String
        var variables = "{}"
        var mutation = "createMessage"
        var type = "Message"
        let event: String
        let response: String
        var testDescription: String { query }
    }

    static let rows: [Row] = [
        Row(
            query: "subscription { onCreateMessage { id room text level } }", event: #"{"id":"m1","text":"t"}"#,
            response: #"{"data":{"onCreateMessage":{"id":"m1","room":null,"text":"t","level":null}}}"#),
        Row(
            query:
                "subscription S { made: onCreateMessage { __typename key: id ...F } } fragment F on Message { text }",
            event: #"{"id":"m1","text":"t","room":"r"}"#,
            response: #"{"data":{"made":{"__typename":"Message","key":"m1","text":"t"}}}"#),
        Row(
            query: "subscription { onCreateMessage { id createdAt } }", event: #"{"id":"m1"}"#,
            response:
                #"{"data":{"onCreateMessage":null},"errors":[{"message":"Cannot return null for non-nullable type: 'AWSDateTime' within parent 'Message' (/onCreateMessage/createdAt)","path":["onCreateMessage","createdAt"]}]}"#
        ),
        Row(
            query: "subscription { onCreateMessage { id text c: createdAt } }", event: #"{"id":"m1","text":null}"#,
            response:
                #"{"data":{"onCreateMessage":null},"errors":[{"message":"Cannot return null for non-nullable type: 'String' within parent 'Message' (/onCreateMessage/text)","path":["onCreateMessage","text"]},{"message":"Cannot return null for non-nullable type: 'AWSDateTime' within parent 'Message' (/onCreateMessage/c)","path":["onCreateMessage","c"]}]}"#
        ),
        Row(
            query: "subscription { onCreateMessage { must part { name size } } }",
            event: #"{"must":[1,null,null],"part":{"size":1}}"#,
            response:
                #"{"data":{"onCreateMessage":{"must":null,"part":null}},"errors":[{"message":"Cannot return null for non-nullable type: 'Int' within parent 'Message' (/onCreateMessage/must[1])","path":["onCreateMessage","must",1]},{"message":"Cannot return null for non-nullable type: 'Int' within parent 'Message' (/onCreateMessage/must[2])","path":["onCreateMessage","must",2]},{"message":"Cannot return null for non-nullable type: 'String' within parent 'Part' (/onCreateMessage/part/name)","path":["onCreateMessage","part","name"]}]}"#
        ),
        Row(
            query: "subscription { onCreateMessage { parts { name } tags } }",
            event: #"{"parts":[{"name":"a"},{"name":"b"}],"tags":["x",null]}"#,
            response: #"{"data":{"onCreateMessage":{"parts":[{"name":"a"},{"name":"b"}],"tags":["x",null]}}}"#),
        Row(
            query: "subscription { onSay { id } }", mutation: "say", event: "{}",
            response:
                #"{"data":null,"errors":[{"message":"Cannot return null for non-nullable type: 'ID' within parent 'Message' (/onSay/id)","path":["onSay","id"]}]}"#
        ),
        Row(
            query:
                "subscription S($y: Boolean!, $n: Boolean!) { onCreateMessage { id @include(if: $y) text @skip(if: $y) level @include(if: $n) } }",
            variables: #"{"y":true,"n":false}"#, event: #"{"id":"1","text":"t","level":3}"#,
            response: #"{"data":{"onCreateMessage":{"id":"1"}}}"#),
        Row(
            query:
                "subscription { onAdopt { pet { __typename ... on Dog { name bark } ... on Cat { name } } pets { ... on Cat { meow } } } }",
            mutation: "adopt", type: "Owner",
            event:
                #"{"pet":{"__typename":"Dog","name":"Rex","bark":2},"pets":[{"__typename":"Cat","meow":1},{"__typename":"Dog"}]}"#,
            response: #"{"data":{"onAdopt":{"pet":{"__typename":"Dog","name":"Rex","bark":2},"pets":[{"meow":1},{}]}}}"#
        ),
        Row(query: "subscription { onCount }", mutation: "count", event: "7", response: #"{"data":{"onCount":7}}"#),
        Row(
            query: "subscription { m: onMoods }", mutation: "moods", event: #"["GOOD","BAD"]"#,
            response: #"{"data":{"m":["GOOD","BAD"]}}"#),
        Row(
            query: "subscription { onParts { a: name __typename } }", mutation: "parts",
            event: #"[[{"name":"x"}],null,[null]]"#,
            response: #"{"data":{"onParts":[[{"a":"x","__typename":"Part"}],null,[null]]}}"#),
        Row(
            query: "subscription { onWalk { __typename ... on Dog { bark } } }", mutation: "walk", type: "Dog",
            event: #"[{"bark":1},{"__typename":"Cat"}]"#,
            response: #"{"data":{"onWalk":[{"__typename":"Dog","bark":1},{"__typename":"Cat"}]}}"#),
        Row(
            query: "subscription { onMeet { ... on Dog { bark } } }", mutation: "meet", type: "Pet",
            event: #"{"bark":1}"#,
            response:
                #"{"data":{"onMeet":null},"errors":[{"message":"Can't resolve '/onMeet'. Abstract type 'Pet' must resolve to an Object type at runtime for field 'Subscription.onMeet'. Could not determine the exact type of 'Pet'","path":["onMeet"]}]}"#
        ),
        Row(
            query: "subscription { onAdopt { pet { ... on Dog { name } } pets { __typename } } }", mutation: "adopt",
            type: "Owner", event: #"{"pet":{"__typename":"Fish"}}"#,
            response:
                #"{"data":{"onAdopt":null},"errors":[{"message":"Can't resolve '/onAdopt/pet'. Abstract type 'Pet' must resolve to an Object type at runtime for field 'Owner.pet'. Runtime Object type 'Fish' is not a possible type for 'Pet'.","path":["onAdopt","pet"]},{"message":"Cannot return null for non-nullable type: 'null' within parent 'Owner' (/onAdopt/pets)","path":["onAdopt","pets"]}]}"#
        ),
        Row(
            query: "subscription { onCreateMessage { tags part { size } } }", event: #"{"tags":"x","part":3}"#,
            response:
                #"{"data":{"onCreateMessage":{"tags":null,"part":null}},"errors":[{"message":"Can't resolve value (/onCreateMessage/tags) : type mismatch error, expected type LIST","path":["onCreateMessage","tags"]},{"message":"Can't resolve value (/onCreateMessage/part) : type mismatch error, expected type OBJECT","path":["onCreateMessage","part"]}]}"#
        ),
        Row(
            query: "subscription { onCreateMessage { id } onUpdateMessage { text } }", event: #"{"id":"1"}"#,
            response: #"{"data":{"onCreateMessage":{"id":"1"}}}"#),
        Row(
            query: "subscription { onCreateMessage { score level isNew mood } }",
            event: #"{"score":1.0,"level":2,"isNew":false,"mood":"GOOD"}"#,
            response: #"{"data":{"onCreateMessage":{"score":1.0,"level":2,"isNew":false,"mood":"GOOD"}}}"#),
    ]

    @Test("a subscription's selection is written over the mutation's result", arguments: rows)
    func writes(_ row: Row) throws {
        let prepared = try TestAPI.prepared(row.query, row.variables)
        let event = TestAPI.event(row.mutation, row.event, type: row.type)
        let response = try #require(
            EventWriter.response(to: event, prepared.selection.plan, bytesMax: row.response.utf8.count))
        #expect(Said.text(response) == row.response)
        // With one byte less it is for nobody.
        let short = row.response.utf8.count - 1
        #expect(EventWriter.response(to: event, prepared.selection.plan, bytesMax: short) == nil)
    }

    static let failures: [(query: String, variables: String, payload: String)] = [
        ("{ listMessages { items { id } } }", "{}", "not a subscription"),
        (
            "subscription {", "{}",
            #"{"errors":[{"errorType":"UnsupportedOperation","message":" not supported through the realtime channel"}]}"#
        ),
        (
            "subscription { onCreateMessage { nope } }", "{}",
            #"{"errors":[{"message":"Validation error of type FieldUndefined: Field 'nope' in type 'Message' is undefined @ 'onCreateMessage/nope'"}]}"#
        ),
        (
            "subscription S($yes: Boolean!) { onCreateMessage { id text @include(if: $yes) } }", "{}",
            #"{"errors":[{"message":"Variable 'yes' has coerced Null value for NonNull type 'Boolean!'"}]}"#
        ),
        (
            "subscription { __typename }", "{}",
            #"{"errors":[{"errorType":"UnsupportedOperation","message":" not supported through the realtime channel"}]}"#
        ),
        (
            "subscription A { onCreateMessage { id } } subscription B { onCreateMessage { id } }", "{}",
            #"{"errors":[{"errorType":"UnsupportedOperation","message":" not supported through the realtime channel"}]}"#
        ),
        (
            "subscription { onCreateMessage(filter: {level: {between: [1]}}) { id } }", "{}",
            #"{"errors":[{"errorType":"BadRequestException","message":"Invalid subscription filter: expected exactly 2 values for between of level, found 1"}]}"#
        ),
    ]

    @Test("what cannot be served is told", arguments: failures)
    func refuses(_ row: (query: String, variables: String, payload: String)) {
        do {
            let prepared = try TestAPI.prepared(row.query, row.variables)
            // Kinds are told apart before; a query that gets here finds no field of a subscription.
            #expect(row.payload == "not a subscription" && prepared.mutations.isEmpty)
        } catch let failure as OperationFailure {
            #expect(JSONWriter.text(of: failure.payload) == row.payload || row.payload == "not a subscription")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("a field that is hidden, or of which less is shown, is so in each of the types that a field may have")
    func hidesInAbstractTypes() throws {
        let query =
            "subscription { onAdopt { pet { ... on Dog { name bark } ... on Cat { name meow } } pets { ... on Dog { bark } } } }"
        let event = TestAPI.event(
            "adopt",
            #"{"pet":{"__typename":"Dog","name":"Rex","bark":2},"pets":[{"__typename":"Dog","bark":3},{"__typename":"Cat"}]}"#,
            type: "Owner")
        let selection = try TestAPI.prepared(query).selection
        let bark = FieldCoordinate(type: "Dog", name: "bark")
        let hidden = selection.hiding([bark])
        #expect(
            Said.text(try #require(EventWriter.response(to: event, hidden.plan, bytesMax: .max)))
                == #"{"data":{"onAdopt":{"pet":{"name":"Rex","bark":null},"pets":[{"bark":null},{}]}},"errors":[{"errorType":"Unauthorized","message":"Not Authorized to access bark on type Dog","path":["onAdopt","pet","bark"]},{"errorType":"Unauthorized","message":"Not Authorized to access bark on type Dog","path":["onAdopt","pets",0,"bark"]}]}"#
        )
        let guarded = selection.hiding([], [bark: [.nothing]])
        #expect(
            Said.text(try #require(EventWriter.response(to: event, guarded.plan, bytesMax: .max)))
                == #"{"data":{"onAdopt":{"pet":{"name":"Rex","bark":null},"pets":[{"bark":null},{}]}}}"#)
    }

    @Test("a selection is not larger than its limit")
    func boundsSelections() throws {
        var limits = RealtimeLimits()
        limits.selectionFields = 3
        _ = try TestAPI.prepared("subscription { onCreateMessage { id text } }", limits: limits)
        #expect(throws: OperationFailure(nil, "The operation selects more than 3 fields")) {
            try TestAPI.prepared("subscription { onCreateMessage { id text level } }", limits: limits)
        }
    }

    @Test("documents are kept up to their limits")
    func boundsDocuments() throws {
        var limits = RealtimeLimits()
        limits.documents = 4
        var documents = SubscriptionDocuments(schema: TestAPI.schema, limits: limits)
        for number in 0..<20 {
            _ = try #require(
                try documents.operation(
                    of: OperationRequest(query: "subscription S\(number) { onCreateMessage { id } }")))
            #expect(documents.count <= 4)
        }
    }

    struct ArgumentRow: CustomTestStringConvertible {
        let query: String
        var variables = "{}"
        let matching: [String]
        let others: [String]
        var testDescription: String { query + variables }
    }

    static let arguments: [ArgumentRow] = [
        ArgumentRow(
            query: "subscription { onMessageInRoom { id } }", matching: ["{}", #"{"room":"red"}"#], others: []),
        ArgumentRow(
            query: #"subscription { onMessageInRoom(room: "red") { id } }"#, matching: [#"{"room":"red"}"#],
            others: ["{}", #"{"room":"blue"}"#]),
        ArgumentRow(
            query: "subscription { onMessageInRoom(room: null) { id } }", matching: ["{}", #"{"room":null}"#],
            others: [#"{"room":"red"}"#]),
        ArgumentRow(
            query: "subscription S($r: String) { onMessageInRoom(room: $r) { id } }", matching: ["{}"],
            others: [#"{"room":"red"}"#]),
        ArgumentRow(
            query: "subscription S($r: String) { onMessageInRoom(room: $r) { id } }", variables: #"{"r":null}"#,
            matching: ["{}"], others: [#"{"room":"red"}"#]),
        ArgumentRow(
            query: "subscription S($r: String) { onMessageInRoom(room: $r, level: 3) { id } }",
            variables: #"{"r":"x"}"#,
            matching: [#"{"room":"x","level":3}"#], others: [#"{"room":"x"}"#, #"{"level":3}"#]),
        ArgumentRow(
            query: #"subscription { onMessageInRoom(tags: ["a"]) { id } }"#, matching: [#"{"tags":["a"]}"#],
            others: [#"{"tags":["a","b"]}"#, "{}"]),
        ArgumentRow(
            query: "subscription S($f: ModelSubscriptionMessageFilterInput) { onCreateMessage(filter: $f) { id } }",
            matching: ["{}"], others: []),
        ArgumentRow(
            query: "subscription S($n: Int) { onCreateMessage(filter: {level: {gt: $n}, room: {eq: \"a\"}}) { id } }",
            variables: #"{"n":4}"#, matching: [#"{"level":5,"room":"a"}"#], others: [#"{"level":4,"room":"a"}"#]),
    ]

    @Test("arguments are compared with the event, absent and null told apart", arguments: arguments)
    func compares(_ row: ArgumentRow) throws {
        let filter = try TestAPI.prepared(row.query, row.variables).filter(with: nil)
        for event in row.matching { #expect(filter.matches(TestAPI.event("m", event).fields), "\(event)") }
        for event in row.others { #expect(!filter.matches(TestAPI.event("m", event).fields), "\(event)") }
    }

    @Test("with a filter, arguments are not compared any more")
    func overrides() throws {
        let prepared = try TestAPI.prepared(#"subscription { onMessageInRoom(room: "red") { id } }"#)
        let filter = prepared.filter(with: .equals("level", .integer(1)))
        #expect(filter.matches(TestAPI.event("m", #"{"level":1,"room":"blue"}"#).fields))
        let client = try TestAPI.prepared("subscription { onCreateMessage(filter: {room: {eq: \"a\"}}) { id } }")
        let both = client.filter(with: .equals("level", .integer(1)))
        #expect(both.matches(TestAPI.event("m", #"{"level":1,"room":"a"}"#).fields))
        #expect(!both.matches(TestAPI.event("m", #"{"level":1,"room":"b"}"#).fields))
        #expect(!both.matches(TestAPI.event("m", #"{"level":2,"room":"a"}"#).fields))
    }
}
