/// JavaScript as ECMAScript 2023 defines it, with TypeScript's types read and left out. Strict code only.
///
///     text ─▶ Syntax ─▶ tree ─▶ Compiler ─▶ CompiledProgram ─▶ Realm ─▶ values
///
/// A `CompiledProgram` is made once and shared by threads; a `Realm` belongs to one thread, is made for a run, and takes
/// all that it made with it. A `ScriptHost` gives modules, time and chance. `ScriptLimits` bounds everything.
package enum Script {
    /// Reads and compiles a file.
    package static func compile(
        _ text: [UInt16], file: String, _ options: SyntaxOptions = SyntaxOptions()
    ) throws(ScriptSyntaxError) -> CompiledProgram {
        let names = NameTable()
        let program = try ProgramNode(parsing: text, names: names, options: options)
        return Compiler.compile(program, names, file: file, isModule: options.goal == .module)
    }

    package static func compile(
        _ text: String, file: String, _ options: SyntaxOptions = SyntaxOptions()
    ) throws(ScriptSyntaxError) -> CompiledProgram {
        try compile(Array(text.utf16), file: file, options)
    }
}
