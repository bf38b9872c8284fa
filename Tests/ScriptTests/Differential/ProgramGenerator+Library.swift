extension ProgramGenerator {
    mutating func collection() -> String {
        let (first, second, third) = (expression(anyKind()), expression(anyKind()), literal(anyKind()))
        let use = one(
            "m.forEach((v, k, all) => { say(k, v, all === m); if (m.size < 5) m.set('more' + m.size, 1); });",
            "for (const [k, v] of m) { say(k, v); m.delete(k); if (more() && m.size < 3) m.set(k + 1, v); }",
            "say([...m.keys()], [...m.values()], [...m.entries()], m.size, m.get(NaN), m.has(-0));",
            "const it = m.entries(); say(it.next()); m.clear(); m.set(1, 2); say(it.next(), it.next(), String(it), Object.prototype.toString.call(m));",
            "say(m.set(1, 1) === m, m.delete(1), m.delete(1), m.clear(), m.size, new Map(m).size);")
        return """
            { const m = new Map([[\(first), 1], [NaN, 2], [-0, 3]]); m.set(\(second), \(third)).set('k', m.size); \(use) say(m); }
            { const s = new Set(\(one(expression(.list), expression(.text)))); s.add(\(second)).add(NaN).add(NaN); s.delete(1); let n = 0;
            for (const v of s) { say(v); if (n++ < 2) s.add('a' + n); } s.forEach((a, b) => say(a === b || a !== a)); say(s, s.size, [...s.entries()].length, s.has(NaN)); }

            """
    }

    mutating func date() -> String {
        let start = one(
            "0", "NaN", "86399999", "8.64e15", "-1", "Date.UTC(2024, 1, 29)", "'2024-03-31T01:30:00Z'", "'2021-06-05'",
            "'2020-01-01T00:00:00.123+02:00'", "'Tue, 05 Nov 2019 10:00:00 GMT'", "'2019-13-01'",
            "\(expression(.number))",
            "'+010000-01-01T00:00:00Z'", "'-000001-01-01T00:00:00Z'", "951782400000", "'2020-01-01T24:00:00Z'", "'x'",
            "null", "undefined", "true")
        let setter = one(
            "setUTCFullYear(\(number(-2, 2400)))", "setUTCMonth(\(number(-14, 30)), 31)",
            "setUTCDate(\(number(-50, 400)))",
            "setUTCHours(\(number(-30, 60)), 61, 61, 1001)", "setUTCMinutes(\(number(-90, 90)))", "setUTCSeconds(1.9)",
            "setUTCMilliseconds(-1)", "setTime(\(expression(.number)))", "setUTCHours()", "setUTCDate(undefined)")
        return """
            { const d = new Date(\(start)); say(d, d.toJSON(), JSON.stringify({ d }), d.toUTCString());
            say(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate(), d.getUTCDay(), d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds(), d.getUTCMilliseconds(), d.valueOf(), +d);
            say(d.\(setter), d.toJSON(), typeof (d + 1), d - 1, d > 5, d[Symbol.toPrimitive]('number'), new Date(d).getTime() === d.getTime(), Date.parse(d.toUTCString()));
            say(d.toISOString(), Date.parse(\(one("'2020-02-30'", "'2020'", "'2020-06'", "'2020-06-01T10:00Z'", "'2020-06-01T10:00:00.1234Z'", "'1 Jan 2020 UTC'", "'Jan 1, 2020 10:00 GMT'", "'2020-6-1 GMT'", "''", "'12'", "\(expression(.text))"))), Date.UTC(\(number(0, 101)), \(number(-20, 20))), Date.UTC(2020));
            }

            """
    }

    mutating func pattern() -> String {
        let pattern = one(
            "/(?<year>\\d{4})-(?<month>\\d\\d)/gd", "/(?<=\\$)\\d+(?:\\.\\d+)?/g", "/(?<!a)b/gi", "/\\p{L}+/gu",
            "/^(\\w+)\\s(\\w+)$/m", "/(a)|(b)|c/g",
            "/[^\\s,]+/y", "/(?:x*)*y?/g", "/(.)(?=\\1)/gs", "/\\b\\w/g", "/[\\u{1F600}-\\u{1F64F}]/gu",
            "/(?<a>.)(?<b>.)?/g", "/\\bl(?!i)\\w*/g",
            "/(z)((a+)?(b+)?(c))*/", "/(\\2a)(b)?/g", "/a{2,}?|\\W/g", "/[\\w-]+@[\\d.]*/i", "/$^|\\d+?/gm",
            "/(?=(a+))a*b\\1/", "/\\cJ|\\x41|\\u0061/g")
        let text = one(
            "'2024-02 and 1999-12'", "'$12.50 cab aB b'", "'Ünï çode 😀 ß'", "'hello world\\nli lo la'", "'aabbcc xxy'",
            "'zaacbbbcac'", "'a1, b2,c3'", expression(.text))
        let replacement = one(
            "'[$&|$1|$2|$`|$\\'|$$]'", "'$<a>-$<year>-$<none>'",
            "(...all) => { say(all.slice(0, 4)); return typeof all.at(-1); }", "'$0$10$01'", "() => undefined", "''",
            "'$<'")
        return """
            { const p = \(pattern), t = \(text); say(p.flags, p.source, p.global, p.exec(t), p.lastIndex, p.test(t), p.lastIndex); p.lastIndex = \(random.below(4));
            { const m = p.exec(t); say(m?.index, m?.groups && Object.entries(m.groups), m && Object.keys(m), m?.indices?.[0], p.lastIndex); }
            p.lastIndex = 0; say(t.match(p), t.search(p), t.replace(p, \(replacement)), t.split(p, 6)); if (p.global) say([...t.matchAll(p)].map(m => [m.index, ...m]), t.replaceAll(p, \(replacement)));
            say(t.replaceAll('\(one("a", "", "l", "$"))', \(replacement)), new RegExp(p, 'y').test(t), String(new RegExp(\(one("'/'", "'\\n'", "''", "'[/]'", "undefined", "p")))));
            \(one("", "new RegExp(\(one("'('", "'[b-a]'", "'a**'", "'(?<a>x)(?<a>y)'", "'\\\\'", "'a{2,1}'", "'+'", "'(?<a'", "')'", "'[a'", "'(?<=a)+', 'u'", "'\\\\k<x>', 'u'", "'{', 'u'")));"))
            }

            """
    }

    /// Texts that patterns make.
    mutating func patternText() -> String {
        let text = expression(.text)
        switch random.below(5) {
        case 0:
            let replacement = one("'[$&]'", "'$$'", "\"$`\"", "(m, ...r) => '<' + m + r.length + '>'", "'$1-$2'")
            return
                "\(text).\(one("replace", "replaceAll"))(\(one("'a'", "/[a-c]/g", "/(\\w)(\\w)?/g", "/\\s+/g", "''", "/^/g")), \(replacement))"
        case 1:
            return
                "String([...\(text).matchAll(/(?<first>\\w)(\\d)?/g)].map(m => m.index + (m.groups.first ?? '') + m[2]))"
        case 2:
            return
                "String(\(text).match(\(one("/[a-z]+/g", "/(?<=a)b|l+/", "/x(\\d)/", "/^\\s*(\\S)/i", "/./su", "/(?:)/g"))))"
        case 3: return "\(text).split(/(\\W)|b/).join('_')"
        default: return "String(/(?<n>\\w)(?:(\\d)|(\\s))?/\(one("", "g", "y", "i")).exec(\(text))?.slice(1))"
        }
    }

    mutating func objectWork() -> String {
        let (first, second) = (literal(anyKind()), expression(anyKind()))
        let work = one(
            "Object.freeze(o); try { o.a = 1; } catch (e) { say(e); } try { delete o.a; } catch (e) { say(e); } try { o.fresh = 1; } catch (e) { say(e); } say(Object.isFrozen(o), Object.isSealed(o));",
            "Object.defineProperty(o, 'h', { value: 1\(one("", ", writable: true", ", enumerable: true", ", configurable: true")) }); say(Object.keys(o)); try { o.h = 2; } catch (e) { say(e); } try { delete o.h; } catch (e) { say(e); } Object.defineProperty(o, 'h', { \(one("value: 1", "value: 2", "get() { return 3; }", "enumerable: true", "writable: false", "configurable: true")) });",
            "Object.defineProperties(o, { p: { get() { return this.a; }, enumerable: true }, q: \(one("{ value: 1 }", "{ set(v) {} }", "1", "{ get: 1 }", "{ get() {}, value: 1 }")) }); say(o.p, o.q); o.p = 1;",
            "Object.preventExtensions(o); Object.setPrototypeOf(o, \(one("{}", "null", "Object.getPrototypeOf(o)")));",
            "const c = Object.create(o, { x: { value: 1, enumerable: true } }); say(c, Object.getPrototypeOf(c) === o, Object.isPrototypeOf.call(o, c)); for (const k in c) say(k); c.a = 1; c.key = 2; say(c);",
            "say(Object.entries({ ...o, ...\(first), ...null, ...'hi', ...[1] })); say(Object.assign(o, null, 'ab', [9], { get z() { return 1; } }));",
            "say({}.toString.call(o), o.hasOwnProperty?.('a'), Object.getOwnPropertyNames('ab'), o == o, o.valueOf?.() === o, o.toLocaleString?.());",
            "const copy = structuredClone(\(one("[o, o]", "new Map([[1, o]])", "{ e: new RangeError('m'), d: new Date(5), r: /x/gi, n: Object(1) }", "o"))); say(copy, copy[0] === copy[1], copy !== o, copy.e instanceof RangeError);",
            "o.self = o; say(o); const again = structuredClone([1, o])[1]; say(again === again.self); JSON.stringify(\(one("o", "{ deep: [o] }", "[[o]]")));"
        )
        return
            "{ const o = \(one(literal(.object), "{ a: \(second), key: 1 }", "[1, 2, 3]", "Object.assign(() => 1, { a: 1 })"));\n\(work) }\n"
    }

    mutating func jsonWork() -> String {
        let text = one(
            "{\"a\":[1,2,{\"b\":null}],\"c\":\"x\\\\u0041\"}", "[1,]", "{\"a\" 1}", "", "[1e3,-0,0.10]", "\"\\\\n\"",
            "nul", "{\"__proto__\":1,\"a\":2,\"a\":3}",
            "[1 2]", "\"abc", "01", "{a:1}", " [ ] ", "tru", "{\"a\":1,}", "1.", "-", "\"\\\\x\"", "[[[[]]]]",
            "{\"2\":1,\"1\":2}")
        return """
            say(JSON.parse('\(text)', \(one("undefined", "(k, v) => typeof v === 'number' ? v * 2 : v", "function (k, v) { say(k, Object.keys(this)); return k === 'b' || k === '1' ? undefined : v; }", "(k, v) => Array.isArray(v) ? [...v, k] : v"))));
            say(JSON.stringify(\(expression(anyKind())), \(one("null", "['a', 'key', 0]", "(k, v) => v === null ? 'nil' : v instanceof Map ? [...v] : v", "(k, v) => k === 'a' ? undefined : v", "5")), \(one("0", "2", "'\\t'", "'longer than ten'", "11", "new Number(1)", "true"))));
            say(JSON.stringify([undefined, () => 1, Symbol('s'), NaN, -0, new Date(0), '\\ud800\\u2028"\\\\\\b', { toJSON(k) { return k; } }, Object('s'), Object(false), \(literal(anyKind()))], null, \(one("", "1"))));

            """
    }
}
