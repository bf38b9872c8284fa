extension ProgramGenerator {
    mutating func classes() -> String {
        random.below(2) == 0 ? familyOfClasses() : oneClass()
    }

    private mutating func familyOfClasses() -> String {
        let name = freshName("C")
        let (first, second, third) = (expression(anyKind()), expression(anyKind()), expression(.number))
        let field = property()
        return """
            class \(name) {
            static made = 0; #hidden = \(third); \(field) = \(first); ['\(property())x'] = 1;
            static { try { this.started = \(literal(anyKind())); say(this.made, this.name); } catch (e) { say(e); } }
            constructor(v) { \(name).made++; this.given = v; \(one("", "say(new.target === \(name), new.target.name);")) }
            get hidden() { return this.#hidden; } set hidden(v) { this.#hidden = v; }
            change(by) { this.#hidden += by; return this; }
            static is(o) { return #hidden in o; }
            toString() { return `\(name)(${this.#hidden})`; }
            }
            class \(name)B extends \(name) {
            extra = this.given;
            constructor(...all) { \(one("super(...all)", "super(all[0])", "const up = () => super(...all); up()")); this.more = super.toString(); }
            change(by) { super.change(by); this.changed = true; return this; }
            get hidden() { return [super.hidden]; } set hidden(v) { super.hidden = v; super.other = v; }
            static is(o) { return super.is(o) ? 'yes' : 'no'; }
            get [Symbol.toStringTag]() { return 'B'; }
            }
            { const o = new \(name)B(\(second)); say(o, o.change(2).hidden, `${o}`, \(name).is(o), \(name)B.is(new \(name)()), \(name).made,
            o instanceof \(name), Object.prototype.toString.call(o), \(name)B.name, \(name)B.length, Object.getPrototypeOf(\(name)B) === \(name)); o.hidden = 5; say(o.hidden, o.other, \(name)B.is({})); }
            \(one("\(name)();", "new (class extends \(name) { constructor() { } })();", "say(\(name)B.is(5));", "say(Object.getOwnPropertyNames(\(name)), Object.getOwnPropertyNames(\(name)B.prototype));", "\(name).prototype.change.call({}, 1);", "new \(name)B().change();"))

            """
    }

    private mutating func oneClass() -> String {
        let name = freshName("C")
        let use = one(
            "new o.constructor().m()", "o.set(\(literal(anyKind())))", "\(name).s(\(literal(.object)))", "o.read({})",
            "o.write({})",
            "o.fixed()", "o.only()", "\(name).s()", "o.each()", "new o.m()", "\(name).f.name", "o.get")
        return """
            const \(name) = class \(one("", "Inner")) extends (\(one("Object", "Array", "Map", "Error", "class { base() { return 1; } }", "null", "Function.prototype", "\(literal(anyKind()))"))) {
            #a = \(literal(anyKind())); static #count = 0; static f = () => this.name; 'quoted key' = 1; 12 = 2; static async = 1; get = 3;
            static #s(v) { return [++this.#count, v]; } static s(v) { return this.#s(v); }
            #m(v = this.#a) { return [v, this.#a]; } m(v) { return this.#m(v); }
            get #p() { return this.#a; } set #p(v) { say('set', v); this.#a = v; } set(v) { this.#p = v; return this.#p; }
            get #r() { return 1; } set #w(v) { } fixed() { this.#r = 1; } only() { return this.#w; } method() { this.#m = 1; }
            read(o) { return o.#a; } write(o) { o.#a = 1; } has(o) { return [#a in o, #m in o]; }
            *each() { yield this.#a; yield* [1]; } async later() { return this.#a; } static *[Symbol.iterator]() { yield 's'; }
            };
            { const o = new \(name)(\(one("", "2", "'m'"))); say(o.has(o), o.has([]), [...\(name)], [...o.each()], o instanceof \(name), \(name).name, Object.keys(o));
            o.later().then(v => say('later', v)); say(\(use)); o.method(); }

            """
    }

    mutating func accessors() -> String {
        let (first, second) = (property(), property())
        let name = freshName("o")
        return """
            { const \(name) = { kept: \(literal(anyKind())), get \(first)() { say('get'); return this.kept; }, set \(first)(v) { say('set', v); this.kept = v; }, get only() { return \(literal(anyKind())); }, ['m' + 1]() { return super.toString === Object.prototype.toString; }, async am() {}, *gm() {}, __proto__: { inherited: 1, set up(v) { this.taken = v; } } };
            \(name).\(second) = \(expression(anyKind())); \(name).\(first) \(one("=", "+=", "??=", "||=")) \(literal(anyKind())); \(name).up = 5;
            say(\(name), \(name).m1(), \(name).inherited, Object.keys(\(name)), { ...\(name) }, \(name).m1.name, Object.getOwnPropertyDescriptor(\(name), '\(first)').set?.name);
            \(one("\(name).only = 1;", "delete \(name).only; say(\(name).only);", "Object.defineProperty(\(name), 'only', { value: 1 }); say(\(name).only);", "Object.freeze(\(name)).\(second) = 2;", "Object.seal(\(name)); delete \(name).kept;"))
            }

            """
    }

    mutating func symbols() -> String {
        let value = literal(anyKind())
        return """
            { const s = Symbol(\(one("", "'d'", "''"))), o = { [s]: \(value), [Symbol.toPrimitive](hint) { return hint === 'number' ? 7 : \(one("hint", "null", "5", "{}")); }, get [Symbol.toStringTag]() { return 'Tag'; } };
            say(o[s], String(s), s.description, s.toString(), Symbol.for('k') === Symbol.for('k'), Symbol.keyFor(Symbol.for('k')), typeof s, Object.getOwnPropertySymbols(o).length, Object.keys(o), JSON.stringify(o), Object.prototype.toString.call(o));
            say(\(one("o + 1", "`${o}`", "+o", "o * 2", "o == 7", "o < 8", "[o].join()", "({ [o]: 1 })", "o + s", "`${s}`", "s + ''", "+s", "s == s", "Object(s) == s", "!s", "s.length", "isNaN(s)")));
            class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } } say(2 instanceof Even, \(expression(anyKind())) instanceof Even);
            say([1].concat({ length: 1, 0: 'x', [Symbol.isConcatSpreadable]: \(one("true", "false")) }));
            }

            """
    }

    mutating func ownIterator() -> String {
        let use = one(
            "for (const v of it) { say(v); \(one("", "break;", "continue;", "throw new Error('loop');")) }",
            "say([...it])",
            "{ const [a, b] = it; say(a, b); }", "{ const [a, , , , , z = 'none', ...r] = it; say(a, z, r); }",
            "say(Array.from(it, v => v * 2))",
            "say(new Set(it), Math.max(...it))", "say(Object.fromEntries(it))", "new Map(it)",
            "say([...(function* () { const r = yield* it; say('r', r); })()])",
            "Promise.all(it).then(v => say(v), e => say(e))", "{ let a; [a] = it; say(a); [a.b] = it; }")
        let next = one(
            "{ value: n, done: n > 3 }", "n > 3 ? { done: true, value: 'ret' } : { value: n }",
            "n > 2 ? undefined : { value: n }",
            "{ value: n, get done() { if (n > 2) throw new Error('done'); return false; } }",
            "{ value: Promise.resolve(n), done: n > 1 }")
        return """
            { let n = 0; const it = { [Symbol.iterator]() { say('start'); return \(one("this", "this", "this", "5", "{}")); }, next(v) { n++; if (!more()) return { done: true }; say('next', v); return \(next); }, \(one("", "return(v) { say('return', v); return {}; }", "return() { throw new Error('r'); }", "return() { return 1; }")) };
            \(use);
            }

            """
    }
}
