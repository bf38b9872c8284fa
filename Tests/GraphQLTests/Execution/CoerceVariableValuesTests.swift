import GraphQL
import JSON
import Testing

@Suite("The values of variables")
struct CoerceVariableValuesTests {
    static let schema = testSchema(
        """
        type Query { note(id: ID!, filter: Filter, kinds: [Kind!], n: Int, input: In, inputs: [In], text: String): Int }
        enum Kind { BIG SMALL }
        input Filter { title: String = "none" and: [Filter] n: Int must: Int! = 7 }
        input In { name: String! body: String phone: AWSPhone kind: Kind inner: In numbers: [[Int!]] when: AWSDateTime data: AWSJSON }
        """)

    /// The values that an operation sees, as JSON, or the error as a response has it.
    private func outcome(_ definitions: String, _ sent: String) throws -> String {
        let text = "query Q(\(definitions)) { __typename }"
        let source = Source(text)
        let document = ExecutableDocument(try Document(parsing: source), source: source, schema: Self.schema)
        let operation = try document.operation(named: "Q")
        do {
            let values = try CoerceVariableValues.values(
                of: operation, from: try #require(try JSONReader.value(of: sent).object), in: document)
            return JSONWriter.text(of: .object(values.values))
        } catch let error as GraphQLError {
            var buffer: [UInt8] = []
            error.write(to: &buffer)
            return String(decoding: buffer, as: UTF8.self)
        }
    }

    private static func error(_ message: String, column: Int? = 9) -> String {
        let locations = column.map { "[{\"line\":1,\"column\":\($0),\"sourceName\":null}]" } ?? "null"
        return "{\"path\":null,\"locations\":\(locations),\"message\":\"\(message)\"}"
    }

    @Test(
        "are made to fit their types",
        arguments: [
            ("$n: Int", "{\"n\": \"5\", \"other\": 1}", "{\"n\":5}"), ("$n: Int", "{}", "{}"),
            ("$n: Int", "{\"n\": null}", "{\"n\":null}"),
            ("$n: Int = 3", "{}", "{\"n\":3}"), ("$n: Int = 3", "{\"n\": null}", "{\"n\":3}"),
            ("$n: Int = 3", "{\"n\": 4}", "{\"n\":4}"),
            ("$n: [Int]", "{\"n\": 5}", "{\"n\":[5]}"), ("$n: [[Int]]", "{\"n\": 5}", "{\"n\":[[5]]}"),
            ("$n: [[Int]]", "{\"n\": [5, [6, null], null]}", "{\"n\":[[5],[6,null],null]}"),
            ("$k: Kind", "{\"k\": \"BIG\"}", "{\"k\":\"BIG\"}"), ("$f: Float", "{\"f\": 1}", "{\"f\":1.0}"),
            ("$t: String", "{\"t\": 5}", "{\"t\":\"5\"}"),
            ("$f: Filter", "{\"f\": {\"n\": 1}}", "{\"f\":{\"title\":\"none\",\"n\":1,\"must\":7}}"),
            ("$f: Filter", "{\"f\": {\"title\": null}}", "{\"f\":{\"title\":\"none\",\"must\":7}}"),
            (
                "$f: Filter = {and: {n: 2}}", "{}",
                "{\"f\":{\"title\":\"none\",\"and\":[{\"title\":\"none\",\"n\":2,\"must\":7}],\"must\":7}}"
            ),
            (
                "$i: In", "{\"i\": {\"data\": \"{\\\"a\\\": [1]}\", \"name\": \"x\"}}",
                "{\"i\":{\"name\":\"x\",\"data\":{\"a\":[1]}}}"
            ),
        ])
    func coerced(_ definitions: String, _ sent: String, _ values: String) throws {
        #expect(try outcome(definitions, sent) == values)
    }

    @Test(
        "are refused in AppSync's words, at the definition of the variable",
        arguments: [
            (
                "$input: In!", "{\"input\": {\"body\": \"b\"}}",
                error("Variable 'input' has coerced Null value for NonNull type 'String!'")
            ),
            (
                "$input: In!", "{\"input\": {\"name\": null}}",
                error("Variable 'input' has coerced Null value for NonNull type 'String!'")
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"inner\": {}}}",
                error("Variable 'input' has coerced Null value for NonNull type 'String!'")
            ),
            ("$input: In!", "{}", error("Variable 'input' has coerced Null value for NonNull type 'In!'")),
            (
                "$input: In!", "{\"input\": null}",
                error("Variable 'input' has coerced Null value for NonNull type 'In!'")
            ),
            (
                "$a: Int, $id: ID!", "{\"other\": 1}",
                error("Variable 'id' has coerced Null value for NonNull type 'ID!'", column: 18)
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"phone\": \"1110004444\"}}",
                error("Variable 'phone' has an invalid value. Unable to parse `1110004444` as a valid phone number.")
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"when\": \"2019\"}}",
                error("Variable 'when' has an invalid value. Unable to parse `2019` as a valid DateTime Object.")
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"kind\": \"X\"}}",
                error(
                    "Variable 'kind' has an invalid value. Invalid input for Enum 'Kind'. No value found for name 'X'")
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"numbers\": [[1, null]]}}",
                error("Variable 'input' has coerced Null value for NonNull type 'Int!'")
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"numbers\": [[\"x\"]]}}",
                error("Variable 'numbers' has an invalid value. Expected type 'Int' but was 'String'.")
            ),
            (
                "$input: In!", "{\"input\": {\"x\": 1}}",
                error(
                    "The variables input contains a field name 'x' that is not defined for input object type 'In' ",
                    column: nil)
            ),
            (
                "$input: In!", "{\"input\": \"x\"}",
                error(
                    "Variable 'input' has an invalid value. Expected type 'Map' but was 'String'. Variables for input objects must be an instance of type 'Map'."
                )
            ),
            (
                "$input: In!", "{\"input\": {\"name\": \"a\", \"inner\": 5}}",
                error(
                    "Variable 'inner' has an invalid value. Expected type 'Map' but was 'Integer'. Variables for input objects must be an instance of type 'Map'."
                )
            ),
            (
                "$input: In!", "{\"input\": [1]}",
                error(
                    "Variable 'input' has an invalid value. Expected type 'Map' but was 'ArrayList'. Variables for input objects must be an instance of type 'Map'."
                )
            ),
            (
                "$n: Int", "{\"n\": 2147483648}",
                error("Variable 'n' has an invalid value. Expected type 'Int' but was 'Long'.")
            ),
            (
                "$f: Filter", "{\"f\": {\"must\": null}}",
                error("Variable 'f' has coerced Null value for NonNull type 'Int!'")
            ),
            (
                "$a: Int, $b: Int", "{\"a\": \"x\", \"b\": \"y\"}",
                error("Variable 'a' has an invalid value. Expected type 'Int' but was 'String'.")
            ),
        ])
    func refused(_ definitions: String, _ sent: String, _ error: String) throws {
        #expect(try outcome(definitions, sent) == error)
    }
}
