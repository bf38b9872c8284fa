/// JavaScript as ECMAScript 2023 defines it, with TypeScript's types read and left out. Strict code only.
///
///     text ─▶ Syntax ─▶ tree ─▶ Compiler ─▶ CompiledProgram ─▶ Realm ─▶ values
///
/// A `CompiledProgram` is made once and shared by threads; a `Realm` belongs to one thread, is made for a run, and takes
/// all that it made with it. A `ScriptHost` gives modules, time and chance. `ScriptLimits` bounds everything.
///
/// - `Syntax/` the lexer, the parser and the tree, with what is left out of TypeScript. `Compiler/` makes code of the tree.
/// - `Running/` the loop and the operations of the language. `Values/` and `Objects/` what it works with, `Modules/` how files
///   come together.
/// - `Library/` the objects that programs find. What they compute without any object is beside it: `Numbers/`, `Dates/`,
///   `RegularExpressions/`, `Unicode/`, `Addresses/`.
/// - `Node/` the modules of Node that a host may lend.
///
/// `DESIGN.md` beside this file says what must stay true.
package enum Script {
    /// Reads and compiles a file.
    package static func compile(
        _ text: [UInt16], file: String, _ options: SyntaxOptions = SyntaxOptions()
    ) throws(ScriptSyntaxError) -> CompiledProgram {
        let names = NameNumbers()
        let program = try ProgramNode(parsing: text, names: names, options: options)
        return Compiler.compile(program, names, file: file, isModule: options.goal == .module)
    }

    /// Compiles what was parsed before, for those who look at the tree themselves.
    package static func compile(
        _ program: ProgramNode, _ names: NameNumbers, file: String, _ options: SyntaxOptions = SyntaxOptions()
    ) -> CompiledProgram {
        Compiler.compile(program, names, file: file, isModule: options.goal == .module)
    }

    package static func compile(
        _ text: String, file: String, _ options: SyntaxOptions = SyntaxOptions()
    ) throws(ScriptSyntaxError) -> CompiledProgram {
        try compile(Array(text.utf16), file: file, options)
    }
}
