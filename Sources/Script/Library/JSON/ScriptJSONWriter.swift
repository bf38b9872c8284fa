/// `JSON.stringify`, without recursion but for what the program's own functions do.
struct ScriptJSONWriter {
    private let realm: Realm
    private var replacer: ScriptObject?
    /// The only properties that are written, where the second argument lists them.
    private var properties: [PropertyKey]?
    private var gap: [UInt16] = []
    private var output: [UInt16] = []
    private var steps: [Step] = []

    /// A list or object that is being written.
    private struct Step {
        let object: ScriptObject
        /// How the one around it calls it.
        let key: PropertyKey
        /// Of an object; a list goes through its indices.
        let keys: [PropertyKey]?
        let count: Int
        var next = 0
        var isEmpty = true
    }

    init(_ realm: Realm, replacer: Value, space: Value) throws(Thrown) {
        self.realm = realm
        if case .object(let object) = replacer {
            if object.isOpaque { throw realm.opaqueUse(object, "by JSON.stringify") }
            if object.isCallable {
                self.replacer = object
            } else if realm.isArray(replacer) {
                properties = try Self.properties(object, realm)
            }
        }
        var space = space
        if case .object(let object) = space {
            if object.className == "Number" {
                space = .number(try realm.toNumber(space))
            } else if object.className == "String" {
                space = .text(try realm.toText(space))
            }
        }
        switch space {
        case .number:
            gap = [UInt16](repeating: 0x20, count: Int(max(0, min(10, try realm.toInteger(space)))))
        case .text(let text): gap = Array(text.units.prefix(10))
        default: break
        }
    }

    private static func properties(_ list: ScriptObject, _ realm: Realm) throws(Thrown) -> [PropertyKey] {
        var keys: [PropertyKey] = []
        var known: Set<PropertyKey> = []
        var index = 0.0
        let length = try realm.length(of: list)
        while index < length {
            try realm.spend()
            let value = try list.get(index: index)
            index += 1
            switch value {
            case .text, .number: break
            case .object(let object) where object.className == "Number" || object.className == "String": break
            default: continue
            }
            let key = realm.key(try realm.toText(value))
            if known.insert(key).inserted { keys.append(key) }
        }
        return keys
    }

    mutating func write(_ value: Value) throws(Thrown) -> Value {
        let empty = realm.key(spelled: [])
        let root = realm.object()
        _ = try root.createProperty(empty, value)
        guard let value = try writable(value, empty, of: root) else { return .undefined }
        try begin(value, empty)
        while !steps.isEmpty { try writeNext() }
        return .text(realm.text(output))
    }

    /// The next element or property of the innermost list or object.
    private mutating func writeNext() throws(Thrown) {
        try realm.spend()
        try realm.checkText(length: output.count)
        let last = steps.count - 1
        let step = steps[last]
        guard step.next < step.count else { return end(step) }
        steps[last].next += 1
        if let keys = step.keys {
            let key = keys[step.next]
            guard let value = try writable(try step.object.get(key), key, of: step.object) else { return }
            separate(last, isEmpty: step.isEmpty)
            writePlain(realm.value(of: key))
            output.append(0x3A)
            if !gap.isEmpty { output.append(0x20) }
            try begin(value, key)
        } else {
            let key = realm.key(index: Double(step.next))
            let value = try writable(try step.object.get(key), key, of: step.object) ?? .null
            separate(last, isEmpty: step.isEmpty)
            try begin(value, key)
        }
    }

    private mutating func separate(_ index: Int, isEmpty: Bool) {
        if !isEmpty { output.append(0x2C) }
        steps[index].isEmpty = false
        breakLine(steps.count)
    }

    private mutating func breakLine(_ depth: Int) {
        if gap.isEmpty { return }
        output.append(0x0A)
        for _ in 0..<depth { output.append(contentsOf: gap) }
    }

    private mutating func end(_ step: Step) {
        steps.removeLast()
        if !step.isEmpty { breakLine(steps.count) }
        output.append(step.keys == nil ? 0x5D : 0x7D)
    }

    /// What is written for a value, after its `toJSON` and the replacer; nothing where it is left out.
    private func writable(_ value: Value, _ key: PropertyKey, of holder: ScriptObject) throws(Thrown) -> Value? {
        var value = value
        if case .object(let object) = value {
            if object.isOpaque { return .text(try realm.mark(object, "by JSON.stringify")) }
            if case .object(let method) = try object.get("toJSON"), method.isCallable {
                value = try realm.call(method, this: value, [realm.value(of: key)])
            }
        }
        if let replacer {
            value = try realm.call(replacer, this: .object(holder), [realm.value(of: key), value])
        }
        switch value {
        case .undefined, .symbol, .absent: return nil
        case .object(let object):
            if object.isOpaque { return .text(try realm.mark(object, "by JSON.stringify")) }
            if object.isCallable { return nil }
            if object is TextObject { return .text(try realm.toText(value)) }
            guard let primitive = object as? PrimitiveObject else { return value }
            switch primitive.value {
            case .number: return .number(try realm.toNumber(value))
            case .boolean: return primitive.value
            default: return value
            }
        default: return value
        }
    }

    private mutating func begin(_ value: Value, _ key: PropertyKey) throws(Thrown) {
        guard case .object(let object) = value else { return writePlain(value) }
        if let first = steps.firstIndex(where: { $0.object === object }) { throw circle(from: first, key) }
        if steps.count >= JSONLibrary.depthMax { throw JSONLibrary.tooDeep(realm) }
        if realm.isArray(value) {
            let length = try realm.length(of: object)
            if length > Double(realm.limits.listLength) { throw .ended(.limit(.listLength)) }
            output.append(0x5B)
            steps.append(Step(object: object, key: key, keys: nil, count: Int(length)))
            return
        }
        var keys: [PropertyKey] = []
        if let properties {
            keys = properties
        } else {
            for key in try object.ownKeys() where !key.isSymbol {
                if try object.ownProperty(key)?.isEnumerable == true { keys.append(key) }
            }
        }
        output.append(0x7B)
        steps.append(Step(object: object, key: key, keys: keys, count: keys.count))
    }

    private mutating func writePlain(_ value: Value) {
        switch value {
        case .null: output.append(contentsOf: "null".utf16)
        case .boolean(let boolean): output.append(contentsOf: (boolean ? "true" : "false").utf16)
        case .number(let number):
            output.append(contentsOf: number.isFinite ? realm.text(of: number).units : Array("null".utf16))
        case .text(let text): Self.quote(text.units, into: &output)
        default: break
        }
    }

    /// QuoteJSONString
    static func quote(_ units: [UInt16], into output: inout [UInt16]) {
        output.append(0x22)
        for (index, unit) in units.enumerated() {
            switch unit {
            case 0x22, 0x5C:
                output.append(0x5C)
                output.append(unit)
            case 0x08: output.append(contentsOf: [0x5C, 0x62])
            case 0x0C: output.append(contentsOf: [0x5C, 0x66])
            case 0x0A: output.append(contentsOf: [0x5C, 0x6E])
            case 0x0D: output.append(contentsOf: [0x5C, 0x72])
            case 0x09: output.append(contentsOf: [0x5C, 0x74])
            case 0..<0x20: escape(unit, into: &output)
            case 0xD800..<0xDC00:
                let isPair = index + 1 < units.count && units[index + 1] & 0xFC00 == 0xDC00
                if isPair { output.append(unit) } else { escape(unit, into: &output) }
            case 0xDC00..<0xE000:
                let isPair = index > 0 && units[index - 1] & 0xFC00 == 0xD800
                if isPair { output.append(unit) } else { escape(unit, into: &output) }
            default: output.append(unit)
            }
        }
        output.append(0x22)
    }

    private static func escape(_ unit: UInt16, into output: inout [UInt16]) {
        output.append(contentsOf: [0x5C, 0x75])
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = unit >> shift & 15
            output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    // MARK: Circles

    /// An object is within itself: V8's words, which show the way around.
    private func circle(from first: Int, _ key: PropertyKey) -> Thrown {
        let way = steps[first...]
        var lines = [
            "Converting circular structure to JSON",
            "    --> starting at object with \(constructor(of: steps[first].object))",
        ]
        let between = way.dropFirst()
        for (number, step) in between.enumerated() {
            if number < 2 || number == between.count - 1 {
                lines.append("    |     \(name(step.key)) -> object with \(constructor(of: step.object))")
            } else if number == 2 {
                lines.append("    |     ...")
            }
        }
        lines.append("    --- \(name(key)) closes the circle")
        return realm.typeError(lines.joined(separator: "\n"))
    }

    private func name(_ key: PropertyKey) -> String {
        if let index = key.index { return "index \(index)" }
        return "property '\(key.name.map { realm.names.text(of: $0) } ?? "")'"
    }

    private func constructor(of object: ScriptObject) -> String {
        guard case .object(let function)? = try? object.get(.known(.constructor)),
            case .text(let name)? = try? function.get(.known(.name))
        else { return "constructor 'Object'" }
        return "constructor '\(name.string)'"
    }
}
