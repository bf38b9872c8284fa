import JSON
import Script

/// One evaluation of an expression: it counts what it costs, and lets go of all it has made at its end.
final class JSONataEvaluation {
    let surroundings: JSONataSurroundings
    private(set) var budget: JSONataBudget
    private var depth = 0
    private let stack: StackUse
    /// Variables that functions keep: functions and variables may hold each other.
    private var kept: [VariableFrame] = []

    init(_ surroundings: JSONataSurroundings, _ budget: JSONataBudget) {
        (self.surroundings, self.budget) = (surroundings, budget)
        stack = StackUse(bytesMax: budget.stackBytes)
    }

    func end() {
        for frame in kept { frame.clear() }
        kept = []
    }

    func value(
        of root: Node, _ input: JSONValue?, _ variables: JSONataVariables
    ) throws(JSONataError) -> JSONValue? {
        let frame = VariableFrame(in: nil)
        for (name, value) in variables.values { frame.bind(name, value) }
        let input = input.map { Value($0) } ?? .missing
        frame.bind("$", input)
        var context = input
        if case .list = input {
            // A list as the input is one value.
            var wrapper = List.sequence([input])
            wrapper.isWrapper = true
            context = .list(wrapper)
        }
        let result = try evaluate(root, context, frame)
        if case .function = result { throw .ofResult }
        return try result.json { steps throws(JSONataError) in try self.spend(steps) }
    }

    // MARK: Costs

    func spend(_ steps: Int) throws(JSONataError) {
        budget.steps -= steps
        guard budget.steps >= 0 else {
            budget.steps = 0
            throw JSONataError("D1012", value: "steps")
        }
    }

    /// Counts bytes that are made.
    func allocate(_ bytes: Int) throws(JSONataError) {
        try spend(1 + bytes >> 6)
        budget.bytes -= bytes
        guard budget.bytes >= 0 else {
            budget.bytes = 0
            throw JSONataError("D1012", value: "bytes")
        }
    }

    func allocate(values count: Int) throws(JSONataError) { try allocate(count &* 24) }

    static let tooLong = JSONataError("D1012", value: "bytes of a text")

    /// A text that a function has made.
    func made(_ text: String) throws(JSONataError) -> Value {
        let count = text.utf8.count
        guard count <= JSONataLimits.madeTextBytesMax else { throw Self.tooLong }
        try allocate(count)
        return .string(text)
    }

    func keep(_ frame: VariableFrame) throws(JSONataError) {
        guard !frame.isKept else { return }
        frame.isKept = true
        kept.append(frame)
        try allocate(64)
    }

    func frame(in parent: VariableFrame) throws(JSONataError) -> VariableFrame {
        try allocate(96)
        return VariableFrame(in: parent)
    }

    /// Functions that call others without a part of the expression between them count too.
    func depth(by count: Int) { depth += count }

    func checkDepth() throws(JSONataError) {
        guard depth <= JSONataLimits.depthMax, !stack.isExhausted else { throw JSONataError("D1011") }
    }

    // MARK: Evaluating

    func evaluate(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        try spend(1)
        depth += 1
        defer { depth -= 1 }
        guard depth <= JSONataLimits.depthMax, !stack.isExhausted else {
            throw JSONataError("D1011", at: node.position)
        }
        var result = try plain(node, input, frame)
        if let predicates = node.predicates {
            for case .filter(let predicate) in predicates { result = try filter(predicate, result, frame) }
        }
        if node.kind != .path, let group = node.group {
            result = try grouped(group.pairs, group.position, result, frame)
        }
        if case .list(var list) = result, list.isSequence {
            if node.keepsArray {
                list.keepsSingleton = true
                result = .list(list)
            }
            if list.items.isEmpty { return .missing }
            if list.count == 1, !list.keepsSingleton { result = list.items[0] }
        }
        guard result.depth <= JSONataLimits.valueNestingMax else {
            throw JSONataError("D1012", at: node.position, value: "nested values")
        }
        return result
    }

    private func plain(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        switch node.kind {
        case .path: return try path(node, input, frame)
        case .binary: return try binary(node, input, frame)
        case .unary: return try unary(node, input, frame)
        case .name: return try lookup(node.text, in: input)
        case .string: return .string(node.text)
        case .number: return .number(node.number)
        case .literal: return Value(node.literal ?? .null)
        case .wildcard: return try wildcard(input)
        case .descendant: return try descendants(input)
        case .parent: return frame.value(of: node.slot?.label ?? "") ?? .missing
        case .condition, .otherwise, .coalesce: return try condition(node, input, frame)
        case .block:
            let inner = try self.frame(in: frame)
            var result = Value.missing
            for part in node.parts { result = try evaluate(part, input, inner) }
            return result
        case .bind:
            guard let name = node.lhs?.text, let right = node.rhs else { return .missing }
            let value = try evaluate(right, input, frame)
            frame.bind(name, value)
            return value
        case .regex:
            guard let pattern = node.pattern else { return .missing }
            return .function(Function(.pattern(pattern, source: node.text)))
        case .function: return try call(node, input, frame, chained: nil)
        case .variable: return variable(node.text, input, frame)
        case .lambda:
            try keep(frame)
            try allocate(96)
            return .function(Function(.lambda(node, input: input, frame)))
        case .thunk:
            guard let call = node.rhs else { return .missing }
            try allocate(32)
            return .function(Function(.thunk(call, input: input, frame)))
        case .partial: return try partial(node, input, frame)
        case .apply: return try apply(node, input, frame)
        case .transform:
            try keep(frame)
            return .function(Function(.transform(node, frame)))
        case .sort, .placeholder, .end: return .missing
        }
    }

    private func variable(_ name: String, _ input: Value, _ frame: VariableFrame) -> Value {
        if name.isEmpty {
            if case .list(let list) = input, list.isWrapper { return list.items.first ?? .missing }
            return input
        }
        if let value = frame.value(of: name) { return value }
        return JSONataFunction.named(name).map { .function($0) } ?? .missing
    }

    private func condition(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        guard let first = node.lhs, let second = node.rhs else { return .missing }
        let value = try evaluate(first, input, frame)
        switch node.kind {
        case .coalesce: return value.isMissing ? try evaluate(second, input, frame) : value
        case .otherwise: return try truth(of: value) == true ? value : try evaluate(second, input, frame)
        default:
            if try truth(of: value) == true { return try evaluate(second, input, frame) }
            guard let other = node.other else { return .missing }
            return try evaluate(other, input, frame)
        }
    }

    /// Returns whether a value counts as true.
    func truth(of value: Value) throws(JSONataError) -> Bool? {
        if case .list(let list) = value { try spend(list.count) }
        if case .number(let number) = value, number.isInfinite {
            throw JSONataError("D1001", value: NumberText.decimal(number))
        }
        return value.truth
    }

    // MARK: Lists

    /// Both in one list; a value that is no list is an element.
    func appended(_ left: Value, _ right: Value) throws(JSONataError) -> Value {
        if left.isMissing { return right }
        if right.isMissing { return left }
        var list = List([])
        if case .list(let items) = left {
            list = List.plain(items)
        } else {
            list.append(left)
        }
        let before = list.count
        if case .list(let items) = right { list.append(contentsOf: items) } else { list.append(right) }
        try allocate(values: list.count - before + 2)
        // Where the left one is still held by somebody, it is copied.
        try spend(1 + before >> 4)
        return .list(list)
    }

    func lookup(_ key: String, in input: Value) throws(JSONataError) -> Value {
        switch input {
        case .record(let record):
            if record.members.count > 16 { try spend(1) }
            return record[key] ?? .missing
        case .list(let list):
            var found = List.sequence()
            try spend(list.count)
            for item in list.items {
                switch try lookup(key, in: item) {
                case .missing: continue
                case .list(let inner):
                    try allocate(values: inner.count)
                    found.append(contentsOf: inner)
                case let value: found.append(value)
                }
            }
            try allocate(values: found.count)
            return .list(found)
        default: return .missing
        }
    }

    private func wildcard(_ input: Value) throws(JSONataError) -> Value {
        var input = input
        if case .list(let list) = input, list.isWrapper { input = list.items.first ?? .missing }
        var results = Value.list(List.sequence())
        let values: [Value]
        switch input {
        case .record(let record): values = record.values
        case .list(let list): values = list.items
        default: return results
        }
        for value in values {
            if case .list = value {
                var flat = List([])
                try flatten(value, into: &flat)
                results = try appended(results, .list(flat))
            } else if case .list(var list) = results {
                results = .missing
                list.append(value)
                results = .list(list)
                try allocate(values: 1)
            }
        }
        return results
    }

    private func flatten(_ value: Value, into list: inout List) throws(JSONataError) {
        guard case .list(let inner) = value else { return list.append(value) }
        try allocate(values: inner.count)
        for item in inner.items { try flatten(item, into: &list) }
    }

    private func descendants(_ input: Value) throws(JSONataError) -> Value {
        guard !input.isMissing else { return .missing }
        var found = List.sequence()
        try descend(input, into: &found)
        return found.count == 1 ? found.items[0] : .list(found)
    }

    private func descend(_ value: Value, into found: inout List) throws(JSONataError) {
        switch value {
        case .list(let list):
            try spend(list.count)
            for item in list.items { try descend(item, into: &found) }
        case .record(let record):
            found.append(value)
            try allocate(values: 1 + record.members.count)
            for item in record.values { try descend(item, into: &found) }
        default:
            try allocate(values: 1)
            found.append(value)
        }
    }
}

extension List {
    /// The same without the marks of a sequence.
    static func plain(_ list: List) -> List {
        var list = list
        (list.isSequence, list.keepsSingleton, list.isConstructed, list.isWrapper) = (false, false, false, false)
        return list
    }
}
