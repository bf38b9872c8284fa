import Crypto

// What has no meaning in an expression that is well formed, in DynamoDB's words.

extension ExpressionReader {
    func noteUnknown(_ name: String, _ faults: ExpressionFaults) {
        let isKnown = kind == .update ? ConditionFunction(name) != nil : UpdateFunction(name) != nil
        let place = kind == .update ? "an update" : "a condition"
        faults.note(
            .function,
            isKnown
                ? "The function is not allowed in \(place) expression; function: \(name)"
                : "Invalid function name; function: \(name)")
    }

    func noteMisuse(_ name: String, _ faults: ExpressionFaults) {
        faults.note(
            .misuse, "The function is not allowed to be used this way in an expression; function: \(name)")
    }

    func noteNoPath(_ name: String, _ faults: ExpressionFaults) {
        faults.note(
            .operandType, "Operator or function requires a document path; operator or function: \(name)")
    }

    func noteType(_ name: String, _ type: String, _ faults: ExpressionFaults) {
        faults.note(
            .operandType,
            "Incorrect operand type for operator or function; operator or function: \(name), operand type: \(type)")
    }

    func noteSetType(_ name: String, _ kind: ItemValue.Kind) {
        faults.note(
            .operandType,
            "Incorrect operand type for operator or function; operator: \(name), "
                + "operand type: \(kind.engineName), typeSet: ALLOWED_FOR_\(name)_OPERAND")
    }

    func checkCount(
        _ name: String, _ count: Int, _ expected: Int, _ faults: ExpressionFaults
    ) -> Bool {
        guard count != expected else { return true }
        faults.note(
            .operandCount,
            "Incorrect number of operands for operator or function; operator or function: \(name), "
                + "number of operands: \(count)")
        return false
    }

    /// Two operands must not be the same path.
    func checkDistinct(
        _ name: String, _ operands: [Condition.Operand], _ faults: ExpressionFaults
    ) {
        guard operands.count == 2, case .path(let left) = operands[0], case .path(let right) = operands[1],
            left == right
        else { return }
        faults.note(
            .sameOperands,
            "The first operand must be distinct from the remaining operands for this operator or function; "
                + "operator: \(name), first operand: \(left)")
    }

    func checkOrdered(
        _ name: String, _ operands: [Condition.Operand], _ faults: ExpressionFaults
    ) {
        for case let kind? in operands.map(\.knownKind) where !kind.isOrdered {
            noteType(name, kind.rawValue, faults)
        }
    }

    /// Bounds that are both known must be of one type, and in their order.
    func checkBounds(
        _ low: Condition.Operand, _ high: Condition.Operand, _ faults: ExpressionFaults
    ) {
        guard case .value(let low) = low, case .value(let high) = high else { return }
        let problem: String
        switch low.order(to: high) {
        case nil: problem = "same data type for lower and upper bounds"
        case .after: problem = "upper bound to be greater than or equal to lower bound"
        case .before, .same: return
        }
        faults.note(
            .operandType,
            "The BETWEEN operator requires \(problem); lower bound operand: AttributeValue: \(low.shown), "
                + "upper bound operand: AttributeValue: \(high.shown)")
    }

    func checkKind(_ name: String, _ operands: [Update.Operand], _ expected: ItemValue.Kind) {
        for case .value(let value) in operands where value.kind != expected && !isMissing(value) {
            noteType(name, value.kind.rawValue, faults)
        }
    }

    /// Whether a value stands for one that is not defined, which is a mistake already.
    private func isMissing(_ value: ItemValue) -> Bool {
        if case .numbers(let numbers) = value { numbers.isEmpty } else { false }
    }
}

extension ItemValue.Kind {
    /// How the engine calls a type in some of its refusals.
    var engineName: String {
        switch self {
        case .string: "STRING"
        case .number: "NUMBER"
        case .binary: "BINARY"
        case .bool: "BOOLEAN"
        case .null: "NULL"
        case .list: "LIST"
        case .map: "MAP"
        case .strings: "STRING_SET"
        case .numbers: "NUMBER_SET"
        case .binaries: "BINARY_SET"
        }
    }
}

extension ItemValue {
    /// How a refusal shows a bound: `{S:a}`.
    fileprivate var shown: String {
        switch self {
        case .string(let text): "{S:\(text)}"
        case .number(let number): "{N:\(number)}"
        case .binary(let bytes): "{B:\(Base64.text(of: bytes, .standard))}"
        default: "{\(kind.rawValue)}"
        }
    }
}
