import JSON
import Testing

@testable import Resolvers

@Suite("SQL statements: the module rds")
struct RelationalModuleTests {
    /// A statement's function and what it is given, the SQL for Postgres, and what its variables are.
    struct Row: Sendable, CustomTestStringConvertible {
        let function: String
        let properties: String
        let sql: String
        let values: String
        var hints = "{}"

        init(_ function: String, _ properties: String, _ sql: String, _ values: String = "[]", hints: String = "{}") {
            self.function = function
            self.properties = properties
            self.sql = sql
            self.values = values
            self.hints = hints
        }

        var testDescription: String { "\(function)(\(properties))" }
    }

    static func hint(_ type: String, _ value: String) -> String {
        #"{"$":"rds.typeHint.\#(type)","of":["\#(value)"]}"#
    }

    static func template(_ parts: String, _ values: String...) -> String {
        #"{"$":"rds.sql","of":[\#(([parts] + values).joined(separator: ","))]}"#
    }

    static let selects = [
        Row(
            "select",
            #"{"table":"UserGroup","where":{"or":[{"name":{"eq":"S"}},{"id":{"gt":10}}]},"limit":10,"offset":1,"columns":["id","name"],"orderBy":[{"column":"name"},{"column":"id","dir":"DESC"}]}"#,
            #"SELECT "id", "name" FROM "UserGroup" WHERE ("name" = :P0) OR ("id" > :P1) ORDER BY "name" ASC, "id" DESC LIMIT :P2 OFFSET :P3"#,
            #"["S",10,10,1]"#),
        Row("select", #"{"table":"domain.color","limit":null,"columns":["*"]}"#, #"SELECT * FROM "domain"."color""#),
        Row("select", #"{"table":"p","columns":["id","p.*"]}"#, #"SELECT "id", "p"."*" FROM "p""#),
        Row("select", #"{"table":"p","columns":[],"limit":3}"#, #"SELECT FROM "p" LIMIT :P0"#, "[3]"),
        Row("select", #"{"table":"p","columns":null,"orderBy":[]}"#, #"SELECT * FROM "p""#),
        Row("select", #"{"table":"p","limit":0,"offset":"5"}"#, #"SELECT * FROM "p" LIMIT :P0 OFFSET :P1"#, "[0,5]"),
        Row("select", #"{"table":{"persons":"p"}}"#, #"SELECT * FROM "p" as "persons""#),
        Row("select", #"{"from":{"public.persons":"p"}}"#, #"SELECT * FROM "p" as "public"."persons""#),
        Row(
            "select", #"{"table":"p","orderBy":[{"column":"n","dir":"desc"},{"column":"m","dir":1}]}"#,
            #"SELECT * FROM "p" ORDER BY "n" DESC, "m" ASC"#),
        // A quote in a name does not end it.
        Row("select", #"{"table":"p\" x"}"#, #"SELECT * FROM "p"" x""#),
    ]

    static let conditions = whereRows.map { row in
        Row("select", #"{"table":"t","where":\#(row.0)}"#, #"SELECT * FROM "t""# + row.1, row.2)
    }

    static let whereRows: [(String, String, String)] = [
        (
            #"{"count":{"le":10},"and":[{"id":{"eq":1}}],"deleted":{"attributeExists":false}}"#,
            #" WHERE "count" <= :P0 AND ("id" = :P1) AND "deleted" IS NULL"#, "[10,1]"
        ),
        (#"{"and":[{"id":{"eq":1}}]}"#, #" WHERE ("id" = :P0)"#, "[1]"),
        (
            #"{"and":[{"id":{"eq":1}}],"or":[{"id":{"eq":2}},{"id":{"eq":3}}],"id":{"eq":4}}"#,
            #" WHERE ("id" = :P0) AND ("id" = :P1) OR ("id" = :P2) AND "id" = :P3"#, "[1,2,3,4]"
        ),
        (
            #"{"id":{"eq":0},"or":[{"id":{"eq":1}},{"or":[{"id":{"eq":2}},{"id":{"eq":3}}]},{"id":{"eq":4}}]}"#,
            #" WHERE "id" = :P0 AND ("id" = :P1) OR (("id" = :P2) OR ("id" = :P3)) OR ("id" = :P4)"#, "[0,1,2,3,4]"
        ),
        (
            #"{"id":{"eq":"1"},"and":[{"or":[{"d":{"eq":false}},{"d":{"attributeExists":false}}]}]}"#,
            #" WHERE "id" = :P0 AND (("d" = :P1) OR ("d" IS NULL))"#, #"["1",false]"#
        ),
        (#"{"p.id":{"eq":1}}"#, #" WHERE "p"."id" = :P0"#, "[1]"),
        (#"{"id":{"ge":1,"le":9,"ne":5}}"#, #" WHERE "id" >= :P0 AND "id" <= :P1 AND "id" != :P2"#, "[1,9,5]"),
        (
            #"{"and":[{"id":{"eq":1,"gt":0}},{"n":{"lt":2}}]}"#, #" WHERE ("id" = :P0 AND "id" > :P1) AND ("n" < :P2)"#,
            "[1,0,2]"
        ),
        (#"{"id":{"eq":1,"attributeExists":true}}"#, #" WHERE "id" = :P0 AND "id" IS NOT NULL"#, "[1]"),
        (#"{"n":{"contains":"t"}}"#, #" WHERE "n" LIKE :P0"#, #"["%t%"]"#),
        (#"{"n":{"notContains":"t"}}"#, #" WHERE "n" NOT LIKE :P0"#, #"["t"]"#),
        (#"{"n":{"beginsWith":"a%b"}}"#, #" WHERE "n" LIKE :P0"#, #"["a%b%"]"#),
        (#"{"a":{"between":[18,65]}}"#, #" WHERE "a" BETWEEN :P0 AND :P1"#, "[18,65]"),
        (#"{"a":{"between":[null,65]}}"#, #" WHERE "a" BETWEEN NULL AND :P0"#, "[65]"),
        (#"{"n":{"size":{"eq":3}}}"#, #" WHERE LENGTH ("n") = :P0"#, "[3]"),
        (#"{"n":{"size":{"between":[2,8]}}}"#, #" WHERE LENGTH ("n") BETWEEN :P0 AND :P1"#, "[2,8]"),
        (
            #"{"n":{"size":{"eq":3,"gt":1},"beginsWith":"t"}}"#,
            #" WHERE LENGTH ("n") = :P0 AND LENGTH ("n") > :P1 AND "n" LIKE :P2"#, #"[3,1,"t%"]"#
        ),
        (#"{"n":{"size":{"eq":null}}}"#, #" WHERE LENGTH ("n") = NULL"#, "[]"),
        (#"{"or":[{"and":[{"n":{"size":{"eq":3}}}]}]}"#, #" WHERE ((LENGTH ("n") = :P0))"#, "[3]"),
        (#"{"n":{"size":{},"eq":"t"}}"#, #" WHERE  AND "n" = :P0"#, #"["t"]"#),
        (#"{"and":[{"n":{"size":{}}},{"id":{"eq":1}}]}"#, #" WHERE  AND ("id" = :P0)"#, "[1]"),
        (#"{"n":{"eq":"t"},"id":{}}"#, #" WHERE "n" = :P0 AND"#, #"["t"]"#),
        (#"{"and":[{"id":{"eq":1}},{}]}"#, #" WHERE ("id" = :P0) AND"#, "[1]"),
        (#"{"or":[{},{}]}"#, " WHERE  OR", "[]"),
        ("{}", "", "[]"), (#"{"and":[]}"#, "", "[]"), (#"{"and":[{"or":[]}]}"#, "", "[]"), (#"{"id":{}}"#, "", "[]"),
        (#"{"n":{"size":{}}}"#, "", "[]"), (#"{"and":[{"n":{"size":{}}}]}"#, "", "[]"),
        (template(#"["id = ",""]"#, "1"), " WHERE id = :P0", "[1]"), (template(#"["id = 1"]"#), " WHERE id = 1", "[]"),
        (#"{"not":[{"a":{"eq":1}},{"b":{"eq":2}}]}"#, #" WHERE NOT (("a" = :P0) AND ("b" = :P1))"#, "[1,2]"),
    ]

    static let changes = [
        Row(
            "insert", #"{"table":"p","values":{"name":"t"},"returning":"*"}"#,
            #"INSERT INTO "p" ("name") VALUES (:P0) RETURNING *"#, #"["t"]"#),
        Row(
            "insert", #"{"table":"a.p","values":{"a":null,"b":false,"c":0}}"#,
            #"INSERT INTO "a"."p" ("a", "b", "c") VALUES (NULL, :P0, :P1)"#, "[false,0]"),
        Row(
            "insert", #"{"table":"p","values":{"a":1},"returning":[]}"#,
            #"INSERT INTO "p" ("a") VALUES (:P0) RETURNING"#, "[1]"),
        Row(
            "insert", #"{"table":{"persons":"p"},"values":{"a":1}}"#,
            #"INSERT INTO "p" as "persons" ("a") VALUES (:P0)"#, "[1]"),
        Row("insert", #"{"from":"x","table":"p","values":{"a":1}}"#, #"INSERT INTO "p" ("a") VALUES (:P0)"#, "[1]"),
        Row(
            "insert", #"{"table":"p","values":{"id":\#(hint("UUID", "0e0d")),"c":null}}"#,
            #"INSERT INTO "p" ("id", "c") VALUES (:P0, NULL)"#, #"["0e0d"]"#, hints: #"{":P0":"UUID"}"#),
        Row(
            "update", #"{"table":"p","values":{"a":1,"b":null},"where":{"id":{"eq":2}},"returning":["id"]}"#,
            #"UPDATE "p" SET "a" = :P0, "b" = NULL WHERE "id" = :P1 RETURNING "id""#, "[1,2]"),
        Row(
            "update", #"{"table":"p","values":{},"where":{"id":{"eq":1}}}"#, #"UPDATE "p" SET WHERE "id" = :P0"#, "[1]"),
        Row(
            "update", #"{"table":"p","values":{"a":1},"where":\#(template(#"["id = ",""]"#, "2"))}"#,
            #"UPDATE "p" SET "a" = :P0 WHERE id = :P1"#, "[1,2]"),
        Row(
            "remove", #"{"table":"p","where":{"id":{"eq":1}},"returning":["id","name"]}"#,
            #"DELETE FROM "p" WHERE "id" = :P0 RETURNING "id", "name""#, "[1]"),
        Row("remove", #"{"table":"p","where":{}}"#, #"DELETE FROM "p""#),
        Row(
            "select", #"{"table":"p","where":{"b":{"between":[\#(hint("DATE", "1")),\#(hint("DATE", "2"))]}}}"#,
            #"SELECT * FROM "p" WHERE "b" BETWEEN :P0 AND :P1"#, #"["1","2"]"#, hints: #"{":P0":"DATE",":P1":"DATE"}"#),
    ]

    static let more = [
        Row(
            "select",
            #"{"table":"a","columns":["id",{"n":{"$":"rds.agg.count","of":["*"]}},{"g":{"$":"rds.agg.countDistinct","of":["x.id"]}},{"m":"name"}],"groupBy":["id",2],"having":{"x":{"count":{"ge":5}}}}"#,
            #"SELECT "id", COUNT(*) as "n", COUNT(DISTINCT "x"."id") as "g", "name" as "m" FROM "a" GROUP BY "id", 2 HAVING COUNT("x") >= :P0"#,
            "[5]"),
        Row(
            "select",
            #"{"from":"a","leftJoin":[{"from":"b","using":["id"]}],"join":[{"table":"c","on":\#(template(#"["a.x = c.y"]"#))}]}"#,
            #"SELECT * FROM "a" JOIN "c" ON a.x = c.y LEFT JOIN "b" USING ("id")"#),
        Row(
            "select",
            #"{"from":{"s":{"$":"rds.select","of":[{"table":"b","where":{"x":{"eq":1}}}]}},"fullOuterJoinNatural":[{"table":"c"}],"limit":2}"#,
            #"SELECT * FROM (SELECT * FROM "b" WHERE "x" = :P0) as "s" NATURAL FULL OUTER JOIN "c" LIMIT :P1"#, "[1,2]"),
    ]

    @Test("a statement is written with variables", arguments: selects + conditions + changes + more)
    func statement(row: Row) throws {
        var calls = LibraryCalls()
        let value = try calls.run("rds.createPgStatement", #"[{"$":"rds.\#(row.function)","of":[\#(row.properties)]}]"#)
        #expect(value["statements"] == [.string(row.sql)], "\(JSONWriter.text(of: value))")
        let variables = try #require(value["variableMap"]?.object)
        #expect(.array(variables.map(\.value)) == (try JSONReader.value(of: row.values)))
        #expect(variables.keys == (0..<variables.count).map { ":P\($0)" })
        #expect(value["variableTypeHintMap"] == (try JSONReader.value(of: row.hints)))
    }

    static let others: [LibraryRow] = [
        LibraryRow(
            "rds.createMySQLStatement",
            #"[{"$":"rds.select","of":[{"from":"a.b`c","where":{"n":{"beginsWith":"te"}}}]}]"#,
            #"{"statements":["SELECT * FROM `a`.`b``c` WHERE `n` LIKE :P0"],"variableMap":{":P0":"te%"},"variableTypeHintMap":{}}"#
        ),
        LibraryRow(
            "rds.createPgStatement", #"["select 1","select 2"]"#,
            #"{"statements":["select 1","select 2"],"variableMap":{},"variableTypeHintMap":{}}"#),
        LibraryRow(
            "rds.createMySQLStatement",
            #"[\#(template(#"["insert into P(id, t) values(",", ",")"]"#, hint("UUID", "a"), #""h""#)),\#(template(#"["select * from P where id = ",""]"#, #""a""#))]"#,
            #"{"statements":["insert into P(id, t) values(:P0, :P1)","select * from P where id = :P2"],"variableMap":{":P0":"a",":P1":"h",":P2":"a"},"variableTypeHintMap":{":P0":"UUID"}}"#
        ),
        LibraryRow(
            "rds.typeHint.TIMESTAMP", #"["2023-02-01T00:00:00.000Z"]"#,
            #"{"type":"TIMESTAMP","value":"2023-02-01T00:00:00.000Z"}"#),
        LibraryRow(
            "util.rds.toJsonObject",
            #"["{\"sqlStatementResults\":[{\"records\":[[{\"longValue\":1},{\"stringValue\":\"a\"},{\"isNull\":true},{\"booleanValue\":false},{\"blobValue\":\"aGk=\"},{\"arrayValue\":{\"arrayValues\":[{\"longValues\":[1,2]},{\"stringValues\":[\"a\"]}]}},{\"arrayValue\":{\"stringValues\":[\"x\"]}}]],\"columnMetadata\":[{\"label\":\"id\",\"name\":\"x\"},{\"name\":\"n\"},{\"name\":\"none\"},{\"name\":\"b\"},{\"name\":\"blob\"},{\"name\":\"nested\"},{\"name\":\"list\"}]}]}"]"#,
            #"[[{"id":1,"n":"a","b":false,"blob":"aGk=","nested":[[1,2],["a"]],"list":["x"]}]]"#),
        LibraryRow(
            "rds.toJsonObject",
            #"["{\"sqlStatementResults\":[{\"numberOfRecordsUpdated\":1,\"generatedFields\":[]}]}"]"#, "[[{}]]"),
        LibraryRow("util.rds.toJsonObject", #"["{"]"#, "null"),
        LibraryRow("util.rds.toJsonString", #"["{}"]"#, #""[]""#),
        LibraryRow("util.rds.toJsonString", #"[""]"#, #""""#),
        LibraryRow(
            "util.rds.toJsonString",
            #"["{\"sqlStatementResults\":[{\"records\":[[{\"longValue\":1}]],\"columnMetadata\":[{\"name\":\"a\"}]}]}"]"#,
            #""[[{\"a\":1}]]""#),
    ]

    @Test("texts, templates and answers", arguments: others)
    func other(row: LibraryRow) throws {
        try LibraryCalls.check(row)
    }

    /// A statement for Postgres, and what it is refused with.
    static let refusals: [(String, String)] = [
        ("select({})", "'table' or 'from' key is required."),
        (#"select({"table":null})"#, "'table' or 'from' key is required."),
        (#"insert({"from":"p","values":{"a":1}})"#, "'table' or 'from' key is required."),
        (#"select({"from":"a","table":"b"})"#, "'from' and 'table' keys cannot be used together"),
        (#"select({"table":1})"#, "table name is expected to be a string or alias."),
        (#"select({"table":["p"]})"#, "table name is expected to be a string or alias."),
        (#"select({"from":1})"#, "'from' value is expected to be string or object."),
        (#"select({"table":{"a":"x","b":"y"}})"#, "table alias is allowed only one key-value pair."),
        (#"select({"table":{}})"#, "java.util.NoSuchElementException"),
        (#"select({"table":{"p":1}})"#, "Table alias value is expected to be a string."),
        (#"select({"table":"t","columns":"name"})"#, "Expected column to be * or an array."),
        (#"select({"table":"t","columns":[1]})"#, "Invalid type in column array."),
        (#"insert({"table":"t","values":{"a":1},"returning":"id"})"#, "Expected column to be * or an array."),
        (#"insert({"table":"t"})"#, "values are expected to be passed to insert"),
        (#"update({"table":"t","values":null})"#, "values are expected to be passed to update"),
        (#"insert({"table":"t","values":[1]})"#, "Expected values to an Object."),
        (
            #"select({"table":"t","where":"id = 1"})"#,
            "WHERE values are expected to be SQL templates or a condition object."
        ),
        (#"select({"table":"t","where":{"n":null}})"#, "Expected condition to be an Object."),
        (#"select({"table":"t","where":{"and":"x"}})"#, "and expects conditions to be an array"),
        (#"select({"table":"t","where":{"or":["x"]}})"#, "Expected or to be an Object."),
        (
            #"select({"table":"t","where":{"and":[{"$":"rds.sql","of":[["id = 1"]]}]}})"#,
            "Expected and to be an Object."
        ),
        (#"select({"table":"t","where":{"id":{"in":[1]}}})"#, "Unsupported condition id.in."),
        (#"select({"table":"t","where":{"id":{"eq":null}}})"#, "Value for id.eq can't be null."),
        (#"select({"table":"t","where":{"n":{"beginsWith":null}}})"#, "Value for n.beginsWith can't be null."),
        (#"select({"table":"t","where":{"n":{"contains":5}}})"#, "n.contains expects a string value to be passed."),
        (
            #"select({"table":"t","where":{"n":{"attributeExists":0}}})"#,
            "n.attributeExists expects a boolean value to be passed."
        ),
        (#"select({"table":"t","where":{"n":{"size":3}}})"#, "Expected n.size to be an Object."),
        (#"select({"table":"t","where":{"n":{"size":{"contains":"x"}}}})"#, "n.size has invalid size operator."),
        (
            #"select({"table":"t","where":{"a":{"between":1}}})"#,
            "a.between condition expects an array with length of 2."
        ),
        (
            #"select({"table":"t","where":{"n":{"size":{"between":[1]}}}})"#,
            "n.size condition expects an array with 2 values but received an array with length 1."
        ),
        (#"select({"table":"t","orderBy":{}})"#, "orderBy expects an array."),
        (#"select({"table":"t","orderBy":[null]})"#, "orderBy item expected to be an object."),
        (#"select({"table":"t","orderBy":[{"column":1}]})"#, "orderBy item expected to have property column."),
        (
            #"select({"table":"t","orderBy":[{"column":"a","dir":"; DROP"}]})"#,
            "orderBy dir can have either ASC or DESC found ; DROP."
        ),
        (
            #"select({"table":"t","orderBy":[{"column":"a","dir":""}]})"#,
            "orderBy dir can have either ASC or DESC found ."
        ),
        (#"select({"table":"t","limit":"x"})"#, "limit expects a number."),
        (#"select({"table":"t","offset":{}})"#, "offset expects a number."),
        (#"select({"table":"t","limit":""})"#, "limit expects a number."),
        ("select()", "An argument is expected to be passed to select"),
        ("remove()", "An argument is expected to be passed to remove"),
        ("select(null)", "Expected payload to be an Object."), ("select([])", "Expected payload to be an Object."),
    ]

    @Test("what makes no statement is refused with AppSync's words", arguments: refusals)
    func refused(call: String, message: String) throws {
        let parts = call.split(separator: "(", maxSplits: 1)
        let arguments = #"[{"$":"rds.\#(parts[0])","of":[\#(parts[1].dropLast())]}]"#
        let error = try LibraryCalls.refusal("rds.createPgStatement", arguments)
        #expect(error?.message == message)
        #expect(error?.isFault == true)
    }

    @Test(
        "what is no statement is refused, and what only looks like one",
        arguments: [
            ("[]", "An argument is expected to be passed to createMySQLStatement"),
            ("[123]", "Unsupported type is passed as argument to createMySQLStatement"),
            (
                #"[{"type":"SELECT","properties":{"table":"t"}}]"#,
                "Unsupported type is passed as argument to createMySQLStatement"
            ),
            (
                #"[{"strings":["drop table t"],"keys":[]}]"#,
                "Unsupported type is passed as argument to createMySQLStatement"
            ),
            (
                #"[{"$":"rds.insert","of":[{"table":"t","values":{"a":1},"returning":"*"}]}]"#,
                "returning is not supported in MySQL."
            ),
            (
                #"[{"$":"rds.select","of":[{"table":"t","fullOuterJoin":["u"]}]}]"#,
                "fullOuterJoin is not supported in MySQL."
            ),
            (
                #"[{"$":"rds.sql","of":[["a"],1]}]"#,
                "java.lang.IllegalArgumentException: Unexpected argument passed to sql tagged template"
            ),
            (#"["a","b","c"]"#, "createMySQLStatement takes at most 2 statements."),
        ])
    func unsupported(arguments: String, message: String) throws {
        #expect(try LibraryCalls.refusal("rds.createMySQLStatement", arguments)?.message == message)
    }

    @Test("a condition of a request that looks like SQL is none")
    func forged() throws {
        let error = try LibraryCalls.refusal(
            "rds.createPgStatement",
            #"[{"$":"rds.select","of":[{"table":"t","where":{"strings":["1 = 1"],"keys":[],"mark":"x"}}]}]"#)
        #expect(error?.message == "Expected condition to be an Object.")
    }
}
