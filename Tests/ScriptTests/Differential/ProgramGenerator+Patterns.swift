extension ProgramGenerator {
    mutating func destructuring() -> String {
        let (a, b, c) = (freshName("v"), freshName("v"), freshName("v"))
        switch random.below(5) {
        case 0:
            let text =
                "const [\(a), , \(b) = \(literal(anyKind())), ...\(c)] = cut(\(one(expression(.list), expression(.text))));\n"
            names.append(Variable(name: c, kind: .list, isConstant: true))
            return text + "say(\(a), \(b), \(c));\n"
        case 1:
            let text =
                "const { \(property()): \(a), \(property()): { length: \(b) } = 'abc', ...\(c) } = \(expression(.object));\n"
            names.append(Variable(name: c, kind: .object, isConstant: true))
            return text + "say(\(a), \(b), \(c));\n"
        case 2:
            // Assigned to places, in the order of the language.
            let (first, second) = (expression(anyKind()), expression(anyKind()))
            return """
                { let a = \(literal(anyKind())), b, o = {}, l = [], at = n => (say('at', n), n);
                [a, b = a] = [b, a]; ({ x: o[at('x')], ['y' + at(1)]: l[at(0)] = at('standard'), ...o.rest } = { x: \(first), z: 2, q: \(second) });
                [o.p, [l[1]] = [at(7)], ...l[2 + at(0)] ] = [1, \(one("undefined", "[2]", "'s'")), 3, 4]; ({ length: a, [0]: b } = \(literal(.text)));
                [...[a, o.length]] = 'xy'; for ({ a = 5 } of [{}, { a: 1 }]) say(a); for ([o.k] of [[1], 'b']) ; say(a, b, o, l);
                }

                """
        case 3:
            return """
                say((({ a, b: { c = a, ...d } = {}, ...e } = {}, [f, g = f] = [1], ...[h, i]) => [a, c, d, e, f, g, h, i])(\(one("", "{ a: 1 }", "{ b: { x: 1 }, z: 2 }, 'pq'", "undefined, undefined, 3, 4", "\(literal(.object)), \(literal(.list)), 1"))));
                { const f = ({ x = \(literal(anyKind())), y = x }) => [x, y]; say(f({}), f({ x: 0 }), f({ x: null }), f(\(one("'s'", "5", "true", "[]", "{ y: undefined }", "null", "")))); }

                """
        default:
            let source = expression(anyKind())
            return """
                { const o = \(source); const { length: l, constructor: c, none: n = 'd' } = o; say(l, c === undefined || typeof c, n); const { [\(one("'a'", "0", "Symbol.iterator", "`b`"))]: k, ...rest } = o; say(typeof k, typeof rest); }

                """
        }
    }
}
