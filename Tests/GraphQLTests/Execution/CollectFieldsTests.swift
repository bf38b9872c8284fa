import GraphQL
import JSON
import Testing

@Suite("Collected fields")
struct CollectFieldsTests {
    static let schema = testSchema(
        """
        type Query { a: Int b(n: Int = 5, text: String, list: [Int], filter: Filter, at: Int! = 1): Int node: Node user: User }
        interface Node { id: ID }
        type User implements Node { id: ID name: String friend: User }
        type Page implements Node { id: ID url: String }
        input Filter { x: Int y: Int = 2 sub: Filter list: [Int] }
        """)

    private func document(_ text: String) throws -> ExecutableDocument {
        switch Phases.prepare(Array(text.utf8), schema: Self.schema) {
        case .ready(let document): return document
        case .unparsable(_, let error): throw error
        case .invalid(let errors), .tooComplex(let errors): throw errors[0]
        }
    }

    private func names(_ text: String, on type: String = "Query", _ variables: VariableValues = .none) throws
        -> [String]
    {
        let document = try document(text)
        let operation = try document.operation(named: nil)
        let id = try #require(Self.schema.id(named: type))
        return try CollectFields.groups(of: id, operation.selectionSet, in: document)
            .filter { $0.isMet(variables) }.map(\.responseName)
    }

    @Test("come in the order in which they are first selected, through fragments too")
    func order() throws {
        #expect(try names("{ b ...F x: a ... { a } b } fragment F on Query { a c: b }") == ["b", "a", "c", "x"])
    }

    @Test(
        "depend on @skip and @include, which are asked when a request comes",
        arguments: [
            ("@skip(if: true)", []), ("@skip(if: false)", ["a"]), ("@include(if: false)", []),
            ("@include(if: true)", ["a"]),
            ("@include(if: $yes)", ["a"]), ("@include(if: $no)", []), ("@skip(if: $yes)", []),
            ("@skip(if: $no)", ["a"]),
            ("@skip(if: $no) @include(if: $yes)", ["a"]), ("@skip(if: $yes) @include(if: $yes)", []),
            ("@include(if: $yes) @include(if: $no)", []),
        ])
    func conditions(_ directives: String, _ expected: [String]) throws {
        let variables = VariableValues(JSONObject([("yes", true), ("no", false)]))
        let parameters = "query Q($yes: Boolean!, $no: Boolean!) { u: b @skip(if: $yes) v: b @include(if: $no) "
        #expect(try names(parameters + "a \(directives) }", variables) == expected)
        #expect(try names(parameters + "... \(directives) { a } }", variables) == expected)
        #expect(try names(parameters + "...F \(directives) } fragment F on Query { a }", variables) == expected)
    }

    @Test("take in fragments whose type applies, and leave out the others")
    func types() throws {
        let document = try document("{ node { ... on User { name } ... on Page { url } ... on Node { id } } }")
        let operation = try document.operation(named: nil)
        let query = try #require(Self.schema.queryType)
        let group = try #require(try CollectFields.groups(of: query, operation.selectionSet, in: document).first)
        let user = try #require(Self.schema.id(named: "User"))
        #expect(
            try CollectFields.groups(of: user, group.selectionSets, in: document).map(\.responseName) == ["name", "id"])
    }

    @Test("are refused when fragments under conditions make too many of them")
    func limit() throws {
        let steps = (0..<40).map {
            "fragment F\($0) on Query { ...F\($0 + 1) @include(if: $a) ...F\($0 + 1) @include(if: $b) }"
        }.joined(separator: " ")
        let text = "query Q($a: Boolean!, $b: Boolean!) { ...F0 } \(steps) fragment F40 on Query { a }"
        let source = Source(text)
        let document = ExecutableDocument(try Document(parsing: source), source: source, schema: Self.schema)
        let query = try #require(Self.schema.queryType)
        #expect(throws: GraphQLError.self) {
            try CollectFields.groups(of: query, try document.operation(named: nil).selectionSet, in: document)
        }
    }

    @Test(
        "have their arguments coerced, with holes for variables",
        arguments: [
            ("b", "{\"n\":5,\"at\":1}"), ("b(n: 7, text: \"x\")", "{\"n\":7,\"text\":\"x\",\"at\":1}"),
            ("b(list: 3)", "{\"n\":5,\"list\":[3],\"at\":1}"),
            ("b(n: null)", "{\"n\":null,\"at\":1}"), ("b(n: $two)", "{\"n\":2,\"at\":1}"),
            ("b(n: $unset)", "{\"n\":5,\"at\":1}"), ("b(text: $none)", "{\"n\":5,\"text\":null,\"at\":1}"),
            ("b(filter: {x: $two})", "{\"n\":5,\"filter\":{\"x\":2,\"y\":2},\"at\":1}"),
            ("b(filter: {x: $unset, sub: {y: null}})", "{\"n\":5,\"filter\":{\"y\":2,\"sub\":{\"y\":null}},\"at\":1}"),
            ("b(list: [1, $two, $unset])", "{\"n\":5,\"list\":[1,2,null],\"at\":1}"),
            ("b(filter: {list: $list})", "{\"n\":5,\"filter\":{\"y\":2,\"list\":[8]},\"at\":1}"),
        ])
    func arguments(_ field: String, _ values: String) throws {
        let definitions = [("$two", "Int"), ("$unset", "Int"), ("$none", "String"), ("$list", "[Int]")]
            .filter { field.contains($0.0) }.map { "\($0.0): \($0.1)" }.joined(separator: " ")
        let text = definitions.isEmpty ? "{ \(field) }" : "query Q(\(definitions)) { \(field) }"
        let document = try document(text)
        let variables = VariableValues(JSONObject([("two", 2), ("list", .array([8]))]))
        let query = try #require(Self.schema.queryType)
        let group = try #require(
            try CollectFields.groups(of: query, try document.operation(named: nil).selectionSet, in: document).first)
        let written = try #require(group.fields.first?.field)
        let definition = try #require(Self.schema.field(named: "b", of: query))
        let template = ArgumentTemplate(written.arguments, of: definition.arguments, in: Self.schema)
        #expect(JSONWriter.text(of: .object(template.values(variables))) == values)
    }
}

@Suite("The operation of a request")
struct OperationSelectionTests {
    private func document(_ text: String) throws -> ExecutableDocument {
        let source = Source(text)
        return ExecutableDocument(try Document(parsing: source), source: source, schema: CollectFieldsTests.schema)
    }

    @Test("is the only one, or the one that is named")
    func found() throws {
        #expect(try document("query A { a }").operation(named: nil).name?.text == "A")
        #expect(try document("query A { a } query B { a }").operation(named: "B").name?.text == "B")
        #expect(try document("{ a }").operation(named: "").name == nil)
    }

    @Test("is missing or unknown in AppSync's words")
    func refused() throws {
        let two = try document("query A { a } query B { a }")
        #expect(throws: RequestError(message: "Missing operation name.", errorType: "BadRequestException")) {
            try two.operation(named: nil)
        }
        #expect(throws: RequestError(message: "Unknown operation named 'X'.", errorType: "BadRequestException")) {
            try two.operation(named: "X")
        }
    }

    @Test("is not there when the text is no document")
    func unparsable() {
        guard case .unparsable(let error, _) = Phases.prepare(Array("meow".utf8), schema: CollectFieldsTests.schema)
        else {
            Issue.record("it was parsed")
            return
        }
        #expect(error.message == "Unable to parse GraphQL query.")
        #expect(error.errorType == "MalformedHttpRequestException")
    }
}
