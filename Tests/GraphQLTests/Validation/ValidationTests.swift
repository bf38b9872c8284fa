import GraphQL
import Testing

/// A document and every message that validating it gives, in order.
struct InvalidDocument: Sendable, CustomTestStringConvertible {
    let text: String
    let messages: [String]
    var testDescription: String { text }

    init(_ text: String, _ messages: String...) {
        self.text = text
        self.messages = messages
    }
}

@Suite("Validation")
struct ValidationTests {
    static let schema = testSchema(
        """
        type Query {
          getNote(id: ID!): Note
          listNotes(filter: NoteFilter, limit: Int = 10, tags: [String!]): NoteConnection
          search(text: String, sizes: [[Int]]): [Searchable]
          node: Node
          flag(on: Boolean! = true): Boolean
        }
        type Mutation { createNote(input: CreateNoteInput!): Note, send(data: AWSJSON!, at: AWSDateTime): String }
        type Subscription { onCreateNote(owner: String): Note }
        type Note implements Node { id: ID! title: String! body: String rank: Int kind: Kind note: Note tags: [String!]! }
        type Tag implements Node { id: ID! label: String }
        type NoteConnection { items: [Note]! nextToken: String }
        interface Node { id: ID! }
        union Searchable = Note | Tag
        enum Kind { BIG SMALL }
        input NoteFilter { title: String and: [NoteFilter] rank: Int = 3 }
        input CreateNoteInput {
          title: String! body: String kind: Kind rank: Int tags: [String] when: AWSDateTime
          inner: CreateNoteInput ratio: Float id: ID flag: Boolean must: Int! = 1
        }
        """)

    private func messages(_ text: String) throws -> [String] {
        Validation.errors(in: try Document(parsing: text), schema: Self.schema).map(\.message)
    }

    @Test(
        "fields of one name are found among few and many others, and others are not", arguments: [0, 1, 15, 16, 17, 40])
    func merges(others: Int) throws {
        let names = (0..<others).map { "n\($0): title" }.joined(separator: " ")
        let fields = "first: title \(names) last: title"
        #expect(try messages("{ getNote(id: \"1\") { \(fields) first: title last: title } }") == [])
        for name in ["first", "last"] + (others > 0 ? ["n\(others - 1)"] : []) {
            let found = try messages("{ getNote(id: \"1\") { \(fields) \(name): body } }")
            #expect(found.count == 1 && found.first?.contains("\(name): title and body") == true, "\(found)")
        }
    }

    private static let frame = "Validation error of type "

    @Test(
        "gives AppSync's messages, all of them, in its order",
        arguments: [
            InvalidDocument(
                "{\n  nope\n  getNote(id: \"1\") { alsoNope }\n  listNotes\n}",
                "FieldUndefined: Field 'nope' in type 'Query' is undefined @ 'nope'",
                "FieldUndefined: Field 'alsoNope' in type 'Note' is undefined @ 'getNote/alsoNope'",
                "SubSelectionRequired: Sub selection required for type NoteConnection of field listNotes @ 'listNotes'"),
            InvalidDocument(
                "{ other: getNote(id: \"1\") { a: nope } }",
                "FieldUndefined: Field 'nope' in type 'Note' is undefined @ 'getNote/nope'"),
            InvalidDocument(
                "{ getNote(id: \"1\") { body { x } } }",
                "SubSelectionNotAllowed: Sub selection not allowed on leaf type String of field body @ 'getNote/body'"),
            InvalidDocument(
                "{ getNote { id } }", "MissingFieldArgument: Missing field argument id @ 'getNote'"),
            InvalidDocument(
                "{ getNote(id: \"1\", colour: 2) { id } }",
                "UnknownArgument: Unknown field argument colour @ 'getNote'"),
            InvalidDocument(
                "{ a: getNote(id: \"1\") { id } a: listNotes { nextToken } }",
                "FieldsConflict: a: getNote and listNotes are different fields"),
            InvalidDocument(
                "{ getNote(id: \"1\") { id } getNote(id: \"2\") { id } }",
                "FieldsConflict: getNote: they have differing arguments"),
            InvalidDocument(
                "{ getNote(id: 1) { x: title } getNote(id: 1) { x: body y: id } ...F } "
                    + "fragment F on Query { getNote(id: 1) { y: rank } }",
                "FieldsConflict: getNote: (x: title and body are different fields, y: id and rank are different fields)"
            ),
            InvalidDocument(
                "{ getNote(id: 1) { x: title x: body } }",
                "FieldsConflict: x: title and body are different fields @ 'getNote'"),
            InvalidDocument(
                "{ search { ... on Note { a: title } ... on Tag { a: label } } }",
                "FieldsConflict: a: they return differing types String! and String @ 'search'"),
            InvalidDocument("{ __typename @nope }", "UnknownDirective: Unknown directive nope @ '__typename'"),
            InvalidDocument(
                "{ __typename @include }", "MissingDirectiveArgument: Missing directive argument if @ '__typename'"),
            InvalidDocument(
                "{ __typename @skip(if: true, unless: 1) }",
                "UnknownDirective: Unknown directive argument unless @ '__typename'"),
            InvalidDocument(
                "query Q @skip(if: true) { __typename @deprecated }",
                "MisplacedDirective: Directive skip not allowed here",
                "MisplacedDirective: Directive deprecated not allowed here @ '__typename'"),
            InvalidDocument(
                "{ getNote(id: \"1\") { ...F } }", "UndefinedFragment: Undefined fragment F @ 'getNote'"),
            InvalidDocument(
                "{ __typename } fragment F on Note { id }", "UnusedFragment: Unused fragment F"),
            InvalidDocument(
                "{ getNote(id: \"1\") { ...F } } fragment F on Note { nope }",
                "FieldUndefined: Field 'nope' in type 'Note' is undefined @ 'F/nope'"),
            InvalidDocument(
                "{ getNote(id: \"1\") { ... on Query { __typename } } }",
                "InvalidFragmentType: Fragment cannot be spread here as objects of type Note can never be of type Query @ 'getNote'"
            ),
            InvalidDocument(
                "{ getNote(id: \"1\") { ...T } } fragment T on Tag { id }",
                "InvalidFragmentType: Fragment T cannot be spread here as objects of type Note can never be of type Tag @ 'getNote'"
            ),
            InvalidDocument(
                "{ ... on Kind { a } ...F ...G } fragment F on NoteFilter { a } fragment G on Nope { a }",
                "InlineFragmentTypeConditionInvalid: Inline fragment type condition is invalid, must be on Object/Interface/Union",
                "InlineFragmentTypeConditionInvalid: Fragment type condition is invalid, must be on Object/Interface/Union @ 'F'",
                "UnknownType: Unknown type Nope @ 'G'"),
            InvalidDocument(
                "{ getNote(id: 1) { ...A } } fragment A on Note { ...B } fragment B on Note { note { ...A } }",
                "FragmentCycle: Fragment cycles not allowed @ 'A'", "FragmentCycle: Fragment cycles not allowed @ 'B'"),
            InvalidDocument("{ getNote(id: $id) { id } }", "UndefinedVariable: Undefined variable id @ 'getNote'"),
            InvalidDocument(
                "query A($id: ID!) { getNote(id: $id) { ...F } } query B { getNote(id: 1) { ...F } } "
                    + "fragment F on Note { note @include(if: $yes) { id } }",
                "UndefinedVariable: Undefined variable yes @ 'getNote/F/note'",
                "UndefinedVariable: Undefined variable yes @ 'getNote/F/note'"),
            InvalidDocument("query Q($x: Int) { __typename }", "UnusedVariable: Unused variable x"),
            InvalidDocument(
                "query Q($id: String!) { getNote(id: $id) { id } }",
                "VariableTypeMismatch: Variable type 'String!' doesn't match expected type 'ID!' @ 'getNote'"),
            InvalidDocument(
                "query Q($id: ID) { getNote(id: $id) { id } }",
                "VariableTypeMismatch: Variable type 'ID' doesn't match expected type 'ID!' @ 'getNote'"),
            InvalidDocument(
                "query Q($tags: [String]) { listNotes(tags: $tags) { nextToken } }",
                "VariableTypeMismatch: Variable type '[String]' doesn't match expected type '[String!]' @ 'listNotes'"),
            InvalidDocument(
                "query Q($t: Nothing) { listNotes(limit: $t) { nextToken } }", "UnknownType: Unknown type Nothing"),
            InvalidDocument(
                "query Q($n: Note) { search(text: $n) { __typename } }",
                "NonInputTypeOnVariable: Wrong type for a variable",
                "VariableTypeMismatch: Variable type 'Note' doesn't match expected type 'String' @ 'search'"),
            InvalidDocument(
                "query Q($n: Int! = 1) { listNotes(limit: $n) { nextToken } }",
                "DefaultForNonNullArgument: Missing value for non null type"),
            InvalidDocument(
                "query Q($n: Int = \"x\") { listNotes(limit: $n) { nextToken } }",
                "BadValueForDefaultArg: Bad default value StringValue{value='x'} for type Int"),
            InvalidDocument(
                "{ __typename } { __typename }",
                "LoneAnonymousOperationViolation: Anonymous operation with other operations."),
            InvalidDocument(
                "{ __typename } query B { __typename }",
                "LoneAnonymousOperationViolation: Operation B is following anonymous operation."),
            InvalidDocument(
                "{ __typename } type A { b: C } schema { query: A } directive @x on FIELD",
                "NonExecutableDefinition: The A definition is not executable.",
                "NonExecutableDefinition: The schema definition is not executable.",
                "NonExecutableDefinition: The x definition is not executable."),
            InvalidDocument(
                "{ search { title } }",
                "FieldUndefined: Field 'title' in type 'Searchable' is undefined @ 'search/title'"),
        ])
    func invalid(_ document: InvalidDocument) throws {
        #expect(try messages(document.text) == document.messages.map { Self.frame + $0 })
    }

    @Test(
        "says which part of an argument is wrong, and prints literals as AppSync does",
        arguments: [
            (
                "title: \"t\", kind: HUGE",
                "argument 'input.kind' with value 'EnumValue{name='HUGE'}' is not a valid 'Kind'"
            ),
            (
                "title: \"t\", kind: \"BIG\"",
                "argument 'input.kind' with value 'StringValue{value='BIG'}' is not a valid 'Kind'"
            ),
            (
                "body: \"b\"",
                "argument 'input' with value 'ObjectValue{objectFields=[ObjectField{name='body', value=StringValue{value='b'}}]}' is missing required fields '[title]'"
            ),
            (
                "title: \"t\", nope: true",
                "argument 'input' with value 'ObjectValue{objectFields=[ObjectField{name='title', value=StringValue{value='t'}}, ObjectField{name='nope', value=BooleanValue{value=true}}]}' contains a field not in 'CreateNoteInput': 'nope'"
            ),
            ("title: null", "argument 'input.title' with value 'NullValue{}' must not be null"),
            ("title: 5", "argument 'input.title' with value 'IntValue{value=5}' is not a valid 'String'"),
            (
                "title: \"t\", tags: [\"a\", 2]",
                "argument 'input.tags[1]' with value 'IntValue{value=2}' is not a valid 'String'"
            ),
            (
                "title: \"t\", rank: 1.5",
                "argument 'input.rank' with value 'FloatValue{value=1.5}' is not a valid 'Int'"
            ),
            (
                "title: \"t\", rank: 2147483648",
                "argument 'input.rank' with value 'IntValue{value=2147483648}' is not a valid 'Int'"
            ),
            (
                "title: \"t\", flag: \"true\"",
                "argument 'input.flag' with value 'StringValue{value='true'}' is not a valid 'Boolean'"
            ),
            ("title: \"t\", id: 1.5", "argument 'input.id' with value 'FloatValue{value=1.5}' is not a valid 'ID'"),
            (
                "title: \"t\", ratio: \"1\"",
                "argument 'input.ratio' with value 'StringValue{value='1'}' is not a valid 'Float'"
            ),
            (
                "title: \"t\", when: \"2019\"",
                "argument 'input.when' with value 'StringValue{value='2019'}' is not a valid 'AWSDateTime'"
            ),
            (
                "title: \"t\", inner: {title: [1]}",
                "argument 'input.inner.title' with value 'ArrayValue{values=[IntValue{value=1}]}' is not a valid 'String'"
            ),
            ("title: \"t\", inner: $v", ""),
            (
                "title: \"t\", inner: 7",
                "argument 'input.inner' with value 'ObjectValue{objectFields=[ObjectField{name='title', value=StringValue{value='t'}}, ObjectField{name='inner', value=IntValue{value=7}}]}' must be an object type"
            ),
            ("title: \"t\", must: null", "argument 'input.must' with value 'NullValue{}' must not be null"),
        ])
    func wrongType(_ fields: String, _ message: String) throws {
        let variable = fields.contains("$v") ? "($v: CreateNoteInput)" : ""
        let found = try messages("mutation M\(variable) { createNote(input: {\(fields)}) { id } }")
        #expect(found == (message.isEmpty ? [] : ["\(Self.frame)WrongType: \(message) @ 'createNote'"]))
    }

    @Test("refuses an object literal for AWSJSON in AppSync's words")
    func awsJSON() throws {
        #expect(
            try messages("mutation M($v: Int) { send(data: {upvotes: $v}) }") == [
                "Validation error of type WrongType: argument 'data' with value 'ObjectValue{objectFields=[ObjectField{name='upvotes', value=VariableReference{name='v'}}]}' is not a valid 'AWSJSON' @ 'send'"
            ])
        #expect(
            try messages("mutation { send(data: {upvotes: 10}) }") == [
                "Validation error of type WrongType: argument 'data' with value 'ObjectValue{objectFields=[ObjectField{name='upvotes', value=IntValue{value=10}}]}' is not a valid 'AWSJSON' @ 'send'"
            ])
    }

    @Test(
        "accepts what is right",
        arguments: [
            "{ getNote(id: 5) { ...F } node { ... on Note { title } ... on Tag { label } } } fragment F on Node { id }",
            "query Q($n: [Int]) { search(sizes: [$n, [1, null], null]) { ... on Node { id } __typename } }",
            "query Q($b: Boolean) { flag(on: $b) }",
            "query Q($n: Int = 1) { listNotes(limit: $n, tags: \"one\", filter: {and: {title: \"x\"}}) { nextToken } }",
            "{ __schema { types { name } } __type(name: \"Note\") { ... on __Type { kind } } }",
            "{ a: __typename b: __typename ... @include(if: true) { c: __typename } }",
            "mutation { createNote(input: {title: \"t\"}) { id } }",
            "subscription { onCreateNote { id } second: onCreateNote { id } }",
            "query Q { __typename } query Q { __typename }",
            "query Q($x: Int, $x: Int) { listNotes(limit: $x, limit: $x) { nextToken } }",
        ])
    func valid(_ text: String) throws {
        #expect(try messages(text) == [])
    }

    @Test("points at lines and columns, and at each field of a conflict")
    func locations() throws {
        let source = Source("{ a: getNote(id: \"1\") { id } a: listNotes { nextToken } }")
        let errors = Validation.errors(in: try Document(parsing: source), schema: Self.schema)
        var buffer: [UInt8] = []
        GraphQLError.write(Validation.graphQLErrors(errors, in: source), to: &buffer)
        #expect(
            String(decoding: buffer, as: UTF8.self)
                == "[{\"path\":null,\"locations\":[{\"line\":1,\"column\":3,\"sourceName\":null},{\"line\":1,\"column\":30,\"sourceName\":null}],\"message\":\"Validation error of type FieldsConflict: a: getNote and listNotes are different fields\"}]"
        )
    }

    @Test("hides __schema and __type when introspection is switched off, and keeps __typename")
    func introspectionOff() throws {
        let schema = try Schema(
            Document(parsing: "type Query { a: Int }"), allowsIntrospection: false)
        let errors = Validation.errors(
            in: try Document(parsing: "{ __schema { types { name } } __type(name: \"A\") { name } __typename }"),
            schema: schema)
        #expect(
            errors.map(\.message) == [
                "Validation error of type FieldUndefined: Field '__schema' in type 'Query' is undefined @ '__schema'",
                "Validation error of type FieldUndefined: Field '__type' in type 'Query' is undefined @ '__type'",
            ])
    }
}

/// The schema that a text describes; a test whose text is wrong fails at once.
func testSchema(_ text: String) -> Schema {
    do {
        return try Schema(Document(parsing: Source(text), limits: .schema))
    } catch {
        preconditionFailure("the schema of a test is wrong: \(error)")
    }
}
