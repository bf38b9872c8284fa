import JSON

/// Conditions, paths and values of statements.
extension StatementReader {
    // MARK: Conditions

    /// - Parameter nesting: how deeply conditions may still contain each other.
    mutating func condition(_ nesting: Int) throws(ItemError) -> Condition {
        guard nesting > 0 else { throw Statement.refusal("The condition is nested too deeply") }
        var all = [try conjunction(nesting)]
        while try skip(keyword: "or") { all.append(try conjunction(nesting)) }
        return all.count == 1 ? all[0] : .any(all)
    }

    private mutating func conjunction(_ nesting: Int) throws(ItemError) -> Condition {
        var all = [try negation(nesting)]
        while try skip(keyword: "and") { all.append(try negation(nesting)) }
        return all.count == 1 ? all[0] : .all(all)
    }

    private mutating func negation(_ nesting: Int) throws(ItemError) -> Condition {
        guard nesting > 0 else { throw Statement.refusal("The condition is nested too deeply") }
        return try skip(keyword: "not") ? .not(try negation(nesting - 1)) : try test(nesting)
    }

    private mutating func test(_ nesting: Int) throws(ItemError) -> Condition {
        if try skip("(") {
            let inner = try condition(nesting - 1)
            try demand(")")
            return inner
        }
        for function in ["begins_with", "contains", "attribute_type"] where isKeyword(function) {
            try advance()
            try demand("(")
            let subject = try operand(nesting)
            try demand(",")
            let argument = try operand(nesting)
            try demand(")")
            switch function {
            case "begins_with": return .beginsWith(subject, argument)
            case "contains": return .contains(subject, argument)
            default:
                guard case .value(.string(let name)) = argument, let kind = ItemValue.Kind(rawValue: name) else {
                    throw .validation("Invalid attribute type name found in attribute_type")
                }
                return .isOfType(subject, kind)
            }
        }
        return try comparison(try operand(nesting), nesting)
    }

    private mutating func comparison(_ left: Condition.Operand, _ nesting: Int) throws(ItemError) -> Condition {
        if try skip(keyword: "is") {
            let isNot = try skip(keyword: "not")
            guard case .path(let path) = left else { throw Statement.refusal("IS takes the path of an attribute") }
            if try skip(keyword: "missing") { return isNot ? .exists(path) : .isAbsent(path) }
            try demand(keyword: "null")
            return isNot ? .not(.isOfType(left, .null)) : .isOfType(left, .null)
        }
        if try skip(keyword: "not") {
            guard isKeyword("in") || isKeyword("between") else { throw unexpected() }
            return .not(try comparison(left, nesting))
        }
        if try skip(keyword: "between") {
            let low = try operand(nesting)
            try demand(keyword: "and")
            return .between(left, low, try operand(nesting))
        }
        if try skip(keyword: "in") {
            let closing = isSign("[") ? "]" : ")"
            guard isSign("[") || isSign("(") else { throw unexpected() }
            try advance()
            var operands = [try operand(nesting)]
            while try skip(",") {
                guard operands.count < ExpressionLimits.operandsMax else {
                    throw .validation("The IN operator is provided with too many operands")
                }
                operands.append(try operand(nesting))
            }
            try demand(closing)
            return .isIn(left, operands)
        }
        let comparators: [(String, Comparator)] = [
            ("=", .equal), ("<>", .notEqual), ("!=", .notEqual), ("<=", .lessOrEqual), ("<", .less),
            (">=", .greaterOrEqual), (">", .greater),
        ]
        for (sign, comparator) in comparators where try skip(sign) {
            return .comparison(comparator, left, try operand(nesting))
        }
        throw unexpected()
    }

    private mutating func operand(_ nesting: Int) throws(ItemError) -> Condition.Operand {
        if isKeyword("size") {
            try advance()
            try demand("(")
            let path = try path()
            try demand(")")
            return .size(.path(path))
        }
        return isValue ? .value(try value(nesting).canonical) : .path(try path())
    }

    // MARK: Paths

    mutating func path() throws(ItemError) -> DocumentPath {
        let root = try name()
        var steps: [DocumentPath.Step] = []
        while true {
            guard steps.count < ExpressionLimits.pathPartsMax else { throw Statement.refusal("A path is too long") }
            if try skip(".") {
                steps.append(.name(try name()))
            } else if try skip("[") {
                switch token {
                case .number(let text):
                    guard let index = Int(text), index <= ExpressionLimits.indexMax else { throw unexpected() }
                    steps.append(.index(index))
                case .text(let text): steps.append(.name(text))
                default: throw unexpected()
                }
                try advance()
                try demand("]")
            } else {
                return DocumentPath(root, steps)
            }
        }
    }

    private mutating func name() throws(ItemError) -> String {
        switch token {
        case .word(let name), .quoted(let name):
            try ItemReader.checkName(name)
            try advance()
            return name
        default: throw unexpected()
        }
    }

    // MARK: Values

    /// True if the next token begins a value and no path.
    var isValue: Bool {
        switch token {
        case .text, .number: true
        case .sign(let sign): ["?", "[", "{", "<<", "-", "+"].contains { $0.compareBytes(to: sign) == 0 }
        case .word: isKeyword("true") || isKeyword("false") || isKeyword("null")
        default: false
        }
    }

    mutating func value(_ nesting: Int) throws(ItemError) -> ItemValue {
        guard nesting > 0 else { throw ItemReader.isTooDeep }
        if case .text(let text) = token {
            try advance()
            return .string(text)
        }
        if try skip("?") { return try parameter() }
        for (word, value) in [("true", ItemValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where try skip(keyword: word) {
            return value
        }
        if try skip("[") {
            let elements = try elements(until: "]", nesting)
            return .list(elements)
        }
        if try skip("<<") { return try Self.set(of: try elements(until: ">>", nesting)) }
        if try skip("{") { return .map(try map(nesting)) }
        var sign = ""
        if try skip("-") { sign = "-" } else { _ = try skip("+") }
        guard case .number(let text) = token else { throw unexpected() }
        try advance()
        return .number(try ItemNumber(sign + text))
    }

    private mutating func elements(until closing: String, _ nesting: Int) throws(ItemError) -> [ItemValue] {
        var elements: [ItemValue] = []
        if try skip(closing) { return elements }
        repeat { elements.append(try value(nesting - 1)) } while try skip(",")
        try demand(closing)
        return elements
    }

    private mutating func map(_ nesting: Int) throws(ItemError) -> Item {
        var attributes: [(String, ItemValue)] = []
        if try skip("}") { return Item() }
        repeat {
            switch token {
            case .text(let name), .quoted(let name), .word(let name): attributes.append((name, .null))
            default: throw unexpected()
            }
            try advance()
            try demand(":")
            attributes[attributes.count - 1].1 = try value(nesting - 1)
        } while try skip(",")
        try demand("}")
        return Item(attributes)
    }

    private static func set(of elements: [ItemValue]) throws(ItemError) -> ItemValue {
        let set: ItemValue? =
            switch elements.first {
            case .string:
                ItemSets.strings(elements.compactMap { if case .string(let text) = $0 { text } else { nil } })
                    .map { .strings($0) }
            case .number:
                ItemSets.numbers(elements.compactMap { if case .number(let number) = $0 { number } else { nil } })
                    .map { .numbers($0) }
            case .binary:
                ItemSets.binaries(elements.compactMap { if case .binary(let bytes) = $0 { bytes } else { nil } })
                    .map { .binaries($0) }
            default: nil
            }
        guard let set, set.partCount == elements.count else {
            throw .invalidValues("A set has elements of one type, S, N or B, and each of them once")
        }
        return set
    }
}
