/// Turns a program's tree into code, in one walk. `FunctionCompiler` does it for one function; this holds what the
/// functions of a program share.
final class Compiler {
    let names: NameNumbers
    private(set) var numbers: [Double] = []
    private(set) var texts: [[UInt16]] = []
    private(set) var templates: [Template] = []
    private var numberPlaces: [UInt64: Int32] = [:]
    private var textPlaces: [[UInt16]: Int32] = [:]

    init(_ names: NameNumbers) {
        self.names = names
    }

    static func compile(_ program: ProgramNode, _ names: NameNumbers, file: String, isModule: Bool) -> CompiledProgram {
        let compiler = Compiler(names)
        let function = FunctionCompiler(compiler, parent: nil, kind: isModule ? .module : .script)
        let (top, globals, exportCells) = function.compileTop(program)
        return CompiledProgram(
            file: file, text: program.text, spellings: names.all, numbers: compiler.numbers, texts: compiler.texts,
            templates: compiler.templates, top: top, isModule: isModule, globals: globals, requests: program.requests,
            imports: program.imports, exports: program.exports, exportCells: exportCells,
            hasTopLevelAwait: program.hasTopLevelAwait)
    }

    func place(of number: Double) -> Int32 {
        if let place = numberPlaces[number.bitPattern] { return place }
        let place = Int32(truncatingIfNeeded: numbers.count)
        numbers.append(number)
        numberPlaces[number.bitPattern] = place
        return place
    }

    func place(of text: [UInt16]) -> Int32 {
        if let place = textPlaces[text] { return place }
        let place = Int32(truncatingIfNeeded: texts.count)
        texts.append(text)
        textPlaces[text] = place
        return place
    }

    /// Texts that stand one after the other.
    func places(of parts: [[UInt16]]) -> Int32 {
        let place = Int32(truncatingIfNeeded: texts.count)
        texts.append(contentsOf: parts)
        return place
    }

    func place(of template: Template) -> Int32 {
        templates.append(template)
        return Int32(truncatingIfNeeded: templates.count - 1)
    }
}
