/// Methods of Java's lists and of what shows a part of a map.
extension TemplateRun {
    func callList(
        _ method: MethodName, _ arguments: [TemplateValue], _ list: TemplateList
    ) throws(TemplateExit) -> TemplateValue? {
        try check(list)
        switch (method, arguments.count) {
        case (.size, 0): return .integer(Int32(clamping: list.count))
        case (.isEmpty, 0): return .bool(list.count == 0)
        case (.iterator, 0), (.listIterator, 0):
            try hold(values: 1 + list.count)
            return .iterator(TemplateIterator(list.elements, of: list))
        case (.toArray, 0): return try self.list(list.elements, form: .array)
        case (.get, 1):
            guard case .integer(let index) = arguments[0] else { return nil }
            return list[try place(index, below: list.count, method, list)]
        case (.set, 2):
            guard case .integer(let index) = arguments[0] else { return nil }
            let place = try place(index, below: list.count, method, list)
            let old = list[place]
            list[place] = arguments[1]
            return old
        case (.contains, 1): return .bool(try contains(arguments[0], in: list.elements))
        case (.containsAll, 1):
            guard let others = try elements(of: arguments[0]) else { return nil }
            let own = list.elements
            for other in others where try !contains(other, in: own) { return .bool(false) }
            return .bool(true)
        case (.indexOf, 1): return .integer(Int32(clamping: try index(of: arguments[0], in: list.elements) ?? -1))
        case (.lastIndexOf, 1):
            let place = try index(of: arguments[0], in: list.elements.reversed())
            return .integer(Int32(clamping: place.map { list.count - 1 - $0 } ?? -1))
        case (.subList, 2):
            guard case .integer(let start) = arguments[0], case .integer(let end) = arguments[1] else { return nil }
            guard start >= 0, start <= end, end <= list.count else {
                throw thrown(
                    "java.lang.IndexOutOfBoundsException: from \(start) to \(end), size \(list.count)", by: "subList",
                    of: .list(list))
            }
            return .list(heap.part(of: list, Int(start)..<Int(end)))
        default:
            return try change(list, method, arguments)
        }
    }

    private func change(
        _ list: TemplateList, _ method: MethodName, _ arguments: [TemplateValue]
    ) throws(TemplateExit) -> TemplateValue? {
        switch (method, arguments.count) {
        case (.add, 1):
            try checkGrowth(list, method)
            try hold(values: 1)
            list.append(arguments[0])
            return .bool(true)
        case (.add, 2):
            guard case .integer(let index) = arguments[0] else { return nil }
            try checkGrowth(list, method)
            let place = try place(index, below: list.count + 1, method, list)
            try hold(values: 1)
            try count(1 + list.count / VelocityLimits.bytesPerStep)
            list.insert([arguments[1]], at: place)
            return .text("")
        case (.addAll, 1):
            guard let others = try elements(of: arguments[0]) else { return nil }
            try checkGrowth(list, method)
            try hold(values: others.count)
            list.insert(others, at: list.count)
            return .bool(!others.isEmpty)
        case (.addAll, 2):
            guard case .integer(let index) = arguments[0], let others = try elements(of: arguments[1]) else {
                return nil
            }
            try checkGrowth(list, method)
            let place = try place(index, below: list.count + 1, method, list)
            try hold(values: others.count)
            try count(1 + list.count / VelocityLimits.bytesPerStep)
            list.insert(others, at: place)
            return .bool(!others.isEmpty)
        case (.remove, 1):
            let place: Int
            if case .integer(let index) = arguments[0] {
                place = try self.place(index, below: list.count, method, list)
            } else {
                guard let found = try index(of: arguments[0], in: list.elements) else { return .bool(false) }
                place = found
            }
            try checkGrowth(list, method)
            try count(1 + list.count / VelocityLimits.bytesPerStep)
            let old = list[place]
            list.remove(place..<(place + 1))
            if case .integer = arguments[0] { return old }
            return .bool(true)
        case (.removeAll, 1), (.retainAll, 1):
            guard let others = try elements(of: arguments[0]) else { return nil }
            var kept: [TemplateValue] = []
            for element in list.elements where try contains(element, in: others) == (method == .retainAll) {
                kept.append(element)
            }
            guard kept.count < list.count else { return .bool(false) }
            try checkGrowth(list, method)
            list.replace(with: kept)
            return .bool(true)
        case (.clear, 0):
            if list.count > 0 { try checkGrowth(list, method) }
            list.remove(0..<list.count)
            return .text("")
        default: return nil
        }
    }

    /// An array keeps its length.
    private func checkGrowth(_ list: TemplateList, _ method: MethodName) throws(TemplateExit) {
        guard list.form == .list else {
            throw thrown("java.lang.UnsupportedOperationException", by: method.rawValue, of: .list(list))
        }
    }

    private func place(
        _ index: Int32, below end: Int, _ method: MethodName, _ list: TemplateList
    ) throws(TemplateExit) -> Int {
        guard index >= 0, index < end else {
            throw thrown(
                "java.lang.IndexOutOfBoundsException: Index \(index) out of bounds for length \(list.count)",
                by: method.rawValue, of: .list(list))
        }
        return Int(index)
    }

    // MARK: - Keys, values, entries

    func callView(
        _ method: MethodName, _ arguments: [TemplateValue], _ view: TemplateView
    ) throws(TemplateExit) -> TemplateValue? {
        let elements = view.elements(heap)
        switch (method, arguments.count) {
        case (.size, 0): return .integer(Int32(clamping: elements.count))
        case (.isEmpty, 0): return .bool(elements.isEmpty)
        case (.iterator, 0):
            try hold(values: 1 + elements.count)
            return .iterator(TemplateIterator(elements, of: view.map))
        case (.toArray, 0): return try list(elements, form: .array)
        case (.contains, 1): return .bool(try contains(arguments[0], in: elements))
        case (.containsAll, 1):
            guard let others = try self.elements(of: arguments[0]) else { return nil }
            for other in others where try !contains(other, in: elements) { return .bool(false) }
            return .bool(true)
        case (.add, 1):
            throw thrown("java.lang.UnsupportedOperationException", by: "add", of: .view(view))
        case (.addAll, 1):
            guard let others = try self.elements(of: arguments[0]) else { return nil }
            if others.isEmpty { return .bool(false) }
            throw thrown("java.lang.UnsupportedOperationException", by: "addAll", of: .view(view))
        case (.remove, 1):
            guard let place = try index(of: arguments[0], in: elements) else { return .bool(false) }
            return .bool(try removeMembers(view.map) { $0 == place })
        case (.removeAll, 1), (.retainAll, 1):
            guard let others = try self.elements(of: arguments[0]) else { return nil }
            var removed: Set<Int> = []
            for (place, element) in elements.enumerated()
            where try contains(element, in: others) == (method == .removeAll) {
                removed.insert(place)
            }
            return .bool(try removeMembers(view.map) { removed.contains($0) })
        case (.clear, 0):
            view.map.removeAll()
            return .text("")
        default: return nil
        }
    }

    /// Whether there was one.
    private func removeMembers(_ map: TemplateMap, where isRemoved: (Int) -> Bool) throws(TemplateExit) -> Bool {
        let members = map.members(heap)
        var hasRemoved = false
        for (place, member) in members.enumerated() where isRemoved(place) {
            try count(1 + members.count / VelocityLimits.bytesPerStep)
            map.remove(member.key, heap)
            hasRemoved = true
        }
        return hasRemoved
    }

    // MARK: - Iterators and loops

    func callIterator(
        _ method: MethodName, _ arguments: [TemplateValue], _ iterator: TemplateIterator
    ) throws(TemplateExit) -> TemplateValue? {
        switch (method, arguments.count) {
        case (.hasNext, 0): return .bool(iterator.hasNext)
        case (.next, 0): return try next(iterator)
        default: return nil
        }
    }

    func next(_ iterator: TemplateIterator) throws(TemplateExit) -> TemplateValue {
        guard !iterator.isOutdated else { throw fault("java.util.ConcurrentModificationException") }
        guard let next = iterator.next() else {
            throw thrown("java.util.NoSuchElementException", by: "next", of: .iterator(iterator))
        }
        return next
    }

    func callLoop(_ method: MethodName, _ arguments: [TemplateValue], _ loop: TemplateLoop) -> TemplateValue? {
        guard arguments.isEmpty else { return nil }
        return switch method {
        case .getIndex: .integer(Int32(clamping: loop.index))
        case .getCount: .integer(Int32(clamping: loop.index + 1))
        case .hasNext, .getHasNext: .bool(loop.hasNext)
        case .isFirst, .getFirst: .bool(loop.index < 1)
        case .isLast, .getLast: .bool(!loop.hasNext)
        case .getParent: loop.parent.map { .loop($0) } ?? .null
        case .getTopmost: .loop(loop.topmost)
        default: nil
        }
    }
}
