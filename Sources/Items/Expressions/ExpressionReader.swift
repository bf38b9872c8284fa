/// Puts names and values into an expression, and refuses what has no meaning.
struct ExpressionReader {
    let kind: ExpressionKind
    private var substitutions: Substitutions
    /// The mistakes of the whole expression.
    let faults = ExpressionFaults()
    private var operatorCount = 0

    private init(_ kind: ExpressionKind, _ substitutions: Substitutions) {
        self.kind = kind
        self.substitutions = substitutions
    }

    static func condition(
        _ text: String, _ kind: ExpressionKind, _ substitutions: inout Substitutions
    ) throws(ItemError) -> Condition {
        var parser = try ExpressionParser(text, kind)
        let syntax = try parser.condition()
        var reader = ExpressionReader(kind, substitutions.taken())
        let condition = reader.condition(syntax)
        try reader.faults.check(kind)
        substitutions = reader.substitutions
        return condition
    }

    static func update(_ text: String, _ substitutions: inout Substitutions) throws(ItemError) -> Update {
        var parser = try ExpressionParser(text, .update)
        let sections = try parser.update()
        var reader = ExpressionReader(.update, substitutions.taken())
        var actions: [Update.Action] = []
        var seen: [String] = []
        for section in sections {
            if seen.contains(where: { $0.utf8.elementsEqual(section.keyword.utf8) }) {
                reader.faults.note(
                    .section, "The \"\(section.keyword)\" section can only be used once in an update expression;")
            }
            seen.append(section.keyword)
            actions += section.actions.map { reader.action($0) }
        }
        if let clash = DocumentPath.clash(among: actions.map(\.path)) { reader.faults.note(.clash, clash) }
        try reader.faults.check(.update)
        substitutions = reader.substitutions
        return Update(actions: actions)
    }

    static func projection(_ text: String, _ substitutions: inout Substitutions) throws(ItemError) -> Projection {
        var parser = try ExpressionParser(text, .projection)
        let syntax = try parser.projection()
        var reader = ExpressionReader(.projection, substitutions.taken())
        let paths = syntax.map { reader.path($0, reader.faults) }
        if let clash = DocumentPath.clash(among: paths) { reader.faults.note(.clash, clash) }
        try reader.faults.check(.projection)
        substitutions = reader.substitutions
        return Projection(paths)
    }

    // MARK: - Conditions

    private mutating func condition(_ syntax: ExpressionSyntax.Condition) -> Condition {
        switch syntax {
        case .all(let conditions):
            count(conditions.count - 1)
            return .all(conditions.map { condition($0) })
        case .any(let conditions):
            count(conditions.count - 1)
            return .any(conditions.map { condition($0) })
        case .not(let inner):
            count()
            return .not(condition(inner))
        default:
            let part = ExpressionFaults()
            let condition = simpleCondition(syntax, part)
            faults.note(part)
            return condition
        }
    }

    private mutating func simpleCondition(
        _ syntax: ExpressionSyntax.Condition, _ faults: ExpressionFaults
    ) -> Condition {
        switch syntax {
        case .comparison(let comparator, let left, let right):
            count()
            let operands = [operand(left, faults), operand(right, faults)]
            checkDistinct(comparator.rawValue, operands, faults)
            if comparator.isOrdering { checkOrdered(comparator.rawValue, operands, faults) }
            return .comparison(comparator, operands[0], operands[1])
        case .between(let operand, let low, let high):
            count()
            let operands = [self.operand(operand, faults), self.operand(low, faults), self.operand(high, faults)]
            checkOrdered("BETWEEN", operands, faults)
            checkBounds(operands[1], operands[2], faults)
            return .between(operands[0], operands[1], operands[2])
        case .isIn(let operand, let operands):
            count()
            if operands.count > ExpressionLimits.operandsMax {
                faults.note(
                    .operandCount,
                    "The IN operator is provided with too many operands; number of operands: \(operands.count)")
            }
            return .isIn(self.operand(operand, faults), operands.map { self.operand($0, faults) })
        case .function(let name, let operands):
            return function(name, operands, faults)
        case .not, .all, .any: return condition(syntax)
        }
    }

    /// A function that is a condition by itself.
    private mutating func function(
        _ name: String, _ syntax: [ExpressionSyntax.Operand], _ faults: ExpressionFaults
    ) -> Condition {
        count()
        let operands = syntax.map { operand($0, faults) }
        let nothing = Condition.all([])
        guard let function = ConditionFunction(name) else {
            noteUnknown(name, faults)
            return nothing
        }
        guard function != .size else {
            noteMisuse(name, faults)
            return nothing
        }
        guard checkCount(name, operands.count, function.operandCount, faults) else { return nothing }
        checkDistinct(name, operands, faults)
        switch function {
        case .exists, .isAbsent:
            guard case .path(let path) = operands[0] else {
                noteNoPath(name, faults)
                return nothing
            }
            return function == .exists ? .exists(path) : .isAbsent(path)
        case .type: return type(operands[0], operands[1], faults)
        case .beginsWith:
            for case let kind? in operands.map(\.knownKind) where kind != .string && kind != .binary {
                noteType(name, kind.rawValue, faults)
            }
            return .beginsWith(operands[0], operands[1])
        case .contains: return .contains(operands[0], operands[1])
        case .size: return nothing
        }
    }

    private func type(
        _ operand: Condition.Operand, _ type: Condition.Operand, _ faults: ExpressionFaults
    ) -> Condition {
        guard case .value(.string(let name)) = type else {
            // The engine's own types, among them those that no request can name.
            let any =
                "{S,FS,BOOL,DICT,M,FLOAT,B,DECIMAL,NULL,DECIMALSET,INT,N,NS,BS,HDS,HD,DOUBLESET,SS,DOUBLE,INTSET,L}"
            noteType("attribute_type", type.knownKind?.rawValue ?? any, faults)
            return .all([])
        }
        guard let kind = ItemValue.Kind(member: name) else {
            faults.note(
                .operandType,
                "Invalid attribute type name found; type: \(name), valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}")
            return .all([])
        }
        return .isOfType(operand, kind)
    }

    private mutating func operand(
        _ syntax: ExpressionSyntax.Operand, _ faults: ExpressionFaults
    ) -> Condition.Operand {
        switch syntax {
        case .path(let parts): return .path(path(parts, faults))
        case .value(let key): return .value(value(key, faults))
        case .function(let name, let operands):
            count()
            let operands = operands.map { operand($0, faults) }
            guard let function = ConditionFunction(name) else {
                noteUnknown(name, faults)
                return .value(.null)
            }
            guard function == .size else {
                noteMisuse(name, faults)
                return .value(.null)
            }
            guard checkCount(name, operands.count, function.operandCount, faults) else { return .value(.null) }
            if let kind = operands[0].knownKind, kind == .number || kind == .bool || kind == .null {
                noteType(name, kind.rawValue, faults)
            }
            return .size(operands[0])
        }
    }

    // MARK: - Updates

    private mutating func action(_ syntax: ExpressionSyntax.Action) -> Update.Action {
        switch syntax {
        case .set(let parts, let value):
            return Update.Action(path: path(parts, faults), change: .set(setValue(value)))
        case .remove(let parts): return Update.Action(path: path(parts, faults), change: .remove)
        case .add(let parts, let key):
            let path = path(parts, faults)
            let value = value(key, faults)
            if value.kind != .number, !value.kind.isSet { noteSetType("ADD", value.kind) }
            return Update.Action(path: path, change: .add(value))
        case .delete(let parts, let key):
            let path = path(parts, faults)
            let value = value(key, faults)
            if !value.kind.isSet { noteSetType("DELETE", value.kind) }
            return Update.Action(path: path, change: .delete(value))
        }
    }

    private mutating func setValue(_ syntax: ExpressionSyntax.SetValue) -> Update.Operand {
        switch syntax {
        case .operand(let operand): return updateOperand(operand)
        case .sum(let left, let right):
            count()
            let operands = [updateOperand(left), updateOperand(right)]
            checkKind("+", operands, .number)
            return .sum(operands[0], operands[1])
        case .difference(let left, let right):
            count()
            let operands = [updateOperand(left), updateOperand(right)]
            checkKind("-", operands, .number)
            return .difference(operands[0], operands[1])
        }
    }

    private mutating func updateOperand(_ syntax: ExpressionSyntax.Operand) -> Update.Operand {
        switch syntax {
        case .path(let parts): return .path(path(parts, faults))
        case .value(let key): return .value(value(key, faults))
        case .function(let name, let operands):
            count()
            let operands = operands.map { updateOperand($0) }
            guard let function = UpdateFunction(name) else {
                noteUnknown(name, faults)
                return .value(.null)
            }
            guard checkCount(name, operands.count, 2, faults) else { return .value(.null) }
            switch function {
            case .ifNotExists:
                guard case .path(let path) = operands[0] else {
                    noteNoPath(name, faults)
                    return .value(.null)
                }
                return .ifAbsent(path, operands[1])
            case .listAppend:
                // The service allows other functions within it, and it within others.
                for case .append in operands { noteMisuse(name, faults) }
                checkKind(name, operands, .list)
                return .append(operands[0], operands[1])
            }
        }
    }

    // MARK: - Names and values

    private mutating func path(
        _ parts: [ExpressionSyntax.PathPart], _ faults: ExpressionFaults
    ) -> DocumentPath {
        if parts.count > ExpressionLimits.pathPartsMax {
            faults.note(
                .size, "The document path has too many nesting levels; nesting levels: \(parts.count)")
        }
        var steps: [DocumentPath.Step] = []
        for part in parts {
            switch part {
            case .identifier(let name):
                if ReservedWords.contains(name) {
                    faults.note(
                        .reservedWord, "Attribute name is a reserved keyword; reserved keyword: \(name)")
                }
                steps.append(.name(name))
            case .name(let key):
                let name = substitutions.name(key)
                if case nil = name {
                    faults.note(
                        .name,
                        "An expression attribute name used in the document path is not defined; attribute name: \(key)")
                }
                steps.append(.name(name ?? key))
            case .index(let digits):
                let index = Int(digits)
                if (index ?? .max) > ExpressionLimits.indexMax {
                    faults.note(.size, "List index is not within the allowable range; index: [\(digits)]")
                }
                steps.append(.index(index ?? .max))
            }
        }
        guard case .name(let root) = steps.first else { return DocumentPath("") }
        return DocumentPath(root, Array(steps.dropFirst()))
    }

    private mutating func value(_ key: String, _ faults: ExpressionFaults) -> ItemValue {
        if let value = substitutions.value(key) { return value }
        faults.note(
            kind == .update ? .value : .name,
            "An expression attribute value used in expression is not defined; attribute value: \(key)")
        // Of a type that all operators take.
        return kind == .update ? .numbers([]) : .string("")
    }

    private mutating func count(_ operators: Int = 1) {
        operatorCount += operators
        if operatorCount > ExpressionLimits.operatorsMax {
            let shown = ExpressionLimits.operatorsMax + 1
            faults.note(.size, "The expression contains too many operators; operator count: \(shown)")
        }
    }
}
