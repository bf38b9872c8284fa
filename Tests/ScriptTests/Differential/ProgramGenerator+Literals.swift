extension ProgramGenerator {
    mutating func literal(_ kind: Kind) -> String {
        switch kind {
        case .number:
            one(
                "0", "1", "2", "-1", "7", "10", "255", "3.5", "-0", "0.1", "1e21", "1e-7", "4294967295", "2147483648",
                "9007199254740991", "NaN", "Infinity", "-Infinity", "0x1f", "1_000", "123456.789", "5e-324", "0b101",
                "1.005", "0.000001", "123e-20", "-2147483649", "1.7976931348623157e308", "25", "0.5", "-1.5")
        case .text:
            one(
                "''", "'a'", "'abc'", "'Hello World'", "'10'", "' 12 '", "'0x1F'", "'ß'", "'é'", "'😀x'", "'a,b,,c'",
                "'x1'", "'line\\nbreak'", "'tab\\t'", "\"q'uote\"", "'null'", "'İ'", "'-0'", "'1e3'", "'Ünïcode'",
                "'\\ud83d'", "'a\\u0301'", "'\\u{1F600}\\u200d'", "'ΑΣ'", "'aaa'", "`t`", "'1_0'", "'Infinity'",
                "'  \\u00a0\\ufeff'", "'2024-02-29'", "'{\"a\":[1]}'", "'a-b_c d'", "'$&$1'", "'\\0'")
        case .boolean: one("true", "false", "null", "undefined")
        case .list:
            one(
                "[]", "[1, 2, 3]", "['b', 'a', 'c']", "[3, 1, 10, 2]", "[1, , 3]", "[[1, 2], [3, [4]]]",
                "[null, undefined, NaN]", "['a', 1, true]", "[0, -0, 'x']", "[{a: 1}, {a: 0}]", "[,]",
                "[undefined, , 5, 1]",
                "[true, false]", "['10', 9, '8']", "[['a', 1], ['b', 2]]", "[...'héllo']", "[[[]], []]")
        case .object:
            one(
                "{}", "{a: 1}", "{b: 'x', a: 2}", "{2: 'two', 1: 'one', z: 0}", "{a: {b: {c: 1}}}",
                "{length: 2, 0: 'p', 1: 'q'}", "{get a() { return 5; }}", "{a: [1, 2], key: null}",
                "{['x' + 1]: 1, 'b c': 2}", "{valueOf() { return 42; }}", "{toString() { return 'T'; }}",
                "{toJSON() { return 'json'; }, a: 1}", "{a: undefined, b: NaN, c: -0}",
                "{'-1': 1, '01': 2, 4294967295: 3}",
                "{__proto__: {a: 7}, b: 1}", "{['__proto__']: 1, x1: 2}", "{a() {}, b: () => 1}")
        case .other:
            one(
                "new Map([['a', 1], [NaN, 2]])", "new Set([1, 'a', NaN, -0])", "new Date(0)", "new Date(NaN)",
                "new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 5))", "/a(b)?/g", "/x/", "Symbol('s')", "Symbol.iterator",
                "(() => 1)", "(function named(a, b) {})", "(class K { m() {} })", "new Error('e')",
                "new TypeError('t', {cause: 'c'})", "Promise.resolve(1)", "Object.create(null)", "new String('obj')",
                "new Number(7)", "new Boolean(false)", "new AggregateError([1, 'x'], 'agg')",
                "new (class Q { a = 1; })",
                "[1, 2].values()", "new RangeError", "Object.freeze([1, 2])", "(async () => 1)")
        }
    }
}
