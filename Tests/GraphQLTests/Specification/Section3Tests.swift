import GraphQL
import Testing

/// A schema, and every message about what is wrong with it.
struct InvalidSchema: Sendable, CustomTestStringConvertible {
    let text: String
    let messages: [String]
    var testDescription: String { text }

    init(_ text: String, _ messages: String...) {
        self.text = text
        self.messages = messages
    }
}

/// Every example of section 3 of the October 2021 specification.
@Suite("Section 3 of the specification: type system")
struct Section3Tests {
    private static let query = " type Query { q: Int }"

    @Test(
        "its schemas are built, and print and parse the same",
        arguments: [
            // 3.1 to 3.3
            "\"\"\"\nA simple GraphQL schema which is well described.\n\"\"\"\nschema { query: Query } \"\"\"\nRoot type for all your query operations\n\"\"\"\ntype Query { \"\"\"\n  Translates a string from a given language into a different language.\n  \"\"\"\n translate(\"The original language that `text` is provided in.\" fromLanguage: Language \"The translated language to be returned.\" toLanguage: Language \"The text to be translated.\" text: String): String } \"The set of languages supported by `translate`.\" enum Language { \"English\" EN \"French\" FR \"Chinese\" CH }",
            "schema { query: MyQueryRootType mutation: MyMutationRootType } type MyQueryRootType { someField: String } type MyMutationRootType { setSomeField(to: String): String }",
            "type Query { someField: String }",
            "type Query { a: Int } type Mutation { b: Int } extend schema { subscription: S } type S { c: Int }",
            "type Query { a: Int } extend schema @link @link(a: 1) directive @link(a: Int) repeatable on SCHEMA",
            // 3.5
            "scalar UUID @specifiedBy(url: \"https://tools.ietf.org/html/rfc4122\") scalar URL @specifiedBy(url: \"https://tools.ietf.org/html/rfc3986\")",
            "scalar A extend scalar A @specifiedBy(url: \"x\")",
            // 3.6
            "type Person { name: String age: Int picture: Url } scalar Url",
            "type Person { name: String age: Int picture: Url relationship: Person } scalar Url",
            "type Person { name: String picture(size: Int): Url } scalar Url",
            "type Person { name: String picture(size: Int = 50 @d): Url } scalar Url directive @d on ARGUMENT_DEFINITION",
            "type ExampleType { oldField: String @deprecated }",
            "type A { b: Int } extend type A { isHiddenLocally: Boolean } extend type A @addedDirective directive @addedDirective on OBJECT",
            // 3.7
            "interface NamedEntity { name: String } interface ValuedEntity { value: Int } type Person implements NamedEntity { name: String age: Int } type Business implements NamedEntity & ValuedEntity { name: String value: Int employeeCount: Int }",
            "interface Node { id: ID! } interface Resource implements Node { id: ID! url: String } interface Image implements Resource & Node { id: ID! url: String thumbnail: String }",
            "interface Node { id: ID! } interface Resource implements Node { id: ID! url: String } interface Image implements & Resource & Node { id: ID! url: String } extend interface Image { nickname: String }",
            "interface A { f(x: Int): Node } interface Node { id: ID } type B implements A & Node { f(x: Int, y: Int, z: Int! = 1): B! id: ID! }",
            "union U = A | B type A { x: Int } type B { x: Int } interface I { f: U } type T implements I { f: A }",
            "interface I { f: [I] } type T implements I { f: [T!]! }",
            // 3.8
            "union SearchResult = Photo | Person type Person { name: String age: Int } type Photo { height: Int width: Int } type SearchQuery { firstSearchResult: SearchResult }",
            "union SearchResult = | Photo | Person type Person { name: String } type Photo { height: Int } extend union SearchResult = Other type Other { a: Int }",
            // 3.9
            "enum Direction { NORTH EAST SOUTH WEST }",
            "enum Direction { NORTH } extend enum Direction { SOUTH @deprecated(reason: \"No longer supported\") }",
            // 3.10
            "input Point2D { x: Float y: Float }", "input Example { self: Example value: String }",
            "input Example { self: [Example!]! value: String }",
            "input First { second: Second value: String } input Second { first: First! value: String }",
            "input ExampleInputObject { a: String b: Int! }",
            "input A { b: Int = 3 } extend input A { c: [String!]! = [\"x\"] d: A = {b: 1} }",
            // 3.13
            "directive @example on FIELD", "directive @example on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT",
            "directive @example on | FIELD | FRAGMENT_SPREAD",
            "directive @example on FIELD_DEFINITION | ARGUMENT_DEFINITION type SomeType { field(arg: Int @example): String @example }",
            "directive @delegateField(name: String!) repeatable on OBJECT | INTERFACE type Book @delegateField(name: \"pageCount\") @delegateField(name: \"author\") { id: ID! } extend type Book @delegateField(name: \"index\")",
            "type ExampleType { newField: String oldField: String @deprecated(reason: \"Use `newField`.\") }",
        ])
    func built(_ text: String) throws {
        let whole = text.contains("schema {") || text.contains("type Query") ? text : text + Self.query
        let document = try Document(parsing: whole)
        #expect(try Document(parsing: document.printed) == document)
        _ = try Schema(document)
    }

    @Test(
        "its mistakes are named",
        arguments: [
            // 3.3
            InvalidSchema("type A { b: Int }", "Query root type must be provided."),
            InvalidSchema(
                "schema { query: Q } input Q { a: Int }", "Query root type must be Object type, it cannot be Q."),
            InvalidSchema(
                "type Query { a: Int } schema { query: Query mutation: Query }",
                "All root types must be different, \"Query\" type is used as query and mutation type."),
            InvalidSchema(
                "type Query { a: Int } schema { query: Query } schema { query: Query }",
                "Must provide only one schema definition.", "There can be only one query type in schema."),
            InvalidSchema("type Query { a: Int } extend schema { mutation: M }", "Unknown type \"M\"."),
            // 3.4
            InvalidSchema("type Query { a: Int } type Query { b: Int }", "There can be only one type named \"Query\"."),
            InvalidSchema("type Query { a: Strin }", "Unknown type \"Strin\". Did you mean \"String\"?"),
            InvalidSchema(
                "type Query { a: Int } extend type Quer { b: Int }",
                "Cannot extend type \"Quer\" because it is not defined. Did you mean \"Query\"?"),
            InvalidSchema(
                "type Query { a: Int } extend input Query { b: Int }", "Cannot extend non-input object type \"Query\"."),
            // 3.6
            InvalidSchema("type Query", "Type Query must define one or more fields."),
            InvalidSchema("type Query { a: Int a: String }", "Field \"Query.a\" can only be defined once."),
            InvalidSchema(
                "type Query { __a: Int }",
                "Name \"__a\" must not begin with \"__\", which is reserved by GraphQL introspection."),
            InvalidSchema(
                "type Query { a: In } input In { b: Int }", "The type of Query.a must be Output Type but got: In."),
            InvalidSchema(
                "type Query { a(b: Int, b: Int): Int }", "Argument \"Query.a(b:)\" can only be defined once."),
            InvalidSchema(
                "type Query { a(b: Query!): Int }", "The type of Query.a(b:) must be Input Type but got: Query!."),
            InvalidSchema("type Query { a(b: Int = \"x\"): Int }", "Int cannot represent non-integer value: \"x\""),
            // 3.6, 3.7: implementations
            InvalidSchema(
                "type Query implements I & I { a: Int } interface I { a: Int }", "Type Query can only implement I once."
            ),
            InvalidSchema(
                "type Query implements A { a: Int } type A { a: Int }",
                "Type Query must only implement Interface types, it cannot implement A."),
            InvalidSchema(
                "type Query implements I { a: Int } interface I { b: Int }",
                "Interface field I.b expected but Query does not provide it."),
            InvalidSchema(
                "type Query implements I { a: String } interface I { a: Int }",
                "Interface field I.a expects type Int but Query.a is type String."),
            InvalidSchema(
                "type Query implements I { a: Int } interface I { a: Int! }",
                "Interface field I.a expects type Int! but Query.a is type Int."),
            InvalidSchema(
                "type Query implements I { a: Int } interface I { a(b: Int): Int }",
                "Interface field argument I.a(b:) expected but Query.a does not provide it."),
            InvalidSchema(
                "type Query implements I { a(b: String): Int } interface I { a(b: Int): Int }",
                "Interface field argument I.a(b:) expects type Int but Query.a(b:) is type String."),
            InvalidSchema(
                "type Query implements I { a(b: Int!): Int } interface I { a: Int }",
                "Object field Query.a includes required argument b that is missing from the Interface field I.a."),
            InvalidSchema(
                "type Query implements J { a: Int } interface I { a: Int } interface J implements I { a: Int }",
                "Type Query must implement I because it is implemented by J."),
            InvalidSchema(
                "interface Node implements Named & Node { id: ID! name: String } interface Named implements Node & Named { id: ID! name: String } type Query { a: Int }",
                "Type Node cannot implement itself because it would create a circular reference.",
                "Type Named cannot implement itself because it would create a circular reference."),
            // 3.8
            InvalidSchema("type Query { a: U } union U", "Union type U must define one or more member types."),
            InvalidSchema(
                "type Query { a: U } union U = Query | Query", "Union type U can only include type Query once."),
            InvalidSchema(
                "type Query { a: U } union U = Int",
                "Union type U can only include Object types, it cannot include Int."),
            // 3.9
            InvalidSchema("type Query { a: E } enum E", "Enum type E must define one or more values."),
            InvalidSchema("type Query { a: E } enum E { A A }", "Enum value \"E.A\" can only be defined once."),
            // 3.10
            InvalidSchema(
                "type Query { a(b: In): Int } input In", "Input Object type In must define one or more fields."),
            InvalidSchema(
                "type Query { a: Int } input Example { value: String self: Example! }",
                "Cannot reference Input Object \"Example\" within itself through a series of non-null fields: \"self\"."
            ),
            InvalidSchema(
                "type Query { a: Int } input First { second: Second! } input Second { first: First! }",
                "Cannot reference Input Object \"First\" within itself through a series of non-null fields: \"second.first\"."
            ),
            InvalidSchema(
                "type Query { a: Int } input In { b: Query }", "The type of In.b must be Input Type but got: Query."),
            // 3.13
            InvalidSchema("type Query @nope { a: Int }", "Unknown directive \"@nope\"."),
            InvalidSchema("type Query @deprecated { a: Int }", "Directive \"@deprecated\" may not be used on OBJECT."),
            InvalidSchema(
                "type Query { a: Int @deprecated @deprecated }",
                "The directive \"@deprecated\" can only be used once at this location."),
            InvalidSchema(
                "directive @a on FIELD directive @a on FIELD type Query { a: Int }",
                "There can be only one directive named \"@a\"."),
            InvalidSchema(
                "directive @invalidExample(arg: String @invalidExample) on ARGUMENT_DEFINITION type Query { a: Int }",
                "Directive \"@invalidExample\" cannot be applied to its own argument \"arg\"."),
            InvalidSchema(
                "directive @a(b: Int! c: E) on OBJECT enum E { ONE TWO } type Query @a(c: THREE, d: 1) { a: Int }",
                "Unknown argument \"d\" on directive \"@a\". Did you mean \"b\" or \"c\"?",
                "Directive \"@a\" argument \"b\" of type \"Int!\" is required, but it was not provided.",
                "Value \"THREE\" does not exist in \"E\" enum."),
            InvalidSchema(
                "directive @a(b: In) on OBJECT input In { c: Int! } type Query @a(b: {d: 1}) { a: Int }",
                "Field \"In.c\" of required type \"Int!\" was not provided.",
                "Field \"d\" is not defined by type \"In\". Did you mean \"c\"?"),
            InvalidSchema(
                "directive @a on OBJECT type Query @a { a: Int } extend type Query @a { b: Int }",
                "The directive \"@a\" can only be used once at this location."),
        ])
    func refused(_ schema: InvalidSchema) throws {
        let errors = try #require(throws: SchemaErrors.self) { try Schema(Document(parsing: schema.text)) }
        #expect(errors.errors.map(\.message) == schema.messages)
        // Who asks about the meaning without waiting for the form gets an answer, whatever it is worth.
        let document = try SchemaDocument(Document(parsing: schema.text), prelude: SchemaPrelude.appSync)
        _ = SchemaValidation.typeErrors(in: document)
    }

    @Test("an error points at all the places that contradict each other")
    func positions() throws {
        let source = Source("type Query { a: Int }\ntype Query { b: Int }", name: "a.graphql")
        let errors = try #require(throws: SchemaErrors.self) { try Schema(Document(parsing: source)) }
        let places = errors.errors.flatMap(\.positions).compactMap { SourceList([source]).location(of: $0) }
        #expect(places == [SourceLocation(line: 1, column: 6), SourceLocation(line: 2, column: 6)])
    }

    @Test("a dialect with directives of its own is checked for its form alone")
    func dialect() throws {
        let prelude = try Document(
            parsing: "directive @model(queries: Q) on OBJECT input Q { get: String list: Op } enum Op { CREATE READ }")
        func messages(_ text: String) throws -> [String] {
            SchemaValidation.documentErrors(in: SchemaDocument(try Document(parsing: text), prelude: prelude))
                .map(\.message)
        }
        #expect(try messages("type A @model(queries: {get: null, list: READ}) { b: String }") == [])
        #expect(
            try messages("type A @model(queries: {list: REED}) @fancy { b: Author }") == [
                "Value \"REED\" does not exist in \"Op\" enum. Did you mean the enum value \"READ\"?",
                "Unknown directive \"@fancy\".", "Unknown type \"Author\".",
            ])
        #expect(
            try messages("type A { b: Missing } extend type A { b: Int } input Op { a: Int a: Int } scalar S @x")
                == [
                    "Unknown type \"Missing\".", "Field \"A.b\" can only be defined once.",
                    "Field \"Op.a\" can only be defined once.", "Unknown directive \"@x\".",
                ])
        _ = try Schema(Document(parsing: "type Query { a: Int }"), prelude: Document())
    }

    @Test("a chain of types as long as a schema does not end in a chain of calls")
    func longChains() throws {
        let types = (0..<20_000).map { "input I\($0) { a: I\($0 + 1)! } type T\($0) { a(b: I\($0)): T\($0 + 1) } " }
            .joined()
        let text = "type Query { a: T0 } input I20000 { a: Int } type T20000 { a: Int } " + types
        let schema = try Schema(Document(parsing: Source(text), limits: .schema))
        #expect(schema.types.count > 40_000)
    }
}
