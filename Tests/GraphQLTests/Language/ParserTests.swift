import GraphQL
import Testing

/// A document and the place and message of its first mistake.
struct RefusedDocument: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let column: Int
    let message: String
    var testDescription: String { text }

    init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
        self.text = text
        self.line = line
        self.column = column
        self.message = message
    }
}

@Suite("The parser")
struct ParserTests {
    @Test(
        "says what it expected, what it found, and where",
        arguments: [
            RefusedDocument("", 1, 1, "expected a definition, found the end of the document"),
            RefusedDocument("# only a comment", 1, 17, "expected a definition, found the end of the document"),
            RefusedDocument("{", 1, 2, "expected a field or a fragment, found the end of the document"),
            RefusedDocument("{ }", 1, 3, "expected a field or a fragment, found \"}\""),
            RefusedDocument("{ field: {} }", 1, 10, "expected a name, found \"{\""),
            RefusedDocument("\n{\n  a(b)\n}", 3, 6, "expected \":\", found \")\""),
            RefusedDocument("{ a() }", 1, 5, "expected a name, found \")\""),
            RefusedDocument(
                "notAnOperation Foo { field }", 1, 1, "expected a definition, found the name \"notAnOperation\""),
            RefusedDocument("{ ...F }\nfragment F Type", 2, 12, "expected \"on\", found the name \"Type\""),
            RefusedDocument(
                "fragment on on on { on }", 1, 10, "expected the name of the fragment, found the name \"on\""),
            RefusedDocument("{ ...on }", 1, 9, "expected a name, found \"}\""),
            RefusedDocument("...", 1, 1, "expected a definition, found \"...\""),
            RefusedDocument("{ a.b }", 1, 4, "expected \"...\", found \".\""),
            RefusedDocument("{ a(b: \"x", 1, 10, "expected a double quote, found the end of the document"),
            RefusedDocument("{ a(b: \"x\ny\") }", 1, 10, "expected a double quote before the end of the line"),
            RefusedDocument("{ a(b: \"\"\"x\"", 1, 13, "expected three double quotes, found the end of the document"),
            RefusedDocument(
                "{ a(b: \"\\x\") }", 1, 9, "expected one of the escapes of a string, found \"\\\" and \"x\""),
            RefusedDocument(
                "{ a(b: \"\\uD83D\") }", 1, 9, "expected a Unicode character as four hexadecimal digits or in braces"),
            RefusedDocument(
                "{ a(b: \"\\u{110000}\") }", 1, 9,
                "expected a Unicode character as four hexadecimal digits or in braces"),
            RefusedDocument(
                "{ a(b: \"\\u{}\") }", 1, 9, "expected a Unicode character as four hexadecimal digits or in braces"),
            RefusedDocument("{ a(b: 01) }", 1, 9, "expected a number without leading zeros, found \"1\""),
            RefusedDocument("{ a(b: 1.) }", 1, 10, "expected a digit, found \")\""),
            RefusedDocument("{ a(b: 1e) }", 1, 10, "expected a digit, found \")\""),
            RefusedDocument("{ a(b: -) }", 1, 9, "expected a digit, found \")\""),
            RefusedDocument("{ a(b: 1x) }", 1, 9, "expected the end of the number, found \"x\""),
            RefusedDocument("{ a(b: 1.2.3) }", 1, 11, "expected the end of the number, found \".\""),
            RefusedDocument("{ é }", 1, 3, "expected a token, found \"é\""),
            RefusedDocument("{ ééé: ? }", 1, 3, "expected a token, found \"é\""),
            RefusedDocument("# ééé\n{ ? }", 2, 3, "expected a token, found \"?\""),
            RefusedDocument("{ a(b: \"ééé\") ? }", 1, 15, "expected a token, found \"?\""),
            RefusedDocument("{ \u{0} }", 1, 3, "expected a token, found the control character U+0000"),
            RefusedDocument("query ($a: Int = $b) { c }", 1, 18, "expected a constant value, found \"$\""),
            RefusedDocument("query ($a) { c }", 1, 10, "expected \":\", found \")\""),
            RefusedDocument("query () { c }", 1, 8, "expected a variable, found \")\""),
            RefusedDocument("{ a(b: [$c, {d: $e}]) } query ($x: [Int = 1) { a }", 1, 41, "expected \"]\", found \"=\""),
            RefusedDocument("type Hello { world String }", 1, 20, "expected \":\", found the name \"String\""),
            RefusedDocument("type Hello { }", 1, 14, "expected a name, found \"}\""),
            RefusedDocument("type Hello implements { a: B }", 1, 23, "expected a name, found \"{\""),
            RefusedDocument("union U = | | A", 1, 13, "expected a name, found \"|\""),
            RefusedDocument("enum E { A true }", 1, 12, "expected the name of an enum value, found the name \"true\""),
            RefusedDocument(
                "directive @a on FIELD | NOWHERE", 1, 25,
                "expected the location of a directive, such as FIELD or OBJECT, found the name \"NOWHERE\""),
            RefusedDocument("extend type A", 1, 14, "expected what the extension adds, found the end of the document"),
            RefusedDocument("extend schema", 1, 14, "expected what the extension adds, found the end of the document"),
            RefusedDocument(
                "\"text\" extend type A { b: C }", 1, 8, "expected a definition, found the name \"extend\""),
            RefusedDocument(
                "extend directive @a on FIELD", 1, 8,
                "expected the keyword of what is extended, found the name \"directive\""),
            RefusedDocument("schema", 1, 7, "expected \"{\", found the end of the document"),
            RefusedDocument(
                "schema { question: Q }", 1, 10,
                "expected \"query\", \"mutation\" or \"subscription\", found the name \"question\""),
            RefusedDocument("\"text\" { a }", 1, 8, "expected a definition, found \"{\""),
        ])
    func refuses(_ document: RefusedDocument) throws {
        let error = try #require(throws: SyntaxError.self) { try Document(parsing: document.text) }
        #expect(error.message == document.message)
        #expect(error.location == SourceLocation(line: document.line, column: document.column))
    }

    @Test("names the file and shows the line of a mistake")
    func showsLine() throws {
        let source = Source("type A {\r\n  b C\r\n}\r\n", name: "schema.graphql")
        let error = try #require(throws: SyntaxError.self) { try Document(parsing: source) }
        #expect(error.description == "schema.graphql:2:5: expected \":\", found the name \"C\"")
        #expect(error.lineText == "  b C")
    }

    @Test("takes words that mean something elsewhere for names")
    func keywordsAreNames() throws {
        for word in ["on", "fragment", "query", "mutation", "subscription", "true", "false", "null", "type", "extend"] {
            let name = word == "on" ? "a" : word
            _ = try Document(
                parsing: "query \(word) { \(word)(\(word): $\(word)) @\(word)(\(word): 1) ...\(name) } "
                    + "fragment \(name) on \(word) { \(word): \(word) }")
        }
    }

    @Test("knows where every node stands")
    func positions() throws {
        let text =
            "query Q($v: Int = 1 @d) {\n  alias: name(argument: [1, {a: $v}]) @skip(if: true)\n  ...F @x\n  ... on T { b }\n}"
        let source = Source(text)
        guard case .operation(let operation)? = try Document(parsing: source).definitions.first else {
            Issue.record("no operation")
            return
        }
        func place(_ position: Position) -> String {
            source.location(of: position).map { "\($0.line):\($0.column)" } ?? "nowhere"
        }
        #expect(place(operation.position) == "1:1")
        #expect(place(operation.variableDefinitions[0].position) == "1:9")
        #expect(place(operation.variableDefinitions[0].type.position) == "1:13")
        #expect(place(operation.variableDefinitions[0].directives[0].position) == "1:21")
        guard case .field(let field) = operation.selectionSet[0] else {
            Issue.record("no field")
            return
        }
        #expect(place(field.position) == "2:3")
        #expect(place(field.name.position) == "2:10")
        #expect(place(field.arguments[0].position) == "2:15")
        #expect(place(field.arguments[0].value.position) == "2:25")
        #expect(place(field.directives[0].position) == "2:39")
        #expect(place(operation.selectionSet[1].position) == "3:3")
        #expect(place(operation.selectionSet[2].position) == "4:3")
    }

    @Test("skips commas, comments and byte order marks wherever they stand")
    func ignored() throws {
        let plain = try Document(parsing: "{ a(b: [1, 2]) c }")
        #expect(try Document(parsing: "\u{FEFF},,{,a(,b:,[1,,2,]),# comment\r,\u{FEFF} c\t}\n# end") == plain)
    }

    @Test("counts columns after a byte order mark as if it were not there")
    func byteOrderMarkHasNoWidth() throws {
        let error = try #require(throws: SyntaxError.self) { try Document(parsing: "\u{FEFF}{ ? }") }
        #expect(error.location == SourceLocation(line: 1, column: 3))
    }

    @Test("refuses bytes in a string that are not UTF-8")
    func invalidUTF8() {
        let source = Source(Array("{ a(b: \"".utf8) + [0xFF] + Array("\") }".utf8))
        #expect(throws: SyntaxError.self) { try Document(parsing: source) }
    }

    @Test(
        "parses types with lists and non-null marks and prints them the same",
        arguments: [
            "Int", "Int!", "[Int]", "[Int]!", "[Int!]", "[Int!]!", "[[Int!]]!", "[[[A]!]]", "[[[A!]!]!]!",
        ])
    func types(_ text: String) throws {
        #expect(try TypeReference(parsing: text).description == text)
    }
}

@Suite("The limits of a document")
struct DocumentLimitTests {
    private func refusal(_ text: String, _ limits: DocumentLimits = .request) throws -> SyntaxError {
        try #require(throws: SyntaxError.self) { try Document(parsing: text, limits: limits) }
    }

    @Test("allow as many bytes as they say, and no more")
    func bytes() throws {
        let limits = DocumentLimits(bytesMax: 10, tokensMax: 100, nestingMax: 10)
        _ = try Document(parsing: "{ abcdef }", limits: limits)
        let error = try refusal("{ abcdefg }", limits)
        #expect(error.kind == .limit)
        #expect(error.message == "the document has more than 10 bytes")
    }

    @Test("allow as many tokens as they say, and no more")
    func tokens() throws {
        _ = try Document(parsing: "{" + String(repeating: "a ", count: 14_998) + "}")
        let error = try refusal("{" + String(repeating: "a ", count: 14_999) + "}")
        #expect(error.kind == .limit)
        #expect(error.message == "the document has too many tokens (more than 15000)")
        #expect(error.location == SourceLocation(line: 1, column: 30_000))
    }

    @Test(
        "allow selections, lists and objects to nest as deeply as they say, and no deeper",
        arguments: [
            ("{a", "}"), ("{a(b: ", "1"), ("[", "]"), ("{a:", "}"),
        ])
    func nesting(_ open: String, _ close: String) throws {
        func nested(_ depth: Int) -> String {
            switch open {
            case "[":
                "{ a(b: " + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + ") }"
            case "{a:":
                "{ a(b: " + String(repeating: "{a:", count: depth - 1) + "1" + String(repeating: "}", count: depth - 1)
                    + ") }"
            default: String(repeating: "{a", count: depth) + String(repeating: "}", count: depth)
            }
        }
        _ = try Document(parsing: nested(200))
        let error = try refusal(nested(201))
        #expect(error.kind == .limit)
        #expect(error.message == "the document nests more than 200 levels deep")
    }

    @Test("refuse a type of too many lists", arguments: [63, 64, 10_000])
    func listTypes(_ depth: Int) throws {
        let text =
            "query ($a: " + String(repeating: "[", count: depth) + "A" + String(repeating: "]", count: depth)
            + ") { b }"
        if depth <= 63 {
            _ = try Document(parsing: text)
        } else {
            #expect(try refusal(text).message == "a type has more than 63 lists around it")
        }
    }
}
