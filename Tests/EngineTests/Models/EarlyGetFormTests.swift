import JSON
import Testing

@testable import Engine

@Suite("The early form of a query by key")
struct EarlyGetFormTests {
    private static let schema = """
        type Post @model @auth(rules: [{ allow: public }]) { id: ID! title: String }
        type Page @model(queries: { get: "page", list: "pages" }) @auth(rules: [{ allow: public }]) {
          site: String! @primaryKey(sortKeyFields: ["kind", "number"])
          kind: Kind!
          number: Int!
          title: String
        }
        enum Kind { NOTE NEWS }
        type Odd @model @auth(rules: [{ allow: public }]) { input: ID! @primaryKey title: String }
        input GetOwnInput { id: ID! }
        type Own @model @auth(rules: [{ allow: public }]) { id: ID! title: String }
        """

    struct Row: CustomTestStringConvertible, Sendable {
        let query: String
        let variables: String
        let answer: String
        init(_ query: String, _ variables: String, _ answer: String) {
            (self.query, self.variables, self.answer) = (query, variables, answer)
        }
        var testDescription: String { "\(query) \(variables)" }
    }

    private static let post = "query getPost($input: GetPostInput!) { getPost(input: $input) { title } }"
    private static let page = "query Q($input: GetPageInput!) { page(input: $input) { title } }"

    private static func refusal(_ message: String, column: Int? = nil) -> String {
        let locations = column.map { #"[{"line":1,"column":\#($0),"sourceName":null}]"# } ?? "null"
        return #"{"data":null,"errors":[{"path":null,"locations":\#(locations),"message":"\#(message)"}]}"#
    }

    static let rows: [Row] = [
        // As the guide writes them.
        Row(post, #"{"input":{"id":"1"}}"#, #"{"data":{"getPost":{"title":"one"}}}"#),
        Row(post, #"{"input":{"id":1}}"#, #"{"data":{"getPost":{"title":"one"}}}"#),
        Row(post, #"{"input":{"id":"none"}}"#, #"{"data":{"getPost":null}}"#),
        Row(page, #"{"input":{"site":"s","kind":"NEWS","number":7}}"#, #"{"data":{"page":{"title":"seven"}}}"#),
        Row(
            "query Q($a: GetPostInput!, $b: GetPostInput!, $c: GetPageInput!) { x: getPost(input: $a) { title } y: getPost(input: $b) { title } z: page(input: $c) { title } }",
            #"{"a":{"id":"1"},"b":{"id":"2"},"c":{"number":7,"kind":"NEWS","site":"s"}}"#,
            #"{"data":{"x":{"title":"one"},"y":{"title":"two"},"z":{"title":"seven"}}}"#),
        Row(
            "query Q($input: GetPostInput, $id: ID!) { getPost(input: $input) { title } b: getPost(id: $id) { title } }",
            #"{"input":{"id":"1"},"id":"2"}"#, #"{"data":{"getPost":{"title":"one"},"b":{"title":"two"}}}"#),
        Row(
            "query Q($input: GetPostInput!) { ...F ... on Query { b: getPost(input: $input) { title } } } fragment F on Query { getPost(input: $input) { title } }",
            #"{"input":{"id":"1"}}"#, #"{"data":{"getPost":{"title":"one"},"b":{"title":"one"}}}"#),
        Row(
            #"query Q($input: GetPostInput! = {id: "2"}) { getPost(input: $input) { title } }"#, "{}",
            #"{"data":{"getPost":{"title":"two"}}}"#),
        Row(
            "query Q($input: GetPostInput!, $yes: Boolean!) { getPost(input: $input) @include(if: $yes) { title } }",
            #"{"input":{"id":"1"},"yes":false}"#, #"{"data":{}}"#),
        Row("{ getPost(input: {id: 1}) { title } }", "{}", #"{"data":{"getPost":{"title":"one"}}}"#),
        Row(
            "query Q($id: ID!) { getPost(input: {id: $id}) { title } }", #"{"id":"1"}"#,
            #"{"data":{"getPost":{"title":"one"}}}"#),
        // What does not fit the type, in the words for a type that is there.
        Row(
            post, "{}", refusal("Variable 'input' has coerced Null value for NonNull type 'GetPostInput!'", column: 15)),
        Row(
            post, #"{"input":null}"#,
            refusal("Variable 'input' has coerced Null value for NonNull type 'GetPostInput!'", column: 15)),
        Row(
            post, #"{"id":"1"}"#,
            refusal("Variable 'input' has coerced Null value for NonNull type 'GetPostInput!'", column: 15)),
        Row(
            post, #"{"input":{}}"#,
            refusal("Variable 'input' has coerced Null value for NonNull type 'ID!'", column: 15)),
        Row(
            post, #"{"input":{"id":null}}"#,
            refusal("Variable 'input' has coerced Null value for NonNull type 'ID!'", column: 15)),
        Row(
            post, #"{"input":"1"}"#,
            refusal(
                "Variable 'input' has an invalid value. Expected type 'Map' but was 'String'. Variables for input objects must be an instance of type 'Map'.",
                column: 15)),
        Row(
            post, #"{"input":{"id":"1","more":1}}"#,
            refusal(
                "The variables input contains a field name 'more' that is not defined for input object type 'GetPostInput' "
            )),
        Row(
            page, #"{"input":{"site":"s","kind":"NEWS","number":"x"}}"#,
            refusal("Variable 'number' has an invalid value. Expected type 'Int' but was 'String'.", column: 9)),
        Row(
            page, #"{"input":{"site":"s","kind":"OLD","number":7}}"#,
            refusal(
                "Variable 'kind' has an invalid value. Invalid input for Enum 'Kind'. No value found for name 'OLD'",
                column: 9)),
    ]

    private static func engine() async throws -> TestEngine {
        let engine = try TestEngine(schema)
        try await engine.create(
            "Post", [("1", "one"), ("2", "two")].map { JSONObject([("id", .string($0.0)), ("title", .string($0.1))]) })
        try await engine.create(
            "Page",
            [JSONObject([("site", "s"), ("kind", "NEWS"), ("number", 7), ("title", "seven")])])
        try await engine.create("Odd", [JSONObject([("input", "i"), ("title", "odd")])])
        return engine
    }

    @Test("the fields of the input are the key", arguments: rows)
    func answers(_ row: Row) async throws {
        let engine = try await Self.engine()
        let variables = try #require(try JSONReader.value(of: row.variables).object)
        // Again, from what is kept of the document.
        for _ in 1...2 {
            let answer = try await engine.value(row.query, variables)
            #expect(JSONWriter.text(of: answer) == row.answer)
        }
    }

    @Test(
        "what is used for anything else, or means something else, is left alone",
        arguments: [
            (
                "query Q($input: GetPostInput!) { getPost(input: $input) { title } listPosts(filter: $input) { nextToken } }",
                "Unknown type GetPostInput"
            ),
            ("query Q($input: GetPostInput!) { page(input: $input) { title } }", "Unknown type GetPostInput"),
            ("query Q($input: [GetPostInput!]) { getPost(input: $input) { title } }", "Unknown type GetPostInput"),
            ("query Q($input: GetOwnInput!) { getOwn(input: $input) { title } }", "Unknown field argument input"),
            ("query Q($input: GetOddInput!) { getOdd(input: $input) { title } }", "Unknown type GetOddInput"),
            ("query Q($input: GetPostInput!) { getPost(input: $input, id: 1) { title } }", "Unknown type GetPostInput"),
            ("query Q($input: GetPostInput!) { __typename }", "Unknown type GetPostInput"),
            ("mutation M($input: GetPostInput!) { deletePost(input: $input) { title } }", "Unknown type GetPostInput"),
        ])
    func refuses(_ row: (query: String, message: String)) async throws {
        let engine = try await Self.engine()
        let answer = try await engine.value(row.query, JSONObject([("input", ["id": "1"] as JSONValue)]))
        #expect(JSONWriter.text(of: answer).contains(row.message), "\(answer)")
    }

    @Test("a key that has such a field is asked for by it, and introspection knows no such type")
    func others() async throws {
        let engine = try await Self.engine()
        let odd = try await engine.value(
            "query Q($input: ID!) { getOdd(input: $input) { title } }", JSONObject([("input", "i")]))
        #expect(JSONWriter.text(of: odd) == #"{"data":{"getOdd":{"title":"odd"}}}"#)
        let types = try await engine.value(
            #"{ a: __type(name: "GetPostInput") { name } b: __type(name: "Query") { fields { args { name } } } }"#,
            JSONObject())
        #expect(types[path: "data", "a"]?.isNull == true)
        #expect(!JSONWriter.text(of: types).contains(#"{"name":"input"},{"name":"id"}"#))
    }
}
