import Script
import Testing

/// Every text was printed by V8 (in Node 20) for the same line.
@Suite("Errors say what V8 says")
struct ErrorTextTests {
    private static let before =
        "let a = 1, b = 2, c = 3, o = { x: 1, f() {}, a: {} }, f = ()=>1, F = class{}, q;"

    private static func message(_ line: String) -> String {
        let program = """
            \(before) try { (function () { \(line)
            })(); console.log("no error") } catch (error) { console.log(String(error)) }
            """
        return output(of: program).joined(separator: "\n")
    }

    static let callees: [(String, String)] = [
        ("({a:1,b:2}).x()", "TypeError: {(intermediate value)(intermediate value)}.x is not a function"),
        ("({}).x()", "TypeError: {}.x is not a function"),
        ("[1,2]()", "TypeError: [1,2] is not a function"),
        ("[1,a].x()", "TypeError: [1,a].x is not a function"),
        ("[,1]()", "TypeError: [(intermediate value),1] is not a function"),
        ("[()=>1,2].x()", "TypeError: [(intermediate value),2].x is not a function"),
        ("[{a:1},[1]].x()", "TypeError: [{(intermediate value)},[1]].x is not a function"),
        ("(a?b:c)()", "TypeError: (intermediate value)(intermediate value)(intermediate value) is not a function"),
        ("(a||b)()", "TypeError: (a || b) is not a function"),
        ("(a&&b&&c)()", "TypeError: (a && b && c) is not a function"),
        ("(a&&b||c)()", "TypeError: ((a && b) || c) is not a function"),
        ("(a??b).x()", "TypeError: (a ?? b).x is not a function"),
        ("(a,b,c)()", "TypeError: (a , b , c) is not a function"),
        ("(a=1)()", "TypeError: a is not a function"),
        ("(o.x+=5)()", "TypeError: o.x is not a function"),
        ("(a||=b)()", "TypeError: a is not a function"),
        ("(a+b+c)()", "TypeError: (a + b + c) is not a function"),
        ("((a+b)+c)()", "TypeError: (a + b + c) is not a function"),
        ("(a+b-c)()", "TypeError: ((a + b) - c) is not a function"),
        ("(a-(b-c))()", "TypeError: (a - (b - c)) is not a function"),
        ("(a**b)()", "TypeError: (a ** b) is not a function"),
        ("(1+2)()", "TypeError: 3 is not a function"),
        ("(1+a)()", "TypeError: (1 + a) is not a function"),
        ("(a!=b)()", "TypeError: (!(a == b)) is not a function"),
        ("(a in o)()", "TypeError: (a in o) is not a function"),
        ("(-a)()", "TypeError: (-a) is not a function"),
        ("(-5).x()", "TypeError: -5.x is not a function"),
        ("(!a).x()", "TypeError: (!a).x is not a function"),
        ("(!1)()", "TypeError: false is not a function"),
        ("(typeof a)()", "TypeError: (typeof a) is not a function"),
        ("(void 0)()", "TypeError: (void 0) is not a function"),
        ("(delete o.x)()", "TypeError: (delete o.x) is not a function"),
        ("(a++)()", "TypeError: (a++) is not a function"),
        ("(--a).x()", "TypeError: (--a).x is not a function"),
        ("`x`()", #"TypeError: "x" is not a function"#),
        ("`x${a}y`.x()", "TypeError: a.x is not a function"),
        ("(/x/g)()", "TypeError: /x/g is not a function"),
        (#""abc".x()"#, #"TypeError: "abc".x is not a function"#),
        ("1e21.x()", "TypeError: 1e+21.x is not a function"),
        ("(()=>1).x()", "TypeError: (intermediate value).x is not a function"),
        ("(()=>{a;b}).x()", "TypeError: (intermediate value)(intermediate value).x is not a function"),
        ("((...a)=>1).x()", "TypeError: (intermediate value)(intermediate value).x is not a function"),
        ("(class extends F{m(){}}).x()", "TypeError: (intermediate value)(intermediate value).x is not a function"),
        ("new Object(1).x()", "TypeError: (intermediate value).x is not a function"),
        ("o.x()", "TypeError: o.x is not a function"),
        (#"o["x y"]()"#, "TypeError: o.x y is not a function"),
        ("o[1]()", "TypeError: o[1] is not a function"),
        ("o[a+1]()", "TypeError: o[(a + 1)] is not a function"),
        ("o?.x()", "TypeError: o?.x is not a function"),
        ("o?.[1]()", "TypeError: o?.[1] is not a function"),
        ("(a?.b)()", "TypeError: (intermediate value) is not a function"),
        ("f()()", "TypeError: f(...) is not a function"),
        ("f(1,2).x()", "TypeError: f(...).x is not a function"),
        ("f?.().x()", "TypeError: f(...).x is not a function"),
        ("o.f`y`()", "TypeError: o.f(...) is not a function"),
        ("this()", "TypeError: this is not a function"),
        ("new o.x()", "TypeError: o.x is not a constructor"),
        ("new (f())()", "TypeError: f(...) is not a constructor"),
        ("new (a?b:c)", "TypeError: (intermediate value)(intermediate value)(intermediate value) is not a constructor"),
        ("new [1]", "TypeError: [1] is not a constructor"),
        ("new ({})", "TypeError: {} is not a constructor"),
        ("new (a+b)", "TypeError: (a + b) is not a constructor"),
        ("new o.f.g()", "TypeError: o.f.g is not a constructor"),
        ("{class A{#x=1;g(){return this.#x()}} new A().g()}", "TypeError: this[#x] is not a function"),
        ("{class A{m(){return super[a]()}} new A().m()}", "TypeError: (intermediate value)[a] is not a function"),
        ("{class A extends null{} new A}", "TypeError: Super constructor null of A is not a constructor"),
    ]

    @Test("what is called or constructed is shown as V8 shows it", arguments: callees)
    func calleesText(_ line: String, _ text: String) {
        #expect(Self.message(line) == text)
    }

    static let iteration: [(String, String)] = [
        ("[...5]", "TypeError: 5 is not iterable"),
        ("[...o]", "TypeError: o is not iterable"),
        ("[...f()]", "TypeError: f is not a function or its return value is not iterable"),
        ("[...f().x]", "TypeError: f.x is not iterable"),
        ("[...(f())]", "TypeError: f is not a function or its return value is not iterable"),
        ("[...f(),...o]", "TypeError: f is not a function or its return value is not iterable"),
        ("[...new F()]", "TypeError: F is not a function or its return value is not iterable"),
        ("[...(a?b:c)]", "TypeError: (intermediate value)(intermediate value)(intermediate value) is not iterable"),
        ("[...{a:1}]", "TypeError: {(intermediate value)} is not iterable"),
        ("[...(a+b)]", "TypeError: (a + b) is not iterable"),
        ("[...undefined]", "TypeError: undefined is not iterable"),
        ("[...o.zz]", "TypeError: o.zz is not iterable"),
        ("f(...5)", "TypeError: Spread syntax requires ...iterable[Symbol.iterator] to be a function"),
        ("f(...o)", "TypeError: Spread syntax requires ...iterable[Symbol.iterator] to be a function"),
        ("f(...undefined)", "TypeError: undefined is not iterable (cannot read property undefined)"),
        ("f(...o.zz)", "TypeError: o.zz is not iterable (cannot read property undefined)"),
        ("f(...o,1)", "TypeError: object is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("new F(...o)", "TypeError: Spread syntax requires ...iterable[Symbol.iterator] to be a function"),
        ("let [qq]=5", "TypeError: 5 is not iterable"),
        ("let [qq]=o", "TypeError: o is not iterable"),
        ("let [qq]=o.x", "TypeError: number 1 is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("let [qq]=f()", "TypeError: f is not a function or its return value is not iterable"),
        ("let [qq]=q()", "TypeError: q is not a function or its return value is not iterable"),
        ("let [qq]=o.f()", "TypeError: undefined is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("let [qq]={}", "TypeError: {} is not iterable"),
        ("let [qq]=a+b", "TypeError: number 3 is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("let [[qq]]=[null]", "TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("[q]=o", "TypeError: object is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("[q]=-1", "TypeError: number -1 is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("for(const x of 5);", "TypeError: 5 is not iterable"),
        ("for(const x of o.x);", "TypeError: o.x is not iterable"),
        ("for(const x of f());", "TypeError: f is not a function or its return value is not iterable"),
        ("for(const x of q());", "TypeError: q is not a function or its return value is not iterable"),
        (
            "for(const x of a?b:c);",
            "TypeError: number 2 is not iterable (cannot read property Symbol(Symbol.iterator))"
        ),
        ("for(const x of new Map().size);", "TypeError: Map.size is not iterable"),
        ("for(const x of o?.a);", "TypeError: object is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("for(const x of {a:1});", "TypeError: {(intermediate value)} is not iterable"),
        ("for(const x of {a});", "TypeError: object is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("[...((a??b)??c)]", "TypeError: ((a ?? b) ?? c) is not iterable"),
        ("[...(a,f())]", "TypeError: (a , f) is not a function or its return value is not iterable"),
        (
            "function*g(){yield* 5} [...g()]",
            "TypeError: number 5 is not iterable (cannot read property Symbol(Symbol.iterator))"
        ),
        ("(([x])=>1)()", "TypeError: undefined is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("(([x])=>1)(null)", "TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("[1].map(([x])=>x)", "TypeError: number 1 is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("new Map(5)", "TypeError: number 5 is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("new Set({})", "TypeError: object is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("new Set(f)", "TypeError: function is not iterable (cannot read property Symbol(Symbol.iterator))"),
        ("Object.fromEntries(null)", "TypeError: undefined is not iterable"),
        ("Array.from(null)", "TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))"),
        (
            "undefined[Symbol.iterator]",
            "TypeError: undefined is not iterable (cannot read property Symbol(Symbol.iterator))"
        ),
        ("[...{[Symbol.iterator](){return {}}}]", "TypeError: {(intermediate value)} is not iterable"),
        (
            "let it={[Symbol.iterator](){return {next(){return {}},return(){return 1}}}}; for(const x of it)break;",
            "TypeError: Iterator result 1 is not an object"
        ),
        (
            "function*g(){yield* it} let it={[Symbol.iterator](){return {next(){return {}}}}}; const i=g(); i.next(); i.throw(1)",
            "TypeError: The iterator does not provide a 'throw' method."
        ),
    ]

    @Test("what has no elements is shown as V8 shows it", arguments: iteration)
    func iterationText(_ line: String, _ text: String) {
        #expect(Self.message(line) == text)
    }

    static let patterns: [(String, String)] = [
        ("var {x}=null", "TypeError: Cannot destructure property 'x' of 'null' as it is null."),
        ("var {x}=o.zz", "TypeError: Cannot destructure property 'x' of 'o.zz' as it is undefined."),
        ("let {x}=(a,null)", "TypeError: Cannot destructure property 'x' of '(a , null)' as it is null."),
        (
            "let {x}=[1].find(()=>0)",
            "TypeError: Cannot destructure property 'x' of '[1].find(...)' as it is undefined."
        ),
        ("let {x}=o?.zz", "TypeError: Cannot destructure property 'x' of '(intermediate value)' as it is undefined."),
        ("let {0:b2}=undefined", "TypeError: Cannot destructure property '0' of 'undefined' as it is undefined."),
        ("let {...r}=o.zz", "TypeError: Cannot destructure 'o.zz' as it is undefined."),
        ("(({x})=>1)()", "TypeError: Cannot destructure property 'x' of 'undefined' as it is undefined."),
        ("(({x})=>1)(null)", "TypeError: Cannot destructure property 'x' of 'object null' as it is null."),
        (
            "(({x}={})=>1)(null)",
            "TypeError: Cannot destructure property 'x' of '(intermediate value)(intermediate value)(intermediate value)' as it is null."
        ),
        (
            "(({x}=q)=>1)()",
            "TypeError: Cannot destructure property 'x' of '(intermediate value)(intermediate value)(intermediate value)' as it is undefined."
        ),
        ("(({x:{y}})=>1)({})", "TypeError: Cannot read properties of undefined (reading 'y')"),
        ("(({x:{y}={}})=>1)({x:null})", "TypeError: Cannot destructure property 'y' of '{}' as it is null."),
        ("[null].map(({x})=>x)", "TypeError: Cannot destructure property 'x' of 'object null' as it is null."),
        ("let {x:{y}}={x:null}", "TypeError: Cannot read properties of null (reading 'y')"),
        ("let {a:{z}=q}=f()", "TypeError: Cannot destructure property 'z' of 'q' as it is undefined."),
        ("let [{qq}]=[]", "TypeError: Cannot read properties of undefined (reading 'qq')"),
        ("({x:q=1}=null)", "TypeError: Cannot read properties of null (reading 'x')"),
        ("({x:o.y}=null)", "TypeError: Cannot read properties of null (reading 'x')"),
    ]

    @Test("what cannot be taken apart is shown as V8 shows it", arguments: patterns)
    func patternsText(_ line: String, _ text: String) {
        #expect(Self.message(line) == text)
    }

    static let values: [(String, String)] = [
        ("1+{[Symbol.toPrimitive]:5}", "TypeError: number 5 is not a function"),
        ("new Map([[1,2]]).forEach(5)", "TypeError: number 5 is not a function"),
        ("[1].map(5)", "TypeError: 5 is not a function"),
        ("[1].map({})", "TypeError: #<Object> is not a function"),
        (#""abc".length=1"#, "TypeError: Cannot assign to read only property 'length' of string 'abc'"),
        (#""abc"[0]="x""#, "TypeError: Cannot assign to read only property '0' of string 'abc'"),
        (#""abc".foo=1"#, "TypeError: Cannot create property 'foo' on string 'abc'"),
        (#"f.name="x""#, "TypeError: Cannot assign to read only property 'name' of function '()=>1'"),
        ("F.prototype=1", "TypeError: Cannot assign to read only property 'prototype' of function 'class{}'"),
        (
            "Symbol.iterator=1",
            "TypeError: Cannot assign to read only property 'iterator' of function 'function Symbol() { [native code] }'"
        ),
        ("delete F.prototype", "TypeError: Cannot delete property 'prototype' of class{}"),
        (#"delete "abc"[0]"#, "TypeError: Cannot delete property '0' of [object String]"),
        ("Object.freeze([1])[0]=2", "TypeError: Cannot assign to read only property '0' of object '[object Array]'"),
        ("Object.freeze({a:1}).a=2", "TypeError: Cannot assign to read only property 'a' of object '#<Object>'"),
        ("Object.freeze(Object.create({a:1})).a=2", "TypeError: Cannot add property a, object is not extensible"),
        (
            "Object.create(Object.freeze({a:1})).a=2",
            "TypeError: Cannot assign to read only property 'a' of object '#<Object>'"
        ),
        (
            "Object.freeze(/x/).lastIndex=1",
            "TypeError: Cannot assign to read only property 'lastIndex' of object '[object RegExp]'"
        ),
        (
            "Symbol.prototype.description=1",
            "TypeError: Cannot set property description of [object Symbol] which has only a getter"
        ),
        (#"String.fromCodePoint("x")"#, "RangeError: Invalid code point NaN"),
        (
            "class A extends Math.max{}",
            "TypeError: Class extends value function max() { [native code] } is not a constructor or null"
        ),
        (
            "class A{#m=1; static t(o){o.#m}} A.t(undefined)",
            "TypeError: Cannot read properties of undefined (reading '#m')"
        ),
        (
            "class A{#m=1; static t(o){o.#m=1}} A.t(undefined)",
            "TypeError: Cannot set properties of undefined (setting '#m')"
        ),
        (
            "Error.prototype.toString.call(5)",
            "TypeError: Method Error.prototype.toString called on incompatible receiver 5"
        ),
        ("Array.prototype.map.call(null,()=>1)", "TypeError: Array.prototype.map called on null or undefined"),
        ("Array.prototype.find.call(null)", "TypeError: Array.prototype.find called on null or undefined"),
        (
            "Array.prototype.reduceRight.call(null)",
            "TypeError: Array.prototype.reduceRight called on null or undefined"
        ),
        ("Array.prototype.at.call(null,1)", "TypeError: Cannot convert undefined or null to object"),
        (
            "Date.prototype.setTime.call(1)",
            "TypeError: Method Date.prototype.setTime called on incompatible receiver 1"
        ),
        (
            "Date.prototype.toUTCString.call({})",
            "TypeError: Method Date.prototype.toUTCString called on incompatible receiver #<Object>"
        ),
        ("Date.prototype.getTime.call({})", "TypeError: this is not a Date object."),
        ("undefined[o]", "TypeError: Cannot read properties of undefined (reading '#<Object>')"),
        ("undefined[[1]]=1", "TypeError: Cannot set properties of undefined"),
        (
            "Symbol.prototype[Symbol.toPrimitive].call(1)",
            "TypeError: Symbol.prototype [ @@toPrimitive ] requires that 'this' be a Symbol"
        ),
        ("Promise.prototype.finally.call(1)", "TypeError: Promise.prototype.finally called on non-object"),
        ("Promise.prototype.catch.call({})", "TypeError: undefined is not a function"),
    ]

    @Test("values in messages are those of V8", arguments: values)
    func valuesText(_ line: String, _ text: String) {
        #expect(Self.message(line) == text)
    }
}
