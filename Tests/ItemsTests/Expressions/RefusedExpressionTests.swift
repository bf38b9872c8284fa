import JSON
import Testing

@testable import Items

@Suite("Expressions that are refused")
struct RefusedExpressionTests {
    static func syntax(_ token: String, _ near: String) -> String {
        "Syntax error; token: \"\(token)\", near: \"\(near)\""
    }

    static func type(_ name: String, _ type: String) -> String {
        "Incorrect operand type for operator or function; operator or function: \(name), operand type: \(type)"
    }

    static func count(_ name: String, _ count: Int) -> String {
        "Incorrect number of operands for operator or function; operator or function: \(name), number of operands: \(count)"
    }

    static func reserved(_ word: String) -> String {
        "Attribute name is a reserved keyword; reserved keyword: \(word)"
    }

    static func misused(_ name: String) -> String {
        "The function is not allowed to be used this way in an expression; function: \(name)"
    }

    static func path(_ name: String) -> String {
        "Operator or function requires a document path; operator or function: \(name)"
    }

    static let redundant = "The expression has redundant parentheses;"

    static let conditions: [(String, String)] = [
        ("", "The expression can not be empty;"), (" ", syntax("<EOF>", " ")), ("n", syntax("<EOF>", "n")),
        ("n =", syntax("<EOF>", "=")), ("n = :one AND", syntax("<EOF>", "AND")),
        ("n = :one AND ", syntax("<EOF>", "AND ")),
        ("NOT", syntax("<EOF>", "NOT")), ("n :one", syntax(":one", "n :one")), ("n != :one", syntax("!", "n !=")),
        ("n == :one", syntax("=", "== :one")), ("(n = :one", syntax("<EOF>", ":one")), ("()", syntax(")", "()")),
        ("n = 'x'", syntax("'", "= 'x")), ("n LIKE :one", syntax("LIKE", "n LIKE :one")),
        ("n = :one,", syntax(",", ":one,")),
        ("n BETWEEN :one, :ten", syntax(",", ":one, :ten")), ("n NOT IN (:one)", syntax("NOT", "n NOT IN")),
        ("n IN :one", syntax(":one", "IN :one")), ("n IN ()", syntax(")", "()")), ("n IN (:one,)", syntax(")", ",)")),
        ("n + :one = :one", syntax("+", "n + :one")), ("n-1 = :one", syntax("-", "n-1")),
        (".n = :one", syntax(".", ".n")),
        ("n[ = :one", syntax("=", "[ = :one")), ("n[-1] = :one", syntax("-", "[-1")),
        ("n[a] = :one", syntax("a", "[a]")),
        ("n[01] = :one", syntax("1", "01]")), ("n = :", syntax(":", "= :")), ("_n = :one", syntax("_", "_n")),
        ("nü = :one", syntax("ü", "nü =")), ("n = :one || n = :ten", syntax("|", ":one ||")),
        ("between = :one", syntax("between", "between =")), ("set = :one", syntax("set", "set =")),
        ("(n) AND t = :t", syntax("AND", ") AND t")), ("(n = :one) = :t", syntax("=", ") = :t")),
        ("#s(n) = :one", syntax("(", "#s(n")), ("n = :one :ten", syntax(":ten", ":one :ten")),
        ("((n = :one))", redundant), ("((n)) = :one", redundant), ("n = ((:one))", redundant),
        ("NOT ((n = :one))", redundant), ("((attribute_exists(n)))", redundant), ("contains(s, ((:a)))", redundant),
        ("Size(n) > :one", "Invalid function name; function: Size"),
        ("list_append(l, :l) = :l", "The function is not allowed in a condition expression; function: list_append"),
        ("size(s)", misused("size")), ("attribute_exists(n) = :t", misused("attribute_exists")),
        ("contains(s, begins_with(s, :a))", misused("begins_with")), ("name = :one", reserved("name")),
        ("l[0].Date = :one", reserved("Date")),
        (
            "#undefined = :one",
            "An expression attribute name used in the document path is not defined; attribute name: #undefined"
        ),
        (
            "contains(s, :undefined)",
            "An expression attribute value used in expression is not defined; attribute value: :undefined"
        ),
        ("contains(s)", count("contains", 1)), ("attribute_exists(n, s)", count("attribute_exists", 2)),
        ("size(s, n) > :one", count("size", 2)), ("attribute_exists(:one)", path("attribute_exists")),
        ("attribute_not_exists(size(s))", path("attribute_not_exists")), ("size(:one) > :one", type("size", "N")),
        ("begins_with(s, :one)", type("begins_with", "N")), ("begins_with(size(s), :a)", type("begins_with", "N")),
        ("n < :nul", type("<", "NULL")), ("n >= :l", type(">=", "L")), ("n BETWEEN :t AND :t", type("BETWEEN", "BOOL")),
        ("attribute_type(s, :ss)", type("attribute_type", "SS")),
        (
            "attribute_type(s, :X)",
            "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"
        ),
        (
            "m.k = m.k",
            "The first operand must be distinct from the remaining operands for this operator or function; "
                + "operator: =, first operand: [m, k]"
        ),
        (
            "n BETWEEN :ten AND :one",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                + "lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:1}"
        ),
        (
            "n BETWEEN :one AND :s",
            "The BETWEEN operator requires same data type for lower and upper bounds; "
                + "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:hello}"
        ),
        ("l[99999999999] = :one", "List index is not within the allowable range; index: [99999999999]"),
        // One mistake is told: the kind that is looked for first.
        ("name = :undefined AND foo(s)", "Invalid function name; function: foo"),
        ("contains(s) AND name = :one", reserved("name")), ("contains(s) AND n = :undefined", count("contains", 1)),
    ]

    @Test("conditions", arguments: conditions)
    func condition(_ text: String, _ message: String) {
        for kind in [ExpressionKind.condition, .filter] {
            let error = #expect(throws: ItemError.self) { try ExpressionSample.condition(text, kind) }
            #expect(error?.type == "ValidationException")
            #expect(error?.message == "Invalid \(kind.parameter): \(message)")
        }
    }

    static func clash(_ word: String, _ one: String, _ other: String) -> String {
        "Two document paths \(word) with each other; must remove or rewrite one of these paths; "
            + "path one: \(one), path two: \(other)"
    }

    static func setType(_ name: String, _ type: String) -> String {
        "Incorrect operand type for operator or function; operator: \(name), operand type: \(type), "
            + "typeSet: ALLOWED_FOR_\(name)_OPERAND"
    }

    static let updates: [(String, String)] = [
        ("", "The expression can not be empty;"), ("SET", syntax("<EOF>", "SET")), ("SET n", syntax("<EOF>", "n")),
        ("n = :one", syntax("n", "n =")), ("PUT n = :one", syntax("PUT", "PUT n")),
        ("SET n = :one, ", syntax("<EOF>", ", ")),
        ("SET n = :one + ", syntax("<EOF>", "+ ")), ("SET n = n + n + :one", syntax("+", "n + :one")),
        ("SET n = :one -- x", syntax("-", "-- x")), ("SET (n) = :one", syntax("(", "SET (n")),
        ("ADD ss ss", syntax("ss", "ss ss")), ("REMOVE s = :s", syntax("=", "s = :s")),
        ("SET n = 1", syntax("1", "= 1")),
        ("SET n = (n + :one", syntax("<EOF>", ":one")), ("SET n = ((n + :one))", redundant),
        ("SET n = ((n))", redundant), ("SET n = foo(n, :one)", "Invalid function name; function: foo"),
        ("SET n = size(s)", "The function is not allowed in an update expression; function: size"),
        ("SET n = if_not_exists(n)", count("if_not_exists", 1)),
        ("SET l = list_append(l, :l, :l)", count("list_append", 3)),
        ("SET n = if_not_exists(:one, :one)", path("if_not_exists")), ("SET n = n + :s", type("+", "S")),
        ("SET n = n - :nul", type("-", "NULL")), ("SET l = list_append(:s, l)", type("list_append", "S")),
        ("SET name = :one", reserved("name")), ("ADD s :s", setType("ADD", "STRING")),
        ("ADD l :l", setType("ADD", "LIST")),
        ("DELETE n :one", setType("DELETE", "NUMBER")), ("DELETE m :m", setType("DELETE", "MAP")),
        ("SET n = :one SET s = :s", "The \"SET\" section can only be used once in an update expression;"),
        ("SET n = :one, n = :ten", clash("overlap", "[n]", "[n]")),
        ("ADD n :one REMOVE m.k, m", clash("overlap", "[m, k]", "[m]")),
        ("SET l[0] = :a REMOVE l[0]", clash("overlap", "[l, [0]]", "[l, [0]]")),
        ("SET l[0].a = :a, l[0][1] = :a", clash("conflict", "[l, [0], a]", "[l, [0], [1]]")),
        (
            "SET n = :undefined",
            "An expression attribute value used in expression is not defined; attribute value: :undefined"
        ),
    ]

    @Test("updates", arguments: updates)
    func update(_ text: String, _ message: String) {
        let error = #expect(throws: ItemError.self) { try ExpressionSample.update(text) }
        #expect(error?.message == "Invalid UpdateExpression: \(message)")
    }

    static let projections: [(String, String)] = [
        ("", "The expression can not be empty;"), (" ", syntax("<EOF>", " ")), (":s", syntax(":s", ":s")),
        ("*", syntax("*", "*")), ("s,", syntax("<EOF>", ",")), ("s n", syntax("n", "s n")), ("name", reserved("name")),
        ("m, m.k", clash("overlap", "[m]", "[m, k]")), ("l, s, l[0]", clash("overlap", "[l]", "[l, [0]]")),
        ("#x", "An expression attribute name used in the document path is not defined; attribute name: #x"),
    ]

    @Test("projections", arguments: projections)
    func projection(_ text: String, _ message: String) throws {
        var substitutions = try ExpressionSample.substitutions()
        let error = #expect(throws: ItemError.self) { try substitutions.projection(text) }
        #expect(error?.message == "Invalid ProjectionExpression: \(message)")
    }

    static let substitutions: [(String, String, String)] = [
        ("{}", "null", "ExpressionAttributeNames must not be empty"),
        ("null", "{}", "ExpressionAttributeValues must not be empty"),
        (#"{"n":"a"}"#, "null", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"n\""),
        (##"{"#n-x":"a"}"##, "null", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#n-x\""),
        (##"{"#":"a"}"##, "null", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""),
        ("null", #"{"b":{"S":""}}"#, "ExpressionAttributeValues contains invalid key: Syntax error; key: \"b\""),
        (
            "null", #"{":p":{"N":"x"}}"#,
            "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :p"
        ),
        (
            ##"{"#q":"a","#r":"b"}"##, "null",
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#q, #r}"
        ),
        ("null", #"{":q":{"S":""}}"#, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:q}"),
    ]

    @Test("names and values", arguments: substitutions)
    func substitution(_ names: String, _ values: String, _ message: String) throws {
        let (names, values) = (try JSONReader.value(of: names), try JSONReader.value(of: values))
        let error = #expect(throws: ItemError.self) {
            var substitutions = try Substitutions(names: names, values: values)
            _ = try substitutions.projection("a")
            try substitutions.checkUsed()
        }
        #expect(error?.message == message)
    }

    @Test("each limit is met, and not passed")
    func limits() throws {
        func refusal(_ text: String) -> String? {
            do {
                _ = try ExpressionSample.condition(text)
                return nil
            } catch { return (error as? ItemError)?.message }
        }
        let start = "Invalid ConditionExpression: "
        let operators = (0..<151).map { _ in "n=:one" }
        #expect(refusal(operators.dropLast().joined(separator: " OR ")) == nil)
        #expect(
            refusal(operators.joined(separator: " OR "))
                == start + "The expression contains too many operators; operator count: 301")
        let blanks = ExpressionLimits.bytesMax - 6
        #expect(refusal("n=:one" + String(repeating: " ", count: blanks)) == nil)
        #expect(
            refusal("n=:one" + String(repeating: " ", count: blanks + 1))
                == start + "Expression size has exceeded the maximum allowed size; expression size: 4097")
        func long(_ parts: Int) -> String { Array(repeating: "v", count: parts).joined(separator: ".") + " = :one" }
        #expect(refusal(long(ExpressionLimits.pathPartsMax)) == nil)
        #expect(refusal(long(33)) == start + "The document path has too many nesting levels; nesting levels: 33")
        func among(_ count: Int) -> String {
            "n IN (" + Array(repeating: ":one", count: count).joined(separator: ",") + ")"
        }
        #expect(refusal(among(ExpressionLimits.operandsMax)) == nil)
        #expect(refusal(among(101))?.hasSuffix("too many operands; number of operands: 101") == true)
        #expect(refusal("l[2147483647] = :one") == nil)
        #expect(refusal("l[2147483648] = :one")?.hasSuffix("allowable range; index: [2147483648]") == true)
        func denied(_ times: Int) -> String { String(repeating: "NOT ", count: times) + "n = :one" }
        #expect(refusal(denied(ExpressionLimits.nestingMax - 2)) == nil)
        #expect(refusal(denied(ExpressionLimits.nestingMax + 1))?.contains("too many nesting levels") == true)
        func name(_ bytes: Int) throws {
            let key = "#" + String(repeating: "k", count: bytes - 1)
            _ = try Substitutions(names: .object(JSONObject([(key, .string("a"))])), values: nil)
        }
        #expect(throws: Never.self) { try name(ExpressionLimits.substitutionBytesMax) }
        #expect(throws: ItemError.self) { try name(ExpressionLimits.substitutionBytesMax + 1) }
        func attribute(_ bytes: Int) throws {
            _ = try Substitutions(names: ["#a": .string(String(repeating: "k", count: bytes))], values: nil)
        }
        #expect(throws: Never.self) { try attribute(ItemLimits.nameBytesMax) }
        #expect(throws: ItemError.self) { try attribute(ItemLimits.nameBytesMax + 1) }
    }

    @Test("reserved words are those of any case, and no others")
    func reservedWords() {
        for word in ["name", "NAME", "Status", "zone", "abort", "date", "data", "order"] {
            #expect(ReservedWords.contains(word))
        }
        for word in ["names_", "id", "title", "size", "naïve", "", "customer"] {
            #expect(!ReservedWords.contains(word))
        }
    }
}
