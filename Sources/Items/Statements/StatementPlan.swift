import JSON

/// The part of a condition that is about a key, and the rest of it.
struct StatementPlan {
    /// The key condition that finds a stretch of one partition; nil: all items are gone through.
    let key: Condition?
    /// The rest of the condition that items have to fulfil.
    let rest: Condition?

    /// The parts of a condition that all have to hold.
    private static func parts(_ condition: Condition?) -> [Condition] {
        switch condition {
        case nil: []
        case .all(let inner)?: inner.flatMap { parts($0) }
        case let one?: [one]
        }
    }

    private static func joined(_ parts: [Condition]) -> Condition? {
        parts.count > 1 ? .all(parts) : parts.first
    }

    /// The whole attribute that a test compares with values.
    private static func attribute(_ test: Condition) -> (name: String, isEquality: Bool)? {
        func name(_ operand: Condition.Operand) -> String? {
            if case .path(let path) = operand, path.steps.isEmpty { path.root } else { nil }
        }
        func isValue(_ operand: Condition.Operand) -> Bool { if case .value = operand { true } else { false } }
        switch test {
        case .comparison(.notEqual, _, _): return nil
        case .comparison(let comparator, let left, let right):
            if let name = name(left), isValue(right) { return (name, comparator == .equal) }
            if let name = name(right), isValue(left) { return (name, comparator == .equal) }
            return nil
        case .between(let operand, let low, let high):
            return isValue(low) && isValue(high) ? name(operand).map { ($0, false) } : nil
        case .beginsWith(let operand, let start): return isValue(start) ? name(operand).map { ($0, false) } : nil
        default: return nil
        }
    }

    /// Takes the tests of a key out of a condition: each attribute of the partition by equality, and those of the sort key in their order.
    init(_ condition: Condition?, of key: KeySchema) {
        var parts = Self.parts(condition)
        var found: [Condition] = []
        /// Takes out the test of an attribute, and tells whether it is one of equality; nil: there is none.
        func take(_ name: String, onlyEqual: Bool) -> Bool? {
            let place = parts.firstIndex { part in
                guard let test = Self.attribute(part), test.name.compareBytes(to: name) == 0 else { return false }
                return test.isEquality || !onlyEqual
            }
            guard let place else { return nil }
            let part = parts.remove(at: place)
            found.append(part)
            return Self.attribute(part)?.isEquality
        }
        for attribute in key.partitions where take(attribute.name, onlyEqual: true) == nil {
            (self.key, rest) = (nil, condition)
            return
        }
        for attribute in key.sorts {
            guard take(attribute.name, onlyEqual: false) == true else { break }
        }
        self.key = Self.joined(found)
        rest = Self.joined(parts)
    }

    /// The key of one item that a condition names by equality, and what else it says; nil: it does not name all of the key.
    static func item(_ condition: Condition?, of key: KeySchema) -> (key: Item, rest: Condition?)? {
        var parts = parts(condition)
        var values: [(String, ItemValue)] = []
        for attribute in key.attributes {
            let place = parts.firstIndex { part in
                Self.attribute(part).map { $0.isEquality && $0.name.compareBytes(to: attribute.name) == 0 } ?? false
            }
            guard let place, case .comparison(_, let left, let right) = parts.remove(at: place) else { return nil }
            if case .value(let value) = left {
                values.append((attribute.name, value))
            } else if case .value(let value) = right {
                values.append((attribute.name, value))
            }
        }
        return (Item(values), joined(parts))
    }

}
