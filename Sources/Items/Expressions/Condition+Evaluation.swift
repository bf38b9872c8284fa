// Whether an item fulfils a condition. What is not there is equal to nothing, and has no order and no parts.

extension Condition {
    /// Whether the condition holds for an item, or for none.
    package func holds(for item: Item?) -> Bool {
        switch self {
        case .comparison(let comparator, let left, let right):
            return Self.compare(comparator, left.value(in: item), right.value(in: item))
        case .between(let operand, let low, let high):
            guard let value = operand.value(in: item), let low = low.value(in: item), let high = high.value(in: item),
                let fromLow = value.order(to: low), let fromHigh = value.order(to: high)
            else { return false }
            return fromLow != .before && fromHigh != .after
        case .isIn(let operand, let operands):
            guard let value = operand.value(in: item) else { return false }
            return operands.contains { $0.value(in: item) == value }
        case .exists(let path): return path.value(in: item) != nil
        case .isAbsent(let path): return path.value(in: item) == nil
        case .isOfType(let operand, let kind): return operand.value(in: item)?.kind == kind
        case .beginsWith(let operand, let start):
            switch (operand.value(in: item), start.value(in: item)) {
            case (.string(let text), .string(let start)): return text.utf8.starts(with: start.utf8)
            case (.binary(let bytes), .binary(let start)): return bytes.starts(with: start)
            default: return false
            }
        case .contains(let operand, let part):
            guard let value = operand.value(in: item), let part = part.value(in: item) else { return false }
            return value.contains(part)
        case .not(let condition): return !condition.holds(for: item)
        case .all(let conditions): return conditions.allSatisfy { $0.holds(for: item) }
        case .any(let conditions): return conditions.contains { $0.holds(for: item) }
        }
    }

    private static func compare(_ comparator: Comparator, _ left: ItemValue?, _ right: ItemValue?) -> Bool {
        guard let left, let right else { return comparator == .notEqual }
        switch comparator {
        case .equal: return left == right
        case .notEqual: return left != right
        case .less: return left.order(to: right) == .before
        case .lessOrEqual: return left.order(to: right).map { $0 != .after } ?? false
        case .greater: return left.order(to: right) == .after
        case .greaterOrEqual: return left.order(to: right).map { $0 != .before } ?? false
        }
    }
}

extension Condition.Operand {
    func value(in item: Item?) -> ItemValue? {
        switch self {
        case .path(let path): path.value(in: item)
        case .value(let value): value
        case .size(let operand): operand.value(in: item)?.partCount.map { .number(ItemNumber($0)) }
        }
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
    func contains(_ part: ItemValue) -> Bool {
        switch (self, part) {
        case (.string(let text), .string(let part)): ByteSearch(part.utf8).isFound(in: text.utf8)
        case (.binary(let bytes), .binary(let part)): ByteSearch(part).isFound(in: bytes)
        case (.list(let elements), _): elements.contains(part)
        case (.strings(let texts), .string(let text)):
            ItemSets.contains(texts, text) { $0.compareBytes(to: $1) }
        case (.numbers(let numbers), .number(let number)):
            ItemSets.contains(numbers, number, by: ItemSets.difference)
        case (.binaries(let all), .binary(let bytes)):
            ItemSets.contains(all, bytes) { $0.compareBytes(to: $1) }
        default: false
        }
    }
}
