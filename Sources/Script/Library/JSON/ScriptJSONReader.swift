/// `JSON.parse`: reads a text without recursion, so that nesting costs memory and no stack. Errors are V8's.
struct ScriptJSONReader {
    private let realm: Realm
    private let units: [UInt16]
    private var index = 0

    /// A list or object that is being read.
    private enum Open {
        case list(ScriptArray)
        case object(ScriptObject, PropertyKey)
    }

    init(_ realm: Realm, _ text: Text) {
        self.realm = realm
        units = text.units
    }

    private var unit: UInt16 { index < units.count ? units[index] : 0 }

    private mutating func skipSpace() {
        while index < units.count {
            switch units[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    mutating func read() throws(Thrown) -> Value {
        var open: [Open] = []
        while true {
            skipSpace()
            try realm.spend()
            guard var value = try readStart(&open) else { continue }
            var isElement = false
            while !isElement {
                guard let last = open.last else {
                    skipSpace()
                    if index < units.count { throw error("Unexpected non-whitespace character after JSON") }
                    return value
                }
                isElement = try put(value, into: last, &open)
                if !isElement {
                    open.removeLast()
                    switch last {
                    case .list(let list): value = .object(list)
                    case .object(let object, _): value = .object(object)
                    }
                }
            }
        }
    }

    /// A value, or nothing where a list or an object begins that is not empty.
    private mutating func readStart(_ open: inout [Open]) throws(Thrown) -> Value? {
        switch unit {
        case 0x5B:
            index += 1
            skipSpace()
            let list = realm.array()
            if unit == 0x5D {
                index += 1
                return .object(list)
            }
            try enter(.list(list), &open)
            return nil
        case 0x7B:
            index += 1
            skipSpace()
            let object = realm.object()
            if unit == 0x7D {
                index += 1
                return .object(object)
            }
            guard unit == 0x22 else { throw error("Expected property name or '}' in JSON") }
            try enter(.object(object, try readKey()), &open)
            return nil
        case 0x22: return .text(realm.text(try readText()))
        case 0x2D, 0x30...0x39: return .number(try readNumber())
        case 0x74: return try readWord("true", .true)
        case 0x66: return try readWord("false", .false)
        case 0x6E: return try readWord("null", .null)
        default: throw unexpected()
        }
    }

    private func enter(_ new: Open, _ open: inout [Open]) throws(Thrown) {
        if open.count >= JSONLibrary.depthMax { throw JSONLibrary.tooDeep(realm) }
        open.append(new)
    }

    /// Puts a value where it belongs. True where another follows.
    private mutating func put(_ value: Value, into last: Open, _ open: inout [Open]) throws(Thrown) -> Bool {
        switch last {
        case .list(let list):
            try list.append(value)
            skipSpace()
            if unit == 0x2C {
                index += 1
                return true
            }
            guard unit == 0x5D else { throw error("Expected ',' or ']' after array element in JSON") }
        case .object(let object, let key):
            _ = try object.createProperty(key, value)
            skipSpace()
            if unit == 0x2C {
                index += 1
                skipSpace()
                guard unit == 0x22 else { throw error("Expected double-quoted property name in JSON") }
                open[open.count - 1] = .object(object, try readKey())
                return true
            }
            guard unit == 0x7D else { throw error("Expected ',' or '}' after property value in JSON") }
        }
        index += 1
        return false
    }

    private mutating func readKey() throws(Thrown) -> PropertyKey {
        let key = realm.key(spelled: try readText())
        skipSpace()
        guard unit == 0x3A else { throw error("Expected ':' after property name in JSON") }
        index += 1
        return key
    }

    private mutating func readWord(_ word: StaticString, _ value: Value) throws(Thrown) -> Value {
        for offset in 0..<word.utf8CodeUnitCount {
            guard unit == UInt16(word.utf8Start[offset]) else { throw unexpected() }
            index += 1
        }
        return value
    }

    private mutating func readText() throws(Thrown) -> [UInt16] {
        index += 1
        let start = index
        while index < units.count, units[index] != 0x22, units[index] != 0x5C, units[index] >= 0x20 { index += 1 }
        var text = Array(units[start..<index])
        while true {
            guard index < units.count else { throw error("Unterminated string in JSON") }
            let unit = units[index]
            if unit == 0x22 {
                index += 1
                return text
            }
            if unit < 0x20 { throw error("Bad control character in string literal in JSON") }
            index += 1
            text.append(unit == 0x5C ? try readEscape() : unit)
        }
    }

    private mutating func readEscape() throws(Thrown) -> UInt16 {
        guard index < units.count else { throw realm.syntaxError("Unexpected end of JSON input") }
        let escaped = units[index]
        switch escaped {
        case 0x22, 0x5C, 0x2F: break
        case 0x62, 0x66, 0x6E, 0x72, 0x74:
            index += 1
            return escaped == 0x62 ? 8 : escaped == 0x66 ? 12 : escaped == 0x6E ? 10 : escaped == 0x72 ? 13 : 9
        case 0x75:
            index += 1
            var value: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = Lexer.hexadecimalValue(unit) else { throw error("Bad Unicode escape in JSON") }
                value = value << 4 | digit
                index += 1
            }
            return UInt16(truncatingIfNeeded: value)
        default: throw error("Bad escaped character in JSON")
        }
        index += 1
        return escaped
    }

    private mutating func skipDigits() -> Bool {
        let start = index
        while index < units.count, units[index] >= 0x30, units[index] <= 0x39 { index += 1 }
        return index > start
    }

    private mutating func readNumber() throws(Thrown) -> Double {
        let start = index
        let isNegative = unit == 0x2D
        if isNegative { index += 1 }
        let first = unit
        guard skipDigits() else { throw error("No number after minus sign in JSON") }
        let digits = index - start - (isNegative ? 1 : 0)
        if first == 0x30, digits > 1 {
            index = start + (isNegative ? 2 : 1)
            throw realm.syntaxError("Unexpected number in JSON at position \(index)")
        }
        var isInteger = true
        if unit == 0x2E {
            isInteger = false
            index += 1
            guard skipDigits() else { throw error("Unterminated fractional number in JSON") }
        }
        if unit | 0x20 == 0x65 {
            isInteger = false
            index += 1
            if unit == 0x2B || unit == 0x2D { index += 1 }
            guard skipDigits() else { throw error("Exponent part is missing a number in JSON") }
        }
        if isInteger, digits < 16 {
            var value = 0.0
            for unit in units[(index - digits)..<index] { value = value * 10 + Double(unit - 0x30) }
            return isNegative ? -value : value
        }
        return units.withUnsafeBufferPointer { buffer in
            NumberReading.number(UnsafeBufferPointer(rebasing: buffer[start..<index]))
        }
    }

    // MARK: Errors

    private func error(_ message: String) -> Thrown {
        realm.syntaxError("\(message) at position \(index)")
    }

    /// The unit has no business there: with a bit of the text around it.
    private func unexpected() -> Thrown {
        guard index < units.count else { return realm.syntaxError("Unexpected end of JSON input") }
        func text(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF16.self) }
        let all = text(0..<min(units.count, 20))
        if all == "undefined" || all == "NaN" || all == "Infinity" || all == "[object Object]" {
            return realm.syntaxError("\"\(all)\" is not valid JSON")
        }
        let around = 10
        let shown =
            if units.count <= 40 {
                "\"\(text(0..<units.count))\""
            } else if index < around {
                "\"\(text(0..<index + around))\"..."
            } else if index >= units.count - around {
                "...\"\(text(index - around..<units.count))\""
            } else {
                "...\"\(text(index - around..<index + around))\"..."
            }
        return realm.syntaxError("Unexpected token '\(text(index..<index + 1))', \(shown) is not valid JSON")
    }
}

/// What the second argument of `JSON.parse` does: every value that was read goes through a function, from the innermost
/// out.
struct JSONRevival {
    private let realm: Realm
    private let reviver: ScriptObject

    private struct Step {
        let holder: ScriptObject
        let key: PropertyKey
        let object: ScriptObject
        let keys: [PropertyKey]
        var next = 0
    }

    init(_ realm: Realm, _ reviver: ScriptObject) {
        self.realm = realm
        self.reviver = reviver
    }

    func revive(_ value: Value) throws(Thrown) -> Value {
        let root = realm.object()
        _ = try root.createProperty(realm.key(spelled: []), value)
        var steps: [Step] = []
        var (holder, key) = (root, realm.key(spelled: []))
        while true {
            try realm.spend()
            let value = try holder.get(key)
            if case .object(let object) = value, !object.isOpaque, !object.isCallable {
                if steps.count >= JSONLibrary.depthMax { throw JSONLibrary.tooDeep(realm) }
                steps.append(Step(holder: holder, key: key, object: object, keys: try keys(of: object)))
            } else if let answer = try finish(try revive(value, key, holder), &steps) {
                return answer
            }
            while let step = steps.last, step.next >= step.keys.count {
                steps.removeLast()
                if let answer = try finish(try revive(.object(step.object), step.key, step.holder), &steps) {
                    return answer
                }
            }
            guard let step = steps.last else { return .undefined }
            (holder, key) = (step.object, step.keys[step.next])
        }
    }

    private func keys(of object: ScriptObject) throws(Thrown) -> [PropertyKey] {
        if realm.isArray(.object(object)) {
            let length = try realm.length(of: object)
            if length > Double(realm.limits.listLength) { throw .ended(.limit(.listLength)) }
            return (0..<Int(length)).map { realm.key(index: Double($0)) }
        }
        var keys: [PropertyKey] = []
        for key in try object.ownKeys() where !key.isSymbol {
            if try object.ownProperty(key)?.isEnumerable == true { keys.append(key) }
        }
        return keys
    }

    private func revive(_ value: Value, _ key: PropertyKey, _ holder: ScriptObject) throws(Thrown) -> Value {
        try realm.call(reviver, this: .object(holder), [realm.value(of: key), value])
    }

    /// Puts what the function gave in its place. The answer is the one of the outermost value.
    private func finish(_ value: Value, _ steps: inout [Step]) throws(Thrown) -> Value? {
        guard let step = steps.last else { return value }
        let key = step.keys[step.next]
        steps[steps.count - 1].next += 1
        if value.isUndefined {
            _ = try step.object.delete(key)
        } else {
            _ = try step.object.createProperty(key, value)
        }
        return nil
    }
}
