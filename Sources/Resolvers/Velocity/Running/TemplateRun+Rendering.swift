import JSON

/// What the parts of a template print.
extension TemplateRun {
    func render(_ nodes: [TemplateNode]) throws(TemplateExit) {
        for node in nodes {
            try count()
            switch node {
            case .text(let bytes): try print(bytes)
            case .reference(let reference): try render(reference)
            case .set(let target, let value): try set(target, to: value)
            case .branch(let branches): try render(branches)
            case .loop(let loop): try render(loop)
            case .define(let slot, let body): frame[slot] = .block(body)
            case .leave: throw .leave
            case .stop: throw .stop
            case .end(let value):
                if let value { returned = try self.value(of: value) }
                throw .returned
            }
        }
    }

    /// What nodes print, by itself.
    func rendered(_ nodes: [TemplateNode]) throws(TemplateExit) -> [UInt8] {
        let before = output
        output = []
        defer { output = before }
        try render(nodes)
        return output
    }

    private func render(_ reference: TemplateReference) throws(TemplateExit) {
        offset = reference.offset
        if let argument = reference.jsonArgument, let slot = reference.slot, case .library = frame[slot] {
            // Most of what templates print, written where it is read.
            try print(reference.prefix.some)
            let value = try value(of: argument)
            return try printJSON(value)
        }
        let value = try value(of: reference)
        try print(value.isNull ? reference.prefix.none : reference.prefix.some)
        if value.isNull || reference.isEscaped { return try print(reference.words) }
        try print(value)
    }

    private func render(_ branches: [TemplateNode.Branch]) throws(TemplateExit) {
        for branch in branches {
            if let condition = branch.condition, try !holds(condition) { continue }
            return try nested { () throws(TemplateExit) in try render(branch.body) }
        }
    }

    /// Writes a value behind what is printed.
    func printJSON(_ value: TemplateValue) throws(TemplateExit) {
        var buffer = output
        output = []
        try writeJSON(value, to: &buffer)
        output = buffer
    }

    // MARK: - Assignments

    /// A value that is null clears the name: what a loop's turn before left there must not be taken for this one's.
    private func set(_ target: TemplateReference, to expression: TemplateExpression) throws(TemplateExit) {
        let value = try value(of: expression)
        offset = target.offset
        guard let last = target.steps.last else {
            if target.isPlain, let slot = target.slot { frame[slot] = value }
            return
        }
        guard let slot = target.slot else { return }
        let owner = try self.value(frame[slot], through: target.steps.dropLast())
        switch last {
        case .member(let name):
            if case .map(let map) = owner { try put(TemplateKey(.text(name)), value, in: map) }
            if case .entry(let entry) = owner, name == "value" { try put(entry.key, value, in: entry.map) }
        case .index(let index, let offset):
            if owner.isNull { return }
            let index = try self.value(of: index)
            self.offset = offset
            try setElement(index, of: owner, to: value)
        case .method(let method):
            if case .map(let map) = owner { try put(TemplateKey(.text(method.name)), value, in: map) }
        }
    }

    // MARK: - Loops

    private func render(_ loop: TemplateNode.Loop) throws(TemplateExit) {
        let source = try value(of: loop.source)
        offset = loop.offset
        guard let iterator = try iterator(of: source) else { return }
        typealias Known = TemplateNames.Known
        let names = [loop.slot, Known.foreach.rawValue, Known.velocityCount.rawValue, Known.velocityHasNext.rawValue]
        let before = names.map { frame[$0] }
        var parent: TemplateLoop?
        if case .loop(let outer) = before[1] { parent = outer }
        let turn = TemplateLoop(within: parent)
        frame[Known.foreach.rawValue] = .loop(turn)
        defer { for (name, value) in zip(names, before) { frame[name] = value } }
        var turns = 0
        do throws(TemplateExit) {
            while iterator.hasNext {
                turns += 1
                offset = loop.offset
                guard turns <= limits.loopTurnsMax else {
                    throw fault("A loop has taken more than \(limits.loopTurnsMax) turns.")
                }
                frame[loop.slot] = try next(iterator)
                turn.index += 1
                turn.hasNext = iterator.hasNext
                frame[Known.velocityCount.rawValue] = .integer(Int32(clamping: turns))
                frame[Known.velocityHasNext.rawValue] = .bool(turn.hasNext)
                try nested { () throws(TemplateExit) in try render(loop.body) }
            }
        } catch {
            guard case .leave = error else { throw error }
        }
    }

    /// What `#foreach` goes through; nil: there is nothing.
    private func iterator(of source: TemplateValue) throws(TemplateExit) -> TemplateIterator? {
        switch source {
        case .list(let list):
            try check(list)
            return TemplateIterator(list.elements, of: list)
        case .view(let view): return TemplateIterator(view.elements(heap), of: view.map)
        case .map(let map): return TemplateIterator(map.members(heap).map(\.value), of: map)
        case .iterator(let iterator): return iterator
        default: return nil
        }
    }
}
