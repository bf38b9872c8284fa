extension Parser {
    /// `import` or `export`, or a statement that begins with `import(` or `import.meta`.
    func parseModuleItem(into statements: inout [Statement]) throws(SyntaxRefusal) {
        let start = place
        if kind == .import {
            let behind = try lexer.tokenBehind()
            if behind.kind == .openParenthesis || behind.kind == .dot {
                let expression = try parseExpression()
                try endStatement()
                statements.append(Statement(.expression(expression), at: start))
                return
            }
        }
        let isOutermost = scopes.count == 1 && options.goal == .module && frame.context.contains(.topLevel)
        if !isOutermost, !frame.context.contains(.ambient) {
            if kind == .import { throw refuse("Cannot use import statement outside a module") }
            throw unexpected()
        }
        if kind == .import {
            try next()
            try parseImport(at: start, into: &statements)
        } else {
            try next()
            try parseExport(at: start, into: &statements)
        }
    }

    // MARK: Import

    private func parseImport(at start: Place, into statements: inout [Statement]) throws(SyntaxRefusal) {
        if kind == .text {
            let request = try parseModuleSpecifier()
            module.neededRequests.insert(request)
            return try endStatement()
        }
        if isTypeScript, try skipTypeImport(at: start, into: &statements) { return }
        let firstEntry = program.imports.count
        if isIdentifier || kind == .await {
            let (name, namePlace) = try bindingIdentifier()
            if isTypeScript, kind == .assign {
                return try parseImportAssignment(name, namePlace, isExported: false, into: &statements)
            }
            try addImport(.name(.known(.default)), name, at: namePlace)
            if try eat(.comma) { try parseImportClause() }
        } else {
            try parseImportClause()
        }
        guard kind == .from, !lexer.token.hasEscape else { throw unexpected() }
        try next()
        let request = try parseModuleSpecifier()
        for index in firstEntry..<program.imports.count { program.imports[index].request = request }
        try endStatement()
    }

    private func addImport(_ source: ImportEntry.Source, _ local: Name, at place: Place) throws(SyntaxRefusal) {
        try declare(local, .import, at: place)
        program.imports.append(ImportEntry(request: 0, source: source, local: local, at: place))
    }

    /// `* as name` or `{ ... }`
    func parseImportClause() throws(SyntaxRefusal) {
        if try eat(.multiply) {
            guard kind == .as, !lexer.token.hasEscape else { throw unexpected() }
            try next()
            let (name, place) = try bindingIdentifier()
            return try addImport(.namespace, name, at: place)
        }
        try expect(.openBrace)
        while kind != .closeBrace {
            try parseImportSpecifier()
            if kind != .closeBrace { try expect(.comma) }
        }
        try next()
    }

    private func parseImportSpecifier() throws(SyntaxRefusal) {
        let isType = isTypeScript ? try skipTypeModifier() : false
        let token = lexer.token
        let imported = try parseModuleExportName()
        if kind == .as, !lexer.token.hasEscape {
            try next()
            let (local, place) = try bindingIdentifier()
            if !isType { try addImport(.name(imported), local, at: place) }
            return
        }
        guard token.kind.isIdentifier, token.kind != .await || !isAwaitReserved else {
            throw token.kind == .text ? unexpected() : unexpected(token)
        }
        if imported == .known(.eval) || imported == .known(.arguments) {
            throw refuse("Unexpected eval or arguments in strict mode", at: token.place)
        }
        if !isType { try addImport(.name(imported), imported, at: token.place) }
    }

    /// A name of an export: a word or a text.
    func parseModuleExportName() throws(SyntaxRefusal) -> Name {
        let token = lexer.token
        guard kind == .text else {
            guard kind.isWord else { throw unexpected() }
            try next()
            return token.name
        }
        let value = try lexer.textValue()
        guard Parser.isWellFormed(value) else {
            throw refuse("Invalid module export name: contains unpaired surrogate character")
        }
        try next()
        return lexer.names.name(of: value)
    }

    private static func isWellFormed(_ units: [UInt16]) -> Bool {
        var index = 0
        while index < units.count {
            let unit = units[index]
            index += 1
            guard unit & 0xF800 == 0xD800 else { continue }
            guard unit & 0xFC00 == 0xD800, index < units.count, units[index] & 0xFC00 == 0xDC00 else { return false }
            index += 1
        }
        return true
    }

    /// The text that names a module, with its attributes. The answer is the number of the request.
    func parseModuleSpecifier() throws(SyntaxRefusal) -> Int {
        guard kind == .text else { throw unexpected() }
        let start = place
        let specifier = try lexer.textValue()
        try next()
        let isJSON = try parseAttributes()
        let key = ModuleNames.Request(specifier: specifier, isJSON: isJSON)
        if let number = module.requests[key] { return number }
        let number = program.requests.count
        module.requests[key] = number
        program.requests.append(ModuleRequest(specifier: specifier, isJSON: isJSON, at: start))
        return number
    }

    /// `with { type: "json" }`. True where that is there.
    private func parseAttributes() throws(SyntaxRefusal) -> Bool {
        let isOldWord =
            kind == .identifier && !lexer.token.isAfterLineBreak && lexer.names.text(of: lexer.token.name) == "assert"
        guard kind == .with || isOldWord else { return false }
        try next()
        try expect(.openBrace)
        var keys: Set<Name> = []
        while kind != .closeBrace {
            let start = place
            let key = try parseModuleExportName()
            if !keys.insert(key).inserted {
                throw refuse(
                    "Import attributes has a duplicate key '\(lexer.names.text(of: key))'", at: start)
            }
            try expect(.colon)
            guard kind == .text else { throw unexpected() }
            let value = String(decoding: try lexer.textValue(), as: UTF16.self)
            if lexer.names.text(of: key) != "type" || value != "json" {
                throw refuse(
                    "Import attribute \"\(lexer.names.text(of: key))\" with value \"\(value)\" is not supported",
                    at: start, hint: "The only attribute there is, is type: \"json\".")
            }
            try next()
            if kind != .closeBrace { try expect(.comma) }
        }
        try next()
        return !keys.isEmpty
    }

    // MARK: Export

    private func parseExport(at start: Place, into statements: inout [Statement]) throws(SyntaxRefusal) {
        switch kind {
        case .multiply: try parseExportAll(at: start)
        case .openBrace: try parseExportList(at: start)
        case .default: try parseExportDefault(at: start, into: &statements)
        case .var, .let, .const, .function, .class, .async, .enum:
            if kind == .enum, !isTypeScript { throw unexpected() }
            try parseExportedDeclaration(at: start, into: &statements)
        default:
            if isTypeScript, try parseTypeScriptExport(at: start, into: &statements) { return }
            throw unexpected()
        }
    }

    func addExport(_ name: Name, _ source: ExportEntry.Source, at place: Place) throws(SyntaxRefusal) {
        if frame.context.contains(.ambient) { return }
        if !module.exported.insert(name).inserted {
            if isTypeScript, case .local(let local) = source, isExported(local, as: name) { return }
            throw refuse("Duplicate export of '\(lexer.names.text(of: name))'", at: place)
        }
        program.exports.append(ExportEntry(name: name, source: source, at: place))
    }

    /// Declarations that TypeScript merges are exported once for each part.
    private func isExported(_ local: Name, as name: Name) -> Bool {
        guard let kind = scopes.kind(of: local), kind == .enum || kind == .namespace else { return false }
        return program.exports.contains { entry in
            if entry.name == name, case .local(local) = entry.source { true } else { false }
        }
    }

    private func parseExportAll(at start: Place) throws(SyntaxRefusal) {
        try next()
        var name: Name?
        if kind == .as, !lexer.token.hasEscape {
            try next()
            name = try parseModuleExportName()
        }
        guard kind == .from, !lexer.token.hasEscape else { throw unexpected() }
        try next()
        let request = try parseModuleSpecifier()
        module.neededRequests.insert(request)
        if let name {
            try addExport(name, .namespace(request: request), at: start)
        } else {
            program.exports.append(ExportEntry(name: nil, source: .all(request: request), at: start))
        }
        try endStatement()
    }

    private struct ExportSpecifier {
        var token: Token
        var local: Name
        var exported: Name
    }

    private func parseExportList(at start: Place) throws(SyntaxRefusal) {
        try next()
        var specifiers: [ExportSpecifier] = []
        var hasTypes = false
        while kind != .closeBrace {
            let isType = isTypeScript ? try skipTypeModifier() : false
            let token = lexer.token
            let local = try parseModuleExportName()
            var exported = local
            if kind == .as, !lexer.token.hasEscape {
                try next()
                exported = try parseModuleExportName()
            }
            if isType {
                hasTypes = true
            } else {
                specifiers.append(ExportSpecifier(token: token, local: local, exported: exported))
            }
            if kind != .closeBrace { try expect(.comma) }
        }
        try next()
        if kind == .from, !lexer.token.hasEscape {
            try next()
            let request = try parseModuleSpecifier()
            if !hasTypes || !specifiers.isEmpty { module.neededRequests.insert(request) }
            for specifier in specifiers {
                try addExport(
                    specifier.exported, .imported(request: request, specifier.local), at: specifier.token.place)
            }
        } else {
            for specifier in specifiers {
                guard specifier.token.kind.isIdentifier, specifier.token.kind != .await else {
                    throw unexpected(specifier.token)
                }
                try addExport(specifier.exported, .local(specifier.local), at: specifier.token.place)
                module.exportedLocals.append((specifier.local, specifier.token.place))
            }
        }
        try endStatement()
    }

    private func parseExportDefault(
        at start: Place, into statements: inout [Statement]
    ) throws(SyntaxRefusal) {
        try next()
        let form: Statement.Form
        var local = Name.known(.starDefault)
        switch kind {
        case .function:
            guard let function = try parseFunctionDeclaration(isAsync: false, at: place, isDefaultExport: true)
            else { return }
            local = function.name ?? local
            form = .function(function)
        case .async where try isAsyncFunction():
            let functionPlace = place
            try next()
            guard let function = try parseFunctionDeclaration(isAsync: true, at: functionPlace, isDefaultExport: true)
            else { return }
            local = function.name ?? local
            form = .function(function)
        case .class:
            form = .class(try parseDefaultClass(&local))
        default:
            if isTypeScript, try skipDefaultType(&local, into: &statements) {
                if local != .known(.starDefault) { try addExport(.known(.default), .local(local), at: start) }
                return
            }
            let value = try parseAssignment()
            try endStatement()
            try declare(local, .lexical, at: start)
            form = .exportDefault(value)
        }
        try addExport(.known(.default), .local(local), at: start)
        if !frame.context.contains(.ambient) { statements.append(Statement(form, at: start)) }
    }

    func parseDefaultClass(_ local: inout Name) throws(SyntaxRefusal) -> ClassNode {
        let start = place
        try next()
        var namePlace = start
        if kind.isWord, kind != .extends, kind != .implements || !isTypeScript {
            (local, namePlace) = try bindingIdentifier()
        }
        try declare(local, .class, at: namePlace)
        return try parseClassRest(named: local, at: start)
    }

    func parseExportedDeclaration(
        at start: Place, into statements: inout [Statement]
    ) throws(SyntaxRefusal) {
        if kind == .async, try !isAsyncFunction() { throw unexpected() }
        var declared: [Statement] = []
        try parseListItem(into: &declared)
        for statement in declared {
            for (name, place) in declaredNames(of: statement) {
                try addExport(name, .local(name), at: place)
            }
        }
        if isTypeScript { try exportMerged(declared, at: start) }
        statements += declared
    }

    /// The names that a declaration declares. TypeScript's enums and namespaces begin with the declaration of theirs.
    func declaredNames(of statement: Statement) -> [(Name, Place)] {
        switch statement.form {
        case .function(let function): return function.name.map { [($0, statement.place)] } ?? []
        case .class(let node): return node.name.map { [($0, statement.place)] } ?? []
        case .declaration(let declaration):
            var found: [(Name, Place)] = []
            for part in declaration.parts {
                names(in: part.pattern) { found.append(($0, $1)) }
            }
            return found
        default: return []
        }
    }
}
