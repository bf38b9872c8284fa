import JSON
import Script

/// Operators, lists and objects.
extension JSONataEvaluation {
    func binary(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        guard let lhs = node.lhs, let rhs = node.rhs, let operation = node.operation else { return .missing }
        let left = try evaluate(lhs, input, frame)
        switch operation {
        case .and:
            let isMet = try truth(of: left) == true
            return .bool(isMet ? try truth(of: try evaluate(rhs, input, frame)) == true : false)
        case .or:
            let isMet = try truth(of: left) == true
            return .bool(isMet ? true : try truth(of: try evaluate(rhs, input, frame)) == true)
        default: break
        }
        let right = try evaluate(rhs, input, frame)
        do throws(JSONataError) {
            switch operation {
            case .and, .or: return .missing
            case .plus, .minus, .times, .divided, .remainder: return try computed(operation, left, right)
            case .equal, .unequal:
                guard !left.isMissing, !right.isMissing else { return .bool(false) }
                return .bool(try areEqual(left, right) == (operation == .equal))
            case .less, .lessOrEqual, .more, .moreOrEqual: return try compared(operation, left, right)
            case .joined: return try made(try text(of: left) + (try text(of: right)))
            case .range: return try range(left, right)
            case .isIn:
                guard !left.isMissing, !right.isMissing else { return .bool(false) }
                let items = right.elements
                try spend(items.count)
                return .bool(items.contains { $0.isSame(as: left) })
            }
        } catch {
            var error = error
            error.position = node.position
            error.token = node.text
            throw error
        }
    }

    private func operand(_ value: Value, _ code: String) throws(JSONataError) -> Double? {
        switch value {
        case .missing: return nil
        case .number(let number):
            guard number.isFinite else {
                if number.isNaN { throw JSONataError(code, value: "null") }
                throw JSONataError("D1001", value: NumberText.decimal(number))
            }
            return number
        default: throw JSONataError(code, value: JSONataWriter.summary(of: value))
        }
    }

    private func computed(_ operation: Node.Operator, _ left: Value, _ right: Value) throws(JSONataError) -> Value {
        let one = try operand(left, "T2001")
        let other = try operand(right, "T2002")
        guard let one, let other else { return .missing }
        switch operation {
        case .plus: return .number(one + other)
        case .minus: return .number(one - other)
        case .times: return .number(one * other)
        case .divided: return .number(one / other)
        default: return .number(MathFunctions.remainder(one, other))
        }
    }

    private func compared(_ operation: Node.Operator, _ left: Value, _ right: Value) throws(JSONataError) -> Value {
        func isComparable(_ value: Value) -> Bool {
            switch value {
            case .missing, .string, .number: true
            default: false
            }
        }
        guard isComparable(left), isComparable(right) else {
            throw JSONataError("T2010", value: JSONataWriter.summary(of: isComparable(left) ? right : left))
        }
        if left.isMissing || right.isMissing { return .missing }
        switch (left, right) {
        case (.number(let one), .number(let other)):
            switch operation {
            case .less: return .bool(one < other)
            case .lessOrEqual: return .bool(one <= other)
            case .more: return .bool(one > other)
            default: return .bool(one >= other)
            }
        case (.string(let one), .string(let other)):
            try spend(1 + min(one.utf8.count, other.utf8.count) >> 6)
            let isBefore = one.utf16.lexicographicallyPrecedes(other.utf16)
            let isSame = one == other
            switch operation {
            case .less: return .bool(isBefore)
            case .lessOrEqual: return .bool(isBefore || isSame)
            case .more: return .bool(!isBefore && !isSame)
            default: return .bool(!isBefore)
            }
        default:
            throw JSONataError("T2009", value: JSONataWriter.summary(of: left), other: JSONataWriter.summary(of: right))
        }
    }

    func areEqual(_ left: Value, _ right: Value) throws(JSONataError) -> Bool {
        try spend(1)
        switch (left, right) {
        case (.list(let one), .list(let other)):
            guard one.count == other.count else { return false }
            for (left, right) in zip(one.items, other.items) where !(try areEqual(left, right)) { return false }
            return true
        case (.record(let one), .record(let other)):
            if one === other { return true }
            guard one.members.count == other.members.count else { return false }
            for (key, value) in zip(one.keys, one.values) {
                guard let right = other[key], try areEqual(value, right) else { return false }
            }
            return true
        case (.string(let one), .string(let other)):
            try spend(1 + one.utf8.count >> 6)
            return one == other
        case (.missing, .missing): return true
        default: return left.isSame(as: right)
        }
    }

    private func range(_ left: Value, _ right: Value) throws(JSONataError) -> Value {
        func whole(_ value: Value, _ code: String) throws(JSONataError) -> Double? {
            switch value {
            case .missing: return nil
            case .number(let number) where number.isFinite && number.rounded(.towardZero) == number: return number
            default: throw JSONataError(code, value: JSONataWriter.summary(of: value))
            }
        }
        let first = try whole(left, "T2003")
        let last = try whole(right, "T2004")
        guard let first, let last, first <= last else { return .missing }
        let count = last - first + 1
        guard count <= Double(JSONataLimits.rangeMax) else {
            throw JSONataError("D2014", value: NumberText.decimal(count))
        }
        try allocate(values: Int(count))
        var list = List.flat((0..<Int(count)).map { .number(first + Double($0)) })
        list.isSequence = true
        return .list(list)
    }

    // MARK: Lists and objects

    func unary(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        switch node.text {
        case "-":
            guard let operand = node.rhs else { return .missing }
            switch try evaluate(operand, input, frame) {
            case .missing: return .missing
            case .number(let number) where number.isInfinite:
                throw JSONataError("D1001", value: NumberText.decimal(number))
            case .number(let number) where !number.isNaN: return .number(-number)
            case let value:
                throw JSONataError(
                    "D1002", at: node.position, token: "-", value: JSONataWriter.summary(of: value))
            }
        case "[":
            var list = List([])
            for part in node.parts {
                let value = try evaluate(part, input, frame)
                if value.isMissing { continue }
                if part.kind == .unary, part.text == "[" {
                    list.append(value)
                    try allocate(values: 1)
                } else if case .list(let items) = value {
                    try allocate(values: items.count)
                    list.append(contentsOf: items)
                } else {
                    list.append(value)
                    try allocate(values: 1)
                }
            }
            list.isConstructed = node.isConstructed
            return .list(list)
        default: return try grouped(node.pairs, node.position, input, frame)
        }
    }

    private enum Grouped {
        case values(Value)
        case tuples([Tuple])
    }

    func grouped(
        _ pairs: [(key: Node, value: Node)], _ position: Int, _ input: Value, _ frame: VariableFrame
    ) throws(JSONataError) -> Value {
        var order: [String] = []
        var groups: [ByteText: (data: Grouped, pair: Int)] = [:]

        func add(_ key: Value, _ pair: Int, _ item: Value, _ tuple: Tuple?) throws(JSONataError) {
            guard !key.isMissing else { return }
            guard case .string(let name) = key else {
                throw JSONataError("T1003", at: position, value: JSONataWriter.summary(of: key))
            }
            guard name != "_jsonata_lambda", name != "_jsonata_function" else {
                throw JSONataError("D1013", at: position, value: JSONataWriter.summary(of: key))
            }
            try allocate(64)
            guard let known = groups[name] else {
                order.append(name)
                groups[name] = (tuple.map { .tuples([$0]) } ?? .values(item), pair)
                return
            }
            guard known.pair == pair else {
                throw JSONataError("D1009", at: position, value: JSONataWriter.summary(of: key))
            }
            groups[name] = nil
            switch known.data {
            case .tuples(var tuples):
                if let tuple { tuples.append(tuple) }
                groups[name] = (.tuples(tuples), pair)
            case .values(let values): groups[name] = (.values(try appended(values, item)), pair)
            }
        }

        if case .tuples(let tuples) = input {
            for tuple in tuples {
                let inner = try self.frame(of: tuple, in: frame)
                for (number, pair) in pairs.enumerated() {
                    try add(try evaluate(pair.key, tuple.value, inner), number, tuple.value, tuple)
                }
            }
        } else {
            var items = input.elements
            if items.isEmpty { items = [.missing] }
            for item in items {
                for (number, pair) in pairs.enumerated() {
                    try add(try evaluate(pair.key, item, frame), number, item, nil)
                }
            }
        }
        var members = Members()
        for name in order {
            guard let group = groups[name], pairs.indices.contains(group.pair) else { continue }
            var inner = frame
            let context: Value
            switch group.data {
            case .values(let value): context = value
            case .tuples(let tuples):
                let one = try reduced(tuples)
                context = one.value
                inner = try self.frame(of: one, in: frame)
            }
            let value = try evaluate(pairs[group.pair].value, context, inner)
            if !value.isMissing { members.add(name, value) }
        }
        try allocate(members.count &* 48)
        return .record(Record(members))
    }

    /// One of many: each variable has the values of all.
    private func reduced(_ tuples: [Tuple]) throws(JSONataError) -> Tuple {
        guard var all = tuples.first else { return Tuple(value: .missing) }
        for tuple in tuples.dropFirst() {
            all.value = try appended(all.value, tuple.value)
            for (name, value) in tuple.variables {
                let known = all.variables.first { $0.name == name }?.value ?? .missing
                all.bind(name, try appended(known, value))
            }
        }
        return all
    }
}
