import Testing

@testable import Script

/// The classes of the library that stand on texts, numbers, times and patterns, through programs.
struct TextLibraryTests {
    /// A host that keeps what a program prints.
    private final class Listener: ScriptHost {
        var lines: [String] = []

        func console(_ level: String, _ line: String) { lines.append(line) }
        func now() -> Double { 1795371163045.9 }
        func random() -> Double { 0.25 }

        func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
            throw ScriptHostError("no modules")
        }

        func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
            throw ScriptHostError("no modules")
        }

        func meta(_ address: String) -> [(name: String, value: String)] { [] }
    }

    /// What an expression gives as a text, or the error that it throws.
    private static func value(of expression: String, _ limits: ScriptLimits = ScriptLimits()) throws -> String {
        let source = """
            try { console.log(String(\(expression))) } catch (error) { console.log(error.name + ': ' + error.message) }
            """
        let host = Listener()
        let realm = Realm(host: host, limits: limits)
        try realm.run(try Script.compile(source, file: "test.js", SyntaxOptions(goal: .script)))
        return host.lines.joined(separator: "\n")
    }

    @Test(
        "texts have every method of the language",
        arguments: [
            ("'abc'.at(-1)", "c"), ("'a😀'.codePointAt(1)", "128512"), ("'abcdef'.slice(-3, -1)", "de"),
            ("'abcdef'.substring(4, 1)", "bcd"), ("'abc'.substr(-2, 1)", "b"),
            ("'a-b-c'.split('-', 2)", "a,b"), ("'a1b2'.split(/(\\d)/)", "a,1,b,2,"), ("''.split('').length", "0"),
            ("'aXbX'.replace('X', '[$&$`$\\']')", "a[XabX]bX"),
            ("'aXbX'.replaceAll('X', (m, p, s) => m + p + s)", "aX1aXbXbX3aXbX"), ("'x'.replaceAll('', '-')", "-x-"),
            ("'abc'.replace(/(?<q>b)/, '<$<q>$1$2$$>')", "a<bb$2$>c"),
            (
                "'abc'.replaceAll(/b/, 'x')",
                "TypeError: String.prototype.replaceAll called with a non-global RegExp argument"
            ), ("[...'a1b2'.matchAll(/[a-z](\\d)/g)].map(m => m[1] + m.index)", "10,22"),
            ("'abcb'.match(/b/g)", "b,b"), ("'abc'.match(/x/)", "null"), ("'abc'.search(/c/)", "2"),
            ("'abc'.padStart(6, '12')", "121abc"), ("'ab'.repeat(-1)", "RangeError: Invalid count value: -1"),
            ("'ab'.repeat(2 ** 40)", "RangeError: Invalid string length"), ("' \\u3000a\\n'.trim()", "a"),
            ("'ΑΣ'.toLowerCase()", "ας"),
            ("'a'.normalize('x')", "RangeError: The normalization form should be one of NFC, NFD, NFKC, NFKD."),
            (
                "'abc'.startsWith(/a/)",
                "TypeError: First argument to String.prototype.startsWith must not be a regular expression"
            ), ("'abcabc'.lastIndexOf('abc', 2)", "0"), ("String.fromCodePoint(128512, 97)", "😀a"),
            ("String.raw`a\\n${1}b`", "a\\n1b"), ("[...'a😀b'].length", "3"),
            ("'x'.anchor('\"')", "<a name=\"&quot;\">x</a>"), ("String(Symbol('q'))", "Symbol(q)"),
            ("Object.keys(new String('ab'))", "0,1"),
            ("String.prototype.trim.call(null)", "TypeError: String.prototype.trim called on null or undefined"),
            ("['a😀', 'a\\uD83D', '\\uDE00\\uD83D', ''].map((t) => t.isWellFormed())", "true,false,false,true"),
            ("'\\uDE00a😀\\uD83D'.toWellFormed() === '\\uFFFDa😀\\uFFFD'", "true"), ("'a'.toWellFormed()", "a"),
            ("'b'.localeCompare('a')", "1"), ("String.prototype.trimLeft === String.prototype.trimStart", "true"),
            ("(Object.defineProperty(Number.prototype, Symbol.split, { value: () => 'no' }), 'a1b'.split(1))", "a,b"),
            ("'replace' + 'x'.replace.length + 'x'.replace.name", "replace2replace"),
        ])
    func texts(_ expression: String, _ text: String) throws {
        #expect(try Self.value(of: expression) == text, "\(expression)")
    }

    @Test(
        "regular expressions are objects of the language",
        arguments: [
            ("/(?<y>\\d{4})-(?<m>\\d\\d)/d.exec('on 2020-12').indices.groups.m", "8,10"),
            ("(r => [r.test('ba'), r.lastIndex, r.test('ba'), r.lastIndex])(/a/g)", "true,2,false,0"),
            ("new RegExp('/\\n')", "/\\/\\n/"),
            ("new RegExp('').source", "(?:)"), ("/a/ysmigud.flags", "dgimsuy"), ("RegExp.prototype", "/(?:)/"),
            ("new RegExp(/x/g, 'i')", "/x/i"), ("(r => RegExp(r) === r)(/x/)", "true"),
            ("new RegExp('[')", "SyntaxError: Invalid regular expression: /[/: Unterminated character class"),
            ("new RegExp('a', 'gg')", "SyntaxError: Invalid flags supplied to RegExp constructor 'gg'"),
            (
                "RegExp.prototype.exec.call({})",
                "TypeError: Method RegExp.prototype.exec called on incompatible receiver #<Object>"
            ), ("/a/[Symbol.replace]('bab', '$&$&')", "baab"),
            ("Object.getOwnPropertyDescriptor(/a/, 'lastIndex').enumerable", "false"),
            ("/a/.exec('xa').groups", "undefined"), ("Object.getPrototypeOf(/(?<a>b)/.exec('b').groups)", "null"),
        ])
    func regularExpressions(_ expression: String, _ text: String) throws {
        #expect(try Self.value(of: expression) == text, "\(expression)")
    }

    @Test(
        "numbers, truth values and Math are those of the language",
        arguments: [
            ("(255).toString(16)", "ff"), ("(1.005).toFixed(2)", "1.00"),
            ("(1).toFixed(101)", "RangeError: toFixed() digits argument must be between 0 and 100"),
            ("(25).toString(1)", "RangeError: toString() radix argument must be between 2 and 36"),
            ("Number('0x1f')", "31"), ("Number('1_0')", "NaN"), ("Number.parseInt === parseInt", "true"),
            ("parseInt('12', 2)", "1"), ("(1234567.891).toLocaleString()", "1,234,567.891"),
            ("Object.is(Math.round(-0.5), -0)", "true"),
            ("Math.max()", "-Infinity"), ("Math.hypot(3, 4)", "5"), ("Math.random()", "0.25"),
            ("Object.prototype.toString.call(Math)", "[object Math]"), ("new Boolean(false) ? 1 : 2", "1"),
            (
                "Boolean.prototype.valueOf.call(1)",
                "TypeError: Boolean.prototype.valueOf requires that 'this' be a Boolean"
            ), ("encodeURIComponent('a b&é😀')", "a%20b%26%C3%A9%F0%9F%98%80"),
            ("decodeURIComponent('%')", "URIError: URI malformed"),
        ])
    func numbers(_ expression: String, _ text: String) throws {
        #expect(try Self.value(of: expression) == text, "\(expression)")
    }

    @Test(
        "dates are those of the language, and the host says what time it is",
        arguments: [
            ("Date.now()", "1795371163045"), ("new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"),
            ("new Date('2020-02-30').toISOString()", "2020-03-01T00:00:00.000Z"),
            ("Date.UTC(2020, 5)", "1590969600000"), ("Date.UTC()", "NaN"),
            ("new Date(NaN).toISOString()", "RangeError: Invalid time value"), ("new Date(NaN).toJSON()", "null"),
            ("new Date(0).setUTCFullYear(2000, 1, 29)", "951782400000"),
            ("new Date(2020, 0, 1, 1, 2, 3, 4).getMilliseconds()", "4"),
            ("new Date(8.64e15 + 1).getTime()", "NaN"),
            ("Date.prototype.getTime.call({})", "TypeError: this is not a Date object."),
            ("Date.length + Date.UTC.length", "14"),
            ("new Date(0)[Symbol.toPrimitive]('x')", "TypeError: Invalid hint: x"),
        ])
    func dates(_ expression: String, _ text: String) throws {
        #expect(try Self.value(of: expression) == text, "\(expression)")
    }

    @Test(
        "what would be answered silently wrong is refused",
        arguments: [
            "(1).toLocaleString('de-DE')", "'a'.localeCompare('b', 'sv')", "new Date(0).toLocaleString('en-US', {})",
            "new RegExp('a', 'v')", "/(a)/.test('a') && RegExp.$1",
        ])
    func refuses(_ expression: String) {
        #expect(throws: ScriptError.self) { try Self.value(of: expression) }
    }

    @Test(
        "long texts in loops meet the bounds of the program",
        arguments: [
            "(() => { const long = 'a'.repeat(1 << 17); for (let i = 0; i < 1e9; i++) long.slice(1) })()",
            "(() => { const long = 'a'.repeat(1 << 17); for (let i = 0; i < 1e9; i++) long.lastIndexOf('b' + long.slice(9)) })()",
            "(() => { const long = '1'.repeat(1 << 17); for (let i = 0; i < 1e9; i++) +long })()",
            "(() => { const long = 'a'.repeat(1 << 17); for (let i = 0; i < 1e9; i++) long.replace('a', 'b') })()",
        ])
    func longTexts(_ expression: String) {
        var limits = ScriptLimits()
        limits.steps = 250_000
        #expect(throws: ScriptError.self) { try Self.value(of: expression, limits) }
    }

    @Test("a pattern that explodes ends the program with its steps")
    func bounded() {
        var limits = ScriptLimits()
        limits.steps = 5_000_000
        #expect(throws: ScriptError.self) { try Self.value(of: "/(a+)+$/.test('a'.repeat(100) + 'b')", limits) }
    }
}
