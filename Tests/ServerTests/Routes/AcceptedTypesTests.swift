import Testing

@testable import Server

@Suite("What a client accepts")
struct AcceptedTypesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let values: [String]
        /// How a query is answered.
        let query: Kind
        /// Whether a subscription is answered at all.
        var isSubscribed = true
        var testDescription: String { name }

        enum Kind: Sendable { case json, strict, stream }

        init(_ name: String, _ values: String..., query: Kind, isSubscribed: Bool = true) {
            (self.name, self.values, self.query, self.isSubscribed) = (name, values, query, isSubscribed)
        }
    }

    private static let urql =
        "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed"

    static let rows = [
        Row("nothing", query: .json, isSubscribed: false),
        Row("an empty field", "", query: .json, isSubscribed: false),
        Row("curl", "*/*", query: .json, isSubscribed: false),
        Row("amplify-js", "application/json, text/plain, */*", query: .json, isSubscribed: false),
        Row("urql and gql.tada", urql, query: .strict),
        Row(
            "Apollo Client 4", "application/graphql-response+json,application/json;q=0.9", query: .strict,
            isSubscribed: false),
        Row(
            "Apollo Client 3 with @defer", "multipart/mixed;deferSpec=20220824,application/json", query: .json,
            isSubscribed: false),
        Row("a browser's EventSource, and graphql-sse", "text/event-stream", query: .stream),
        Row("an EventSource that takes anything beside", "text/event-stream, */*", query: .json),
        Row("an EventSource that likes anything else less", "text/event-stream, */*;q=0.1", query: .stream),
        Row("JSON before a stream", "application/json;q=0.9, text/event-stream;q=0.1", query: .json),
        Row("a stream before JSON", "application/json;q=0.1, text/event-stream;q=0.9", query: .stream),
        Row(
            "a stream before JSON, the other way round", "text/event-stream;q=0.9, application/json;q=0.1",
            query: .stream),
        Row("the smallest preference", "text/event-stream;q=0.002, application/json;q=0.001", query: .stream),
        Row("the smallest preference of JSON", "text/event-stream;q=0.001, application/json;q=0.002", query: .json),
        Row("equal weights", "text/event-stream;q=0.5, application/json;q=0.50", query: .json),
        Row(
            "a stream that is not wanted", "text/event-stream;q=0, application/json", query: .json, isSubscribed: false),
        Row("nothing but a stream that is not wanted", "text/event-stream;q=0.000", query: .json, isSubscribed: false),
        Row("JSON that is not wanted", "application/json;q=0, text/event-stream;q=0.1", query: .stream),
        Row("a stream that is liked little, alone", "text/event-stream;q=0.1", query: .stream),
        Row("a wildcard of applications", "application/*, text/event-stream", query: .json),
        Row("a wildcard of texts is no JSON", "text/*, text/event-stream;q=0.5", query: .stream),
        Row("a stream that a wildcard covers is not named", "text/*", query: .json, isSubscribed: false),
        Row("another type that is liked more", "text/html, text/event-stream;q=0.5", query: .stream),
        Row("a dialect of JSON", "application/hal+json, text/event-stream", query: .json),
        Row("capital letters", "TEXT/Event-Stream; Q=0.9, APPLICATION/JSON; Q=0.8", query: .stream),
        Row("blanks and tabs", " text/event-stream\t;\tq=0.9 , application/json ; q=0.8", query: .stream),
        Row("several fields", "application/json;q=0.5", "text/event-stream", query: .stream),
        Row(
            "several fields, of which the first has nothing of it", "application/json", "text/event-stream",
            query: .json),
        Row(
            "parameters in quotes", #"text/event-stream;a="x,y;q=0.1\",z";q=0.9, application/json;q=0.8"#,
            query: .stream),
        Row("a quote that does not end", #"text/event-stream;a="x, application/json"#, query: .stream),
        Row("a weight that is none", "text/event-stream;q=high, application/json", query: .json, isSubscribed: false),
        Row("a weight above one", "text/event-stream;q=7, application/json;q=0.9", query: .stream),
        Row("digits beyond the third", "text/event-stream;q=0.9999, application/json;q=0.9991", query: .json),
        Row(
            "a name that only begins like it", "text/event-streams, application/json;q=0.1", query: .json,
            isSubscribed: false),
        Row("a name within another", "x-text/event-stream", query: .json, isSubscribed: false),
        Row("no type", "text, /, ;q=1, ,", query: .json, isSubscribed: false),
        Row("the strict type alone", "application/graphql-response+json", query: .strict, isSubscribed: false),
        Row(
            "the strict type behind JSON", "application/graphql-response+json;q=0.5, application/json", query: .json,
            isSubscribed: false),
        Row(
            "the strict type behind anything", "application/graphql-response+json;q=0.5, */*", query: .json,
            isSubscribed: false),
        Row(
            "JSON weighs what its own entry says",
            "application/graphql-response+json;q=0.5, application/json;q=0.4, */*",
            query: .strict, isSubscribed: false),
        Row("the strict type refused", "application/graphql-response+json;q=0, */*", query: .json, isSubscribed: false),
    ]

    @Test(
        "is weighed: a stream must be liked more than JSON for a query, and named for a subscription", arguments: rows)
    func weighs(_ row: Row) {
        let accepted = AcceptedTypes(row.values)
        #expect(accepted.areStreamsPreferred == (row.query == .stream))
        #expect(accepted.areStreamsAccepted == row.isSubscribed)
        if row.query != .stream { #expect(accepted.isStrict == (row.query == .strict)) }
    }

    @Test("a long field takes a time that grows with it")
    func isLinear() {
        let many = String(repeating: "text/event-stream;q=0.001,", count: 1_200)
        #expect(AcceptedTypes([many + "application/json"]).areStreamsPreferred == false)
        #expect(AcceptedTypes([String(repeating: "\"", count: 30_000)]).areStreamsAccepted == false)
    }
}
