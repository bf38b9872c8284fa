import JSON

/// Turns what the parser has read into the tree that is evaluated: steps become paths, predicates go to their steps, `%` finds the step
/// whose value it is, and calls at the end of functions need no depth. The reference calls this `processAST`.
struct TreeBuilder {
    /// All `%` of the expression.
    private var parents: [Node] = []
    private let stack = StackUse(bytesMax: JSONataLimits.stackBytesMax)

    mutating func root(_ node: Node) throws(JSONataError) -> Node {
        let root = try build(node)
        if root.kind == .parent || root.seeking != nil {
            throw JSONataError("S0217", at: root.position, token: "\(root.kind)")
        }
        return root
    }

    private mutating func build(_ node: Node) throws(JSONataError) -> Node {
        guard !stack.isExhausted else {
            throw JSONataError("S0500", at: node.position, value: "\(JSONataLimits.chainMax)")
        }
        let result = try made(node)
        if node.keepsArray { result.keepsArray = true }
        return result
    }

    private mutating func build(_ node: Node?) throws(JSONataError) -> Node? {
        guard let node else { return nil }
        return try build(node)
    }

    private mutating func made(_ node: Node) throws(JSONataError) -> Node {
        switch node.kind {
        case .binary: return try binary(node)
        case .unary: return try unary(node)
        case .function, .partial, .block: return try listed(node)
        case .lambda:
            node.rhs = try build(node.rhs).map { tail($0) }
            return node
        case .condition:
            for path in [\Node.lhs, \Node.rhs, \Node.other] {
                guard let part = node[keyPath: path] else { continue }
                let built = try build(part)
                node[keyPath: path] = built
                push(built, to: node)
            }
            return node
        case .otherwise, .coalesce:
            for path in [\Node.lhs, \Node.rhs] {
                guard let part = node[keyPath: path] else { continue }
                let built = try build(part)
                node[keyPath: path] = built
                push(built, to: node)
            }
            return node
        case .transform:
            node.lhs = try build(node.lhs)
            node.rhs = try build(node.rhs)
            node.other = try build(node.other)
            return node
        case .name:
            let path = Node(.path, "", at: node.position)
            path.parts = [node]
            path.keepsSingleton = node.keepsArray
            return path
        case .parent:
            node.slot = Node.Slot(parents.count)
            parents.append(node)
            return node
        case .string, .number, .literal, .wildcard, .descendant, .variable, .regex, .placeholder: return node
        case .end: throw JSONataError("S0207", at: node.position, token: node.text)
        case .path, .bind, .thunk, .apply, .sort:
            throw JSONataError("S0206", at: node.position, token: node.text)
        }
    }

    private mutating func listed(_ node: Node) throws(JSONataError) -> Node {
        for (number, part) in node.parts.enumerated() {
            let built = try build(part)
            node.parts[number] = built
            push(built, to: node)
            if node.kind == .block,
                built.isConstructed || built.kind == .path && built.parts.first?.isConstructed == true
            {
                node.isConstructed = true
            }
        }
        node.lhs = try build(node.lhs)
        return node
    }

    private mutating func unary(_ node: Node) throws(JSONataError) -> Node {
        if let operand = node.rhs {
            let built = try build(operand)
            if built.kind == .number {
                built.number = -built.number
                return built
            }
            node.rhs = built
            push(built, to: node)
            return node
        }
        for (number, part) in node.parts.enumerated() {
            let built = try build(part)
            node.parts[number] = built
            push(built, to: node)
        }
        node.pairs = try pairs(node.pairs, of: node)
        return node
    }

    private mutating func pairs(
        _ pairs: [(key: Node, value: Node)], of node: Node?
    ) throws(JSONataError) -> [(key: Node, value: Node)] {
        var built: [(key: Node, value: Node)] = []
        for (key, value) in pairs {
            let key = try build(key)
            if let node { push(key, to: node) }
            let value = try build(value)
            if let node { push(value, to: node) }
            built.append((key, value))
        }
        return built
    }

    // MARK: Operators

    private mutating func binary(_ node: Node) throws(JSONataError) -> Node {
        guard let lhs = node.lhs else { throw JSONataError("S0206", at: node.position, token: node.text) }
        switch node.text {
        case ".": return try path(node, lhs)
        case "[": return try predicate(node, lhs)
        case "{":
            let result = try build(lhs)
            guard result.group == nil else { throw JSONataError("S0210", at: node.position) }
            result.group = Node.Group(pairs: try pairs(node.pairs, of: nil), position: node.position)
            return result
        case "^": return try order(node, lhs)
        case ":=":
            node.kind = .bind
            node.lhs = try build(lhs)
            if let value = try build(node.rhs) {
                node.rhs = value
                push(value, to: node)
            }
            return node
        case "@": return try focus(node, lhs)
        case "#": return try index(node, lhs)
        case "~>":
            node.kind = .apply
            node.lhs = try build(lhs)
            node.rhs = try build(node.rhs)
            node.keepsArray = node.lhs?.keepsArray == true || node.rhs?.keepsArray == true
            return node
        default:
            node.operation = Node.Operator(rawValue: node.text)
            node.lhs = try build(lhs)
            node.rhs = try build(node.rhs)
            for part in [node.lhs, node.rhs] { if let part { push(part, to: node) } }
            return node
        }
    }

    private mutating func path(_ node: Node, _ lhs: Node) throws(JSONataError) -> Node {
        let first = try build(lhs)
        let result: Node
        if first.kind == .path {
            result = first
        } else {
            result = Node(.path, "", at: node.position)
            result.parts = [first]
            if first.kind == .parent, let slot = first.slot { result.seeking = [slot] }
        }
        guard let right = node.rhs else { return result }
        let rest = try build(right)
        if rest.kind == .path {
            result.parts += rest.parts
        } else {
            if let predicates = rest.predicates {
                rest.stages = predicates
                rest.predicates = nil
            }
            result.parts.append(rest)
        }
        for step in result.parts {
            if step.kind == .number || step.kind == .literal {
                throw JSONataError("S0213", at: step.position, value: step.text)
            }
            if step.kind == .string { step.kind = .name }
            if step.keepsArray { result.keepsSingleton = true }
        }
        for step in [result.parts.first, result.parts.last] {
            if let step, step.kind == .unary, step.text == "[" { step.isConstructed = true }
        }
        try resolve(result)
        return result
    }

    private mutating func predicate(_ node: Node, _ lhs: Node) throws(JSONataError) -> Node {
        let result = try build(lhs)
        let isPath = result.kind == .path
        let step = isPath ? result.parts.last ?? result : result
        guard step.group == nil else { throw JSONataError("S0209", at: node.position) }
        guard let right = node.rhs else { return result }
        let predicate = try build(right)
        if let slots = predicate.seeking {
            for slot in slots {
                if slot.level == 1 { _ = try seek(step, slot) } else { slot.level -= 1 }
            }
            push(predicate, to: step)
        }
        if isPath {
            step.stages = (step.stages ?? []) + [.filter(predicate)]
        } else {
            step.predicates = (step.predicates ?? []) + [.filter(predicate)]
        }
        return result
    }

    private mutating func order(_ node: Node, _ lhs: Node) throws(JSONataError) -> Node {
        var result = try build(lhs)
        if result.kind != .path {
            let path = Node(.path, "", at: node.position)
            path.parts = [result]
            result = path
        }
        let sort = Node(.sort, "^", at: node.position)
        for term in node.parts {
            let built = try build(term)
            push(built, to: sort)
            sort.parts.append(built)
        }
        sort.descends = node.descends
        result.parts.append(sort)
        try resolve(result)
        return result
    }

    private mutating func focus(_ node: Node, _ lhs: Node) throws(JSONataError) -> Node {
        let result = try build(lhs)
        let step = result.kind == .path ? result.parts.last ?? result : result
        guard step.stages == nil, step.predicates == nil else { throw JSONataError("S0215", at: node.position) }
        guard step.kind != .sort else { throw JSONataError("S0216", at: node.position) }
        if node.keepsArray { step.keepsArray = true }
        step.focus = node.rhs?.text
        step.isTuple = true
        return result
    }

    private mutating func index(_ node: Node, _ lhs: Node) throws(JSONataError) -> Node {
        var result = try build(lhs)
        var step = result
        if result.kind == .path {
            step = result.parts.last ?? result
        } else {
            let path = Node(.path, "", at: node.position)
            path.parts = [result]
            result = path
            if let predicates = step.predicates {
                step.stages = predicates
                step.predicates = nil
            }
        }
        if step.stages == nil {
            step.index = node.rhs?.text
        } else {
            step.stages?.append(.index(node.rhs?.text ?? ""))
        }
        step.isTuple = true
        return result
    }

    // MARK: Calls at the end of functions

    private func tail(_ node: Node) -> Node {
        switch node.kind {
        case .function where node.predicates == nil:
            let thunk = Node(.thunk, "", at: node.position)
            thunk.rhs = node
            return thunk
        case .condition:
            node.rhs = node.rhs.map { tail($0) }
            node.other = node.other.map { tail($0) }
        case .otherwise, .coalesce: node.rhs = node.rhs.map { tail($0) }
        case .block: if let last = node.parts.last { node.parts[node.parts.count - 1] = tail(last) }
        default: break
        }
        return node
    }

    // MARK: Parents

    private func push(_ value: Node, to result: Node) {
        guard value.seeking != nil || value.kind == .parent else { return }
        var slots = value.seeking ?? []
        if value.kind == .parent, let slot = value.slot { slots.append(slot) }
        result.seeking = (result.seeking ?? []) + slots
    }

    private func resolve(_ path: Node) throws(JSONataError) {
        guard let last = path.parts.last else { return }
        var slots = last.seeking ?? []
        if last.kind == .parent, let slot = last.slot { slots.append(slot) }
        for slot in slots {
            var index = path.parts.count - 2
            while slot.level > 0 {
                guard index >= 0 else {
                    path.seeking = (path.seeking ?? []) + [slot]
                    break
                }
                var step = path.parts[index]
                index -= 1
                while index >= 0, step.focus != nil, path.parts[index].focus != nil {
                    step = path.parts[index]
                    index -= 1
                }
                _ = try seek(step, slot)
            }
        }
    }

    private func seek(_ node: Node, _ slot: Node.Slot) throws(JSONataError) -> Node.Slot {
        switch node.kind {
        case .name, .wildcard:
            slot.level -= 1
            if slot.level == 0 {
                if let known = node.ancestor {
                    // The step has a variable already: both are one.
                    if parents.indices.contains(slot.index) { parents[slot.index].slot?.label = known.label }
                }
                node.ancestor = slot
                node.isTuple = true
            }
        case .parent: slot.level += 1
        case .block:
            if let last = node.parts.last {
                node.isTuple = true
                return try seek(last, slot)
            }
        case .path:
            node.isTuple = true
            var index = node.parts.count - 1
            if index >= 0 { _ = try seek(node.parts[index], slot) }
            index -= 1
            while slot.level > 0, index >= 0 {
                _ = try seek(node.parts[index], slot)
                index -= 1
            }
        default: throw JSONataError("S0217", at: node.position, token: "\(node.kind)")
        }
        return slot
    }
}
