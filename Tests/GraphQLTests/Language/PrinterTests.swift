import GraphQL
import Testing

@Suite("The printer")
struct PrinterTests {
    @Test("writes what is selected in one block, as resolvers are told of it")
    func selections() throws {
        let document = try Document(
            parsing:
                "{ a { id author(id: $a, all: [1]) { name } ...F } a { ... on Note @skip(if: true) { title: name } ... { id } } }"
        )
        let fields = document.operations.first?.selectionSet.compactMap { selection in
            if case .field(let field) = selection { field.selectionSet } else { nil }
        }
        #expect(
            fields?.printed == """
                {
                  id
                  author(id: $a, all: [1]) {
                    name
                  }
                  ...F
                  ...on Note @skip(if: true) {
                    title: name
                  }
                  ... {
                    id
                  }
                }
                """)
        #expect([SelectionSet]().printed == "" && [SelectionSet([])].printed == "")
    }

    @Test(
        "writes documents as a person would",
        arguments: [
            (
                "query Q($id:ID!,$n:Int=1){getNote(id:$id){id ...F @include(if:true) ...on Note{title}}listNotes{nextToken}}fragment F on Note{a:b}",
                """
                query Q($id: ID!, $n: Int = 1) {
                  getNote(id: $id) {
                    id
                    ...F @include(if: true)
                    ... on Note {
                      title
                    }
                  }
                  listNotes {
                    nextToken
                  }
                }

                fragment F on Note {
                  a: b
                }

                """
            ),
            ("{a}", "{\n  a\n}\n"), ("query($a:B){c}", "query ($a: B) {\n  c\n}\n"),
            ("type A query { b }", "type A\n\nquery {\n  b\n}\n"),
            (
                "{ listNotes(filter: {title: {beginsWith: \"something long\"}, rank: {between: [1, 2]}}, limit: 100, nextToken: null) { id } }",
                """
                {
                  listNotes(
                    filter: {title: {beginsWith: "something long"}, rank: {between: [1, 2]}}
                    limit: 100
                    nextToken: null
                  ) {
                    id
                  }
                }

                """
            ),
            (
                "schema @x{query:Query}\"A note\"type Note implements A&B @model{\"the id\"id:ID! find(\"what\"text:String=\"x\" limit:Int):[Note!]! @deprecated}extend type Note @y enum E{A B @z}input I{a:Int=1,b:[E!]}union U=|A|B scalar S directive@d(a:Int)repeatable on FIELD|OBJECT",
                """
                schema @x {
                  query: Query
                }

                "A note"
                type Note implements A & B @model {
                  "the id"
                  id: ID!
                  find(
                    "what"
                    text: String = "x"
                    limit: Int
                  ): [Note!]! @deprecated
                }

                extend type Note @y

                enum E {
                  A
                  B @z
                }

                input I {
                  a: Int = 1
                  b: [E!]
                }

                union U = A | B

                scalar S

                directive @d(a: Int) repeatable on FIELD | OBJECT

                """
            ),
            (
                "union Everything = FirstOfTheMembers | SecondOfTheMembers | ThirdOfTheMembers | FourthOfTheMembers",
                "union Everything =\n  | FirstOfTheMembers\n  | SecondOfTheMembers\n  | ThirdOfTheMembers\n  | FourthOfTheMembers\n"
            ),
            (
                "type A { \"\"\"two\n  lines\"\"\" b: C \"\"\"with \\\"\"\" quotes\"\"\" d: E }",
                "type A {\n  \"\"\"\n  two\n  lines\n  \"\"\"\n  b: C\n  \"\"\"with \\\"\"\" quotes\"\"\"\n  d: E\n}\n"
            ),
        ])
    func prints(_ text: String, _ printed: String) throws {
        let document = try Document(parsing: text)
        #expect(document.printed == printed)
        #expect(try Document(parsing: printed) == document)
    }

    @Test("escapes what cannot stand in a string, and nothing else")
    func escapes() {
        let text = "\" \\ \u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F} é😀/"
        #expect(
            Value.string(StringValue(text)).printed == "\"\\\" \\\\ \\b\\f\\n\\r\\t\\u0001\\u001F\\u007F é😀/\"")
    }

    @Test(
        "writes text in quotes when triple quotes cannot hold it", arguments: ["\n", " \n ", "a\n", "  a\n  b", "a\rb"])
    func unfitBlocks(_ text: String) throws {
        let printed = Value.string(StringValue(text, isBlock: true)).printed
        guard case .string(let string) = try Value(parsing: printed) else {
            Issue.record("no string")
            return
        }
        #expect(string.value == text)
        #expect(!string.isBlock)
    }
}

@Suite("Places in a source")
struct LineMapTests {
    @Test(
        "are found by line and column, in characters",
        arguments: [
            (0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 1, 4), (6, 2, 1), (7, 3, 1), (9, 4, 1), (10, 5, 1), (14, 5, 2),
            (99, 5, 2),
        ])
    func places(_ offset: Int, _ line: Int, _ column: Int) {
        let source = Source("aéb\r\n\nc\r\r😀")
        #expect(source.location(of: Position(offset: offset)) == SourceLocation(line: line, column: column))
    }

    @Test("belong to one of several files")
    func files() throws {
        let sources = SourceList([Source("type A { b: Int }", name: "a"), Source("\ntype C { d: Int }", name: "c")])
        let document = try Document(parsing: sources.sources[1], sourceNumber: 1)
        let position = try #require(document.types.first?.name.position)
        #expect(sources.source(of: position)?.name == "c")
        #expect(sources.location(of: position) == SourceLocation(line: 2, column: 6))
        #expect(sources.source(of: position)?.text(ofLine: 2) == "type C { d: Int }")
        #expect(sources.location(of: .none) == nil)
        #expect(sources.source(of: position)?.text(ofLine: 3) == nil)
    }

    @Test("are the same as counting, for any offset of a long line of any characters")
    func blocks() {
        let text = String(repeating: "aé😀", count: 200)
        let lines = LineMap(Source(text))
        var offset = 0
        for (index, scalar) in text.unicodeScalars.enumerated() {
            #expect(lines.location(of: Position(offset: offset)) == SourceLocation(line: 1, column: index + 1))
            offset += scalar.utf8.count
        }
    }

    @Test("are the same as counting, wherever among eight bytes a line ends", arguments: ["\n", "\r", "\r\n", "\t\n"])
    func ends(end: String) {
        for length in 0..<20 {
            let text = String(repeating: String(repeating: "a", count: length) + end, count: 5) + "é"
            let lines = LineMap(Source(text))
            for line in 0...5 {
                let start = Position(offset: line * (length + end.utf8.count))
                #expect(lines.location(of: start) == SourceLocation(line: line + 1, column: 1))
            }
            #expect(lines.text(ofLine: 6) == "é")
            #expect(lines.location(of: Position(offset: text.utf8.count)) == SourceLocation(line: 6, column: 2))
        }
    }
}
