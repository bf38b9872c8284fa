import Blueprint
import JSON
import TestSupport
import Testing

@testable import Store

/// Statements of a person: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("Statements of the SQL view")
struct SQLViewTests {
    private static let book = "type Note @model { id: ID! text: String }"

    private static func run(_ sql: String, milliseconds: Int64 = 2_000) throws -> Result<
        [[StoredValue]], SQLView.Failure
    > {
        let blueprint = try #require(SDLReader.read(book).blueprint)
        let store = try Store(.memory, for: blueprint, nowMilliseconds: 0) { Issue.record("\($0)") }
        let view = try SQLView(path: store.path, store.layout)
        do throws(SQLView.Failure) {
            return .success(
                try view.run(
                    sql, [], SQLView.Bounds(rowsMax: 10, bytesMax: 8 << 20, milliseconds: milliseconds)
                ).rows)
        } catch {
            return .failure(error)
        }
    }

    private static let text = "printf('%.*c', 3000000, 'a')"
    private static let half = "printf('%.*c', 1500000, 'a') || 'b'"
    private static let list = "'[' || replace(printf('%.*c', 900000, 'x'), 'x', '1,') || '1]'"

    /// The worst call of each function that a statement may use. Those that take one value get a long text.
    private static let calls: [String: String] = [
        "avg": "avg(value) FROM json_each(\(list))", "char": "char(97, 98)", "coalesce": "coalesce(NULL, \(text))",
        "concat": "concat(\(half), \(half))", "concat_ws": "concat_ws(\(half), 'a', 'b')",
        "count": "count(*) FROM json_each(\(list))", "cume_dist": "cume_dist() OVER () FROM json_each(\(list))",
        "date": "date(\(text))", "dense_rank": "dense_rank() OVER () FROM json_each(\(list))",
        "first_value": "first_value(value) OVER () FROM json_each(\(list))", "format": "format('%s %s', \(half), 1)",
        "glob": "glob('*' || printf('%.*c', 900, 'a') || 'b', \(text))",
        "group_concat": "group_concat(value, \(half)) FROM json_each('[1,2]')", "ifnull": "ifnull(NULL, \(text))",
        "iif": "iif(1, \(text), 2)", "instr": "instr(\(text), \(half))", "json": "json(\(list))",
        "json_array": "json_array(\(half), \(half))", "json_extract": "json_extract(\(list), '$[0]')",
        "json_group_array": "json_group_array(value) FROM json_each(\(list))",
        "json_group_object": "json_group_object(key, value) FROM json_each(\(list))",
        "json_insert": "json_insert(\(list), '$[#]', 1)", "json_object": "json_object('a', \(half))",
        "json_remove": "json_remove(\(list), '$[0]', '$[1]')", "json_replace": "json_replace(\(list), '$[0]', 2)",
        "json_set": "json_set(\(list), '$[0]', 2, '$[1]', 2)", "json_array_length": "json_array_length(\(list))",
        "json_quote": "json_quote(\(text))", "json_type": "json_type(\(list))", "json_valid": "json_valid(\(list))",
        "lag": "lag(value) OVER () FROM json_each(\(list))",
        "last_value": "last_value(value) OVER () FROM json_each(\(list))",
        "lead": "lead(value) OVER () FROM json_each(\(list))",
        "like": "\(text) LIKE '%' || printf('%.*c', 900, 'a') || 'b'", "log": "log(10, 3)",
        "ltrim": "ltrim(\(text), printf('%.*c', 900000, 'b') || 'a')", "max": "max(\(text), \(half))",
        "min": "min(\(text), \(half))", "mod": "mod(7, 3)",
        "nth_value": "nth_value(value, 2) OVER () FROM json_each(\(list))",
        "ntile": "ntile(4) OVER () FROM json_each(\(list))", "nullif": "nullif(\(text), \(half))",
        "percent_rank": "percent_rank() OVER () FROM json_each(\(list))", "pi": "pi()", "pow": "pow(2, 3)",
        "power": "power(2, 3)", "printf": "printf('%.*c', 4000000, 'a')",
        "rank": "rank() OVER () FROM json_each(\(list))", "replace": "replace(\(text), \(half), 'c')",
        "row_number": "row_number() OVER () FROM json_each(\(list))",
        "rtrim": "rtrim(\(text), printf('%.*c', 900000, 'b') || 'a')", "strftime": "strftime(\(text), 'now')",
        "string_agg": "string_agg(value, ',') FROM json_each(\(list))", "substr": "substr(\(text), 1000000, 1000000)",
        "substring": "substring(\(text), 1000000, 1000000)", "sum": "sum(value) FROM json_each(\(list))",
        "timediff": "timediff(\(text), 'now')", "total": "total(value) FROM json_each(\(list))",
        "trim": "trim(\(text), printf('%.*c', 900000, 'b') || 'a')", "unhex": "unhex(\(text), \(text))",
        "->": "\(list) -> '$[0]'", "->>": "\(list) ->> '$[0]'",
    ]

    @Test("end in time, whatever function they call", arguments: SQLGate.functions.map(\.string).sorted { $0 < $1 })
    func functions(_ name: String) throws {
        let statement = "SELECT " + (Self.calls[name] ?? "\(name)(\(Self.text))")
        var outcome: Result<[[StoredValue]], SQLView.Failure>?
        let taken = try HeldTime.milliseconds(tries: 1) { outcome = try Self.run(statement, milliseconds: 60) }
        #expect(taken < 1_000, "\(statement) takes \(taken) ms")
        if case .failure(let failure)? = outcome, !failure.isTimeOver {
            let isKnown = [
                "too long for such a pattern", "one argument here", "too big", "malformed", "wrong number",
                // An older SQLite does not have it.
                "no such function: \(name)",
            ]
            .contains { failure.message.parts(separatedBy: $0).count > 1 }
            #expect(isKnown, "\(statement): \(failure.message)")
        }
    }

    @Test(
        "find, replace and trim as SQLite does",
        arguments: [
            ("instr('abcabc', 'ca')", "3"), ("instr('äöü', 'ü')", "3"), ("instr('abc', 'x')", "0"),
            ("instr('abc', '')", "1"),
            ("instr(x'010203', x'0203')", "2"), ("instr(NULL, 'a')", nil), ("instr('a', NULL)", nil),
            ("instr(12345, 34)", "3"),
            ("replace('aaaa', 'aa', 'b')", "bb"), ("replace('abcabc', 'bc', '')", "aa"),
            ("replace('abc', '', 'x')", "abc"),
            ("replace('abc', 'x', 'y')", "abc"), ("replace('abc', 'b', NULL)", nil), ("replace(NULL, 'b', 'c')", nil),
            ("trim('xxaxbxx', 'x')", "axb"), ("trim('äxöaä', 'äö')", "xöa"), ("ltrim('aab', 'a')", "b"),
            ("rtrim('baa', 'a')", "b"), ("trim('aaa', 'a')", ""), ("trim('a', NULL)", nil), ("trim('  a ')", "a"),
            ("trim('abc', '')", "abc"), ("'Abc' LIKE 'a%'", "1"), ("'a%c' LIKE 'a\\%c' ESCAPE '\\'", "1"),
            ("'abc' LIKE 'a\\%c' ESCAPE '\\'", "0"), ("NULL LIKE 'a'", nil), ("'abc' GLOB 'a*'", "1"),
            ("'Abc' GLOB 'a*'", "0"),
        ])
    func alike(_ expression: String, _ expected: String?) throws {
        let rows = try Self.run("SELECT CAST(\(expression) AS TEXT)").get()
        #expect(rows == [[expected.map { .text($0) } ?? .null]])
    }

    @Test("that would compare two objects member by member are none")
    func patches() throws {
        guard case .failure(let failure) = try Self.run("SELECT json_patch('{}', '{}')") else {
            Issue.record("it was run")
            return
        }
        #expect(failure.message.parts(separatedBy: "json_patch").count > 1)
    }
}
