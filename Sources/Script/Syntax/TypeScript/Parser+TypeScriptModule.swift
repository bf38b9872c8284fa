extension Parser {
    /// `import type`, from behind `import` on. False where `type` is a name, or isn't there.
    func skipTypeImport(at start: Place, into statements: inout [Statement]) throws(SyntaxRefusal) -> Bool {
        guard kind == .type else { return false }
        let mark = lexer.mark
        try next()
        switch kind {
        case .openBrace, .multiply: break
        case .from:
            // `import type from "x"` is no import of types, `import type from from "x"` is.
            if try lexer.tokenBehind().kind == .text {
                lexer.goBack(to: mark)
                return false
            }
        default:
            guard kind.isIdentifier else {
                lexer.goBack(to: mark)
                return false
            }
        }
        let entries = program.imports
        let requests = (program.requests, module.requests)
        let scopeMark = scopes.mark
        let context = frame.context
        frame.context.insert(.ambient)
        try parseTypeImportRest()
        frame.context = context
        program.imports = entries
        (program.requests, module.requests) = requests
        scopes.goBack(to: scopeMark)
        return true
    }

    private func parseTypeImportRest() throws(SyntaxRefusal) {
        if kind.isIdentifier {
            typeScript.typeNames.insert(lexer.token.name)
            try next()
            if try eat(.assign) {
                try skipEntityOrRequire()
                return try endStatement()
            }
            _ = try eat(.comma)
        }
        if kind == .openBrace || kind == .multiply { try parseImportClause() }
        guard kind == .from else { throw unexpected() }
        try next()
        _ = try parseModuleSpecifier()
        try endStatement()
    }

    private func skipEntityOrRequire() throws(SyntaxRefusal) {
        if kind == .require, try lexer.tokenBehind().kind == .openParenthesis {
            try next()
            try next()
            try expect(.text)
            try expect(.closeParenthesis)
        } else {
            guard kind.isIdentifier else { throw unexpected() }
            try skipQualifiedName()
        }
    }

    /// The word `type` before a name in `{ }`. True where it was that.
    func skipTypeModifier() throws(SyntaxRefusal) -> Bool {
        guard kind == .type else { return false }
        let mark = lexer.mark
        try next()
        switch kind {
        case .comma, .closeBrace:
            lexer.goBack(to: mark)
            return false
        case .as:
            // `type as x` names `type`, unless x is `as` with a name behind it; `type as` alone is a type called `as`.
            let asMark = lexer.mark
            try next()
            if kind == .as {
                try next()
                let isType = kind.isWord
                lexer.goBack(to: isType ? asMark : mark)
                return isType
            }
            let isType = !kind.isWord && kind != .text
            lexer.goBack(to: isType ? asMark : mark)
            return isType
        default:
            return true
        }
    }

    /// `import name = require("module")` and `import name = a.b.c`, from the `=` on.
    func parseImportAssignment(
        _ name: Name, _ namePlace: Place, isExported: Bool, into statements: inout [Statement]
    ) throws(SyntaxRefusal) {
        try expect(.assign)
        if kind == .require, try lexer.tokenBehind().kind == .openParenthesis {
            try next()
            try next()
            let request = try parseModuleSpecifier()
            try expect(.closeParenthesis)
            try endStatement()
            try declare(name, .import, at: namePlace)
            program.imports.append(ImportEntry(request: request, source: .required, local: name, at: namePlace))
        } else {
            let root = lexer.token.name
            let value = try parseEntity()
            try endStatement()
            try declare(name, .lexical, at: namePlace)
            typeScript.aliases.append(
                TypeScriptState.Alias(name: name, root: root, statement: statements.count, isNeeded: isExported))
            let part = ElementPattern(.binding(name, namePlace), initializer: value)
            statements.append(
                Statement(.declaration(Declaration(kind: .const, parts: [part])), at: namePlace))
        }
        if isExported { try addExport(name, .local(name), at: namePlace) }
    }

    /// `a.b.c`
    func parseEntity() throws(SyntaxRefusal) -> Expression {
        guard isIdentifier else { throw unexpected() }
        var expression = Expression(.identifier(lexer.token.name), at: place)
        try next()
        while try eat(.dot) {
            guard kind.isWord else { throw unexpected() }
            try rise()
            expression = Expression(.member(expression, lexer.token.name, isOptional: false), at: place)
            try next()
        }
        return expression
    }

    // MARK: Export

    /// TypeScript's forms of `export`, from behind that word on.
    func parseTypeScriptExport(
        at start: Place, into statements: inout [Statement]
    ) throws(SyntaxRefusal) -> Bool {
        switch kind {
        case .assign:
            try next()
            let value = try parseExpression()
            try endStatement()
            try declare(.known(.starDefault), .lexical, at: start)
            try addExport(.known(.default), .local(.known(.starDefault)), at: start)
            try addExport(lexer.names.name(of: "export="), .local(.known(.starDefault)), at: start)
            statements.append(Statement(.exportDefault(value), at: start))
            return true
        case .as:
            // `export as namespace Name`
            try next()
            try expect(.namespace)
            _ = try bindingIdentifier()
            try endStatement()
            return true
        case .import:
            try next()
            if try skipTypeImport(at: start, into: &statements) { return true }
            let (name, place) = try bindingIdentifier()
            try parseImportAssignment(name, place, isExported: true, into: &statements)
            return true
        case .type:
            let behind = try lexer.tokenBehind().kind
            if behind == .openBrace || behind == .multiply {
                try skipTypeExport()
                return true
            }
            fallthrough
        case .interface, .abstract, .namespace, .module, .declare:
            var declared: [Statement] = []
            guard try parseTypeScriptStatement(into: &declared) else { return false }
            for statement in declared {
                for (name, place) in declaredNames(of: statement) { try addExport(name, .local(name), at: place) }
            }
            try exportMerged(declared, at: start)
            statements += declared
            return true
        default:
            return false
        }
    }

    /// A namespace whose variable was declared before has no declaration of its own.
    func exportMerged(_ declared: [Statement], at start: Place) throws(SyntaxRefusal) {
        guard let name = typeScript.lastMerged, declared.count == 1, case .expression? = declared.first?.form
        else { return }
        if !module.exported.contains(name) { try addExport(name, .local(name), at: start) }
    }

    /// `export type { A } from "module"` and `export type * from "module"`
    private func skipTypeExport() throws(SyntaxRefusal) {
        try next()
        if try eat(.multiply) {
            if try eat(.as) { _ = try parseModuleExportName() }
        } else {
            try expect(.openBrace)
            while kind != .closeBrace {
                _ = try skipTypeModifier()
                _ = try parseModuleExportName()
                if try eat(.as) { _ = try parseModuleExportName() }
                if kind != .closeBrace { try expect(.comma) }
            }
            try next()
        }
        if try eat(.from) {
            let requests = (program.requests, module.requests)
            _ = try parseModuleSpecifier()
            (program.requests, module.requests) = requests
        }
        try endStatement()
    }

    /// `export default interface`, `export default abstract class`. False where a value follows.
    func skipDefaultType(_ local: inout Name, into statements: inout [Statement]) throws(SyntaxRefusal) -> Bool {
        switch kind {
        case .interface:
            try skipInterface()
            return true
        case .abstract where try lexer.tokenBehind().kind == .class:
            let start = place
            try next()
            let node = try parseDefaultClass(&local)
            if local == .known(.starDefault) { try addExport(.known(.default), .local(local), at: start) }
            if !frame.context.contains(.ambient) { statements.append(Statement(.class(node), at: start)) }
            return true
        default:
            return false
        }
    }

    // MARK: The end

    /// Leaves out what is only there for types: imports and aliases that no value uses, and modules that were only asked
    /// for them.
    func finishTypeScript() {
        var used = Set(scopes.references)
        for local in module.exportedLocals { used.insert(local.name) }
        removeDefaultType(&used)
        var body = program.body
        program.body = []
        removeUnusedAliases(from: &body, first: 0, &used)
        program.body = body
        let hidden = scopes.hiddenImports
        var needed = module.neededRequests
        var imports: [ImportEntry] = []
        for entry in program.imports where used.contains(entry.local) && !hidden.contains(entry.local) {
            imports.append(entry)
            needed.insert(entry.request)
        }
        program.imports = imports
        guard needed.count < program.requests.count else { return }
        var numbers: [Int: Int] = [:]
        var requests: [ModuleRequest] = []
        for (number, request) in program.requests.enumerated() where needed.contains(number) {
            numbers[number] = requests.count
            requests.append(request)
        }
        program.requests = requests
        for index in program.imports.indices {
            program.imports[index].request = numbers[program.imports[index].request] ?? 0
        }
        for index in program.exports.indices {
            switch program.exports[index].source {
            case .local: break
            case .imported(let request, let name):
                program.exports[index].source = .imported(request: numbers[request] ?? 0, name)
            case .namespace(let request):
                program.exports[index].source = .namespace(request: numbers[request] ?? 0)
            case .all(let request):
                program.exports[index].source = .all(request: numbers[request] ?? 0)
            }
        }
    }

    /// `export default Name` of a type.
    private func removeDefaultType(_ used: inout Set<Name>) {
        let index = program.body.firstIndex { statement in
            guard case .exportDefault(let value) = statement.form, case .identifier(let name) = value.form else {
                return false
            }
            return typeScript.typeNames.contains(name) && scopes.kind(of: name) == nil
        }
        guard let index else { return }
        program.body[index].form = .empty
        program.exports.removeAll { entry in
            if case .local(.known(.starDefault)) = entry.source { true } else { false }
        }
    }

    /// Aliases of the list whose first one has this number, from the last on, since one may use another.
    func removeUnusedAliases(
        from statements: inout [Statement], first: Int, _ used: inout Set<Name>
    ) {
        for alias in typeScript.aliases[first...].reversed() {
            if alias.isNeeded || used.contains(alias.name) {
                used.insert(alias.root)
                scopes.refer(to: alias.root)
            } else if statements.indices.contains(alias.statement) {
                statements[alias.statement].form = .empty
            }
        }
        typeScript.aliases.removeLast(typeScript.aliases.count - first)
    }
}
