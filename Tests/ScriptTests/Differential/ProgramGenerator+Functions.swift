extension ProgramGenerator {
    mutating func function() -> String {
        let name = freshName("f")
        let parameters = random.below(3)
        var list: [String] = []
        let known = names.count
        for _ in 0..<parameters {
            let parameter = freshName("p")
            names.append(Variable(name: parameter, kind: anyKind(), isConstant: false))
            switch random.below(8) {
            case 0, 1: list.append("\(parameter) = \(literal(anyKind()))")
            case 2: list.append("{ a: \(parameter) = 1 } = {}")
            case 3 where list.isEmpty: list.append("[\(parameter)] = 'xy'")
            default: list.append(parameter)
            }
        }
        if random.below(4) == 0 { list.append("...rest\(name)") }
        let body = block(2)
        let result = expression(anyKind())
        names.removeLast(names.count - known)
        functions.append((name, parameters))
        let text = list.joined(separator: ", ")
        switch random.below(4) {
        case 0: return "const \(name) = (\(text)) => {\nif (!more()) return;\n\(body)return \(result);\n};\n"
        case 1:
            return
                "const \(name) = { m(\(text)) {\nif (!more()) return;\n\(body)say(arguments.length, this === undefined);\nreturn \(result);\n} }.m;\n"
        default: return "function \(name)(\(text)) {\nif (!more()) return;\n\(body)return \(result);\n}\n"
        }
    }

    mutating func recursion() -> String {
        let name = freshName("f")
        let other = freshName("f")
        return """
            function \(name)(n, all = []) { if (n <= 0 || !more()) return all; all.push(\(expression(anyKind()))); return \(one(name, other))(n - 1, \(one("all", "cut([...all])", "undefined"))); }
            const \(other) = (n, all) => n > 0 && more() ? \(name)(n - 1, cut([all, n])) : [all];
            say(\(name)(\(random.below(6))), \(other)(\(random.below(5))));
            say((function fact(n) { return n < 2 ? 1 : n * fact(n - 1); })(\(random.below(30))), \(name).length, \(other).name);

            """
    }

    mutating func call() -> String? {
        guard !functions.isEmpty, loops < 3 else { return nil }
        let function = functions[random.below(functions.count)]
        var arguments: [String] = []
        for _ in 0..<random.below(function.parameters + 2) { arguments.append(literal(anyKind())) }
        if random.below(6) == 0 { arguments.append("...\(variable(.list))") }
        let list = arguments.joined(separator: ", ")
        switch random.below(8) {
        case 0: return "\(function.name).call(\((["null"] + arguments).joined(separator: ", ")))"
        case 1: return "\(function.name).apply(null, [\(list)])"
        case 2: return "\(function.name).bind(null\(arguments.isEmpty ? "" : ", " + list))()"
        default: return "\(function.name)(\(list))"
        }
    }

    mutating func generator() -> String {
        let name = freshName("g")
        let body = block(1)
        let (first, second, list) = (expression(anyKind()), expression(anyKind()), expression(.list))
        let use = one(
            "{ const it = \(name)(3); say(it.next(), it.next('x'), it.return(7), it.next()); }",
            "{ const it = \(name)(3); say(it.next()); try { say(it.throw(new Error('in'))); } catch (e) { say(e); } say(it.next()); }",
            "{ const [x, y = 5, ...z] = \(name)(5); say(x, y, z); }",
            "{ const it = \(name)(3); say(it[Symbol.iterator]() === it, String(it), it instanceof \(name), it.return(1), [...it]); }",
            "for (const v of \(name)(4)) { say(v); \(one("break", "continue", "if (v) break")); }",
            "{ const it = \(name)(1); it.next(); say(new Map([[it.next().value, 1]]), Math.max(...\(name)(2))); }")
        return """
            function* \(name)(n) {
            \(body)const got = yield \(first);
            say('got', got);
            const inner = cut(\(list));
            try { yield* inner; yield n; } catch (e) { say('in', e); yield 'c'; } finally { say('closed'); \(one("", "", "yield 'f';", "return 'r';")) }
            return \(second);
            }
            say([...\(name)(1)], Array.from(\(name)(2), (v, i) => i));
            \(use)

            """
    }

    mutating func asynchronous() -> String {
        let name = freshName("a")
        let (first, second) = (expression(anyKind()), expression(anyKind()))
        switch random.below(4) {
        case 0: return promises()
        case 1: return asynchronousGenerator()
        default:
            return """
                async function \(name)(n) {
                say('in', n);
                const v = await \(first);
                say('after', n, v);
                try { if (n > 1) throw new Error('late'); \(one("await null", "await Promise.reject(new TypeError('r'))", "return await 1", "await { then(f) { f(n); } }")); }
                \(one("catch (e) { say('c', e); }", "finally { say('f', n); }", "catch (e) { await 0; throw e; } finally { await 1; say('f'); }"))
                for await (const w of [1, Promise.resolve(2)]) say(w);
                return \(second);
                }
                \(name)(1).then(v => say('then', v), e => say('caught', e)).finally(() => say('finally'));
                \(name)(2).catch(e => say('rejected', e));
                Promise.allSettled([\(name)(3), 4]).then(v => say('settled', v));
                say('behind');

                """
        }
    }

    private mutating func promises() -> String {
        let name = freshName("q")
        let start = one(
            "Promise.resolve(\(expression(anyKind())))", "Promise.reject(new Error(\(expression(.text))))",
            "new Promise((f, r) => { say('now'); \(one("f(1); r(2)", "r(new RangeError('r'))", "throw new Error('t')", "f(Promise.resolve(3))", "f({ then(g) { g(4); } })")); })",
            "Promise.all([1, Promise.resolve(2), { then(f) { f(3); } }])",
            "Promise.any([Promise.reject(1), \(one("2", "Promise.reject(3)"))])",
            "Promise.race([new Promise(() => {}), Promise.resolve(5), 6])",
            "Promise.all(\(expression(.list)))", "(async () => { throw \(literal(anyKind())); })()",
            "(async () => Promise.resolve(1))()")
        let links = (0..<(1 + random.below(3))).map { _ in
            one(
                ".then(v => { say('t', v); return \(literal(anyKind())); })",
                ".catch(e => { say('c', e); return 'ok'; })",
                ".finally(() => { say('f'); \(one("", "return 1;", "throw new Error('ff');")) })", ".then(5)",
                ".then(v => Promise.resolve(v).then(w => [w]))", ".then(undefined, e => { throw e; })",
                ".then(async v => { await 1; await 2; return v; })")
        }
        return """
            const \(name) = \(start);
            \(name)\(links.joined()).then(v => say('end', v), e => say('failed', e));
            \(name).then(() => say('1')).catch(() => say('1c')); Promise.resolve().then(() => say('2')).then(() => say('3')).then(() => say('4'));
            (async () => { try { say('w', await \(name)); } catch { say('x'); } })();

            """
    }

    private mutating func asynchronousGenerator() -> String {
        let name = freshName("g")
        return """
            async function* \(name)(n) {
            try { say('got', yield n); yield Promise.resolve(\(literal(anyKind()))); yield* [7, Promise.resolve(8)]; \(one("", "throw new Error('a');", "return 9;")) }
            finally { say('end', n); \(one("", "await 1;")) }
            }
            (async () => { for await (const v of \(name)(1)) { say('v', v); \(one("", "if (v === 7) break;", "if (v === 7) throw new Error('out');")) } })().then(() => say('done'), e => say('e', e));
            { const it = \(name)(2); it.next().then(v => say(v)); it.next('x').then(v => say(v)); \(one("it.return(5)", "it.throw(new Error('t'))", "it.next()")).then(v => say('r', v), e => say('re', e)); it.next().then(v => say('l', v), e => say('le', e)); }

            """
    }

    mutating func closures() -> String {
        let name = freshName("fs")
        let value = expression(.number)
        let head = one(
            "let i = 0; i < 3; i++", "const i of [0, 1, 2]", "const i in [5, 6, 7]",
            "let i = 0, s = () => i; i < 2; i++, s()")
        return """
            const \(name) = [];
            for (\(head)) { let n = \(value); \(name).push((by = 1) => (n += by) + i, function () { return [this === undefined, arguments.length, typeof n]; }); \(one("", "if (i > 1) continue;")) }
            say(\(name).map(f => f()), \(name).map(f => f(2)), \(name).map(f => f.call(1, 2, 3)));
            say(\(name).map(f => f.length + f.name), (function () { return (() => [...arguments, this])(); }).call('t', 1));

            """
    }

    mutating func taggedTemplate() -> String {
        let name = freshName("t")
        let (first, second) = (expression(anyKind()), expression(anyKind()))
        return """
            function \(name)(parts, ...values) { return [parts.length, parts.raw, [...parts], values, Object.isFrozen(parts)]; }
            say(\(name)`a${\(first)}\\n${\(second)}\\u0041`, \(name)`\\unicode and ${1}`, String.raw`x\\y${\(literal(.number))}`, \(name)``);
            { const same = () => (p => p)`x${1}`; say(same() === same()); }
            say(`${`in ${\(first)}`}${\(literal(.text))}`);

            """
    }
}
