import JSON
import Store
import Testing

@testable import Items

@Suite("Statements of PartiQL")
struct StatementTests {
    /// Items of two partitions, one of them with members of the indexes.
    private static func tables() async throws -> TestTables {
        let tables = try TestTables()
        try await tables.makeTable()
        for item in [
            #""p": {"S": "a"}, "s": {"N": "1"}, "n": {"N": "5"}, "t": {"S": "some text"}, "m": {"M": {"x": {"L": [{"S": "deep"}]}}}"#,
            #""p": {"S": "a"}, "s": {"N": "2"}, "n": {"N": "7"}, "z": {"NULL": true}, "g": {"S": "G"}, "l": {"N": "3"}"#,
            #""p": {"S": "a"}, "s": {"N": "3"}, "k": {"SS": ["u", "v"]}"#,
            #""p": {"S": "b"}, "s": {"N": "1"}, "it's": {"BOOL": true}"#,
        ] {
            try await tables.done("PutItem", #"{"TableName": "Things", "Item": {\#(item)}}"#)
        }
        return tables
    }

    private static func request(_ statement: String, _ more: String = "") -> String {
        "{\"Statement\": \(JSONWriter.text(of: .string(statement)))\(more.isEmpty ? "" : ", \(more)")}"
    }

    /// The keys of items, as `a1`.
    private static func keys(_ json: JSONValue) -> [String] {
        (json["Items"]?.array ?? []).map { "\($0["p"]?["S"]?.string ?? "")\($0["s"]?["N"]?.string ?? "")" }
    }

    @Test(
        "a SELECT gives the items that its condition holds for",
        arguments: [
            ("SELECT * FROM Things", ["a1", "a2", "a3", "b1"]),
            (#"select * from "Things" ;"#, ["a1", "a2", "a3", "b1"]),
            ("SELECT * FROM Things WHERE p = 'a'", ["a1", "a2", "a3"]),
            ("SELECT p, s FROM Things WHERE 'a' = p AND s > 1", ["a2", "a3"]),
            ("SELECT * FROM Things WHERE p = 'a' AND s BETWEEN 2 AND 3 ORDER BY s DESC", ["a3", "a2"]),
            ("SELECT * FROM Things WHERE p = 'a' AND s >= 1 AND s <> 2 AND n IS MISSING", ["a3"]),
            ("SELECT * FROM Things WHERE p = 'a' AND (n = 5 OR contains(k, 'v'))", ["a1", "a3"]),
            ("SELECT * FROM Things WHERE p IN ['a', 'b'] AND s = 1", ["a1", "b1"]),
            ("SELECT * FROM Things WHERE begins_with(t, 'some')", ["a1"]),
            ("SELECT * FROM Things WHERE z IS NULL", ["a2"]),
            ("SELECT * FROM Things WHERE z IS NOT NULL AND p = 'b'", ["b1"]),
            ("SELECT * FROM Things WHERE n IS NOT MISSING AND NOT n = 5", ["a2"]),
            (#"SELECT * FROM Things WHERE "it's" = true"#, ["b1"]),
            ("SELECT * FROM Things WHERE m.x[0] = 'deep'", ["a1"]), ("SELECT * FROM Things WHERE size(k) = 2", ["a3"]),
            ("SELECT * FROM Things WHERE attribute_type(n, 'N') AND n != 5", ["a2"]),
            ("SELECT * FROM Things WHERE k = <<'v', 'u'>>", ["a3"]), ("SELECT * FROM Things WHERE t = 'it''s'", []),
            ("SELECT * FROM Things WHERE n NOT IN (5, -5, +7.0e0) AND n IS NOT MISSING", []),
            (#"SELECT * FROM "Things"."byG" WHERE g = 'G'"#, ["a2"]), ("SELECT * FROM Things.byG", ["a2"]),
            ("SELECT * FROM Things.byL WHERE p = 'a' AND l < 4", ["a2"]),
        ])
    func selects(statement: String, found: [String]) async throws {
        let answer = try await Self.tables().done("ExecuteStatement", Self.request(statement))
        #expect(
            statement.utf8.starts(with: "SELECT * FROM Things WHERE p = 'a' AND s B".utf8)
                ? Self.keys(answer) == found : Self.keys(answer).sorted { $0 < $1 } == found)
    }

    @Test("parts of an item are shown by the names of their ends, and parameters stand in their order")
    func parts() async throws {
        let tables = try await Self.tables()
        let answer = try await tables.done(
            "ExecuteStatement",
            Self.request(
                "SELECT s, m.x[0] FROM Things WHERE p = ? AND s = ?", #""Parameters": [{"S": "a"}, {"N": "1"}]"#))
        #expect(answer["Items"] == [["s": ["N": "1"], "x": ["S": "deep"]]])
    }

    @Test("pages go on with a token of their statement, and of no other")
    func pages() async throws {
        let tables = try await Self.tables()
        var (token, found): (String?, [String]) = (nil, [])
        repeat {
            let more = token.map { #", "NextToken": "\#($0)""# } ?? ""
            let page = try await tables.done(
                "ExecuteStatement", Self.request("SELECT * FROM Things WHERE p = 'a'", #""Limit": 2\#(more)"#))
            found += Self.keys(page)
            token = page["NextToken"]?.string
            guard let token, found.count == 2 else { continue }
            for other in [token, token + "x", "x"] {
                #expect(
                    await tables.refusal(
                        "ExecuteStatement",
                        Self.request("SELECT * FROM Things WHERE p = 'b'", #""NextToken": "\#(other)""#))
                        == "ValidationException: NextToken does not match request")
            }
        } while token != nil
        #expect(found == ["a1", "a2", "a3"])
    }

    @Test("statements write one item, and return what they say")
    func writes() async throws {
        let tables = try await Self.tables()
        func done(_ statement: String, _ more: String = "") async throws -> JSONValue? {
            try await tables.done("ExecuteStatement", Self.request(statement, more))["Items"]
        }
        #expect(
            try await done("INSERT INTO Things VALUE {'p': 'c', 's': 1, 'm': {'l': [1, {'x': null}]}, 'k': <<1, 2>>}")
                == [])
        #expect(
            await tables.refusal("ExecuteStatement", Self.request("INSERT INTO Things value {'p': 'c', 's': 1}"))
                == "DuplicateItemException: Duplicate primary key exists in table")
        #expect(
            try await done(
                "UPDATE Things SET n = 3, m.l[0] = ? REMOVE k WHERE p = 'c' AND s = 1 RETURNING ALL NEW *",
                #""Parameters": [{"S": "y"}]"#)
                == [
                    [
                        "p": ["S": "c"], "s": ["N": "1"], "n": ["N": "3"],
                        "m": ["M": ["l": ["L": [["S": "y"], ["M": ["x": ["NULL": true]]]]]]],
                    ]
                ])
        #expect(
            try await done("UPDATE Things SET n = n + 4 WHERE p = 'c' AND s = 1 AND n < 4 RETURNING MODIFIED OLD *")
                == [["n": ["N": "3"]]])
        #expect(
            try await done(
                "UPDATE Things SET m.l = list_append(m.l, [1]) SET k = if_not_exists(k, <<'a'>>) WHERE p = 'c' AND s = 1 RETURNING MODIFIED NEW *"
            )?
            .array?.first?["k"] == ["SS": ["a"]])
        #expect(
            try await done("UPDATE Things SET k = set_add(k, <<'b'>>) WHERE p = 'c' AND s = 1 RETURNING MODIFIED NEW *")
                == [["k": ["SS": ["a", "b"]]]])
        for absent in [
            "UPDATE Things SET n = 1 WHERE p = 'c' AND s = 9",
            "UPDATE Things SET n = 1 WHERE p = 'c' AND s = 1 AND n = 9",
            "DELETE FROM Things WHERE p = 'c' AND s = 1 AND n = 9",
        ] {
            #expect(
                await tables.refusal("ExecuteStatement", Self.request(absent))
                    == "ConditionalCheckFailedException: The conditional request failed")
        }
        #expect(try await done("DELETE FROM Things WHERE s = 1 AND p = 'c' RETURNING ALL OLD *")?.array?.count == 1)
        #expect(try await done("DELETE FROM Things WHERE s = 1 AND p = 'c' RETURNING ALL OLD *") == [])
    }

    private static let notFormed = "ValidationException: Statement wasn't well formed, can't be processed: "
    private static let needsKey =
        "ValidationException: Where clause does not contain a mandatory equality on all key attributes"

    @Test(
        "what is wrong with a statement is said",
        arguments: [
            ("SELECT", notFormed), ("SELECT * FROM Things WHERE", notFormed), ("SELECT * FROM Things p", notFormed),
            ("SELECT * FROM Things WHERE t = 'open", notFormed), ("DROP TABLE Things", notFormed),
            ("SELECT * FROM Things WHERE p = 'a'; DELETE FROM Things WHERE p = 'a'", notFormed),
            ("INSERT INTO Things VALUE [1]", notFormed), ("SELECT * FROM Things WHERE p # 1", notFormed),
            ("SELECT * FROM Things WHERE \(String(repeating: "(", count: 100))p = 1", notFormed),
            ("SELECT * FROM Things WHERE \(String(repeating: "NOT ", count: 100))p = 1", notFormed),
            ("SELECT * FROM Things LIMIT 1", "ValidationException: Unsupported clause: LIMIT"),
            (
                "SELECT * FROM Things WHERE p = ?",
                "ValidationException: Number of parameters in request and statement don't match."
            ),
            ("SELECT * FROM Nothing", "ResourceNotFoundException: Requested resource not found"),
            ("SELECT * FROM Things.none", "ValidationException: The table does not have the specified index"),
            (
                "SELECT * FROM Things ORDER BY s",
                "ValidationException: Must have WHERE clause in the statement when using ORDER BY clause."
            ),
            (
                "SELECT * FROM Things WHERE s = 1 ORDER BY s",
                "ValidationException: Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."
            ),
            (
                "SELECT * FROM Things WHERE p = 'a' ORDER BY n",
                "ValidationException: Variable reference n in ORDER BY clause must be part of the primary key"
            ),
            ("DELETE FROM Things WHERE p = 'a'", needsKey), ("UPDATE Things SET n = 1 WHERE s = 1", needsKey),
            ("UPDATE Things SET n = 1 WHERE p = 'a' OR s = 1", needsKey),
            ("UPDATE Things SET p = 'b' WHERE p = 'a' AND s = 1", "ValidationException: "),
            ("UPDATE Things SET m = 1, m.x = 2 WHERE p = 'a' AND s = 1", "ValidationException: Two document paths"),
            ("INSERT INTO Things VALUE {'p': 'a'}", "ValidationException: "),
            ("INSERT INTO Things VALUE {'p': <<1, 'a'>>, 's': 1}", "ValidationException: "),
            ("EXISTS(SELECT * FROM Things WHERE p = 'a' AND s = 1)", "ValidationException: EXISTS"),
            ("", "ValidationException: 1 validation error detected"),
            (
                "SELECT \(String(repeating: "a", count: StatementLimits.bytesMax)) FROM Things",
                "ValidationException: 1 validation error detected"
            ),
            ("SELECT \((0...StatementLimits.partsMax).map { "a\($0)" }.joined(separator: ",")) FROM Things", notFormed),
            (
                "INSERT INTO Things VALUE {'p': \(String(repeating: "[", count: 200))",
                "ValidationException: Nesting Levels"
            ),
        ])
    func refused(statement: String, words: String) async throws {
        let tables = try TestTables()
        try await tables.makeTable()
        let refusal = await tables.refusal("ExecuteStatement", Self.request(statement))
        #expect(refusal.hasPrefix(words), "\(refusal)")
    }

    @Test("a batch answers each statement by itself")
    func batch() async throws {
        let tables = try await Self.tables()
        let reads = [
            "SELECT n FROM Things WHERE p = 'a' AND s = 1", "SELECT * FROM Things WHERE p = 'a' AND s = 9",
            "SELECT * FROM Things WHERE p = 'a'", "SELECT * FROM None", "SELECT * FROM Things WHERE p = ?",
        ].map { Self.request($0) }.joined(separator: ",")
        let answer = try await tables.done("BatchExecuteStatement", "{\"Statements\": [\(reads)]}")
        #expect(
            answer["Responses"] == [
                ["TableName": "Things", "Item": ["n": ["N": "5"]]], ["TableName": "Things"],
                [
                    "TableName": "Things",
                    "Error": [
                        "Code": "ValidationError",
                        "Message":
                            "Select statements within BatchExecuteStatement must specify the primary key in the where clause.",
                    ],
                ],
                ["Error": ["Code": "ResourceNotFound", "Message": "Requested resource not found"]],
                [
                    "Error": [
                        "Code": "ValidationError",
                        "Message": "Number of parameters in request and statement don't match.",
                    ]
                ],
            ])
        let writes = ["INSERT INTO Things VALUE {'p': 'a', 's': 1}", "DELETE FROM Things WHERE p = 'b' AND s = 1"]
            .map { Self.request($0) }.joined(separator: ",")
        let written = try await tables.done("BatchExecuteStatement", "{\"Statements\": [\(writes)]}")["Responses"]
        #expect(written?.array?.first?["Error"]?["Code"] == "DuplicateItem" && written?.array?.last?["Error"] == nil)
        for wrong in ["[]", "[\(reads), \(writes)]", "[\(Array(repeating: writes, count: 13).joined(separator: ","))]"]
        {
            #expect(
                await tables.refusal("BatchExecuteStatement", "{\"Statements\": \(wrong)}").hasPrefix(
                    "ValidationException"))
        }
    }

    @Test("a transaction does all of its statements or none")
    func transaction() async throws {
        let tables = try await Self.tables()
        func request(_ statements: [String], _ more: String = "") -> String {
            "{\"TransactStatements\": [\(statements.map { Self.request($0) }.joined(separator: ","))]\(more)}"
        }
        let read = try await tables.done(
            "ExecuteTransaction",
            request(["SELECT n FROM Things WHERE p = 'a' AND s = 2", "SELECT * FROM Things WHERE p = 'x' AND s = 2"]))
        #expect(read["Responses"] == [["Item": ["n": ["N": "7"]]], [:]])
        let writes = [
            "INSERT INTO Things VALUE {'p': 'n', 's': 1}", "UPDATE Things SET n = n + 1 WHERE p = 'a' AND s = 1",
        ]
        let (status, json) = await tables.call(
            "ExecuteTransaction",
            request(
                writes + [
                    "INSERT INTO Things VALUE {'p': 'a', 's': 2}",
                    "EXISTS(SELECT * FROM Things WHERE p = 'a' AND s = 3 AND n = 1)",
                ]))
        #expect(status == 400)
        #expect(
            json["CancellationReasons"]?.array?.map { $0["Code"]?.string }
                == ["None", "None", "DuplicateItem", "ConditionalCheckFailed"])
        for _ in 0..<2 {
            let done = try await tables.done("ExecuteTransaction", request(writes, #", "ClientRequestToken": "t""#))
            #expect(done["Responses"] == [])
        }
        let item = try await tables.done(
            "ExecuteStatement", Self.request("SELECT n FROM Things WHERE p = 'a' AND s = 1"))
        #expect(item["Items"] == [["n": ["N": "6"]]])
        for wrong in [
            ["SELECT * FROM Things"], writes + ["SELECT * FROM Things WHERE p = 'a' AND s = 1"],
            [writes[1], writes[1]],
        ] {
            #expect(await tables.refusal("ExecuteTransaction", request(wrong)).hasPrefix("ValidationException"))
        }
    }

    @Test("each statement needs the right of its kind on its table, and one that cannot be read needs all of them")
    func rights() throws {
        let tables = try TestTables()
        func demands(_ operation: ItemOperation, _ body: String) throws -> [String] {
            let fields = try RequestFields(try JSONReader.value(of: body))
            return ItemRun(tables.service, ItemShard(), fields).demands(operation).map { "\($0.action) \($0.place)" }
        }
        #expect(
            try demands(.executeStatement, Self.request(#"SELECT * FROM "Things"."byG""#))
                == ["dynamodb:PartiQLSelect Things/index/byG"])
        #expect(
            try demands(
                .batchExecuteStatement,
                #"{"Statements": [{"Statement": "DELETE FROM Things WHERE p = 'a'"}, {"Statement": "INSERT INTO T VALUE {}"}]}"#
            )
                == ["dynamodb:PartiQLDelete Things", "dynamodb:PartiQLInsert T"])
        for body in [#"{"Statement": "nothing"}"#, "{}"] {
            #expect(try demands(.executeStatement, body).count == 4)
            #expect(try demands(.executeStatement, body).allSatisfy { $0.hasSuffix(" *") })
        }
        #expect(try demands(.executeTransaction, "{}") == ["dynamodb:PartiQLSelect *"])
    }
}
