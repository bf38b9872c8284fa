import JSON
import Script

/// Paths: each step takes what the step before has found.
extension JSONataEvaluation {
    func path(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        var found: List
        if case .list(let list) = input, node.parts.first?.kind != .variable {
            found = list
        } else {
            found = List.sequence([input])
        }
        var result = Value.missing
        var tuples: [Tuple]?
        for (number, step) in node.parts.enumerated() {
            if number == 0, step.isConstructed {
                result = try evaluate(step, .list(found), frame)
            } else if step.isTuple || tuples != nil {
                tuples = try tupleStep(step, found, tuples, frame)
                continue
            } else {
                result = .list(try self.step(step, found, frame, isLast: number == node.parts.count - 1))
            }
            switch result {
            case .list(let list):
                guard !list.items.isEmpty else { return try ended(node, result, nil, frame) }
                found = list
            case .missing: return try ended(node, result, nil, frame)
            default: found = List.sequence([result])
            }
        }
        if let stream = tuples {
            if node.isTuple {
                result = .tuples(stream)
            } else {
                try allocate(values: stream.count)
                result = .list(List.sequence(stream.map(\.value)))
            }
        }
        return try ended(node, result, tuples, frame)
    }

    private func ended(
        _ node: Node, _ result: Value, _ tuples: [Tuple]?, _ frame: VariableFrame
    ) throws(JSONataError) -> Value {
        var result = result
        if node.keepsSingleton, case .list(var list) = result {
            if list.isConstructed, !list.isSequence { list = List.sequence([result]) }
            list.keepsSingleton = true
            result = .list(list)
        }
        if let group = node.group {
            return try grouped(group.pairs, group.position, tuples.map { .tuples($0) } ?? result, frame)
        }
        return result
    }

    private func step(_ node: Node, _ input: List, _ frame: VariableFrame, isLast: Bool) throws(JSONataError) -> List {
        if node.kind == .sort {
            var sorted = try self.sorted(node, input.items, frame)
            for case .filter(let predicate)? in node.stages ?? [] {
                sorted = try filter(predicate, .list(List.plain(sorted)), frame).list ?? List.sequence()
            }
            return sorted
        }
        var results: [Value] = []
        for item in input.items {
            var value = try evaluate(node, item, frame)
            if let stages = node.stages {
                for case .filter(let predicate) in stages { value = try filter(predicate, value, frame) }
            }
            if !value.isMissing { results.append(value) }
        }
        try allocate(values: results.count)
        if isLast, results.count == 1, case .list(let list) = results[0], !list.isSequence { return list }
        var flat = List.sequence()
        for value in results {
            if case .list(let list) = value, !list.isConstructed {
                try allocate(values: list.count)
                flat.append(contentsOf: list)
            } else {
                flat.append(value)
            }
        }
        return flat
    }

    // MARK: Steps with variables

    func frame(of tuple: Tuple, in frame: VariableFrame) throws(JSONataError) -> VariableFrame {
        let inner = try self.frame(in: frame)
        for (name, value) in tuple.variables { inner.bind(name, value) }
        return inner
    }

    private func tupleStep(
        _ node: Node, _ input: List, _ tuples: [Tuple]?, _ frame: VariableFrame
    ) throws(JSONataError) -> [Tuple] {
        var results: [Tuple] = []
        if node.kind == .sort {
            if let tuples {
                results = try sorted(node, tuples, frame)
            } else {
                for (number, value) in try sorted(node, input.items, frame).items.enumerated() {
                    var tuple = Tuple(value: value)
                    if let index = node.index { tuple.bind(index, .number(Double(number))) }
                    results.append(tuple)
                }
            }
            return try staged(node, results, frame)
        }
        for tuple in tuples ?? input.items.map({ Tuple(value: $0) }) {
            let inner = try self.frame(of: tuple, in: frame)
            let value = try evaluate(node, tuple.value, inner)
            switch value {
            case .missing: continue
            case .tuples(let stream):
                for other in stream {
                    var made = tuple
                    made.value = other.value
                    for (name, value) in other.variables { made.bind(name, value) }
                    results.append(made)
                }
                try allocate(stream.count &* 64)
            default:
                let values = value.elements
                try allocate(values.count &* (64 + 40 * tuple.variables.count))
                for (number, value) in values.enumerated() {
                    var made = tuple
                    if let focus = node.focus { made.bind(focus, value) } else { made.value = value }
                    if let index = node.index { made.bind(index, .number(Double(number))) }
                    if let ancestor = node.ancestor { made.bind(ancestor.label, tuple.value) }
                    results.append(made)
                }
            }
        }
        return try staged(node, results, frame)
    }

    private func staged(_ node: Node, _ tuples: [Tuple], _ frame: VariableFrame) throws(JSONataError) -> [Tuple] {
        var tuples = tuples
        for stage in node.stages ?? [] {
            switch stage {
            case .filter(let predicate):
                if case .tuples(let left) = try filter(predicate, .tuples(tuples), frame) { tuples = left }
            case .index(let name):
                for number in tuples.indices { tuples[number].bind(name, .number(Double(number))) }
            }
        }
        return tuples
    }

    // MARK: Predicates

    func filter(_ predicate: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        if case .tuples(let tuples) = input { return .tuples(try filtered(predicate, tuples, frame)) }
        let items = input.elements
        if predicate.kind == .number {
            guard let place = Self.place(predicate.number, items.count) else { return .list(List.sequence()) }
            if case .list = items[place] { return items[place] }
            return .list(List.sequence([items[place]]))
        }
        var results = List.sequence()
        let given = input.isMissing ? [Value.missing] : items
        for (number, item) in given.enumerated() {
            for _ in 0..<(try matches(predicate, item, number, given.count, frame)) where !item.isMissing {
                try allocate(values: 1)
                results.append(item)
            }
        }
        return .list(results)
    }

    private func filtered(_ predicate: Node, _ tuples: [Tuple], _ frame: VariableFrame) throws(JSONataError) -> [Tuple]
    {
        if predicate.kind == .number {
            return Self.place(predicate.number, tuples.count).map { [tuples[$0]] } ?? []
        }
        var results: [Tuple] = []
        for (number, tuple) in tuples.enumerated() {
            let inner = try self.frame(of: tuple, in: frame)
            for _ in 0..<(try matches(predicate, tuple.value, number, tuples.count, inner)) {
                try allocate(values: 2)
                results.append(tuple)
            }
        }
        return results
    }

    /// How often a value is taken.
    private func matches(
        _ predicate: Node, _ item: Value, _ number: Int, _ count: Int, _ frame: VariableFrame
    ) throws(JSONataError) -> Int {
        let result = try evaluate(predicate, item, frame)
        var numbers: [Double]?
        switch result {
        case .number(let place):
            guard !place.isInfinite else { throw JSONataError("D1001", value: NumberText.decimal(place)) }
            numbers = [place]
        case .list(let list):
            try spend(list.count)
            let found = list.items.compactMap { if case .number(let place) = $0 { place } else { nil } }
            if found.count == list.count { numbers = found }
        default: break
        }
        if let numbers { return numbers.count { Self.place($0, count) == number } }
        return try truth(of: result) == true ? 1 : 0
    }

    private static func place(_ number: Double, _ count: Int) -> Int? {
        let floored = number.rounded(.down)
        guard let whole = Int(exactly: floored), whole.magnitude <= UInt(Int32.max) else { return nil }
        let place = whole < 0 ? count + whole : whole
        return (0..<count).contains(place) ? place : nil
    }

    // MARK: Order

    private func sorted(_ node: Node, _ items: [Value], _ frame: VariableFrame) throws(JSONataError) -> List {
        let sorted = try merged(items) { left, right throws(JSONataError) in
            try self.isBehind(node, left, frame, right, frame)
        }
        return sorted.count > 1 ? List(sorted) : List.sequence(sorted)
    }

    private func sorted(_ node: Node, _ tuples: [Tuple], _ frame: VariableFrame) throws(JSONataError) -> [Tuple] {
        try merged(tuples) { left, right throws(JSONataError) in
            try self.isBehind(
                node, left.value, try self.frame(of: left, in: frame), right.value, try self.frame(of: right, in: frame)
            )
        }
    }

    private func isBehind(
        _ node: Node, _ left: Value, _ leftFrame: VariableFrame, _ right: Value, _ rightFrame: VariableFrame
    ) throws(JSONataError) -> Bool {
        for (number, term) in node.parts.enumerated() {
            let one = try evaluate(term, left, leftFrame)
            let other = try evaluate(term, right, rightFrame)
            switch (one, other) {
            case (.missing, .missing): continue
            case (.missing, _): return true
            case (_, .missing): return false
            default: break
            }
            let descends = node.descends.indices.contains(number) && node.descends[number]
            switch (one, other) {
            case (.number(let one), .number(let other)):
                if one == other { continue }
                return (one < other) == descends
            case (.string(let one), .string(let other)):
                if one == other { continue }
                return one.utf16.lexicographicallyPrecedes(other.utf16) == descends
            case (.number, .string), (.string, .number):
                throw JSONataError(
                    "T2007", at: node.position, value: JSONataWriter.summary(of: one),
                    other: JSONataWriter.summary(of: other))
            default:
                throw JSONataError("T2008", at: node.position, value: JSONataWriter.summary(of: one))
            }
        }
        return false
    }

    /// Sorts by merging, so that equal values stay in their order.
    ///
    /// - Parameter isBehind: whether the first belongs behind the second.
    func merged<Item>(
        _ items: [Item], _ isBehind: (Item, Item) throws(JSONataError) -> Bool
    ) throws(JSONataError) -> [Item] {
        guard items.count > 1 else { return items }
        let middle = items.count / 2
        let left = try merged(Array(items[..<middle]), isBehind)
        let right = try merged(Array(items[middle...]), isBehind)
        try allocate(values: items.count)
        var all: [Item] = []
        all.reserveCapacity(items.count)
        var (one, other) = (0, 0)
        while one < left.count, other < right.count {
            try spend(1)
            if try isBehind(left[one], right[other]) {
                all.append(right[other])
                other += 1
            } else {
                all.append(left[one])
                one += 1
            }
        }
        return all + left[one...] + right[other...]
    }
}
