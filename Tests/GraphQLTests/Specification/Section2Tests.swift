import GraphQL
import JSON
import Testing

/// Every example of section 2 of the October 2021 specification.
@Suite("Section 2 of the specification: language")
struct Section2Tests {
    @Test(
        "its documents are accepted, and print and parse the same",
        arguments: [
            // 2.2 and 2.3: documents and operations
            "mutation { likeStory(storyID: 12345) { story { likeCount } } }",
            "query { field }", "{ field }",
            // 2.4: selection sets
            "{ id firstName lastName }",
            "{ me { id firstName lastName birthday { month day } friends { name } } }",
            "{ me { name } } query Other { user(id: 4) { name } }",
            // 2.6: arguments
            "{ user(id: 4) { id name profilePic(size: 100) } }",
            "{ user(id: 4) { id name profilePic(width: 100, height: 50) } }",
            "{ picture(width: 200, height: 100) }", "{ picture(height: 100, width: 200) }",
            // 2.7: aliases
            "{ user(id: 4) { id name smallPic: profilePic(size: 64) bigPic: profilePic(size: 1024) } }",
            "{ zuck: user(id: 4) { id name } }",
            // 2.8: fragments
            "query noFragments { user(id: 4) { friends(first: 10) { id name profilePic(size: 50) } mutualFriends(first: 10) { id name profilePic(size: 50) } } }",
            "query withFragments { user(id: 4) { friends(first: 10) { ...friendFields } mutualFriends(first: 10) { ...friendFields } } } fragment friendFields on User { id name profilePic(size: 50) }",
            "query withNestedFragments { user(id: 4) { friends(first: 10) { ...friendFields } } } fragment friendFields on User { id name ...standardProfilePic } fragment standardProfilePic on User { profilePic(size: 50) }",
            "query FragmentTyping { profiles(handles: [\"zuck\", \"coca-cola\"]) { handle ...userFragment ...pageFragment } } fragment userFragment on User { friends { count } } fragment pageFragment on Page { likers { count } }",
            "query inlineFragmentTyping { profiles(handles: [\"zuck\", \"coca-cola\"]) { handle ... on User { friends { count } } ... on Page { likers { count } } } }",
            "query inlineFragmentNoType($expandedInfo: Boolean) { user(handle: \"zuck\") { id name ... @include(if: $expandedInfo) { firstName lastName birthday } } }",
            // 2.9: values
            "{ field(arg: null) field(arg: 1) field(arg: 1.0e50) field(arg: true) field(arg: MOBILE_WEB) field }",
            "{ field(arg: [[1, 2, 3], [], [\"a\"]]) }",
            "{ nearestThing(location: { lon: 12.43, lat: -53.211 }) }",
            "{ nearestThing(location: { lat: -53.211, lon: 12.43 }) }",
            "mutation { sendEmail(message: \"\"\"\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  \"\"\") }",
            "mutation { sendEmail(message: \"Hello,\\n  World!\\n\\nYours,\\n  GraphQL.\") }",
            // 2.10: variables
            "query getZuckProfile($devicePicSize: Int) { user(id: 4) { id name profilePic(size: $devicePicSize) } }",
            // 2.11: types
            "query ($a: Int, $b: [String!]!, $c: [[Float]!]) { field(a: $a, b: $b, c: $c) }",
            // 2.12: directives
            "{ field @addExternalFields @addExternalFields(source: \"a\") } fragment F on T @x { y @z(a: $b) }",
            "query ($x: Int) @a { y }",
            "type Person @addExternalFields(source: \"profiles\") @excludeField(name: \"photo\") { name: String }",
        ])
    func accepted(_ text: String) throws {
        let document = try Document(parsing: text)
        #expect(try Document(parsing: document.printed) == document)
    }

    @Test(
        "what it says to be no document is refused",
        arguments: [
            "", "   \n # nothing\n", "{}", "{ field: }", "{ a(b: 1.) }", "{ a(b: .5) }", "{ a(b: 00) }",
            "{ a(b: 0123) }",
            "{ a(b: 1.23.4) }", "{ a(b: 0xF1) }", "{ a(b: 1.2e3.4) }", "{ a(b: 12e) }", "{ a(b: \"\\z\") }",
            "{ a(b: \"\\u00\") }",
            "{ a(b: \"\\uD800\") }", "{ a(b: \"line\nbreak\") }", "{ a(b: \"\"\"\"\") }", "{ a(b: 'text') }",
            "fragment F { a }", "fragment on on T { a }",
            "query ($a: Int { b }", "query ($a Int) { b }", "query ($a: [Int) { b }", "query ($a: Int!!) { b }",
            "query ($a: Int = $b) { c }",
            "{ ... on { a } }", "{ ...on T }", "subscription", "{ a(b: [1, 2) }", "{ a(b: {c 1}) }", "{ a(b: {c: }) }",
            "{ a @ }", "{ a @b( }", "query A B { c }",
        ])
    func refused(_ text: String) {
        #expect(throws: SyntaxError.self) { try Document(parsing: text) }
    }

    @Test(
        "strings mean what it says",
        arguments: [
            ("\"\"", ""), ("\"simple\"", "simple"), ("\" white space \"", " white space "),
            ("\"quote \\\"\"", "quote \""),
            ("\"escaped \\n\\r\\b\\t\\f\"", "escaped \n\r\u{8}\t\u{C}"), ("\"slashes \\\\ \\/\"", "slashes \\ /"),
            ("\"unicode \\u1234\\u5678\\u90AB\\uCDEF\"", "unicode \u{1234}\u{5678}\u{90AB}\u{CDEF}"),
            ("\"\\u{1F600}\"", "😀"), ("\"\\uD83D\\uDE00\"", "😀"),
            ("\"\\u{0}\"", "\u{0}"), ("\"😀\"", "😀"),
            ("\"\"\"\"\"\"", ""), ("\"\"\"simple\"\"\"", "simple"), ("\"\"\" white space \"\"\"", " white space "),
            ("\"\"\"contains \" quote\"\"\"", "contains \" quote"),
            ("\"\"\"contains \\\"\"\" triple\"\"\"", "contains \"\"\" triple"),
            ("\"\"\"multi\nline\"\"\"", "multi\nline"),
            ("\"\"\"multi\rline\r\nnormalized\"\"\"", "multi\nline\nnormalized"),
            ("\"\"\"unescaped \\n\\r\\b\\t\\f\\u1234\"\"\"", "unescaped \\n\\r\\b\\t\\f\\u1234"),
            ("\"\"\"slashes \\\\ \\/\"\"\"", "slashes \\\\ \\/"),
            ("\"\"\"\n\n    spans\n      multiple\n        lines\n\n    \"\"\"", "spans\n  multiple\n    lines"),
            (
                "\"\"\"\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  \"\"\"",
                "Hello,\n  World!\n\nYours,\n  GraphQL."
            ),
            ("\"\"\"\n    \n  a\n    \n\"\"\"", "a"), ("\"\"\"  a\n  b\"\"\"", "  a\nb"),
            ("\"\"\"\ta\n\t\tb\n\tc\"\"\"", "\ta\n\tb\nc"),
        ])
    func strings(_ literal: String, _ meaning: String) throws {
        guard case .string(let string) = try Value(parsing: literal) else {
            Issue.record("no string")
            return
        }
        #expect(string.value == meaning)
    }

    @Test(
        "values are what it says",
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("-1", .integer(-1)), ("6.0221413e23", .double(6.022_141_3e23)),
            ("0.5E-2", .double(0.005)),
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null), ("RED", .string("RED")),
            ("truthy", .string("truthy")),
            ("[]", .array([])), ("[1 2, [3]]", .array([1, 2, [3]])), ("{}", .object(JSONObject())),
            (
                "{ name: \"Hello world\", score: 1.0 }",
                .object(JSONObject([("name", "Hello world"), ("score", .double(1))]))
            ),
        ] as [(String, JSONValue)])
    func values(_ literal: String, _ meaning: JSONValue) throws {
        #expect(try Value(parsing: literal).constant == meaning)
    }
}
