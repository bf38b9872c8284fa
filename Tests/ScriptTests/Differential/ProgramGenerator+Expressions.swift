extension ProgramGenerator {
    mutating func expression(_ kind: Kind) -> String {
        depth += 1
        defer { depth -= 1 }
        // Something else than what is expected, seldom.
        let kind = random.below(25) == 0 ? anyKind() : kind
        if depth > 6 || random.below(6) == 0 { return random.below(2) == 0 ? "(\(literal(kind)))" : variable(kind) }
        switch random.below(14) {
        case 0: return "(\(expression(anyKind())) ? \(expression(kind)) : \(expression(kind)))"
        case 1: return "(\(expression(kind)) \(one("||", "&&", "??")) \(expression(kind)))"
        case 2: return call() ?? variable(kind)
        case 3: return "(\(expression(anyKind())), \(variable(kind)))"
        default: break
        }
        switch kind {
        case .number: return numberExpression()
        case .text: return random.below(3) == 0 ? patternText() : textExpression()
        case .boolean: return booleanExpression()
        case .list: return listExpression()
        case .object: return objectExpression()
        case .other: return otherExpression()
        }
    }

    private mutating func numberExpression() -> String {
        switch random.below(22) {
        case 0...3:
            let sign = one("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>")
            return "(\(expression(.number)) \(sign) \(expression(.number)))"
        case 4: return "(\(one("-", "+", "~"))\(expression(anyKind())))"
        case 5:
            let name = one("abs", "floor", "ceil", "round", "trunc", "sign", "fround", "clz32", "sqrt")
            return "Math.\(name)(\(expression(.number)))"
        case 6: return "Math.\(one("max", "min", "imul"))(\(expression(.number)), \(expression(.number)))"
        case 7: return "Number(\(expression(anyKind())))"
        case 8: return "parseInt(\(expression(.text)), \(one("10", "16", "2", "36", "0", "undefined", "1")))"
        case 9: return "\(one("parseFloat", "Number.parseFloat", "Number.parseInt"))(\(expression(.text)))"
        case 10: return "\(expression(either(.text, .list))).length"
        case 11: return "\(expression(.text)).\(one("charCodeAt", "codePointAt"))(\(number(-1, 4)))"
        case 12:
            return
                "\(expression(.text)).\(one("indexOf", "lastIndexOf", "search"))(\(literal(.text)), \(number(-1, 3)))"
        case 13:
            return "\(expression(.list)).\(one("indexOf", "lastIndexOf"))(\(literal(anyKind())), \(number(-2, 2)))"
        case 14:
            return
                "\(expression(.list)).\(one("reduce", "reduceRight"))((a, b, i) => (Number(a) || 0) + (Number(b) || 0) * (i + 1), \(literal(.number)))"
        case 15:
            return "\(expression(.list)).\(one("findIndex", "findLastIndex"))((v, i) => \(one("v", "v > i", "!v")))"
        case 16: return "\(expression(.list)).reduce((a, b) => \(one("a + b", "b", "a > b ? a : b", "[a, b]")))"
        case 17: return "Number(\((expression(.number))).toFixed(\(random.below(20))))"
        case 18: return "(\(expression(.boolean)) + \(expression(.boolean)))"
        case 19: return "new Date(\(expression(anyKind()))).getTime()"
        case 20: return "Date.UTC(\(number(-10, 2100)), \(number(-20, 20)), \(number(-40, 40)), \(expression(.number)))"
        default:
            return
                "(\(one("(2)", "(-2)", "0.5", "10", "NaN", "(-0)", "Infinity")) ** \(one("0", "1", "2", "3", "(-1)", "\(expression(.boolean))")))"
        }
    }

    private mutating func textExpression() -> String {
        let text = expression(.text)
        switch random.below(24) {
        case 0...2: return "(\(text) + \(expression(anyKind())))"
        case 3: return "`<${\(text)}|${\(expression(anyKind()))}>`"
        case 4: return "String(\(expression(anyKind())))"
        case 5: return "\(text).\(one("slice", "substring", "substr"))(\(number(-3, 3)), \(number(-2, 5)))"
        case 6:
            return
                "\(text).\(one("padStart", "padEnd"))(\(random.below(12)), \(one("'*'", "'ab'", "''", "undefined")))"
        case 7:
            let name = one(
                "toUpperCase()", "toLowerCase()", "trim()", "trimStart()", "trimEnd()", "normalize()",
                "normalize('NFKD')",
                "normalize('NFD')", "concat(1, null, 'x')", "toString()")
            return "\(text).\(name)"
        case 8: return "cut(\(text).repeat(\(random.below(4))))"
        case 9: return "(\(text))\(one("[0]", "[1]", "['length']", ".charAt(1)", "[-1]", "?.[0]"))"
        case 10:
            return
                "\(text).split(\(one("''", "','", "/[, ]/", "/(b)/", "undefined", "' '", "/(?:)/u"))\(one("", ", 2", ", 0"))).join('~')"
        case 11: return "String(\(text).at(\(number(-3, 3))))"
        case 12: return "(\(expression(.number))).toString(\(one("2", "8", "10", "16", "36", "", "3")))"
        case 13: return "(\(expression(.number))).toFixed(\(random.below(8)))"
        case 14: return "(\(expression(.number))).toPrecision(\(1 + random.below(21)))"
        case 15: return "(\(expression(.number))).toExponential(\(one("", "0", "3", "20")))"
        case 16:
            return "\(expression(.list)).\(one("join()", "join('-')", "join(undefined)", "join(null)", "toString()"))"
        case 17:
            let arguments = one(
                "", ", null, 2", ", ['a', 'b', 1]", ", (k, v) => typeof v === 'number' ? v + 1 : v", ", null, '-'",
                ", function (k, v) { return Array.isArray(this) ? [k, typeof v] : v; }", ", [], ' '", ", null, 20")
            return "String(JSON.stringify(\(expression(anyKind()))\(arguments)))"
        case 18: return "typeof \(expression(anyKind()))"
        case 19:
            return
                "\(one("encodeURIComponent", "encodeURI", "decodeURIComponent", "decodeURI", "escape", "unescape"))(\(text))"
        case 20: return "(\(expression(anyKind())))?.constructor?.name"
        case 21: return "Object.prototype.toString.call(\(expression(anyKind())))"
        case 22:
            return "String.\(one("fromCharCode", "fromCodePoint"))(\(one("65", "128512", "0x1F600, 97", "55357", "")))"
        default: return "(\(expression(anyKind()))).toString()"
        }
    }

    private mutating func booleanExpression() -> String {
        switch random.below(16) {
        case 0...2:
            return
                "(\(expression(anyKind())) \(one("<", ">", "<=", ">=", "==", "!=", "===", "!==")) \(expression(anyKind())))"
        case 3: return "!\(expression(anyKind()))"
        case 4:
            return
                "\(expression(.text)).\(one("includes", "startsWith", "endsWith"))(\(literal(.text)), \(number(-1, 3)))"
        case 5: return "\(expression(.list)).includes(\(literal(anyKind())), \(number(-2, 2)))"
        case 6: return "(\(expression(anyKind())) instanceof \(one("Array", "Object", "Error", "Map", "Function")))"
        case 7: return "('\(property())' in \(expression(either(.object, .list))))"
        case 8:
            return
                "\(one("Number.isInteger", "Number.isSafeInteger", "Number.isNaN", "Number.isFinite", "isNaN", "isFinite"))(\(expression(anyKind())))"
        case 9:
            return
                "\(one("/^[a-z]+$/i", "/\\d{2,}/", "/(.)\\1/", "/^$/", "/\\bw/i", "/\\p{Lu}/u", "/^.$/su")).test(\(expression(either(.text, .other))))"
        case 10: return "Object.is(\(expression(anyKind())), \(expression(anyKind())))"
        case 11: return "Array.isArray(\(expression(anyKind())))"
        case 12: return "Object.\(one("isFrozen", "isSealed", "isExtensible"))(\(expression(anyKind())))"
        case 13: return "Object.hasOwn(\(expression(either(.object, .text))), '\(property())')"
        case 14: return "\(expression(.object)).\(one("hasOwnProperty", "propertyIsEnumerable"))(\(expression(.text)))"
        default: return "\(expression(.list)).\(one("some", "every"))((v, i) => v > i)"
        }
    }

    private mutating func listExpression() -> String {
        let list = expression(.list)
        switch random.below(24) {
        case 0: return "[\(expression(anyKind())), ...cut(\(list)), \(expression(anyKind()))]"
        case 1: return "\(list).map((v, i, all) => [v, i, all.length])"
        case 2: return "\(list).filter((v, i) => \(one("v", "i % 2", "!v", "v > 1")))"
        case 3: return "\(list).slice(\(number(-3, 3)), \(one("undefined", "2", "-1")))"
        case 4: return "\(list).concat(\(expression(anyKind())), [[5]])"
        case 5: return "[...\(list)].reverse()"
        case 6:
            return
                "[...\(list)].\(one("sort", "toSorted"))(\(one("", "(a, b) => a - b", "(a, b) => String(b) < String(a) ? -1 : 1", "() => 0")))"
        case 7: return "\(list).flat(\(one("", "3", "0", "-1")))"
        case 8: return "\(list).flatMap(v => \(one("[v, v]", "v", "[[v]]", "[]")))"
        case 9:
            return
                "Object.\(one("keys", "values", "entries", "getOwnPropertyNames"))(\(expression(random.below(3) == 0 ? anyKind() : either(.object, .list))))"
        case 10: return "\(expression(.text)).split(\(one("''", "','", "/,?/")))"
        case 11: return "[...\(expression(.text))]"
        case 12: return "[...new Set(\(list))]"
        case 13: return "Array.from({length: \(random.below(5))}, (_, i) => i * 2)"
        case 14:
            return
                "\(list).\(one("toSorted()", "toReversed()", "toSpliced(1, 1, 'n')", "with(0, 'w')", "with(-1, 9)"))"
        case 15: return "new Array(\(random.below(4)))\(one("", ".fill(\(literal(anyKind())))"))"
        case 16:
            return "[...new Map(Object.entries(\(expression(.object)))).\(one("keys", "values", "entries"))()]"
        case 17: return "[\(list).find(v => v), \(list).findLast(v => v), \(list).at(-1)]"
        case 18: return "[...\(list).\(one("keys", "entries", "values"))()]"
        case 19: return "Array.from(\(expression(anyKind()))\(one("", ", v => [v]")))"
        case 20: return "Array.of(\(expression(anyKind())), \(literal(anyKind())))"
        case 21:
            return
                "Array.prototype.\(one("slice", "concat", "reverse", "map", "flat")).call(\(one("{length: 2, 0: 'a', 1: 'b'}", "'xyz'", "[1, 2]"))\(one("", ", v => v")))"
        case 22: return "(\(list), \(list)).fill(\(literal(anyKind())), \(number(-2, 2)), \(number(-2, 3)))"
        default: return "[...\(list)].copyWithin(\(number(-2, 2)), \(number(0, 2)))"
        }
    }

    private mutating func objectExpression() -> String {
        let object = expression(.object)
        switch random.below(11) {
        case 0: return "{...\(object), \(property()): \(expression(anyKind()))}".parenthesized
        case 1: return "{[\(variable(.text))]: \(expression(anyKind())), \(property())() { return 1; }}".parenthesized
        case 2: return "Object.assign({}, \(object), \(expression(either(.object, .text))))"
        case 3: return "Object.fromEntries(Object.entries(\(object)).map(([k, v]) => [k + '_', v]))"
        case 4:
            return
                "Object.create(\(object), {own: {value: \(literal(.number)), enumerable: \(one("true", "false"))}})"
        case 5: return "Object.freeze({a: \(expression(anyKind()))})"
        case 6: return "(\(object)?.\(property()) ?? \(literal(.object)))"
        case 7: return "structuredClone(\(expression(anyKind())))"
        case 8: return "Object(\(expression(anyKind())))"
        case 9: return "Object.getOwnPropertyDescriptors(\(literal(either(.object, .list))))"
        default: return "JSON.parse(JSON.stringify(\(object)) ?? '{}')"
        }
    }

    private mutating func otherExpression() -> String {
        switch random.below(9) {
        case 0:
            return
                "new Map(\(one("[[\(expression(anyKind())), 1], [\(expression(anyKind())), 2]]", "Object.entries(\(expression(.object)))")))"
        case 1: return "new Set(\(expression(either(.list, .text))))"
        case 2:
            return
                "new Date(\(one("2020, \(number(-3, 14)), \(number(-3, 40))", "\(expression(.number))", "Date.UTC(1999, 11, 31)", "'2020-02-30'", "\(expression(.text))")))"
        case 3:
            return
                "new \(one("Error", "TypeError", "URIError"))(\(expression(anyKind())), {cause: \(expression(anyKind()))})"
        case 4:
            return
                "new RegExp(\(one("'a+'", "'(x)|y'", "/b/g", "\(expression(.text))")), \(one("''", "'g'", "'iy'", "'su'", "undefined", "'gg'")))"
        case 5: return "Symbol.for(\(expression(.text)))"
        case 6: return "(\(one("x", "async x", "(x, ...y)", "({ a })")) => \(expression(anyKind())))"
        case 7: return "Object(\(expression(either(.text, .number))))"
        default: return "Promise.\(one("resolve", "all", "race"))([\(expression(anyKind()))])"
        }
    }
}

extension String {
    /// An object at the beginning of a statement would be a block.
    fileprivate var parenthesized: String { "(\(self))" }
}
