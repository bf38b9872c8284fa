/// What expressions and references give.
extension TemplateRun {
    func value(of expression: TemplateExpression) throws(TemplateExit) -> TemplateValue {
        try count()
        switch expression {
        case .null: return .null
        case .constant(let constant):
            return switch constant {
            case .bool(let value): .bool(value)
            case .integer(let value): TemplateValue(value)
            case .large(let value): .large(value)
            case .decimal(let value): .double(value)
            case .text(let text): .text(text)
            }
        case .reference(let reference): return try value(of: reference)
        case .interpolated(let nodes, let cuts):
            var bytes = try nested { () throws(TemplateExit) in try rendered(nodes) }
            if cuts, !bytes.isEmpty { bytes.removeLast() }
            return try made(String(decoding: bytes, as: UTF8.self))
        case .list(let expressions):
            var elements: [TemplateValue] = []
            elements.reserveCapacity(expressions.count)
            for expression in expressions { elements.append(try value(of: expression)) }
            return try list(elements)
        case .range(let first, let last): return try range(try value(of: first), try value(of: last))
        case .map(let members):
            let map = try map()
            for (key, member) in members {
                let key = TemplateKey(try value(of: key))
                try put(key, try value(of: member), in: map)
            }
            return .map(map)
        case .not, .both, .either, .compare: return .bool(try holds(expression))
        case .calculate(let calculation, let left, let right, let words):
            let left = try value(of: left)
            return try calculate(calculation, left, try value(of: right), words: words)
        }
    }

    /// As a condition: a name holds unless it has no value, or `false`. A text or a number that is written out does not hold.
    func holds(_ expression: TemplateExpression) throws(TemplateExit) -> Bool {
        try count()
        switch expression {
        case .constant(.bool(let value)): return value
        case .reference(let reference):
            switch try value(of: reference) {
            case .null: return false
            case .bool(let value): return value
            default: return true
            }
        case .not(let inner): return try !holds(inner)
        case .both(let left, let right):
            guard try holds(left) else { return false }
            return try holds(right)
        case .either(let left, let right):
            if try holds(left) { return true }
            return try holds(right)
        case .compare(let comparison, let left, let right):
            let left = try value(of: left)
            return try compare(comparison, left, try value(of: right))
        case .null, .constant, .interpolated, .list, .range, .map, .calculate: return false
        }
    }

    private func range(_ first: TemplateValue, _ last: TemplateValue) throws(TemplateExit) -> TemplateValue {
        guard let first = first.bound, let last = last.bound else { return .null }
        let count = Int(first.distance(to: last).magnitude) + 1
        try hold(values: count)
        try self.count(count)
        let step: Int64 = first <= last ? 1 : -1
        return try list((0..<count).map { .integer(Int32(truncatingIfNeeded: Int64(first) + Int64($0) * step)) })
    }

    // MARK: - References

    func value(of reference: TemplateReference) throws(TemplateExit) -> TemplateValue {
        guard let slot = reference.slot else { return .null }
        var value = frame[slot]
        var first = 0
        if let (function, step) = reference.function, case .library = value,
            case .method(let method) = reference.steps[step]
        {
            value = try call(function, method)
            first = step + 1
        }
        return try self.value(value, through: reference.steps[first...])
    }

    func value(
        _ start: TemplateValue, through steps: ArraySlice<TemplateReference.Step>
    ) throws(TemplateExit) -> TemplateValue {
        var value = start
        for step in steps {
            if value.isNull { return .null }
            switch step {
            case .member(let name): value = try member(name, of: value)
            case .index(let index, let offset):
                let index = try self.value(of: index)
                self.offset = offset
                value = try element(index, of: value)
            case .method(let method):
                let arguments = try arguments(of: method)
                offset = method.offset
                guard let known = method.known else { return .null }
                value = try call(known, arguments, on: value) ?? .null
            }
        }
        return value
    }

    func arguments(of method: TemplateMethod) throws(TemplateExit) -> [TemplateValue] {
        if method.arguments.isEmpty { return [] }
        return try nested { () throws(TemplateExit) in
            var arguments: [TemplateValue] = []
            arguments.reserveCapacity(method.arguments.count)
            for argument in method.arguments { arguments.append(try value(of: argument)) }
            return arguments
        }
    }

    private func call(_ function: TemplateFunction, _ method: TemplateMethod) throws(TemplateExit) -> TemplateValue {
        let arguments = try arguments(of: method)
        offset = method.offset
        try count()
        return try function.call(arguments, in: self)
    }
}

extension TemplateValue {
    /// As an end of a range: a whole number.
    fileprivate var bound: Int32? {
        switch self {
        case .integer(let value): value
        case .long(let value): Int32(truncatingIfNeeded: value)
        case .large(let value): Int32(truncatingIfNeeded: value)
        case .double(let value): JavaNumber.integer(value)
        default: nil
        }
    }
}
