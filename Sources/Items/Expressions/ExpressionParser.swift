/// Reads the text of an expression after DynamoDB's grammar. It refuses at the first token that no expression could have
/// there, and parentheses around parentheses where they close.
///
///     condition  operand comparator operand | operand IN (operand, …) | operand BETWEEN operand AND operand
///                | function | (condition) | NOT condition | condition AND condition | condition OR condition
///     update     SET path = operand [± operand], … REMOVE path, … ADD path :value, … DELETE path :value, …
///     projection path, …
///     operand    path | :value | function(operand, …) | (operand)
///     path       word | #name, then .word | .#name | [index]
struct ExpressionParser {
    private let kind: ExpressionKind
    private let tokens: ExpressionTokens
    private var place = 0
    private var depth = 0

    init(_ text: String, _ kind: ExpressionKind) throws(ItemError) {
        guard !text.isEmpty else { throw kind.refusal("The expression can not be empty;") }
        let size = text.utf8.count
        guard size <= ExpressionLimits.bytesMax else {
            let shown = kind == .update ? "" : " expression size: \(size)"
            throw kind.refusal("Expression size has exceeded the maximum allowed size;\(shown)")
        }
        self.kind = kind
        tokens = ExpressionTokens(text)
    }

    // MARK: - Whole expressions

    mutating func projection() throws(ItemError) -> [[ExpressionSyntax.PathPart]] {
        var paths = [try path()]
        while take(.comma) { try paths.append(path()) }
        try expect(.end)
        return paths
    }

    mutating func condition() throws(ItemError) -> ExpressionSyntax.Condition {
        let condition = try alternatives(isInGroup: false)
        try expect(.end)
        return try certain(condition)
    }

    mutating func update() throws(ItemError) -> [ExpressionSyntax.Section] {
        var sections: [ExpressionSyntax.Section] = []
        repeat { try sections.append(section()) } while next.kind != .end
        return sections
    }

    // MARK: - Conditions

    /// What stands where a condition may: behind an opening parenthesis it may turn out to be an operand.
    private enum Part {
        case operand(ExpressionSyntax.Operand, isInParentheses: Bool)
        case condition(ExpressionSyntax.Condition, isInParentheses: Bool)

        var isInParentheses: Bool {
            switch self {
            case .operand(_, let isInParentheses), .condition(_, let isInParentheses): isInParentheses
            }
        }
    }

    private mutating func alternatives(isInGroup: Bool) throws(ItemError) -> Part {
        let first = try conjunction(isInGroup: isInGroup)
        guard next.kind == .or else { return first }
        var all = [try certain(first)]
        while take(.or) { try all.append(certain(conjunction(isInGroup: false))) }
        return .condition(.any(all), isInParentheses: false)
    }

    private mutating func conjunction(isInGroup: Bool) throws(ItemError) -> Part {
        let first = try part(isInGroup: isInGroup)
        guard next.kind == .and else { return first }
        var all = [try certain(first)]
        while take(.and) { try all.append(certain(part(isInGroup: false))) }
        return .condition(.all(all), isInParentheses: false)
    }

    private mutating func part(isInGroup: Bool) throws(ItemError) -> Part {
        try enter()
        defer { depth -= 1 }
        if take(.not) {
            return try .condition(.not(certain(part(isInGroup: false))), isInParentheses: false)
        }
        let operand: ExpressionSyntax.Operand
        let isInParentheses: Bool
        if take(.openingParenthesis) {
            let inner = try alternatives(isInGroup: true)
            try close(inner.isInParentheses)
            guard case .operand(let inside, _) = inner else {
                return try .condition(certain(inner), isInParentheses: true)
            }
            operand = inside
            isInParentheses = true
        } else {
            operand = try bareOperand()
            isInParentheses = false
        }
        if let condition = try comparison(operand) { return .condition(condition, isInParentheses: false) }
        // Alone there are only functions, and operands within parentheses.
        if case .function = operand { return .operand(operand, isInParentheses: isInParentheses) }
        guard isInGroup, next.kind == .closingParenthesis else { throw unexpected }
        return .operand(operand, isInParentheses: isInParentheses)
    }

    /// The condition that a part is, where only a condition may stand.
    private func certain(_ part: Part) throws(ItemError) -> ExpressionSyntax.Condition {
        switch part {
        case .condition(let condition, _): return condition
        case .operand(.function(let name, let operands), _): return .function(name, operands)
        case .operand: throw unexpected
        }
    }

    /// The condition that begins with an operand; nil where that stands alone.
    private mutating func comparison(
        _ left: ExpressionSyntax.Operand
    ) throws(ItemError) -> ExpressionSyntax.Condition? {
        if let comparator = next.kind.comparator {
            place += 1
            return try .comparison(comparator, left, operand())
        }
        if take(.between) {
            let low = try operand()
            try expect(.and)
            return try .between(left, low, operand())
        }
        if take(.in) {
            try expect(.openingParenthesis)
            return try .isIn(left, operands())
        }
        return nil
    }

    // MARK: - Updates

    private mutating func section() throws(ItemError) -> ExpressionSyntax.Section {
        let keyword = next.kind
        var actions: [ExpressionSyntax.Action] = []
        switch keyword {
        case .set, .remove, .add, .delete: place += 1
        default: throw unexpected
        }
        repeat {
            let path = try path()
            switch keyword {
            case .set:
                try expect(.equal)
                try actions.append(.set(path, setValue()))
            case .remove: actions.append(.remove(path))
            case .add: try actions.append(.add(path, value()))
            default: try actions.append(.delete(path, value()))
            }
        } while take(.comma)
        let word = keyword == .set ? "SET" : keyword == .remove ? "REMOVE" : keyword == .add ? "ADD" : "DELETE"
        return ExpressionSyntax.Section(keyword: word, actions: actions)
    }

    private mutating func setValue() throws(ItemError) -> ExpressionSyntax.SetValue {
        try setPart().value
    }

    private mutating func setPart() throws(ItemError) -> (
        value: ExpressionSyntax.SetValue, isInParentheses: Bool
    ) {
        try enter()
        defer { depth -= 1 }
        var isInParentheses = false
        let left: ExpressionSyntax.Operand
        if take(.openingParenthesis) {
            let inner = try setPart()
            try close(inner.isInParentheses)
            isInParentheses = true
            guard case .operand(let inside) = inner.value else { return (inner.value, true) }
            left = inside
        } else {
            left = try bareOperand()
        }
        if take(.plus) { return try (.sum(left, operand()), false) }
        if take(.minus) { return try (.difference(left, operand()), false) }
        return (.operand(left), isInParentheses)
    }

    // MARK: - Operands and paths

    private mutating func operand() throws(ItemError) -> ExpressionSyntax.Operand {
        try operandPart().operand
    }

    private mutating func operandPart() throws(ItemError) -> (
        operand: ExpressionSyntax.Operand, isInParentheses: Bool
    ) {
        try enter()
        defer { depth -= 1 }
        guard take(.openingParenthesis) else { return (try bareOperand(), false) }
        let inner = try operandPart()
        try close(inner.isInParentheses)
        return (inner.operand, true)
    }

    /// An operand without parentheses around it.
    private mutating func bareOperand() throws(ItemError) -> ExpressionSyntax.Operand {
        switch next.kind {
        case .value: return try .value(value())
        case .identifier where tokens[place + 1].kind == .openingParenthesis:
            let name = tokens.text(of: next)
            place += 2
            return try .function(name, operands())
        default: return try .path(path())
        }
    }

    /// One or more operands, up to the parenthesis that closes them.
    private mutating func operands() throws(ItemError) -> [ExpressionSyntax.Operand] {
        var operands = [try operand()]
        while take(.comma) { try operands.append(operand()) }
        try expect(.closingParenthesis)
        return operands
    }

    private mutating func value() throws(ItemError) -> String {
        let token = next
        try expect(.value)
        return tokens.text(of: token)
    }

    private mutating func path() throws(ItemError) -> [ExpressionSyntax.PathPart] {
        var parts = [try pathName()]
        while true {
            if take(.dot) {
                try parts.append(pathName())
            } else if take(.openingBracket) {
                let token = next
                try expect(.index)
                try expect(.closingBracket)
                parts.append(.index(tokens.text(of: token)))
            } else {
                return parts
            }
        }
    }

    private mutating func pathName() throws(ItemError) -> ExpressionSyntax.PathPart {
        let token = next
        switch token.kind {
        case .identifier:
            place += 1
            return .identifier(tokens.text(of: token))
        case .name:
            place += 1
            return .name(tokens.text(of: token))
        default: throw unexpected
        }
    }

    // MARK: - Tokens

    private var next: ExpressionToken { tokens[place] }
    private var unexpected: ItemError { kind.refusal(tokens.refusal(at: place)) }

    private mutating func take(_ kind: ExpressionToken.Kind) -> Bool {
        guard next.kind == kind else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ kind: ExpressionToken.Kind) throws(ItemError) {
        guard take(kind) else { throw unexpected }
    }

    /// Closes a parenthesis, which must not stand around another one.
    private mutating func close(_ isInParentheses: Bool) throws(ItemError) {
        try expect(.closingParenthesis)
        guard !isInParentheses else { throw kind.refusal("The expression has redundant parentheses;") }
    }

    private mutating func enter() throws(ItemError) {
        depth += 1
        guard depth <= ExpressionLimits.nestingMax else {
            throw kind.refusal("The expression has too many nesting levels; nesting levels: \(depth)")
        }
    }
}

extension ExpressionToken.Kind {
    fileprivate var comparator: Comparator? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }
}
