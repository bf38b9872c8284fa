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
    /// Whether `KeyConditions` says it.
    private let isLegacy: Bool

    init(_ tests: [(key: String, test: Test)], isLegacy: Bool = false) {
        self.tests = tests
        self.isLegacy = isLegacy
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
        /// The values of the partition key.
        package let partitions: [ItemValue]
        /// The values of the first attributes of the sort key that are asked for exactly, where it has several.
        package let leading: [ItemValue]
        /// What the next attribute of the sort key must be like.
        package let sort: Test?

        package var partition: ItemValue { partitions[0] }
    }

    /// The stretch of a table or index with these keys, whose partition and sort keys have one attribute or several.
    package func range(partitions: [Key], sorts: [Key]) throws(ItemError) -> Range {
        let isComposite = partitions.count > 1 || sorts.count > 1
        guard !isLegacy || isComposite || (1...2).contains(tests.count) else {
            throw .validation("Conditions can be of length 1 or 2 only")
        }
        var values: [ItemValue] = []
        for key in partitions {
            guard let test = test(of: key) else {
                throw Self.missed(key, isComposite ? Self.partitionRule : "")
            }
            try check(test, key)
            guard case .comparison(.equal, let value) = test else {
                throw Self.unsupported(isComposite, Self.partitionRule)
            }
            values.append(value)
        }
        var (leading, last): ([ItemValue], Test?) = ([], nil)
        var asked = 0
        for (place, key) in sorts.enumerated() {
            guard let test = test(of: key) else { continue }
            // One that is passed over is missed, and so is equality before the last.
            guard asked == place else { throw Self.missed(sorts[asked], isComposite ? Self.sortRule : "") }
            if case .comparison(.notEqual, _) = test { throw Self.unsupported(isComposite, Self.sortRule) }
            try check(test, key)
            if let last {
                guard case .comparison(.equal, let value) = last else { throw Self.unsupported(true, Self.sortRule) }
                leading.append(value)
            }
            last = test
            asked += 1
        }
        guard tests.count == partitions.count + asked else {
            guard asked < sorts.count else { throw Self.unsupported(isComposite, "") }
            throw Self.missed(sorts[asked], isComposite ? Self.sortRule : "")
        }
        return Range(partitions: values, leading: leading, sort: last)
    }

    private static let partitionRule = ": each HASH key attribute needs an equality condition"
    private static let sortRule =
        ": RANGE key attributes are queried from the first one on, all but the last by an equality condition"

    private static func missed(_ key: Key, _ rule: String) -> ItemError {
        .validation("Query condition missed key schema element: \(key.name)\(rule)")
    }

    private static func unsupported(_ isComposite: Bool, _ rule: String) -> ItemError {
        .validation("Query key condition not supported\(isComposite ? rule : "")")
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
                    throw .validation("KeyConditionExpressions cannot have conditions on nested attributes")
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
        "Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
    )

    private static func wrongOperator(_ name: String) -> ItemError {
        .validation("Invalid operator used in KeyConditionExpression: \(name)")
    }

    private static func noKeyFirst(_ name: String) -> ItemError {
        .validation(
            "Invalid condition in KeyConditionExpression: \(name) operator must have the key attribute as its first operand"
        )
    }
}
