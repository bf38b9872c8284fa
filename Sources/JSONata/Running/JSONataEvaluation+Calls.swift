import JSON
import Script

/// Calls of functions.
extension JSONataEvaluation {
    private func name(of procedure: Node?) -> String? {
        procedure?.kind == .path ? procedure?.parts.first?.text : procedure?.text
    }

    /// A name without `$` where a function of that name exists.
    private func isFunctionWithoutSign(_ procedure: Node, _ frame: VariableFrame) -> Bool {
        guard procedure.kind == .path, let name = procedure.parts.first?.text else { return false }
        return frame.value(of: name).map { $0.isTruthy } ?? (JSONataFunction.named(name) != nil)
    }

    /// - Parameter chained: what `~>` gives as the first argument.
    func call(_ node: Node, _ input: Value, _ frame: VariableFrame, chained: Value?) throws(JSONataError) -> Value {
        guard let procedure = node.lhs else { return .missing }
        let function = try evaluate(procedure, input, frame)
        let name = name(of: procedure)
        if function.isMissing, isFunctionWithoutSign(procedure, frame) {
            throw JSONataError("T1005", at: node.position, token: name)
        }
        var arguments: [Value] = []
        if let chained { arguments.append(chained) }
        for part in node.parts { arguments.append(try evaluate(part, input, frame)) }
        try allocate(values: arguments.count)
        do throws(JSONataError) {
            return try apply(function, arguments, input)
        } catch {
            var error = error
            if error.position == nil { error.position = node.position }
            if error.token == nil { error.token = name }
            throw error
        }
    }

    func partial(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        guard let procedure = node.lhs else { return .missing }
        var arguments: [Value?] = []
        for part in node.parts {
            arguments.append(part.kind == .placeholder ? nil : try evaluate(part, input, frame))
        }
        let value = try evaluate(procedure, input, frame)
        if value.isMissing, isFunctionWithoutSign(procedure, frame) {
            throw JSONataError("T1007", at: node.position, token: name(of: procedure))
        }
        guard case .function(let function) = value else {
            throw JSONataError("T1008", at: node.position, token: name(of: procedure))
        }
        // Arguments that are not written are not there; those beyond what it takes are of no use.
        var all: [Value?] = []
        for number in 0..<min(function.arity, 1_000) {
            all.append(arguments.indices.contains(number) ? arguments[number] : .some(.missing))
        }
        try allocate(values: all.count + 2)
        return .function(Function(.partial(function, all)))
    }

    /// `value ~> $function`, and two functions that become one.
    func apply(_ node: Node, _ input: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        guard let lhs = node.lhs, let rhs = node.rhs else { return .missing }
        let left = try evaluate(lhs, input, frame)
        if rhs.kind == .function { return try call(rhs, input, frame, chained: left) }
        let right = try evaluate(rhs, input, frame)
        guard case .function(let second) = right else {
            throw JSONataError("T2006", at: node.position, value: JSONataWriter.summary(of: right))
        }
        if case .function(let first) = left {
            try allocate(48)
            return .function(Function(.chain(first, second)))
        }
        return try apply(right, [left], .missing)
    }

    /// Calls a function, and goes on with what it calls at its end.
    func apply(_ function: Value, _ arguments: [Value], _ input: Value) throws(JSONataError) -> Value {
        guard case .function(let called) = function else { throw JSONataError("T1006") }
        var result = try invoke(called, arguments, input)
        while case .function(let next) = result, case .thunk(let call, let thunkInput, let frame) = next.kind {
            try spend(1)
            guard let procedure = call.lhs else { return .missing }
            let function = try evaluate(procedure, thunkInput, frame)
            var arguments: [Value] = []
            for part in call.parts { arguments.append(try evaluate(part, thunkInput, frame)) }
            do throws(JSONataError) {
                guard case .function(let called) = function else { throw JSONataError("T1006") }
                result = try invoke(called, arguments, input)
            } catch {
                var error = error
                if error.token == nil { error.token = name(of: procedure) }
                if error.position == nil { error.position = call.position }
                throw error
            }
        }
        return result
    }

    private func invoke(_ function: Function, _ arguments: [Value], _ input: Value) throws(JSONataError) -> Value {
        try spend(1)
        guard function.depth <= JSONataLimits.valueNestingMax else {
            throw JSONataError("D1012", value: "nested values")
        }
        switch function.kind {
        case .library(let known):
            let checked = try known.signature?.checked(arguments, context: input) {
                steps throws(JSONataError) in try self.spend(steps)
            }
            return try known.run(self, Arguments(checked ?? arguments, input: input))
        case .lambda(let node, let lambdaInput, let frame):
            guard let body = node.rhs else { return .missing }
            var given = arguments
            if let signature = node.signature {
                given = try signature.checked(arguments, context: input) {
                    steps throws(JSONataError) in try self.spend(steps)
                }
            }
            let inner = try self.frame(in: frame)
            for (number, name) in node.parameters.enumerated() {
                inner.bind(name, given.indices.contains(number) ? given[number] : .missing)
            }
            return try evaluate(body, lambdaInput, inner)
        case .thunk: return .missing
        case .transform(let node, let frame): return try transform(node, arguments.first ?? .missing, frame)
        case .pattern(let pattern, let source):
            guard case .string(let text)? = arguments.first else { return .missing }
            var start = 0
            if arguments.count > 1, case .number(let number) = arguments[1] { start = Int(exactly: number) ?? 0 }
            return try match(of: pattern, source, in: Array(text.utf16), from: start)
        case .search(let pattern, let source, let units, let start):
            guard start < units.count else { return .missing }
            let found = try match(of: pattern, source, in: units, from: start)
            if case .record(let record) = found, case .string(let text)? = record["match"], text.isEmpty {
                throw JSONataError("D1004", value: JSONataWriter.summary(of: .string(source)))
            }
            return found
        case .chain(let first, let second):
            depth(by: 1)
            defer { depth(by: -1) }
            try checkDepth()
            return try apply(.function(second), [try apply(.function(first), arguments, .missing)], .missing)
        case .partial(let inner, let bound):
            depth(by: 1)
            defer { depth(by: -1) }
            try checkDepth()
            var given: [Value] = []
            var next = 0
            for value in bound {
                if let value {
                    given.append(value)
                } else {
                    given.append(arguments.indices.contains(next) ? arguments[next] : .missing)
                    next += 1
                }
            }
            if case .library(let known) = inner.kind { return try known.run(self, Arguments(given, input: input)) }
            return try apply(.function(inner), given, input)
        }
    }

    /// Calls a function for an element with as many of its arguments as it takes.
    func call(_ function: Function, with arguments: [Value]) throws(JSONataError) -> Value {
        let count = max(1, min(arguments.count, function.arity))
        return try apply(.function(function), Array(arguments.prefix(count)), .missing)
    }

    // MARK: Patterns

    /// A match as the reference gives it to functions.
    private func match(
        of pattern: RegularExpression, _ source: String, in units: [UInt16], from start: Int
    ) throws(JSONataError) -> Value {
        guard let found = try firstMatch(of: pattern, in: units, from: start) else { return .missing }
        var members = Members()
        members.add("match", .string(String(decoding: units[found.range], as: UTF16.self)))
        members.add("start", .number(Double(found.range.lowerBound)))
        members.add("end", .number(Double(found.range.upperBound)))
        members.add("groups", .list(List(found.groups.map { $0.map { .string($0) } ?? .missing })))
        members.add(
            "next", .function(Function(.search(pattern, source: source, units, from: found.range.upperBound))))
        return .record(Record(members))
    }

    struct Match {
        let range: Range<Int>
        let groups: [String?]
    }

    func firstMatch(
        of pattern: RegularExpression, in units: [UInt16], from start: Int
    ) throws(JSONataError) -> Match? {
        var steps = budget.steps
        let before = steps
        let outcome: Result<[Int]?, RegularExpressionError> = units.withUnsafeBufferPointer { buffer in
            do throws(RegularExpressionError) {
                return .success(try pattern.firstMatch(in: buffer, from: start, steps: &steps))
            } catch {
                return .failure(error)
            }
        }
        try spend(max(0, before - steps))
        guard case .success(let offsets) = outcome else { throw JSONataError("D1012", value: "steps") }
        guard let offsets, offsets.count >= 2, offsets[0] >= 0, offsets[1] >= offsets[0] else { return nil }
        var groups: [String?] = []
        var place = 2
        while place + 1 < offsets.count {
            let (from, to) = (offsets[place], offsets[place + 1])
            groups.append(
                from >= 0 && to >= from && to <= units.count ? String(decoding: units[from..<to], as: UTF16.self) : nil)
            place += 2
        }
        try allocate((offsets[1] - offsets[0]) + 64 * (groups.count + 1))
        return Match(range: offsets[0]..<offsets[1], groups: groups)
    }

    // MARK: Transforms

    /// `|pattern|update, delete|`: a copy of the value with other members in the objects that the pattern finds.
    private func transform(_ node: Node, _ value: Value, _ frame: VariableFrame) throws(JSONataError) -> Value {
        guard let pattern = node.lhs, let update = node.rhs else { return .missing }
        if value.isMissing { return .missing }
        switch value {
        case .list, .record: break
        default: throw JSONataError("T0410", value: "1")
        }
        if let clone = frame.value(of: "clone"), clone.function == nil {
            throw JSONataError("T2013", at: node.position)
        }
        let copy = try copied(value)
        let matches = try evaluate(pattern, copy, frame).elements
        var changed: [ObjectIdentifier: (old: Record, new: Members)] = [:]
        for match in matches {
            guard case .record(let record) = match else {
                _ = try evaluate(update, match, frame)
                continue
            }
            let identity = ObjectIdentifier(record)
            var members = changed[identity]?.new ?? record.members
            try allocate(members.count &* 48)
            let current = changed.isEmpty ? Record(members) : try rebuilt(members, changed, 0)
            let other = try evaluate(update, .record(current), frame)
            switch other {
            case .missing: break
            case .record(let update):
                for (key, value) in zip(update.keys, update.values) { members.set(key, value) }
            default: throw JSONataError("T2011", at: update.position, value: JSONataWriter.summary(of: other))
            }
            if let delete = node.other {
                let names = try evaluate(
                    delete, .record(changed.isEmpty ? Record(members) : try rebuilt(members, changed, 0)), frame)
                if !names.isMissing {
                    for name in names.elements {
                        guard case .string(let key) = name else {
                            throw JSONataError("T2012", at: delete.position, value: JSONataWriter.summary(of: names))
                        }
                        members.remove(key)
                    }
                }
            }
            changed[identity] = (record, members)
        }
        return changed.isEmpty ? copy : try rebuilt(copy, changed, 0)
    }

    private func copied(_ value: Value) throws(JSONataError) -> Value {
        switch value {
        case .list(let list):
            var items: [Value] = []
            for item in list.items { items.append(try copied(item)) }
            try allocate(values: items.count)
            return .list(List(items))
        case .record(let record):
            var members = Members()
            for (key, value) in zip(record.keys, record.values) { members.add(key, try copied(value)) }
            try allocate(members.count &* 48)
            return .record(Record(members))
        case .function: return .string("")
        default: return value
        }
    }

    private func rebuilt(
        _ value: Value, _ changed: [ObjectIdentifier: (old: Record, new: Members)], _ nesting: Int
    ) throws(JSONataError) -> Value {
        switch value {
        case .list(let list):
            try checkNesting(nesting)
            var items: [Value] = []
            for item in list.items { items.append(try rebuilt(item, changed, nesting + 1)) }
            try allocate(values: items.count)
            return .list(List(items))
        case .record(let record):
            return .record(
                try rebuilt(changed[ObjectIdentifier(record)]?.new ?? record.members, changed, nesting))
        default: return value
        }
    }

    private func rebuilt(
        _ members: Members, _ changed: [ObjectIdentifier: (old: Record, new: Members)], _ nesting: Int
    ) throws(JSONataError) -> Record {
        try checkNesting(nesting)
        var made = Members()
        for (key, value) in zip(members.keys, members.values) {
            made.add(key, try rebuilt(value, changed, nesting + 1))
        }
        try allocate(made.count &* 48)
        return Record(made)
    }

    private func checkNesting(_ nesting: Int) throws(JSONataError) {
        guard nesting <= JSONataLimits.valueNestingMax else { throw JSONataError("D1012", value: "nested values") }
    }
}
