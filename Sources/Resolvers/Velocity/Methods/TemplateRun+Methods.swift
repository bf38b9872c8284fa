import JSON

/// Calls of methods, by the kind of the value.
extension TemplateRun {
    /// What a method gives; nil: the value has none of that name that takes such arguments.
    func call(
        _ method: MethodName, _ arguments: [TemplateValue], on value: TemplateValue
    ) throws(TemplateExit) -> TemplateValue? {
        try count()
        switch (method, arguments.count) {
        case (.equals, 1): return .bool(try equals(value, arguments[0]))
        case (.hashCode, 0): return .integer(try hash(of: value))
        case (.toString, 0): return try made(try text(of: value))
        default: break
        }
        return switch value {
        case .text(let text): try callText(method, arguments, text)
        case .list(let list): try callList(method, arguments, list)
        case .map(let map): try callMap(method, arguments, map)
        case .view(let view): try callView(method, arguments, view)
        case .entry(let entry): try callEntry(method, arguments, entry)
        case .iterator(let iterator): try callIterator(method, arguments, iterator)
        case .loop(let loop): callLoop(method, arguments, loop)
        case .integer, .long, .large, .double: try callNumber(method, arguments, value)
        case .bool(let bool): callBool(method, arguments, bool)
        case .character(let unit): callCharacter(method, arguments, unit)
        case .null, .block, .library: nil
        }
    }

    /// `$value.name`: a map's member, or what a getter of that name would give.
    func member(_ name: String, of value: TemplateValue) throws(TemplateExit) -> TemplateValue {
        try count()
        if case .map(let map) = value { return map.value(TemplateKey(.text(name)), heap) ?? .null }
        // Java's beans do not care how the first letter is written.
        let bean = name.prefix(1).lowercased() + name.dropFirst()
        switch (value, bean) {
        case (.entry(let entry), "key"): return entry.key.value
        case (.entry(let entry), "value"): return entry.value(heap)
        case (.list(let list), "empty"): return .bool(list.count == 0)
        case (.view(let view), "empty"): return .bool(view.map.count == 0)
        case (.text(let text), "empty"): return .bool(text.isEmpty)
        case (.text(let text), "blank"): return .bool(Self.isBlank(text))
        case (.double(let value), "naN"): return .bool(value.isNaN)
        case (.double(let value), "infinite"): return .bool(value.isInfinite)
        case (.loop(let loop), "index"): return .integer(Int32(clamping: loop.index))
        case (.loop(let loop), "count"): return .integer(Int32(clamping: loop.index + 1))
        case (.loop(let loop), "hasNext"): return .bool(loop.hasNext)
        case (.loop(let loop), "first"): return .bool(loop.index < 1)
        case (.loop(let loop), "last"): return .bool(!loop.hasNext)
        case (.loop(let loop), "parent"): return loop.parent.map { .loop($0) } ?? .null
        case (.loop(let loop), "topmost"): return .loop(loop.topmost)
        default: return .null
        }
    }

    /// `$value[index]`
    func element(_ index: TemplateValue, of value: TemplateValue) throws(TemplateExit) -> TemplateValue {
        try count()
        switch (value, index) {
        case (.map(let map), _):
            return map.value(TemplateKey(index), heap) ?? .null
        case (.list(let list), .integer(let index)):
            return list[try self.place(index, in: list, method: "get(java.lang.Integer)")]
        default:
            return .null
        }
    }

    /// `#set($value[index] = …)`
    func setElement(_ index: TemplateValue, of value: TemplateValue, to new: TemplateValue) throws(TemplateExit) {
        switch (value, index) {
        case (.map(let map), _):
            try put(TemplateKey(index), new, in: map)
        case (.list(let list), .integer(let index)):
            list[try self.place(index, in: list, method: "set(java.lang.Integer,java.lang.Object)")] = new
        default: break
        }
    }

    /// An index from either end: -1 is the last element.
    private func place(_ index: Int32, in list: TemplateList, method: String) throws(TemplateExit) -> Int {
        try check(list)
        let count = list.count
        let place = index < 0 ? Int(index) + count : Int(index)
        guard (0..<count).contains(place) else {
            throw fault("Error invoking method '\(method)' in java.util.ArrayList")
        }
        return place
    }

    @discardableResult
    func put(_ key: TemplateKey, _ value: TemplateValue, in map: TemplateMap) throws(TemplateExit) -> TemplateValue {
        try hold(values: 2)
        return map.put(key, value, heap) ?? .null
    }

    // MARK: - What methods share

    /// Java's `hashCode`.
    private func hash(of value: TemplateValue, level: Int = 0) throws(TemplateExit) -> Int32 {
        try count()
        try checkNesting(level)
        switch value {
        case .text(let text):
            try count(text.utf8.count / VelocityLimits.bytesPerStep)
            return text.utf16.reduce(0) { $0 &* 31 &+ Int32($1) }
        case .bool(let value): return value ? 1231 : 1237
        case .integer(let value): return value
        case .long(let value): return Int32(truncatingIfNeeded: value ^ (value >> 32 & 0xFFFF_FFFF))
        case .double(let value):
            return Int32(truncatingIfNeeded: value.bitPattern ^ (value.bitPattern >> 32))
        case .character(let unit): return Int32(unit)
        case .list(let list):
            var sum: Int32 = 1
            for element in list.elements { sum = sum &* 31 &+ (try hash(of: element, level: level + 1)) }
            return sum
        case .map(let map):
            var sum: Int32 = 0
            for member in map.members(heap) {
                sum =
                    sum
                    &+ (try hash(of: member.key.value, level: level + 1)
                        ^ hash(of: member.value, level: level + 1))
            }
            return sum
        case .view(let view):
            var sum: Int32 = 0
            for element in view.elements(heap) { sum = sum &+ (try hash(of: element, level: level + 1)) }
            return sum
        case .entry(let entry):
            return try hash(of: entry.key.value, level: level + 1) ^ hash(of: entry.value(heap), level: level + 1)
        case .null, .large, .iterator, .loop, .block, .library: return 0
        }
    }

    /// A list that is a part of another one fails when that was changed.
    func check(_ list: TemplateList) throws(TemplateExit) {
        guard !list.isOutdated else { throw fault("java.util.ConcurrentModificationException") }
    }

    /// What can be gone through; nil: nothing can.
    func elements(of value: TemplateValue) throws(TemplateExit) -> [TemplateValue]? {
        switch value {
        case .list(let list):
            try check(list)
            return list.elements
        case .view(let view): return view.elements(heap)
        default: return nil
        }
    }

    /// `value.equals` of each element, and as many steps.
    func contains(_ value: TemplateValue, in elements: [TemplateValue]) throws(TemplateExit) -> Bool {
        try index(of: value, in: elements) != nil
    }

    static func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
