extension ProgramNode {
    /// Reads a file's text.
    package init(
        parsing text: [UInt16], names: NameNumbers, options: SyntaxOptions = SyntaxOptions()
    ) throws(ScriptSyntaxError) {
        guard text.count <= SyntaxLimits.textUnitsMax else {
            throw ScriptSyntaxError(
                "The file is too long", at: .start,
                hint: "It has \(text.count) characters; at most \(SyntaxLimits.textUnitsMax) are read.")
        }
        let parser = Parser(text, names: names, options: options)
        do {
            self = try parser.parseProgram()
        } catch {
            throw parser.lexer.failure ?? ScriptSyntaxError("Invalid or unexpected token", at: parser.place)
        }
    }
}

extension Parser {
    func parseProgram() throws(SyntaxRefusal) -> ProgramNode {
        program.text = lexer.units
        lexer.skipHashbang()
        try next()
        frame.context = .topLevel
        scopes.open(isFunction: true, hasLexicalFunctions: options.goal == .module)
        var body: [Statement] = []
        while kind != .end { try parseListItem(into: &body) }
        program.body = body
        try finishExports()
        if isTypeScript { finishTypeScript() }
        scopes.close()
        return program
    }

    /// What `export { }` names has to be declared. What it names of an import is that module's export.
    private func finishExports() throws(SyntaxRefusal) {
        guard !program.exports.isEmpty else { return }
        let declared = scopes.namesOfInnermost
        for local in module.exportedLocals where declared[local.name] == nil {
            if isTypeScript { continue }
            throw refuse("Export '\(lexer.names.text(of: local.name))' is not defined in module", at: local.place)
        }
        if isTypeScript {
            let undeclared = Set(module.exportedLocals.lazy.map(\.name).filter { declared[$0] == nil })
            program.exports.removeAll { entry in
                if case .local(let name) = entry.source { undeclared.contains(name) } else { false }
            }
        }
        var imports: [Name: ImportEntry] = [:]
        for entry in program.imports where declared[entry.local] == .import { imports[entry.local] = entry }
        for index in program.exports.indices {
            guard case .local(let name) = program.exports[index].source, let entry = imports[name],
                case .name(let imported) = entry.source
            else { continue }
            program.exports[index].source = .imported(request: entry.request, imported)
        }
    }
}
