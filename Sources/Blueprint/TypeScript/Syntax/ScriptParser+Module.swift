import GraphQL

/// Imports, exports, and what else stands only at the top of a module.
extension ScriptParser {
    /// The next item, or nil for one that is dropped.
    mutating func moduleItem() throws(TypeScriptError) -> ScriptStatement? {
        if token.isName("import"), !peek().isPunctuator("("), !peek().isPunctuator(".") { return try importItem() }
        if token.isName("export") { return try exportItem() }
        return try statement()
    }

    private mutating func importItem() throws(TypeScriptError) -> ScriptStatement? {
        let start = index
        let place = position
        advance()
        if token.kind == .string {
            let module = try moduleName()
            try endImport()
            return item(
                .imported(ScriptImport(names: [], namespace: nil, module: module)), at: place, from: start)
        }
        // `import type X from`, but not `import type from` (a default import of that name).
        if token.isName("type"),
            peek().kind == .name
                ? !peek().isName("from") || peek(2).isName("from")
                : peek().isPunctuator("{") || peek().isPunctuator("*")
        {
            while token.kind != .string, token.kind != .end, !token.isPunctuator(";") { advance() }
            _ = try moduleName()
            try endImport()
            return nil
        }
        var names: [(name: String, local: String, at: Position)] = []
        var namespace: String?
        if token.kind == .name {
            let local = try name()
            names.append(("default", local.text, local.position))
            if token.isPunctuator("=") {
                // `import x = require('y')`
                while !token.isOnNewLine, token.kind != .end, !token.isPunctuator(";") { advance() }
                try endStatement()
                return item(.unsupported("import … =", declares: [local.text]), at: place, from: start)
            }
            _ = take(",")
        }
        if take("*") {
            guard takeName("as") else { throw unexpected("\"as\"") }
            namespace = try name().text
        } else if token.isPunctuator("{") {
            names += try specifiers().map { ($0.name, $0.alias, $0.at) }
        }
        guard takeName("from") else { throw unexpected("\"from\"") }
        let module = try moduleName()
        try endImport()
        return item(
            .imported(ScriptImport(names: names, namespace: namespace, module: module)), at: place, from: start)
    }

    private mutating func moduleName() throws(TypeScriptError) -> ScriptModuleName {
        guard token.kind == .string else { throw unexpected("the name of a module in quotes") }
        let name = ScriptModuleName(text: token.text, position: position)
        advance()
        return name
    }

    /// `with { type: 'json' }` says nothing here.
    private mutating func endImport() throws(TypeScriptError) {
        if token.isName("with") || token.isName("assert"), peek().isPunctuator("{") {
            advance()
            try skipBrackets()
        }
        try endStatement()
    }

    /// `{ a, b as c, type D }`, without the types.
    private mutating func specifiers() throws(TypeScriptError) -> [(name: String, alias: String, at: Position)] {
        try expect("{")
        var found: [(name: String, alias: String, at: Position)] = []
        while !take("}") {
            // `type` is a name of its own in `{ type }` and `{ type as x }`.
            let isType =
                token.isName("type") && (peek().kind == .name && !peek().isName("as") || peek().kind == .string)
            if isType { advance() }
            guard token.kind == .name || token.kind == .string else { throw unexpected("a name") }
            let (text, place) = (token.text, position)
            advance()
            var alias = text
            if takeName("as") {
                guard token.kind == .name || token.kind == .string else { throw unexpected("a name") }
                alias = token.text
                advance()
            }
            if !isType { found.append((text, alias, place)) }
            guard take(",") || token.isPunctuator("}") else { throw unexpected("\",\" or \"}\"") }
        }
        return found
    }

    private mutating func exportItem() throws(TypeScriptError) -> ScriptStatement? {
        let start = index
        let place = position
        advance()
        if token.isName("type"), peek().isPunctuator("{") || peek().isPunctuator("*") {
            advance()
            if token.isPunctuator("{") { try skipBrackets() }
            while token.kind != .end, !token.isPunctuator(";"), !token.isOnNewLine { advance() }
            try endStatement()
            return nil
        }
        if takeName("default") { return try defaultExport(at: place, from: start) }
        if take("*") {
            var name: String?
            if takeName("as") { name = try self.name().text }
            guard takeName("from") else { throw unexpected("\"from\"") }
            let module = try moduleName()
            try endImport()
            return item(.exportedAll(name: name, from: module), at: place, from: start)
        }
        if token.isPunctuator("{") {
            let names = try specifiers().map { (local: $0.name, name: $0.alias, at: $0.at) }
            var module: ScriptModuleName?
            if takeName("from") { module = try moduleName() }
            try endImport()
            return item(.exported(names, from: module), at: place, from: start)
        }
        return try statement(isExported: true)
    }

    private mutating func defaultExport(at place: Position, from start: Int) throws(TypeScriptError) -> ScriptStatement?
    {
        if token.isName("interface") || token.isName("class") || (token.isName("abstract") && peek().isName("class")) {
            return try statement()
        }
        let value = try expression()
        try endStatement()
        return item(.exportedDefault(value), at: place, from: start)
    }

    func item(_ kind: ScriptStatement.Kind, at place: Position, from start: Int, isExported: Bool = false)
        -> ScriptStatement
    {
        ScriptStatement(kind: kind, position: place, isExported: isExported, tokens: start..<index)
    }
}
