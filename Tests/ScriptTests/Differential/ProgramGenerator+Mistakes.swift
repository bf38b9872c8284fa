extension ProgramGenerator {
    /// What goes wrong in programs, and is printed as it is said.
    mutating func mistake() -> String {
        let (value, name) = (literal(anyKind()), property())
        let key = literal(either(.number, .text))
        let target = one(
            "o", "o.x", "o.f", "o.none", "o['a b']", "o[i]", "o.a.b", "(o)", "f()", "o.f()", "f", "i", "o.l[0]", "o?.a",
            "this", "(i, o)", "(i || o)",
            "(i + 1)", "[i]", "{}".asExpression, "{ a: 1, i }".asExpression, "new Object()", "`t`", "'s'", "5", "null",
            "undefined", "(() => 1)", "-i", "!o", "typeof o", "(i++)", "(o ? i : f)",
            "[1, o]", "/r/g", "class {}".asExpression, "(await_)", "o.f.call(o)", "o.f`t`", "(i = 5)", "(\(value))")
        let statement = one(
            "say(\(target)());", "say((\(target)).\(name)());", "say(new (\(target))());",
            "say((\(target)).\(name).deep);", "(\(target)).\(name).deep = 1;", "say([...(\(target))]);",
            "for (const x of \(target)) break;", "say((\(target))[\(value)]());",
            "const { \(name): { z } } = \(target);", "say((\(target)).\(name).call(1));",
            "say(f(...\(one("o", "i", "f", "{}", "5"))));",
            "new Set(\(one("o", "i", "f", "5")));", "Array.from(null);",
            "new Map(\(one("[i]", "i", "[['a', 1], 'b']")));", "Object.fromEntries(\(one("[i]", "i", "[null]")));",
            "say('\(name)' in \(target));", "say(o instanceof (\(target)));", "delete (\(target)).\(name);",
            "class X extends (\(target)) {} say(X.name);",
            "const { \(name) } = \(one("null", "undefined", "o.none", "o.a.none"));",
            "(({ \(name) }) => 1)(\(one("", "null")));", "(([x]) => 1)(\(one("", "null", "5", "{}", "o")));",
            "\(name)z;", "\(name)z = 1;", "const k = 1; k\(one("++", " = 2", " += 1", " ??= 1", " &&= 2"));",
            "null.\(name);", "undefined[\(key)];", "null[\(key)] = 1;", "o.none.\(name)();",
            "o.none.\(name) \(one("+= 1", "??= 1"));",
            "[1, 2].\(one("map", "forEach", "filter", "find", "findLast", "some", "every", "reduce", "flatMap", "sort", "toSorted"))(\(one("5", "null", "o", "'s'")));",
            "[].\(one("reduce", "reduceRight"))((a, b) => a);",
            "new Array(\(one("-1", "1.5")));", "[].length = \(one("-1", "1.5", "'x'"));",
            "'a'.repeat(\(one("-1", "Infinity")));",
            "(1).\(one("toFixed(101)", "toPrecision(0)", "toExponential(-1)", "toString(1)"));",
            "'a'.\(one("normalize('x')", "matchAll(/a/)", "replaceAll(/a/, '')", "startsWith(/a/)", "at(Symbol())", "localeCompare(Symbol())"));",
            "String.fromCodePoint(\(one("-1", "1.5", "'x'", "1114112")));",
            "decodeURIComponent('%\(one("", "z", "ff", "e4%b8"))');", "encodeURIComponent('\\ud800');",
            "\(one("Map", "Set", "Promise", "class_"))();",
            "new \(one("Symbol", "Math", "Math.max", "(() => 1)", "o.f", "JSON", "(async () => 1)", "(function* () {})", "parseInt"))();",
            "new Promise(\(one("", "5", "o")));",
            "\(one("Map.prototype.get", "Set.prototype.add", "Date.prototype.getTime", "Map.prototype.forEach", "RegExp.prototype.exec", "Promise.prototype.then", "Number.prototype.toFixed", "String.prototype.trim", "Array.prototype.map", "Symbol.prototype.toString", "Boolean.prototype.valueOf", "Function.prototype.toString", "Object.prototype.valueOf", "Error.prototype.toString", "Date.prototype.toISOString", "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get")).call(\(one("null", "{}", "1", "[]", "'s'")), 1);",
            "Object.\(one("create(5)", "defineProperty(5, 'a', {})", "defineProperty({}, 'a', 5)", "defineProperty({}, 'a', { get: 5 })", "setPrototypeOf({}, 5)", "setPrototypeOf(null, {})", "keys(null)", "assign(null)", "entries(undefined)", "fromEntries(null)", "freeze({ a: 1 }).a = 2", "freeze([1]).push(2)", "freeze({}).b = 1", "freeze([1, 2]).\(one("pop()", "shift()", "sort()", "reverse()", "splice(0, 1)", "fill(0)", "unshift(1)"))", "getOwnPropertyNames(null)", "seal({ a: 1 }).b = 1", "defineProperty(Object.freeze({}), 'q', { value: 1 })"));",
            "'abc'.\(one("length = 1", "foo = 1"));", "'abc'[\(one("0", "5"))] = 'x';",
            "(\(one("5", "true", "Symbol('q')"))).x = 1;",
            "say(\(one("Symbol() + 1", "`${Symbol('t')}`", "+Symbol()", "Object.create(null) + ''", "1 + { [Symbol.toPrimitive]() { return {}; } }", "String(Object.create(null))", "[Symbol()].join()", "Number({ valueOf() { return {}; }, toString() { return {}; } })")));",
            "structuredClone(\(one("() => 1", "Symbol('x')", "{ f() {} }", "class A {}", "[Promise.resolve()]")));",
            "const g = (function* () { g.next(); })(); g.next();", "(function* () {}).prototype.next.call({});",
            "throw \(one("null", "5", "{ a: 1 }", "new (class Own extends Error { get name() { return 'Own'; } })('m', { cause: o })", "Object.assign(new Error('x'), { name: 'N', extra: 1 })", "new AggregateError([new Error('in')], 'out')", "Error('plain')"));",
            "(function () { arguments.callee; })();", "f.caller;", "new Date(NaN).toISOString();", "[1].with(5, 1);",
            "f.apply(null, 5);", "Symbol.keyFor('a');", "new Date(Symbol());", "say(Math.max(Symbol()));")
        return
            "{ const o = { x: 1, f() { return 2; }, a: {}, l: [] }, f = () => 3, class_ = class Named {}, await_ = 4; let i = 1;\n\(statement) }\n"
    }
}

extension String {
    /// Not a block.
    fileprivate var asExpression: String { "(\(self))" }
}
