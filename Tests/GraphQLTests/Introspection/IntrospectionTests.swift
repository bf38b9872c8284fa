import GraphQL
import JSON
import Testing

@Suite("Introspection")
struct IntrospectionTests {
    static let schema = testSchema(
        """
        type Query { node(id: ID! = "x y"): Node pet: Pet old(list: [Int!]! = [1, 2]): Float @deprecated(reason: "no \\"more\\"") gone: Int @deprecated when: AWSDateTime id: URL }
        type Mutation { add(input: In!): Boolean }
        "A thing with an id"
        interface Node { id: ID! }
        type Dog implements Node { id: ID! } type Cat implements Node { id: ID! }
        union Pet = Dog | Cat
        enum Size { "the big one" BIG SMALL @deprecated(reason: "too small") }
        input In { size: Size = BIG inner: In text: String = "a\\nb" must: [Size!]! }
        type Unreachable { a: Int }
        scalar URL @specifiedBy(url: "https://url.example")
        """)

    private func answer(_ text: String, _ variables: VariableValues = .none, _ schema: Schema = schema) throws -> String
    {
        guard case .ready(let document) = Phases.prepare(Array(text.utf8), schema: schema) else {
            return "refused"
        }
        let query = try #require(schema.queryType)
        var parts: [String] = []
        var cache = IntrospectionCache()
        for group in try CollectFields.groups(of: query, try document.operation(named: nil).selectionSet, in: document)
        {
            let value = try Introspection.value(of: group, in: document, variables, bytesMax: 1 << 20)
            #expect(try cache.value(of: group, in: document, variables, bytesMax: 1 << 20) == value)
            #expect(try cache.value(of: group, in: document, variables, bytesMax: 1 << 20) == value)
            parts.append(String(decoding: value, as: UTF8.self))
        }
        return parts.joined(separator: " ")
    }

    @Test(
        "answers every question",
        arguments: [
            (
                "{ __schema { queryType { name } mutationType { name } subscriptionType { name } __typename } }",
                "{\"queryType\":{\"name\":\"Query\"},\"mutationType\":{\"name\":\"Mutation\"},\"subscriptionType\":null,\"__typename\":\"__Schema\"}"
            ),
            ("{ __type(name: \"Nothing\") { name } }", "null"),
            ("{ __type(name: \"Unreachable\") { name } }", #"{"name":"Unreachable"}"#),
            (
                "{ a: __type(name: \"Pet\") { kind name possibleTypes { name kind } fields { name } } }",
                "{\"kind\":\"UNION\",\"name\":\"Pet\",\"possibleTypes\":[{\"name\":\"Dog\",\"kind\":\"OBJECT\"},{\"name\":\"Cat\",\"kind\":\"OBJECT\"}],\"fields\":null}"
            ),
            (
                "{ __type(name: \"Node\") { kind description possibleTypes { name } fields { name type { kind name ofType { kind name ofType { name } } } } } }",
                "{\"kind\":\"INTERFACE\",\"description\":\"A thing with an id\",\"possibleTypes\":[{\"name\":\"Dog\"},{\"name\":\"Cat\"}],\"fields\":[{\"name\":\"id\",\"type\":{\"kind\":\"NON_NULL\",\"name\":null,\"ofType\":{\"kind\":\"SCALAR\",\"name\":\"ID\",\"ofType\":null}}}]}"
            ),
            (
                "{ __type(name: \"Dog\") { interfaces { name } possibleTypes { name } enumValues { name } inputFields { name } ofType { name } isOneOf } }",
                "{\"interfaces\":[{\"name\":\"Node\"}],\"possibleTypes\":null,\"enumValues\":null,\"inputFields\":null,\"ofType\":null,\"isOneOf\":null}"
            ),
            (
                "{ __type(name: \"Query\") { fields { name args { name defaultValue } } } }",
                "{\"fields\":[{\"name\":\"node\",\"args\":[{\"name\":\"id\",\"defaultValue\":\"\\\"x y\\\"\"}]},{\"name\":\"pet\",\"args\":[]},{\"name\":\"when\",\"args\":[]},{\"name\":\"id\",\"args\":[]}]}"
            ),
            (
                "{ __type(name: \"Query\") { fields(includeDeprecated: true) { name isDeprecated deprecationReason args { defaultValue type { kind ofType { kind ofType { kind ofType { name } } } } } } } }",
                "{\"fields\":[{\"name\":\"node\",\"isDeprecated\":false,\"deprecationReason\":null,\"args\":[{\"defaultValue\":\"\\\"x y\\\"\",\"type\":{\"kind\":\"NON_NULL\",\"ofType\":{\"kind\":\"SCALAR\",\"ofType\":null}}}]},{\"name\":\"pet\",\"isDeprecated\":false,\"deprecationReason\":null,\"args\":[]},{\"name\":\"old\",\"isDeprecated\":true,\"deprecationReason\":\"no \\\"more\\\"\",\"args\":[{\"defaultValue\":\"[1, 2]\",\"type\":{\"kind\":\"NON_NULL\",\"ofType\":{\"kind\":\"LIST\",\"ofType\":{\"kind\":\"NON_NULL\",\"ofType\":{\"name\":\"Int\"}}}}}]},{\"name\":\"gone\",\"isDeprecated\":true,\"deprecationReason\":\"No longer supported\",\"args\":[]},{\"name\":\"when\",\"isDeprecated\":false,\"deprecationReason\":null,\"args\":[]},{\"name\":\"id\",\"isDeprecated\":false,\"deprecationReason\":null,\"args\":[]}]}"
            ),
            (
                "{ __type(name: \"Size\") { enumValues { name } all: enumValues(includeDeprecated: true) { name description isDeprecated } } }",
                "{\"enumValues\":[{\"name\":\"BIG\"}],\"all\":[{\"name\":\"BIG\",\"description\":\"the big one\",\"isDeprecated\":false},{\"name\":\"SMALL\",\"description\":null,\"isDeprecated\":true}]}"
            ),
            (
                "{ __type(name: \"In\") { inputFields { name defaultValue } isOneOf } }",
                "{\"inputFields\":[{\"name\":\"size\",\"defaultValue\":\"BIG\"},{\"name\":\"inner\",\"defaultValue\":null},{\"name\":\"text\",\"defaultValue\":\"\\\"a\\\\nb\\\"\"},{\"name\":\"must\",\"defaultValue\":null}],\"isOneOf\":false}"
            ),
            (
                "{ __type(name: \"URL\") { specifiedByURL specifiedByUrl } }",
                "{\"specifiedByURL\":\"https://url.example\",\"specifiedByUrl\":\"https://url.example\"}"
            ),
            (
                "{ __type(name: \"Int\") { description kind } }",
                "{\"description\":\"Built-in Int\",\"kind\":\"SCALAR\"}"
            ),
            (
                "{ __type(name: \"Dog\") { ...T ... on __Type { kind } x: name @skip(if: true) } } fragment T on __Type { n: name @include(if: true) }",
                "{\"n\":\"Dog\",\"kind\":\"OBJECT\"}"
            ),
            (
                "{ __schema { directives { name } } }",
                "{\"directives\":[{\"name\":\"include\"},{\"name\":\"skip\"},{\"name\":\"defer\"},{\"name\":\"deprecated\"},{\"name\":\"aws_api_key\"},{\"name\":\"aws_iam\"},{\"name\":\"aws_oidc\"},{\"name\":\"aws_lambda\"},{\"name\":\"aws_cognito_user_pools\"},{\"name\":\"aws_auth\"},{\"name\":\"aws_subscribe\"},{\"name\":\"aws_publish\"}]}"
            ),
            (
                "{ __schema { types { name } } }",
                "{\"types\":[{\"name\":\"Query\"},{\"name\":\"Node\"},{\"name\":\"ID\"},{\"name\":\"Dog\"},{\"name\":\"Cat\"},{\"name\":\"Pet\"},{\"name\":\"Float\"},{\"name\":\"Int\"},{\"name\":\"AWSDateTime\"},{\"name\":\"URL\"},{\"name\":\"Mutation\"},{\"name\":\"Boolean\"},{\"name\":\"In\"},{\"name\":\"Size\"},{\"name\":\"String\"},{\"name\":\"__Schema\"},{\"name\":\"__Type\"},{\"name\":\"__TypeKind\"},{\"name\":\"__Field\"},{\"name\":\"__InputValue\"},{\"name\":\"__EnumValue\"},{\"name\":\"__Directive\"},{\"name\":\"__DirectiveLocation\"}]}"
            ),
        ])
    func answers(_ question: String, _ expected: String) throws {
        #expect(try answer(question) == expected)
    }

    @Test("lists the directives with their locations and arguments")
    func directives() throws {
        let text = try answer(
            "{ __schema { directives { name locations args { name type { kind name } defaultValue } isRepeatable onOperation onFragment onField } } }"
        )
        #expect(
            text.contains(
                "{\"name\":\"skip\",\"locations\":[\"FIELD\",\"FRAGMENT_SPREAD\",\"INLINE_FRAGMENT\"],\"args\":[{\"name\":\"if\",\"type\":{\"kind\":\"NON_NULL\",\"name\":null},\"defaultValue\":null}],\"isRepeatable\":false,\"onOperation\":false,\"onFragment\":true,\"onField\":true}"
            ))
        #expect(
            text.contains(
                "{\"name\":\"deprecated\",\"locations\":[\"FIELD_DEFINITION\",\"ENUM_VALUE\"],\"args\":[{\"name\":\"reason\",\"type\":{\"kind\":\"SCALAR\",\"name\":\"String\"},\"defaultValue\":\"\\\"No longer supported\\\"\"}]"
            ))
        #expect(text.contains("{\"name\":\"aws_subscribe\",\"locations\":[\"FIELD_DEFINITION\"]"))
    }

    @Test("takes variables")
    func variables() throws {
        let variables = VariableValues(JSONObject([("name", "Dog"), ("all", true)]))
        #expect(
            try answer(
                "query Q($name: String!, $all: Boolean) { __type(name: $name) { name fields(includeDeprecated: $all) { name } } }",
                variables)
                == "{\"name\":\"Dog\",\"fields\":[{\"name\":\"id\"}]}")
    }

    @Test("describes the scalars of AWS as tools expect")
    func scalars() throws {
        #expect(
            try answer("{ __type(name: \"AWSDateTime\") { description } }").hasPrefix(
                "{\"description\":\"The `AWSDateTime` scalar type provided by AWS AppSync, represents "))
    }

    @Test("stops at a limit when types lead to types without end")
    func limit() throws {
        var question = "name"
        for _ in 0..<12 {
            question = "fields(includeDeprecated: true) { name type { \(question) } }"
        }
        let schema = testSchema("type Query { \((0..<30).map { "f\($0): Query" }.joined(separator: " ")) }")
        #expect(throws: Introspection.Failure.tooLong) {
            try answer("{ __type(name: \"Query\") { \(question) } }", .none, schema)
        }
    }

    @Test("keeps a bounded number of answers")
    func cache() throws {
        var cache = IntrospectionCache()
        for number in 0..<50 {
            let text = "{ a\(number): __type(name: \"Dog\") { name } }"
            guard case .ready(let document) = Phases.prepare(Array(text.utf8), schema: Self.schema) else { continue }
            let query = try #require(Self.schema.queryType)
            let groups = try CollectFields.groups(
                of: query, try document.operation(named: nil).selectionSet, in: document)
            _ = try cache.value(of: try #require(groups.first), in: document, .none, bytesMax: 1 << 20)
        }
        #expect(cache.count == IntrospectionCache.entriesMax)
    }
}
