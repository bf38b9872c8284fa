// Applies an update. All its operands are asked of the item as it was, and all its paths lead to places that it had.

extension Update {
    /// What becomes of an item, or of none: then it begins with its key. Nil: there is none still, whatever the paths lead through.
    ///
    /// - Parameter budget: what may be done for it. Where that is used up, what this throws means nothing.
    package func apply(
        to item: Item?, key: Item, within budget: CallBudget = .unbounded
    ) throws(ItemError) -> Item? {
        if item == nil, onlyTakesAway { return nil }
        var changes: [(path: DocumentPath, value: ItemValue?)] = []
        changes.reserveCapacity(actions.count)
        // All that is set stays: what is too much together need not be made first.
        var bytes = 0
        for action in actions {
            try Self.spend(CallBudget.partSteps, within: budget)
            switch action.change {
            case .set(let operand):
                let value = try operand.value(in: item, within: budget)
                bytes += try Self.size(of: value, within: budget)
                guard bytes <= ItemLimits.itemBytesMax else { throw Self.tooLarge }
                changes.append((action.path, action.path.steps.isEmpty ? value.canonical : value))
            case .remove: changes.append((action.path, nil))
            case .add(let value):
                let old = action.path.value(in: item)
                try Self.spend(value.elementCount + (old?.elementCount ?? 0), within: budget)
                try changes.append(
                    (action.path, old.map { old throws(ItemError) in try added(value, to: old) } ?? value))
            case .delete(let value):
                // Nothing is taken out of nothing.
                guard let old = action.path.value(in: item) else { continue }
                try Self.spend(value.elementCount + old.elementCount, within: budget)
                try changes.append((action.path, rest(of: old, without: value)))
            }
        }
        var updated = item ?? key
        // Elements that come or go move none of those that a path leads through: what is deeper is changed first.
        for group in UpdateGroup.groups(of: changes).sorted(by: { $0.depth > $1.depth }) {
            try updated.change(group)
        }
        guard updated.isWithinNesting else { throw ItemReader.isTooDeep }
        guard updated.size <= ItemLimits.itemBytesMax else { throw Self.tooLarge }
        return updated
    }

    /// What the paths of this update lead to in an item, which is the one before it (`UPDATED_OLD`) or the one behind it (`UPDATED_NEW`).
    func touched(of item: Item?) -> Item { item.map(Projection(actions.map(\.path)).project) ?? Item() }

    private var wrongType: ItemError {
        isLegacy ? .validation("Type mismatch for attribute to update") : Self.wrongType
    }

    fileprivate static let tooLarge = ItemError.validation("Item size to update has exceeded the maximum allowed size")

    private static func spend(_ steps: Int, within budget: CallBudget) throws(ItemError) {
        guard budget.allows(steps) else { throw tooLarge }
    }

    /// What a value weighs. Each of its elements is asked.
    private static func size(of value: ItemValue, within budget: CallBudget) throws(ItemError) -> Int {
        let size = value.size
        try spend(size / 2, within: budget)
        return size
    }

    static let wrongType = ItemError.validation("An operand in the update expression has an incorrect data type")
    static let missingOperand = ItemError.validation(
        "The provided expression refers to an attribute that does not exist in the item")
    static let wrongPath = ItemError.validation(
        "The document path provided in the update expression is invalid for update")

    private func added(_ value: ItemValue, to old: ItemValue) throws(ItemError) -> ItemValue {
        switch (old, value) {
        case (.number(let old), .number(let number)): return .number(try old + number)
        case (.strings(let old), .strings(let texts)):
            return .strings(ItemSets.union(old, texts) { $0.compareBytes(to: $1) })
        case (.numbers(let old), .numbers(let numbers)):
            return .numbers(ItemSets.union(old, numbers, by: ItemSets.difference))
        case (.binaries(let old), .binaries(let all)):
            return .binaries(ItemSets.union(old, all) { $0.compareBytes(to: $1) })
        case (.list(let old), .list(let elements)) where isLegacy: return .list(old + elements)
        default: throw wrongType
        }
    }

    /// What is left of a set; nil when nothing is, since there are no empty sets.
    private func rest(of old: ItemValue, without value: ItemValue) throws(ItemError) -> ItemValue? {
        switch (old, value) {
        case (.strings(let old), .strings(let texts)):
            let rest = ItemSets.difference(old, texts) { $0.compareBytes(to: $1) }
            return rest.isEmpty ? nil : .strings(rest)
        case (.numbers(let old), .numbers(let numbers)):
            let rest = ItemSets.difference(old, numbers, by: ItemSets.difference)
            return rest.isEmpty ? nil : .numbers(rest)
        case (.binaries(let old), .binaries(let all)):
            let rest = ItemSets.difference(old, all) { $0.compareBytes(to: $1) }
            return rest.isEmpty ? nil : .binaries(rest)
        default: throw wrongType
        }
    }
}

extension Update.Operand {
    fileprivate func value(in item: Item?, within budget: CallBudget) throws(ItemError) -> ItemValue {
        switch self {
        case .value(let value): return value
        case .path(let path):
            guard let value = path.value(in: item) else { throw Update.missingOperand }
            return value
        case .ifAbsent(let path, let operand):
            if let value = path.value(in: item) { return value }
            return try operand.value(in: item, within: budget)
        case .append(let left, let right):
            guard case .list(let left) = try left.value(in: item, within: budget),
                case .list(let right) = try right.value(in: item, within: budget)
            else { throw Update.wrongType }
            // An element weighs two bytes at the least.
            guard budget.allows(2 * (left.count + right.count)),
                2 * (left.count + right.count) <= ItemLimits.itemBytesMax
            else { throw Update.tooLarge }
            return .list(left + right)
        case .sum(let left, let right):
            let (left, right) = (try left.number(in: item, within: budget), try right.number(in: item, within: budget))
            return .number(try left + right)
        case .difference(let left, let right):
            let (left, right) = (try left.number(in: item, within: budget), try right.number(in: item, within: budget))
            return .number(try left - right)
        }
    }

    private func number(in item: Item?, within budget: CallBudget) throws(ItemError) -> ItemNumber {
        guard case .number(let number) = try value(in: item, within: budget) else { throw Update.wrongType }
        return number
    }
}

extension ItemValue {
    /// How many elements it has that are gone through one by one.
    fileprivate var elementCount: Int {
        switch self {
        case .strings, .numbers, .binaries, .list: 4 * (partCount ?? 0)
        default: 1
        }
    }
}

extension Item {
    /// Whether no list or map is within more of them than DynamoDB allows.
    fileprivate var isWithinNesting: Bool {
        attributes.allSatisfy { $0.value.isWithin(ItemLimits.nestingMax) }
    }
}

extension ItemValue {
    fileprivate func isWithin(_ levels: Int) -> Bool {
        switch self {
        case .list(let elements): levels > 0 && elements.allSatisfy { $0.isWithin(levels - 1) }
        case .map(let item): levels > 0 && item.attributes.allSatisfy { $0.value.isWithin(levels - 1) }
        default: true
        }
    }
}
