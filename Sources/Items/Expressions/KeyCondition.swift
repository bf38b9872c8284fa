/// Which items a query reads: one value for the partition key, and perhaps a range of the sort key.
package struct KeyCondition: Sendable {
    /// What a key must be like.
    package enum Test: Sendable {
        case comparison(Comparator, ItemValue)
        case between(ItemValue, ItemValue)
        case beginsWith(ItemValue)
    }

    /// At most one for each key.
    private let tests: [(key: String, test: Test)]

    init(_ tests: [(key: String, test: Test)]) {
        self.tests = tests
    }

    /// A key of a table or an index.
    package struct Key: Sendable {
        package let name: String
        package let kind: ItemValue.Kind

        package init(name: String, kind: ItemValue.Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// What a query of certain keys reads.
    package struct Range: Sendable {
        package let partition: ItemValue
        package let sort: Test?
    }

    /// What is read of a table or index with these keys.
    package func range(partitionKey: Key, sortKey: Key?) throws(ItemError) -> Range {
        let missed = ItemError.validation("Query condition missed key schema element")
        guard let partition = test(of: partitionKey) else {
            throw .validation("\(missed.message)")
        }
        let sort = sortKey.flatMap { test(of: $0) }
        guard tests.count == (sort == nil ? 1 : 2) else { throw missed }
        try check(partition, partitionKey)
        if let sort, let sortKey { try check(sort, sortKey) }
        guard case .comparison(.equal, let value) = partition else {
            throw .validation("Query key condition not supported")
        }
        if case .comparison(.notEqual, _) = sort { throw .validation("Query key condition not supported") }
        return Range(partition: value, sort: sort)
    }

    private func test(of key: Key) -> Test? {
        tests.first { $0.key.compareBytes(to: key.name) == 0 }?.test
    }

    private func check(_ test: Test, _ key: Key) throws(ItemError) {
        for value in test.values {
            guard value.kind == key.kind else {
                throw .invalidValues("Condition parameter type does not match schema type")
            }
            guard value.partCount != 0 else {
                let type = value.kind == .string ? "string" : "binary"
                throw .validation(
                    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
                        + "an empty \(type) value. Key: \(key.name)")
            }
        }
    }
}

extension KeyCondition.Test {
    package var values: [ItemValue] {
        switch self {
        case .comparison(_, let value), .beginsWith(let value): [value]
        case .between(let low, let high): [low, high]
        }
    }

    /// Whether a value of the key is read.
    package func holds(for value: ItemValue) -> Bool {
        condition.holds(for: Item([("", value)]))
    }

    private var condition: Condition {
        let key = Condition.Operand.path(DocumentPath(""))
        switch self {
        case .comparison(let comparator, let value): return .comparison(comparator, key, .value(value))
        case .between(let low, let high): return .between(key, .value(low), .value(high))
        case .beginsWith(let start): return .beginsWith(key, .value(start))
        }
    }
}

extension KeyCondition {
    /// The keys that a condition is about; what is none of keys is refused.
    init(_ condition: Condition) throws(ItemError) {
        var tests: [(key: String, test: Test)] = []
        try Self.collect(condition, &tests)
        self.init(tests)
    }

    private static func collect(
        _ condition: Condition, _ tests: inout [(key: String, test: Test)]
    ) throws(ItemError) {
        switch condition {
        case .all(let conditions):
            for condition in conditions { try collect(condition, &tests) }
        case .any: throw wrongOperator("OR")
        case .not: throw wrongOperator("NOT")
        case .isIn: throw wrongOperator("IN")
        case .comparison(.notEqual, _, _): throw wrongOperator("<>")
        case .exists: throw wrongOperator(ConditionFunction.exists.rawValue)
        case .isAbsent: throw wrongOperator(ConditionFunction.isAbsent.rawValue)
        case .isOfType: throw wrongOperator(ConditionFunction.type.rawValue)
        case .contains: throw wrongOperator(ConditionFunction.contains.rawValue)
        case .comparison(let comparator, let left, let right):
            if case .value(let value) = left {
                try add(key(right, left), .comparison(comparator.mirrored, value), &tests)
            } else {
                let key = try key(left, right)
                guard case .value(let value) = right else { throw severalNames }
                try add(key, .comparison(comparator, value), &tests)
            }
        case .between(let operand, let low, let high):
            guard case .path = operand else { throw noKeyFirst("BETWEEN") }
            let key = try key(operand, low, high)
            guard case .value(let low) = low, case .value(let high) = high else { throw severalNames }
            try add(key, .between(low, high), &tests)
        case .beginsWith(let operand, let start):
            guard case .path = operand else { throw noKeyFirst(ConditionFunction.beginsWith.rawValue) }
            let key = try key(operand, start)
            guard case .value(let start) = start else { throw severalNames }
            try add(key, .beginsWith(start), &tests)
        }
    }

    /// The one key among operands.
    private static func key(_ operands: Condition.Operand...) throws(ItemError) -> String {
        var key: String?
        for operand in operands {
            switch operand {
            case .size: throw .validation("KeyConditionExpressions cannot contain nested operations")
            case .value: continue
            case .path(let path):
                guard case nil = key else { throw severalNames }
                guard path.steps.isEmpty else {
                    throw .validation(
                        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
                            + "Key: \(path.root)")
                }
                key = path.root
            }
        }
        guard let key else {
            throw .validation("Invalid condition in KeyConditionExpression: No key attribute specified")
        }
        return key
    }

    private static func add(
        _ key: String, _ test: Test, _ tests: inout [(key: String, test: Test)]
    ) throws(ItemError) {
        guard !tests.contains(where: { $0.key.compareBytes(to: key) == 0 }) else {
            throw .validation("KeyConditionExpressions must only contain one condition per key")
        }
        tests.append((key, test))
    }

    private static let severalNames = ItemError.validation(
        "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")

    private static func wrongOperator(_ name: String) -> ItemError {
        .validation("Invalid operator used in KeyConditionExpression: \(name)")
    }

    private static func noKeyFirst(_ name: String) -> ItemError {
        .validation(
            "Invalid condition in KeyConditionExpression: \(name) operator must have the key attribute as its first operand"
        )
    }
}
