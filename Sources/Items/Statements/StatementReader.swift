import JSON

/// Reads a statement of PartiQL: one token ahead, with the parameters that stand for `?`.
struct StatementReader {
    private var tokens: StatementTokens
    private(set) var token: StatementTokens.Token
    private let parameters: [ItemValue]
    private var parametersUsed = 0

    private static let wrongCount = ItemError.validation(
        "Number of parameters in request and statement don't match.")

    static func statement(_ text: String, _ parameters: [ItemValue]) throws(ItemError) -> Statement {
        guard !text.isEmpty else {
            throw .parameter(
                "Value '' at 'statement' failed to satisfy constraint: Member must have length greater than or equal to 1"
            )
        }
        guard text.utf8.count <= StatementLimits.bytesMax else {
            throw .parameter(
                "Value at 'statement' failed to satisfy constraint: Member must have length less than or equal to \(StatementLimits.bytesMax)"
            )
        }
        var reader = try StatementReader(text, parameters)
        let statement = try reader.statement()
        if reader.isSign(";") { try reader.advance() }
        guard case .end = reader.token else { throw reader.unexpected() }
        guard reader.parametersUsed == parameters.count else { throw wrongCount }
        return statement
    }

    private init(_ text: String, _ parameters: [ItemValue]) throws(ItemError) {
        tokens = StatementTokens(text)
        token = try tokens.next()
        self.parameters = parameters
    }

    // MARK: Tokens

    mutating func advance() throws(ItemError) { token = try tokens.next() }

    func isSign(_ sign: String) -> Bool { token == .sign(sign) }

    /// True if the next word is that keyword, which is written in small letters here.
    func isKeyword(_ keyword: String) -> Bool {
        guard case .word(let word) = token, word.utf8.count == keyword.utf8.count else { return false }
        return zip(word.utf8, keyword.utf8).allSatisfy { byte, wanted in
            byte.lowercased == wanted
        }
    }

    mutating func skip(_ sign: String) throws(ItemError) -> Bool {
        guard isSign(sign) else { return false }
        try advance()
        return true
    }

    mutating func skip(keyword: String) throws(ItemError) -> Bool {
        guard isKeyword(keyword) else { return false }
        try advance()
        return true
    }

    mutating func demand(_ sign: String) throws(ItemError) {
        guard try skip(sign) else { throw unexpected() }
    }

    mutating func demand(keyword: String) throws(ItemError) {
        guard try skip(keyword: keyword) else { throw unexpected() }
    }

    func unexpected() -> ItemError {
        let shown =
            switch token {
            case .word(let text), .number(let text), .sign(let text): text
            case .quoted(let text): "\"\(text)\""
            case .text(let text): "'\(text)'"
            case .end: "<EOF>"
            }
        return Statement.refusal("Unexpected term: \(shown)")
    }

    /// The next parameter.
    mutating func parameter() throws(ItemError) -> ItemValue {
        guard parameters.indices.contains(parametersUsed) else { throw Self.wrongCount }
        parametersUsed += 1
        return parameters[parametersUsed - 1]
    }

    // MARK: Statements

    private mutating func statement() throws(ItemError) -> Statement {
        if isKeyword("select") { return .select(try selection()) }
        if isKeyword("insert") { return try insertion() }
        if isKeyword("update") { return try update() }
        if isKeyword("delete") { return try deletion() }
        guard try skip(keyword: "exists") else { throw unexpected() }
        try demand("(")
        let selection = try selection()
        try demand(")")
        return .exists(selection)
    }

    /// The name of a table is read by itself: without quotes it may have dashes, which are signs elsewhere.
    private mutating func table(behind keyword: String) throws(ItemError) -> String {
        guard isKeyword(keyword) else { throw unexpected() }
        let name = try tokens.tableName()
        token = try tokens.next()
        return name
    }

    private mutating func selection() throws(ItemError) -> Statement.Selection {
        try demand(keyword: "select")
        var parts: [DocumentPath]?
        if try !skip("*") {
            var paths = [try path()]
            while try skip(",") {
                guard paths.count < StatementLimits.partsMax else { throw Statement.refusal("Too many projections") }
                paths.append(try path())
            }
            parts = paths
        }
        let table = try table(behind: "from")
        var index: String?
        if isSign(".") {
            index = try tokens.tableName()
            token = try tokens.next()
        }
        let condition = try skip(keyword: "where") ? try condition(StatementLimits.nestingMax) : nil
        var order: [(name: String, isForward: Bool)] = []
        if try skip(keyword: "order") {
            try demand(keyword: "by")
            repeat {
                let name = try path()
                guard name.steps.isEmpty, order.count < TableLimits.keyAttributesMax + 1 else { throw unexpected() }
                let isBackwards = try skip(keyword: "desc")
                if !isBackwards { _ = try skip(keyword: "asc") }
                order.append((name.root, !isBackwards))
            } while try skip(",")
        }
        for clause in ["limit", "group", "having", "offset", "join"] where isKeyword(clause) {
            throw .validation("Unsupported clause: \(clause.uppercased())")
        }
        return Statement.Selection(table: table, index: index, parts: parts, condition: condition, order: order)
    }

    private mutating func insertion() throws(ItemError) -> Statement {
        try demand(keyword: "insert")
        let table = try table(behind: "into")
        try demand(keyword: "value")
        guard case .map(let item) = try value(StatementLimits.nestingMax) else {
            throw Statement.refusal("INSERT takes one map behind VALUE")
        }
        for attribute in item { try ItemReader.checkName(attribute.name) }
        return .insert(table: table, Item(item.map { ($0.name, $0.value.canonical) }))
    }

    private mutating func deletion() throws(ItemError) -> Statement {
        try demand(keyword: "delete")
        let table = try table(behind: "from")
        try demand(keyword: "where")
        let condition = try condition(StatementLimits.nestingMax)
        switch try returning() {
        case .none: return .delete(table: table, condition, returnsOld: false)
        case .allOld: return .delete(table: table, condition, returnsOld: true)
        default: throw .validation("DELETE only supports RETURNING ALL OLD *")
        }
    }

    private mutating func update() throws(ItemError) -> Statement {
        let table = try table(behind: "update")
        var actions: [Update.Action] = []
        while true {
            if try skip(keyword: "set") {
                repeat {
                    let path = try path()
                    try demand("=")
                    actions.append(Update.Action(path: path, change: try assigned(to: path)))
                } while try skip(",")
            } else if try skip(keyword: "remove") {
                repeat { actions.append(Update.Action(path: try path(), change: .remove)) } while try skip(",")
            } else {
                break
            }
            guard actions.count <= StatementLimits.partsMax else { throw Statement.refusal("Too many changes") }
        }
        guard !actions.isEmpty else { throw unexpected() }
        if let clash = DocumentPath.clash(among: actions.map(\.path)) { throw .validation(clash) }
        try demand(keyword: "where")
        let condition = try condition(StatementLimits.nestingMax)
        return .update(table: table, Update(actions: actions), condition, returning: try returning())
    }

    /// `RETURNING ALL OLD *`
    private mutating func returning() throws(ItemError) -> ReturnedValues {
        guard try skip(keyword: "returning") else { return .none }
        let isAll = try skip(keyword: "all")
        if !isAll { try demand(keyword: "modified") }
        let isOld = try skip(keyword: "old")
        if !isOld { try demand(keyword: "new") }
        try demand("*")
        return isAll ? (isOld ? .allOld : .allNew) : (isOld ? .updatedOld : .updatedNew)
    }

    /// The value that `SET` gives a path.
    private mutating func assigned(to path: DocumentPath) throws(ItemError) -> Update.Change {
        for (keyword, isAdding) in [("set_add", true), ("set_delete", false)] where isKeyword(keyword) {
            try advance()
            try demand("(")
            guard try self.path() == path else {
                throw .validation("\(keyword) must be applied to the path that is set")
            }
            try demand(",")
            let value = try value(StatementLimits.nestingMax)
            try demand(")")
            guard value.kind.isSet else { throw .validation("\(keyword) takes a set") }
            return isAdding ? .add(value.canonical) : .delete(value.canonical)
        }
        let first = try changeOperand()
        if try skip("+") { return .set(.sum(first, try changeOperand())) }
        if try skip("-") { return .set(.difference(first, try changeOperand())) }
        return .set(first)
    }

    private mutating func changeOperand() throws(ItemError) -> Update.Operand {
        if isKeyword("list_append") {
            try advance()
            try demand("(")
            let first = try simpleChange()
            try demand(",")
            let second = try simpleChange()
            try demand(")")
            return .append(first, second)
        }
        if isKeyword("if_not_exists") {
            try advance()
            try demand("(")
            let path = try path()
            try demand(",")
            let other = try simpleChange()
            try demand(")")
            return .ifAbsent(path, other)
        }
        return try simpleChange()
    }

    private mutating func simpleChange() throws(ItemError) -> Update.Operand {
        isValue ? .value(try value(StatementLimits.nestingMax).canonical) : .path(try path())
    }
}
