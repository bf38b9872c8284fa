import GraphQL
import JSON
import Testing

@testable import Engine

@Suite("A value in a response")
struct ValueWriterTests {
    struct Row: CustomTestStringConvertible {
        let type: String
        let value: String
        let text: String?
        var messages: [String] = []

        var testDescription: String { "\(type): \(value)" }
    }

    private static let types = "enum Colour { RED GREEN }"

    static let leaves: [Row] = [
        Row(type: "Int", value: "1", text: "1"),
        Row(type: "Int", value: "1.0", text: "1"),
        Row(type: "Int", value: #""7""#, text: "7"),
        Row(type: "Int", value: "null", text: "null"),
        Row(
            type: "Int", value: #""x""#, text: "null",
            messages: ["Can't serialize value (/value) : Expected type 'Int' but was 'String'."]),
        Row(
            type: "Int", value: "2147483648", text: "null",
            messages: ["Can't serialize value (/value) : Expected type 'Int' but was 'Long'."]),
        Row(type: "Float", value: "1", text: "1.0"),
        Row(type: "Float", value: "0.5", text: "0.5"),
        Row(
            type: "Float", value: "{}", text: "null",
            messages: ["Can't serialize value (/value) : Expected type 'Float' but was 'LinkedHashMap'."]),
        Row(type: "Boolean", value: "true", text: "true"),
        Row(type: "Boolean", value: "0", text: "false"),
        Row(type: "ID", value: "12", text: #""12""#),
        Row(
            type: "ID", value: "[]", text: "null",
            messages: ["Can't serialize value (/value) : Expected type 'ID' but was 'ArrayList'."]),
        Row(type: "String", value: #""a\"b""#, text: #""a\"b""#),
        // A value of any kind becomes the text that Java makes of it.
        Row(type: "String", value: #"{"a":[1,null],"b":"c"}"#, text: #""{a=[1, null], b=c}""#),
        Row(type: "AWSJSON", value: #"{"a": [1]}"#, text: #""{\"a\":[1]}""#),
        Row(type: "AWSJSON", value: #""{}""#, text: #""\"{}\"""#),
        Row(type: "AWSDate", value: #""2024-02-29""#, text: #""2024-02-29""#),
        Row(
            type: "AWSDateTime", value: #""2020-05-23T06:4:37.000Z""#, text: "null",
            messages: [
                "Can't serialize value (/value) : Unable to serialize `2020-05-23T06:4:37.000Z` as a valid DateTime Object."
            ]),
        Row(type: "Colour", value: #""RED""#, text: #""RED""#),
        Row(
            type: "Colour", value: #""BLUE""#, text: "null",
            messages: ["Can't serialize value (/value) : Invalid input for Enum 'Colour'. Unknown value 'BLUE'"]),
        Row(
            type: "Colour", value: "[1]", text: "null",
            messages: ["Can't serialize value (/value) : Invalid input for Enum 'Colour'. Unknown value '[1]'"]),
        Row(
            type: "Int!", value: "null", text: nil,
            messages: ["Cannot return null for non-nullable type: 'Int' within parent 'Query' (/value)"]),
        // One error says it: the null that comes of it needs no other.
        Row(
            type: "Int!", value: "true", text: nil,
            messages: ["Can't serialize value (/value) : Expected type 'Int' but was 'Boolean'."]),
    ]

    static let lists: [Row] = [
        Row(type: "[Int]", value: "[1, null, 2]", text: "[1,null,2]"),
        Row(type: "[Int]", value: "[]", text: "[]"),
        Row(type: "[Int]", value: "null", text: "null"),
        Row(
            type: "[Int]", value: "1", text: "null",
            messages: ["Can't resolve value (/value) : type mismatch error, expected type LIST"]),
        Row(
            type: "[Int]", value: #"[1, "x"]"#, text: "[1,null]",
            messages: ["Can't serialize value (/value[1]) : Expected type 'Int' but was 'String'."]),
        Row(
            type: "[Int!]", value: "[null, 1, null]", text: "null",
            messages: [
                "Cannot return null for non-nullable type: 'Int' within parent 'Query' (/value[0])",
                "Cannot return null for non-nullable type: 'Int' within parent 'Query' (/value[2])",
            ]),
        Row(
            type: "[[Int!]]", value: "[[1], [null], 2]", text: "[[1],null,null]",
            messages: [
                "Cannot return null for non-nullable type: 'Int' within parent 'Query' (/value[1][0])",
                "Can't resolve value (/value[2]) : type mismatch error, expected type LIST",
            ]),
        Row(
            type: "[Int]!", value: "null", text: nil,
            messages: ["Cannot return null for non-nullable type: 'null' within parent 'Query' (/value)"]),
        Row(
            type: "[[Int]!]", value: "[null]", text: "null",
            messages: ["Cannot return null for non-nullable type: 'null' within parent 'Query' (/value[0])"]),
    ]

    @Test("scalars, enums and lists are written as their types say", arguments: leaves + lists)
    func leavesAndLists(_ row: Row) throws {
        let answer = try ValueBench(row.type, Self.types).write(row.value)
        #expect(answer.text == row.text)
        #expect(answer.messages == row.messages)
        #expect(answer.errors.allSatisfy { $0.locations == nil && $0.resolver == nil })
    }

    // MARK: Objects

    private static let objects = """
        type Note { id: ID! text: String! inner: Inner list: [Inner!] must: Inner! }
        type Inner { a: Int! b: String }
        """

    static let notes: [(query: String, value: String, text: String?, paths: [String])] = [
        ("{ id }", #"{"id":1,"text":"t","other":2}"#, #"{"id":"1"}"#, []),
        ("{ text again: text id }", #"{"id":1,"text":"t"}"#, #"{"text":"t","again":"t","id":"1"}"#, []),
        (
            "{ __typename inner { __typename b } }", #"{"inner":{}}"#,
            #"{"__typename":"Note","inner":{"__typename":"Inner","b":null}}"#, []
        ),
        // Each field that is null and must not be has its error; the object goes once.
        ("{ id text inner { b } }", #"{"inner":{"b":"x"}}"#, "null", ["/value/id", "/value/text"]),
        ("{ inner { a b } }", #"{"inner":{"b":"x"}}"#, #"{"inner":null}"#, ["/value/inner/a"]),
        ("{ must { a } }", #"{"must":{}}"#, "null", ["/value/must/a"]),
        ("{ list { a } }", #"{"list":[{"a":1},{},{"a":3}]}"#, #"{"list":null}"#, ["/value/list[1]/a"]),
        ("{ inner { a } }", #"{"inner":"{\"a\":1}"}"#, #"{"inner":null}"#, ["/value/inner"]),
        ("{ inner { a } }", #"{"inner":[{"a":1}]}"#, #"{"inner":null}"#, ["/value/inner"]),
        ("{ id }", "7", "null", ["/value"]),
        (
            "{ inner { a } ...F ... on Note { inner { c: a } } } fragment F on Note { inner { b } }",
            #"{"inner":{"a":1,"b":"x"}}"#, #"{"inner":{"a":1,"b":"x","c":1}}"#, []
        ),
    ]

    @Test("objects are written in the order of the selection, and null rises as far as it must", arguments: notes)
    func notesAreWritten(_ row: (query: String, value: String, text: String?, paths: [String])) throws {
        let parts = row.query.split(separator: " fragment ", maxSplits: 1)
        let whole = parts.count > 1 ? "{ value \(parts[0]) } fragment \(parts[1])" : "{ value \(row.query) }"
        let answer = try ValueBench("Note", Self.objects, query: whole).write(row.value)
        #expect(answer.text == row.text)
        #expect(answer.paths == row.paths)
    }

    @Test("what is of the wrong kind where an object stands is said so")
    func noObject() throws {
        let answer = try ValueBench("Note", Self.objects, query: "{ value { id } }").write(#""{\"id\":1}""#)
        #expect(answer.messages == ["Can't resolve value (/value) : type mismatch error, expected type OBJECT"])
        #expect(answer.text == "null")
    }

    @Test("skipped and included fields follow the request's variables, merged ones together")
    func conditions() throws {
        let query = """
            query Q($yes: Boolean!, $no: Boolean!) {
              v: value { a: id @include(if: $no) id @skip(if: $no) inner @include(if: $no) { a } inner { b @include(if: $yes) } }
            }
            """
        let bench = try ValueBench("Note", Self.objects, query: query)
        let value = #"{"id":1,"inner":{"a":2,"b":"x"}}"#
        let variables = { (yes: Bool, no: Bool) in
            VariableValues(JSONObject([("yes", .bool(yes)), ("no", .bool(no))]))
        }
        #expect(try bench.write(value, variables: variables(true, false)).text == #"{"id":"1","inner":{"b":"x"}}"#)
        #expect(try bench.write(value, variables: variables(false, true)).text == #"{"a":"1","inner":{"a":2}}"#)
    }

    // MARK: Abstract types

    private static let animals = """
        interface Animal { name: String! }
        type Cat implements Animal { name: String! lives: Int }
        type Dog implements Animal { name: String! owner: Owner }
        type Owner { pets: [Pet] }
        union Pet = Cat | Dog
        """

    static let pets: [(type: String, value: String, text: String, messages: [String])] = [
        ("Animal", #"{"__typename":"Cat","name":"a","lives":9}"#, #"{"name":"a","lives":9}"#, []),
        ("Animal", #"{"__typename":"Dog","name":"b"}"#, #"{"name":"b","owner":null}"#, []),
        (
            "Pet", #"{"__typename":"Dog","name":"b","owner":{"pets":[{"__typename":"Cat"}]}}"#,
            #"{"name":"b","owner":{"pets":[{"__typename":"Cat"}]}}"#, []
        ),
        (
            "Animal", #"{"name":"a"}"#, "null",
            [
                "Can't resolve '/value'. Abstract type 'Animal' must resolve to an Object type at runtime for field 'Query.value'. Could not determine the exact type of 'Animal'"
            ]
        ),
        (
            "Pet", #"{"__typename":"Owner"}"#, "null",
            [
                "Can't resolve '/value'. Abstract type 'Pet' must resolve to an Object type at runtime for field 'Query.value'. Runtime Object type 'Owner' is not a possible type for 'Pet'."
            ]
        ),
    ]

    @Test("a value's `__typename` says which type it has where several are possible", arguments: pets)
    func abstractTypes(_ row: (type: String, value: String, text: String, messages: [String])) throws {
        let query = """
            { value { ...N ... on Cat { lives } ... on Dog { owner { pets { __typename } } } } } fragment N on Animal { name }
            """
        let answer = try ValueBench(row.type, Self.animals, query: query).write(row.value)
        #expect(answer.text == row.text)
        #expect(answer.messages == row.messages)
    }

    // MARK: Rights

    @Test("a field that the caller may not see is null, with the error that says so, and null rises from it")
    func rights() throws {
        let bench = try ValueBench("[Note]", Self.objects, query: "{ value { text inner { b } } }")
        let value = #"[{"text":"secret","inner":{"b":"x"}}]"#
        let hidden = try bench.write(value) { $0.name != "inner" }
        #expect(hidden.text == #"[{"text":"secret","inner":null}]"#)
        #expect(
            hidden.errors == [
                GraphQLError(
                    "Not Authorized to access inner on type Note", type: "Unauthorized",
                    at: ResponsePath([.name("value"), .index(0), .name("inner")]),
                    locations: [SourceLocation(line: 1, column: 16)])
            ])
        let required = try bench.write(value) { $0.name != "text" }
        #expect(required.text == "[null]")
        #expect(required.messages == ["Not Authorized to access text on type Note"])
        #expect(!"\(required)".contains("secret"))
    }

    @Test("what came of a field brings its errors along, and an error at its path explains a null")
    func outcomes() throws {
        let bench = try ValueBench("Int!")
        let error = GraphQLError("no", type: nil, at: bench.path, locations: nil)
        let other = GraphQLError("other")
        #expect(try bench.write(.failure(error)) == ValueBench.Answer(text: nil, errors: [error]))
        #expect(try bench.write(.value(1, errors: [other])) == ValueBench.Answer(text: "1", errors: [other]))
        #expect(try bench.write(.value(.null, errors: [other])).errors.count == 2)
        #expect(try bench.write(.written(Array("7".utf8))).text == "7")
        #expect(try bench.write(.written(nil, errors: [other])) == ValueBench.Answer(text: nil, errors: [other]))
    }

    @Test("a null that is explained already gets no second error, and one that is not gets its own")
    func explained() throws {
        let bench = try ValueBench("Int!")
        for isExplained in [true, false] {
            var writer = ResponseWriter(bytesMax: .max, at: bench.path)
            var values = ValueWriter()
            let completion = try values.complete(
                .null as JSONValue, bench.plan, of: "Query", isExplained: isExplained, in: &writer)
            #expect(completion == .broken)
            #expect(writer.errors.count == (isExplained ? 0 : 1))
        }
    }

    // MARK: Limits

    @Test("no more errors are listed than the limit, and the last says that there are more")
    func errorsAreBounded() throws {
        let wrong = JSONValue.array(Array(repeating: "x", count: ValueLimits.errorsMax + 5))
        let answer = try ValueBench("[Int]").write(.value(wrong))
        #expect(answer.errors.count == ValueLimits.errorsMax)
        #expect(answer.messages.last?.hasPrefix("There are more errors than") == true)
        let right = JSONValue.array(Array(repeating: "x", count: ValueLimits.errorsMax - 1))
        #expect(try ValueBench("[Int]").write(.value(right)).messages.last?.hasPrefix("Can't serialize") == true)
    }

    @Test("a response that gets too long is not written to its end")
    func bytesAreBounded() throws {
        let query = "{ value { \((0..<80).map { "a\($0): text" }.joined(separator: " ")) } }"
        let bench = try ValueBench("Note", Self.objects, query: query)
        let text = String(repeating: "a", count: 1 << 20)
        let value = FieldOutcome.value(.object(JSONObject([("text", .string(text))])))
        #expect(try bench.write(value).errors.isEmpty)
        #expect(throws: ResponseTooLong()) { try bench.write(value, bytesMax: 70 << 20) }
        let wrong = JSONValue.array(Array(repeating: "x", count: 1_000))
        #expect(throws: ResponseTooLong()) { try ValueBench("[Int]").write(.value(wrong), bytesMax: 20_000) }
    }

    @Test("a selection that would have too many fields, once for each possible type, is refused")
    func plansAreBounded() throws {
        let names = (0..<40).map { "T\($0)" }
        let types =
            "interface Node { next: Node id: ID } "
            + names.map { "type \($0) implements Node { next: Node id: ID }" }.joined(separator: " ")
        let nested = { (depth: Int) in
            "{ value " + String(repeating: "{ next ", count: depth) + "{ id }" + String(repeating: " }", count: depth)
                + " }"
        }
        _ = try ValueBench("Node", types, query: nested(2))
        #expect(throws: GraphQLError.self) { try ValueBench("Node", types, query: nested(4)) }
    }
}
