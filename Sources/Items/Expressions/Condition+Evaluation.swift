// Whether an item fulfils a condition. What is not there is equal to nothing, and has no order and no parts.

extension Condition {
    /// Whether the condition holds for an item, or for none.
    package func holds(for item: Item?) -> Bool {
        // Nothing ends a budget without bounds.
        (try? holds(for: item, within: .unbounded)) ?? false
    }

    /// The same for who may not take long.
    package func holds(for item: Item?, within budget: CallBudget) throws(ItemFailure) -> Bool {
        try budget.spend(CallBudget.partSteps)
        switch self {
        case .comparison(let comparator, let left, let right):
            return try Self.compare(
                comparator, try left.value(in: item, within: budget), try right.value(in: item, within: budget),
                within: budget)
        case .between(let operand, let low, let high):
            guard let value = try operand.value(in: item, within: budget),
                let low = try low.value(in: item, within: budget), let high = try high.value(in: item, within: budget)
            else { return false }
            try budget.spend(2 * CallBudget.steps(comparing: value.ownBytes))
            guard let fromLow = value.order(to: low), let fromHigh = value.order(to: high) else { return false }
            return fromLow != .before && fromHigh != .after
        case .isIn(let operand, let operands):
            guard let value = try operand.value(in: item, within: budget) else { return false }
            for operand in operands {
                guard let other = try operand.value(in: item, within: budget) else { continue }
                if try value.isEqual(to: other, within: budget) { return true }
            }
            return false
        case .exists(let path): return try path.value(in: item, within: budget) != nil
        case .isAbsent(let path): return try path.value(in: item, within: budget) == nil
        case .isOfType(let operand, let kind): return try operand.value(in: item, within: budget)?.kind == kind
        case .beginsWith(let operand, let start):
            switch (try operand.value(in: item, within: budget), try start.value(in: item, within: budget)) {
            case (.string(let text), .string(let start)):
                try budget.spend(CallBudget.steps(comparing: start.utf8.count))
                return text.beginsWithBytes(of: start)
            case (.binary(let bytes), .binary(let start)):
                try budget.spend(CallBudget.steps(comparing: start.count))
                return bytes.beginsWithBytes(of: start)
            default: return false
            }
        case .contains(let operand, let part):
            guard let value = try operand.value(in: item, within: budget),
                let part = try part.value(in: item, within: budget)
            else { return false }
            return try value.contains(part, within: budget)
        case .not(let condition): return try !condition.holds(for: item, within: budget)
        case .all(let conditions):
            for condition in conditions where try !condition.holds(for: item, within: budget) { return false }
            return true
        case .any(let conditions):
            for condition in conditions where try condition.holds(for: item, within: budget) { return true }
            return false
        }
    }

    private static func compare(
        _ comparator: Comparator, _ left: ItemValue?, _ right: ItemValue?, within budget: CallBudget
    ) throws(ItemFailure) -> Bool {
        guard let left, let right else { return comparator == .notEqual }
        switch comparator {
        case .equal: return try left.isEqual(to: right, within: budget)
        case .notEqual: return try !left.isEqual(to: right, within: budget)
        default: try budget.spend(CallBudget.steps(comparing: left.ownBytes))
        }
        let order = left.order(to: right)
        switch comparator {
        case .less: return order == .before
        case .lessOrEqual: return order.map { $0 != .after } ?? false
        case .greater: return order == .after
        default: return order.map { $0 != .before } ?? false
        }
    }
}

extension Condition.Operand {
    fileprivate func value(in item: Item?, within budget: CallBudget) throws(ItemFailure) -> ItemValue? {
        switch self {
        case .path(let path): return try path.value(in: item, within: budget)
        case .value(let value): return value
        case .size(let operand):
            guard let value = try operand.value(in: item, within: budget) else { return nil }
            // Characters of a text are counted one by one.
            if case .string(let text) = value { try budget.spend(text.utf8.count / 2) }
            return value.partCount.map { .number(ItemNumber($0)) }
        }
    }
}

extension DocumentPath {
    fileprivate func value(in item: Item?, within budget: CallBudget) throws(ItemFailure) -> ItemValue? {
        guard let item else { return nil }
        var steps = CallBudget.steps(halving: item.count, bytes: root.utf8.count)
        for step in self.steps {
            if case .name(let name) = step { steps += CallBudget.steps(halving: item.count, bytes: name.utf8.count) }
            steps += CallBudget.partSteps
        }
        try budget.spend(steps)
        return value(in: item)
    }
}

extension ItemValue {
    /// What `size` says: characters as Java counts them, bytes, or elements; nil for what has none.
    var partCount: Int? {
        switch self {
        case .string(let text): text.utf16.count
        case .binary(let bytes): bytes.count
        case .list(let elements): elements.count
        case .map(let item): item.count
        case .strings(let texts): texts.count
        case .numbers(let numbers): numbers.count
        case .binaries(let all): all.count
        case .number, .bool, .null: nil
        }
    }

    /// Whether a text or bytes contain another one, or a list or set an element.
    fileprivate func contains(_ part: ItemValue, within budget: CallBudget) throws(ItemFailure) -> Bool {
        switch (self, part) {
        case (.string(let text), .string(let part)):
            guard part.utf8.count <= text.utf8.count else { return false }
            try budget.spend(CallBudget.steps(searching: text.utf8.count, for: part.utf8.count))
            return ByteSearch(part.utf8).isFound(in: text.utf8)
        case (.binary(let bytes), .binary(let part)):
            guard part.count <= bytes.count else { return false }
            try budget.spend(CallBudget.steps(searching: bytes.count, for: part.count))
            return ByteSearch(part).isFound(in: bytes)
        case (.list(let elements), _):
            for element in elements where try element.isEqual(to: part, within: budget) { return true }
            return false
        case (.strings(let texts), .string(let text)):
            try budget.spend(CallBudget.steps(halving: texts.count, bytes: text.utf8.count))
            return ItemSets.contains(texts, text) { $0.compareBytes(to: $1) }
        case (.numbers(let numbers), .number(let number)):
            try budget.spend(CallBudget.steps(halving: numbers.count, bytes: CallBudget.bytesPerStep))
            return ItemSets.contains(numbers, number, by: ItemSets.difference)
        case (.binaries(let all), .binary(let bytes)):
            try budget.spend(CallBudget.steps(halving: all.count, bytes: bytes.count))
            return ItemSets.contains(all, bytes) { $0.compareBytes(to: $1) }
        default: return false
        }
    }

    /// The bytes that are compared of a value that has an order.
    fileprivate var ownBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        default: 0
        }
    }

    /// Whether both are the same value, as `==` says.
    func isEqual(to other: ItemValue, within budget: CallBudget) throws(ItemFailure) -> Bool {
        try budget.spend(2 + ownBytes / CallBudget.bytesPerStep)
        switch (self, other) {
        case (.list(let elements), .list(let others)):
            guard elements.count == others.count else { return false }
            for (element, other) in zip(elements, others) where try !element.isEqual(to: other, within: budget) {
                return false
            }
            return true
        case (.map(let item), .map(let other)):
            guard item.count == other.count else { return false }
            for (attribute, other) in zip(item, other) {
                try budget.spend(CallBudget.steps(comparing: attribute.name.utf8.count))
                guard attribute.name.compareBytes(to: other.name) == 0,
                    try attribute.value.isEqual(to: other.value, within: budget)
                else { return false }
            }
            return true
        case (.strings(let texts), .strings):
            try budget.spend(texts.reduce(0) { $0 + CallBudget.steps(comparing: $1.utf8.count) })
        case (.numbers(let numbers), .numbers): try budget.spend(2 * numbers.count)
        case (.binaries(let all), .binaries):
            try budget.spend(all.reduce(0) { $0 + CallBudget.steps(comparing: $1.count) })
        default: break
        }
        return self == other
    }
}
