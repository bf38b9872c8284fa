import JSON
import Testing

@testable import JSONata

/// Expressions through the room's front door.
@Suite struct ExpressionTests {
    private static let surroundings = JSONataSurroundings(
        milliseconds: 1_780_000_000_123, fraction: { 0.25 }, makeID: { "id" })

    static func run(
        _ text: String, _ input: String = "null", _ budget: JSONataBudget = JSONataBudget()
    ) -> String {
        do throws(JSONataError) {
            let expression = try JSONataExpression(text)
            var budget = budget
            let value: JSONValue
            do throws(JSONError) { value = try JSONReader.value(of: input) } catch { return "no JSON" }
            let variables = JSONataVariables([("v", ["a": 1, "b": [1, 2]])])
            return try expression.value(of: value, variables, in: surroundings, &budget).map { JSONWriter.text(of: $0) }
                ?? "nothing"
        } catch {
            return error.code
        }
    }

    private static let orders = #"""
        {"shop": "s", "orders": [{"id": "o1", "lines": [{"name": "hat", "price": 10, "count": 2}, {"name": "cap", "price": 5, "count": 1}]},
        {"id": "o2", "lines": [{"name": "hat", "price": 12.5, "count": 4}]}], "tags": ["x", ["y", "z"]], "one": [7]}
        """#

    @Test(
        "paths, predicates, order, groups and parents",
        arguments: [
            ("shop", #""s""#), ("none", "nothing"), ("orders.id", #"["o1","o2"]"#), ("orders[0].id", #""o1""#),
            ("orders[-1].id", #""o2""#), ("orders.lines.name", #"["hat","cap","hat"]"#),
            ("orders.lines[0].name", #"["hat","hat"]"#),
            ("(orders.lines)[0].name", #""hat""#), ("orders.lines[price > 9 and count < 3].name", #""hat""#),
            ("orders.lines[price > 9 and count < 3].name[]", #"["hat"]"#), ("one", "[7]"), ("one[0]", "7"),
            ("tags", #"["x",["y","z"]]"#),
            ("$sum(orders.lines.(price * count))", "75"), ("orders.lines^(>price).price", "[12.5,10,5]"),
            ("orders.lines^(name, >price).price", "[5,12.5,10]"),
            ("orders.lines{name: $sum(count)}", #"{"hat":6,"cap":1}"#),
            ("orders.lines.(%.id & name)", #"["o1hat","o1cap","o2hat"]"#),
            ("orders@$o.$o.lines.($o.id & '/' & name)", #"["o1/hat","o1/cap","o2/hat"]"#),
            ("orders#$i.lines.{'i': $i, 'n': name}", #"[{"i":0,"n":"hat"},{"i":0,"n":"cap"},{"i":1,"n":"hat"}]"#),
            ("**.price", "[10,5,12.5]"), ("$v.b[1]", "2"),
            ("orders[id = 'o2'].lines ~> $map(function($l) {$l.price})", "12.5"),
            (
                "$ ~> |orders.lines|{'total': price * count}, ['price', 'count']| ~> $lookup('orders')",
                #"[{"id":"o1","lines":[{"name":"hat","total":20},{"name":"cap","total":5}]},{"id":"o2","lines":[{"name":"hat","total":50}]}]"#
            ),
        ] as [(String, String)])
    func paths(_ text: String, _ result: String) {
        let found = Self.run(text, Self.orders)
        #expect(found == result)
    }

    @Test(
        "operators, functions of one's own, and the library",
        arguments: [
            ("1 + 2 * 3 - 4 / 2 % 3", "5"), ("-(2)", "-2"), ("'a' & 1 & true & null", #""a1truenull""#),
            ("0.1 + 0.2 & ''", #""0.3""#),
            ("[1..3]", "[1,2,3]"), ("2 in [1, 2]", "true"), ("1 = '1'", "false"), ("[1, 2] = [1, 2]", "true"),
            ("'b' > 'a'", "true"),
            ("null ?: 3", "3"), ("$none ?? 4", "4"), ("false ? 1", "nothing"), ("1e21 & ''", #""1e+21""#),
            ("($f := function($n) {$n < 2 ? 1 : $n * $f($n - 1)}; $f(10))", "3628800"),
            ("($f := function($n, $a) {$n = 0 ? $a : $f($n - 1, $a + $n)}; $f(10000, 0))", "50005000"),
            ("($add := function($a, $b) {$a + $b}; $one := $add(?, 1); $map([1, 2], $one))", "[2,3]"),
            ("($up := $uppercase ~> $trim; ' a ' ~> $up)", #""A""#),
            ("$map([1, 2], function($v, $i) {$v * $i})", "[0,2]"),
            ("$filter([1..5], function($v) {$v > 3})", "[4,5]"), ("$reduce([1..4], function($a, $b) {$a + $b})", "10"),
            ("$sort(['b', 'a'])", #"["a","b"]"#), ("$sort([1, 3, 2], function($a, $b) {$a < $b})", "[3,2,1]"),
            ("$match('abab', /a(b)/).groups", #"["b","b"]"#),
            ("$replace('John Smith', /(\\w+) (\\w+)/, '$2, $1')", #""Smith, John""#),
            ("$split('a, b;c', /[,;] */)", #"["a","b","c"]"#), ("$contains('abc', /B/i)", "true"),
            ("$substring('hello', -3, 2)", #""ll""#),
            ("$pad('x', -3, '#')", "\"##x\""), ("$formatNumber(12345.6, '#,###.00')", #""12,345.60""#),
            ("$formatBase(255, 16)", #""ff""#),
            ("$formatInteger(1999, 'I')", #""MCMXCIX""#), ("$formatInteger(21, 'w')", #""twenty-one""#),
            ("$parseInteger('twelve', 'w')", "12"),
            ("$round(2.5)", "2"), ("$round(123.456, 2)", "123.46"), ("$number('0x1F')", "31"),
            ("$toMillis('2026-01-01T00:00:00.000Z')", "1767225600000"),
            ("$fromMillis(1767225600000, '[D1o] [MNn] [Y]')", #""1st January 2026""#),
            ("$now()", #""2026-05-28T20:26:40.123Z""#),
            ("$keys({'a': 1, 'b': 2})", #"["a","b"]"#), ("$merge([{'a': 1}, {'b': 2}])", #"{"a":1,"b":2}"#),
            ("$spread({'a': 1, 'b': 2})", #"[{"a":1},{"b":2}]"#),
            ("$each({'a': 1}, function($v, $k) {$k & $v})", #""a1""#),
            ("$sift({'a': 1, 'b': 2}, function($v) {$v > 1})", #"{"b":2}"#),
            ("$zip([1, 2], ['a', 'b'])", #"[[1,"a"],[2,"b"]]"#), ("$distinct([1, 1, 2])", "[1,2]"),
            ("$string({'a': [1, 2]})", #""{\"a\":[1,2]}""#),
            ("$base64decode($base64encode('grün'))", #""grün""#), ("$encodeUrlComponent('a b')", #""a%20b""#),
            ("$type(function() {1})", #""function""#),
            ("$partition([1..5], 2)", "[[1,2],[3,4],[5]]"), ("$range(1, 9, 4)", "[1,5,9]"),
            ("$range(1, 9, 9)", "1"),
            ("$hash('a', 'MD5')", #""0cc175b9c0f1b6a831c399e269772661""#),
            ("$random() < 1", "true"), ("$random(7) = $random(7)", "true"), ("$uuid()", #""id""#),
            ("$parse('{\"a\": [1]}').a", "[1]"),
        ] as [(String, String)])
    func library(_ text: String, _ result: String) { #expect(Self.run(text) == result) }

    @Test(
        "errors have the codes of the reference",
        arguments: [
            ("1 +", "S0207"), ("(1", "S0203"), ("1 2", "S0201"), ("'a", "S0101"), ("/a", "S0302"), ("a.1", "S0213"),
            ("%", "S0217"),
            ("1 + 'a'", "T2002"), ("'a' + 1", "T2001"), ("1 < true", "T2010"), ("$sum('a')", "T0412"),
            ("$length(1)", "T0410"),
            ("sum([1])", "T1005"), ("$none()", "T1006"),
            ("$error('x')", "D3137"), ("$eval('1')", "T1006"), ("{'a': 1, 'a': 2}", "D1009"), ("1 / 0 + 1", "D1001"),
            ("function() {1}", "D3151"),
            ("$parse('{')", "D3150"), ("[1..10000001]", "D2014"),
        ] as [(String, String)])
    func errors(_ text: String, _ code: String) { #expect(Self.run(text) == code) }

    /// Ways to make much of little.
    @Test(
        "no expression is long, deep or large",
        arguments: [
            "($f := function() {$f()}; $f())", "($f := function() {1 + $f()}; $f())", "[1..9999999].([1..9999999])",
            "$reduce([1..1000], function($a, $b) {[[$a]]}, 1)",
            "$reduce([1..100], function($a, $b) {$a & $a}, 'aaaaaaaaaa')",
            "$reduce([1..100], function($a, $b) {$append($a, $a)}, [1, 2])", "$pad('', 1000000000)",
            "$map([1..1000000], function($i) {$pad('', 1000)})",
            "$replace($pad('', 1000000, 'a'), 'a', $pad('', 1000000, 'b'))",
            "$match($pad('', 100000, 'a') & 'b', /(a+)+c/)",
            "$reduce([1..30], function($a, $i) {{'x': $a, 'y': $a}}, 1)",
            "$join($map([1..1000], function() {$pad('', 100000)}))",
            "$reduce([1..500], function($o, $i) {$o ~> |$|{'a': $}|}, {})",
        ])
    func bounds(_ text: String) {
        // A small part of the usual budget: each expression meets the same bound sooner.
        let result = Self.run(
            text, "null", JSONataBudget(steps: JSONataLimits.stepsMax / 25, bytes: JSONataLimits.bytesMax / 25))
        #expect(["D1011", "D1012", "D2014"].contains(result), "\(text): \(result.utf8.prefix(100).count)")
    }

    @Test("an evaluation has the budget of the limits when it is given none")
    func budget() {
        let budget = JSONataBudget()
        #expect(budget.steps == JSONataLimits.stepsMax && budget.bytes == JSONataLimits.bytesMax)
        #expect(budget.stackBytes == JSONataLimits.stackBytesMax)
    }

    @Test("no text is too deep to be read")
    func nesting() {
        let count = 100_000
        for (open, close) in [
            ("(", ")"), ("[", "]"), ("-", ""), ("a[", "]"), ("{'a':", "}"), ("function(){", "}"), ("a ? ", ""),
        ] {
            let text = String(repeating: open, count: count / 10) + "1" + String(repeating: close, count: count / 10)
            #expect(Self.run(text) == "S0500", "\(open)")
        }
        #expect(Self.run(String(repeating: "1+", count: 10_000) + "1") == "S0500")
        #expect(Self.run(String(repeating: "a.", count: 80) + "a") == "nothing")
        #expect(Self.run(String(repeating: " ", count: JSONataLimits.textBytesMax + 1)) == "S0500")
    }

    @Test("functions and the variables around them are let go of")
    func leaks() throws {
        weak var frame: VariableFrame?
        let expression = try JSONataExpression("($f := function($n) {$n = 0 ? 0 : $f($n - 1)}; $f(3))")
        _ = expression
        do {
            let evaluation = JSONataEvaluation(Self.surroundings, JSONataBudget())
            let outer = VariableFrame(in: nil)
            frame = outer
            let lambda = try Parser.tree(of: "$f := function() {$f}")
            _ = try evaluation.evaluate(lambda, .missing, outer)
            evaluation.end()
        }
        #expect(frame == nil)
    }
}
