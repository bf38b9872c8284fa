import Testing

@testable import Script

@Suite("What is no program")
struct SyntaxErrorTests {
    static let refused: [(String, String)] = [
        // Tokens
        ("a b", "1:3 Unexpected identifier 'b'"), ("f(1 2)", "1:5 missing ) after argument list"),
        ("(", "1:2 Unexpected end of input"), ("a = )", "1:5 Unexpected token ')'"),
        ("a = 1 'b'", "1:7 Unexpected string"),
        ("a = 'b' 1", "1:9 Unexpected number"), ("'a", "1:1 Invalid or unexpected token"),
        ("`a", "1:2 Unterminated template literal"), ("`${a", "1:5 Unterminated template literal"),
        ("`${a b}`", "1:6 Missing } in template expression"), ("/* a", "1:1 Invalid or unexpected token"),
        ("a = /b", "1:5 Invalid regular expression: missing /"), ("a = /b/gg", "1:5 Invalid regular expression flags"),
        ("a = /b/x", "1:5 Invalid regular expression flags"),
        ("a = '\\u{110000}'", "1:5 Invalid Unicode escape sequence"),
        ("a = '\\x1'", "1:5 Invalid hexadecimal escape sequence"),
        ("a = `\\u1`", "1:6 Invalid Unicode escape sequence"),
        ("a = 1_", "1:6 Numeric separators are not allowed at the end of numeric literals"),
        ("a = 1__0", "1:6 Only one underscore is allowed as numeric separator"),
        ("3in []", "1:2 Invalid or unexpected token"),
        ("a = 010", "1:5 Octal literals are not allowed in strict mode."),
        ("a = 09", "1:5 Decimals with leading zeros are not allowed in strict mode."),
        ("a = '\\01'", "1:5 Octal escape sequences are not allowed in strict mode."),
        ("a = '\\8'", "1:5 \\8 and \\9 are not allowed in strict mode."), ("a = 0x", "1:7 Invalid or unexpected token"),
        ("a = 10n", "1:5 BigInt literals are not supported"),
        ("v\\u0061r x", "1:1 Keyword must not contain escaped characters"),
        ("@d class A {}", "1:1 Decorators are not supported"),
        ("class A { @d m() {} }", "1:11 Decorators are not supported"),
        ("<!-- a", "1:1 Unexpected token '<'"),
        ("a = #b", "1:5 Private field '#b' must be declared in an enclosing class"),
        // Declarations
        ("let a; let a", "1:12 Identifier 'a' has already been declared"),
        ("let a; var a", "1:12 Identifier 'a' has already been declared"),
        ("var a; let a", "1:12 Identifier 'a' has already been declared"),
        ("let a; { var a }", "1:14 Identifier 'a' has already been declared"),
        ("{ var a } let a", "1:15 Identifier 'a' has already been declared"),
        ("function f(a) { let a }", "1:21 Identifier 'a' has already been declared"),
        ("(a) => { let a }", "1:14 Identifier 'a' has already been declared"),
        ("try {} catch (e) { let e }", "1:24 Identifier 'e' has already been declared"),
        ("try {} catch ([e]) { var e }", "1:26 Identifier 'e' has already been declared"),
        ("for (let i of []) { var i }", "1:25 Identifier 'i' has already been declared"),
        ("switch (1) { case 1: let a; case 2: let a }", "1:41 Identifier 'a' has already been declared"),
        ("import a from 'a'; let a", "1:24 Identifier 'a' has already been declared"),
        ("class A {} class A {}", "1:18 Identifier 'A' has already been declared"),
        ("function f() {} function f() {}", "1:26 Identifier 'f' has already been declared"),
        ("const a", "1:8 Missing initializer in const declaration"),
        ("let [a]", "1:8 Missing initializer in destructuring declaration"),
        ("let let = 1", "1:5 let is disallowed as a lexically bound name"),
        ("if (1) let a", "1:8 Lexical declaration cannot appear in a single-statement context"),
        ("if (1) class A {}", "1:8 Unexpected token 'class'"),
        (
            "if (1) function f() {}",
            "1:8 In strict mode code, functions can only be declared at top level or inside a block."
        ),
        (
            "while (0) async function f() {}",
            "1:11 Async functions can only be declared at the top level or inside a block."
        ),
        ("let public", "1:5 Unexpected strict mode reserved word"), ("let enum", "1:5 Unexpected reserved word"),
        ("let eval", "1:5 Unexpected eval or arguments in strict mode"), ("let await", "1:5 Unexpected reserved word"),
        ("function f(a, a) {}", "1:15 Duplicate parameter name not allowed in this context"),
        ("(a, a) => 1", "1:5 Duplicate parameter name not allowed in this context"),
        (
            "function f(a = 1) { 'use strict' }",
            "1:21 Illegal 'use strict' directive in function with non-simple parameter list"
        ),
        ("function f(...a, b) {}", "1:16 Rest parameter must be last formal parameter"),
        // Statements
        ("with (a) {}", "1:1 Strict mode code may not include a with statement"),
        ("break", "1:1 Illegal break statement"),
        ("continue", "1:1 Illegal continue statement: no surrounding iteration statement"),
        ("a: { continue a }", "1:15 Illegal continue statement: 'a' does not denote an iteration statement"),
        ("while (1) break a", "1:17 Undefined label 'a'"), ("a: a: ;", "1:4 Label 'a' has already been declared"),
        ("while (1) { (() => { break })() }", "1:22 Illegal break statement"),
        ("return", "1:1 Illegal return statement"),
        ("throw\na", "2:1 Illegal newline after throw"), ("try {}", "1:7 Missing catch or finally after try"),
        ("switch (1) { default: default: }", "1:23 More than one default clause in switch statement"),
        ("for (let a, b of c);", "1:6 Invalid left-hand side in for-of loop: Must have a single binding."),
        ("for (let a = 1 of c);", "1:6 for-of loop variable declaration may not have an initializer."),
        ("for (async of c);", "1:6 The left-hand side of a for-of loop may not be 'async'."),
        ("for (a() of c);", "1:6 Invalid left-hand side in for-loop"),
        ("for (const a;;);", "1:13 Missing initializer in const declaration"),
        // Expressions
        ("1 = a", "1:1 Invalid left-hand side in assignment"), ("a() = 1", "1:1 Invalid left-hand side in assignment"),
        ("a?.b = 1", "1:4 Invalid left-hand side in assignment"),
        ("++a()", "1:3 Invalid left-hand side expression in prefix operation"),
        ("1++", "1:1 Invalid left-hand side expression in postfix operation"),
        ("[a + 1] = b", "1:2 Invalid destructuring assignment target"),
        ("({ a: 1 } = b)", "1:7 Invalid destructuring assignment target"),
        ("({ a = 1 })", "1:6 Invalid shorthand property initializer"),
        ("f({ a = 1 })", "1:7 Invalid shorthand property initializer"),
        ("[...a, b] = c", "1:5 Rest element must be last element"),
        ("[...a,] = c", "1:5 Invalid destructuring assignment target"),
        ("({ ...{ a } } = b)", "1:7 `...` must be followed by an assignable reference in assignment contexts"),
        ("({ __proto__: 1, __proto__: 2 })", "1:18 Duplicate __proto__ fields are not allowed in object literals"),
        ("delete a", "1:8 Delete of an unqualified identifier in strict mode."),
        ("eval = 1", "1:1 Unexpected eval or arguments in strict mode"),
        (
            "-1 ** 2",
            "1:4 Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator precedence"
        ),
        ("a ?? b || c", "1:8 Unexpected token '||'"), ("a && b ?? c", "1:8 Unexpected token '??'"),
        ("new a?.b()", "1:6 Invalid optional chain from new expression"),
        ("a?.`b`", "1:4 Invalid tagged template on optional chain"),
        ("new.target", "1:1 new.target expression is not allowed here"),
        ("new import('a')", "1:5 Cannot use new with import"),
        ("super()", "1:1 'super' keyword unexpected here"), ("super.a", "1:1 'super' keyword unexpected here"),
        ("class A { m() { super() } }", "1:17 'super' keyword unexpected here"),
        ("function f() { await 1 }", "1:16 await is only valid in async functions and the top level bodies of modules"),
        ("async function f(a = await 1) {}", "1:22 Illegal await-expression in formal parameters of async function"),
        ("function* f(a = yield) {}", "1:17 Yield expression not allowed in formal parameter"),
        ("yield = 1", "1:1 Unexpected strict mode reserved word"), ("a => {} + 1", "1:9 Unexpected token '+'"),
        ("(a, b)\n=> 1", "2:1 Unexpected token '=>'"), ("(a + b) => 1", "1:2 Invalid destructuring assignment target"),
        ("((a)) => 1", "1:2 Invalid destructuring assignment target"), ("()", "1:3 Unexpected end of input"),
        ("(a,)", "1:4 Unexpected token ')'"),
        // Classes
        ("class A { constructor() {} constructor() {} }", "1:28 A class may only have one constructor"),
        ("class A { get constructor() {} }", "1:15 Class constructor may not be an accessor"),
        ("class A { async constructor() {} }", "1:17 Class constructor may not be an async method"),
        ("class A { *constructor() {} }", "1:12 Class constructor may not be a generator"),
        ("class A { constructor = 1 }", "1:11 Classes may not have a field named 'constructor'"),
        ("class A { #constructor }", "1:11 Classes may not have a private field named '#constructor'"),
        ("class A { static prototype() {} }", "1:18 Classes may not have a static property named 'prototype'"),
        ("class A { #a; #a }", "1:15 Identifier '#a' has already been declared"),
        ("class A { m() { this.#b } }", "1:22 Private field '#b' must be declared in an enclosing class"),
        ("a.#b", "1:3 Private field '#b' must be declared in an enclosing class"),
        ("class A { #a; m() { delete this.#a } }", "1:33 Private fields can not be deleted"),
        (
            "class A { a = arguments }",
            "1:15 'arguments' is not allowed in class field initializer or static initialization block"
        ),
        ("class A { get a(b) {} }", "1:16 Getter must not have any formal parameters."),
        ("({ set a() {} })", "1:9 Setter must have exactly one formal parameter."),
        // Modules
        ("export { a }", "1:10 Export 'a' is not defined in module"), ("export { if }", "1:10 Unexpected token 'if'"),
        ("let a; export { a }; export { a }", "1:31 Duplicate export of 'a'"),
        ("{ import a from 'a' }", "1:3 Cannot use import statement outside a module"),
        ("{ export default 1 }", "1:3 Unexpected token 'export'"),
        ("import { a as b, c as b } from 'a'", "1:23 Identifier 'b' has already been declared"),
        (
            "import a from 'a' with { type: 'css' }",
            "1:26 Import attribute \"type\" with value \"css\" is not supported"
        ),
        ("import { 'a' } from 'b'", "1:14 Unexpected token '}'"),
        ("export default 1; export default 2", "1:19 Identifier '*default*' has already been declared"),
    ]

    @Test("is refused with V8's words and the place", arguments: refused)
    func message(_ source: String, _ expected: String) {
        #expect(TreePrinter.tree(of: source) == expected)
    }

    static let refusedInScripts: [(String, String)] = [
        ("import a from 'a'", "1:1 Cannot use import statement outside a module"),
        ("export let a", "1:1 Unexpected token 'export'"),
        ("import.meta", "1:1 Cannot use 'import.meta' outside a module"), ("await 1", "1:7 Unexpected number"),
        ("async (await) => 1", "1:8 Unexpected reserved word"),
        ("class A { static { await } }", "1:20 Unexpected reserved word"),
    ]

    @Test("a script is strict code that has no modules", arguments: refusedInScripts)
    func scripts(_ source: String, _ expected: String) {
        #expect(TreePrinter.tree(of: source, .script) == expected)
    }

    @Test("no beginning of a program and no program without one of its units traps")
    func cutPrograms() {
        let source = Array(SyntaxTests.sample.utf16)
        for index in source.indices {
            _ = TreePrinter.tree(of: String(decoding: source[..<index], as: UTF16.self), isTypeScript: true)
            var without = source
            without.remove(at: index)
            _ = TreePrinter.tree(of: String(decoding: without, as: UTF16.self), isTypeScript: index.isMultiple(of: 2))
        }
    }
}
