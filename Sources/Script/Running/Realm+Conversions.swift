extension Realm {
    package enum Hint: String {
        case `default`, number, string
    }

    /// ToPrimitive
    package func toPrimitive(_ value: Value, _ hint: Hint = .default) throws(Thrown) -> Value {
        guard case .object = value else { return value }
        let result = try toPrimitiveOrUnknown(value, hint)
        guard case .object(let object) = result else { return result }
        return .text(try mark(object, "as a text or a number"))
    }

    /// The same, or the opaque value that it is, or that its own methods give: that of a list may be a text with opaque values in it.
    func toPrimitiveOrUnknown(_ value: Value, _ hint: Hint = .default) throws(Thrown) -> Value {
        guard case .object(let object) = value, !object.isOpaque else { return value }
        if let method = try object.method(.known(.toPrimitive)) {
            let result = try call(method, this: value, [self.value(hint.rawValue)])
            if case .object(let made) = result, !made.isOpaque {
                throw typeError("Cannot convert object to primitive value")
            }
            return result
        }
        for name in hint == .string ? ["toString", "valueOf"] : ["valueOf", "toString"] {
            if case .object(let method) = try object.get(name), method.isCallable {
                let result = try call(method, this: value, [])
                if case .object(let made) = result, !made.isOpaque { continue }
                return result
            }
        }
        throw typeError("Cannot convert object to primitive value")
    }

    /// ToBoolean; an opaque value has none.
    @inline(__always)
    package func toBoolean(_ value: Value) throws(Thrown) -> Bool {
        switch value {
        case .boolean(let boolean): return boolean
        case .undefined, .null, .absent: return false
        case .number(let number): return !(number == 0 || number.isNaN)
        case .text(let text): return text.count > 0
        case .symbol: return true
        case .object(let object):
            return object.isOpaque ? try holds(object, "as a condition") : true
        }
    }

    /// ToNumber
    @inline(__always)
    package func toNumber(_ value: Value) throws(Thrown) -> Double {
        if case .number(let number) = value { return number }
        return try otherToNumber(value)
    }

    private func otherToNumber(_ value: Value) throws(Thrown) -> Double {
        switch value {
        case .number(let number): return number
        case .undefined, .absent: return .nan
        case .null: return 0
        case .boolean(let boolean): return boolean ? 1 : 0
        case .text(let text):
            try spend(text.count >> 5)
            return NumberReading.number(text.units)
        case .symbol: throw typeError("Cannot convert a Symbol value to a number")
        case .object: return try otherToNumber(try toPrimitive(value, .number))
        }
    }

    /// ToString
    package func toText(_ value: Value) throws(Thrown) -> Text {
        switch value {
        case .text(let text): return text
        case .number(let number): return text(of: number)
        case .undefined, .absent: return text("undefined")
        case .null: return text("null")
        case .boolean(let boolean): return text(boolean ? "true" : "false")
        case .symbol: throw typeError("Cannot convert a Symbol value to a string")
        case .object: return try toText(try toPrimitive(value, .string))
        }
    }

    package func text(of number: Double) -> Text {
        if number >= 0, number < 10, let digit = UInt16(exactly: number) { return text(unit: 0x30 + digit) }
        return text(NumberText.units(number))
    }

    /// ToObject
    package func toObject(_ value: Value) throws(Thrown) -> ScriptObject {
        switch value {
        case .object(let object): return object
        case .undefined, .absent, .null: throw typeError("Cannot convert undefined or null to object")
        case .boolean: return PrimitiveObject(self, value, prototype: prototype(.boolean))
        case .number: return PrimitiveObject(self, value, prototype: prototype(.number))
        case .symbol: return PrimitiveObject(self, value, prototype: prototype(.symbol))
        case .text(let text): return TextObject(self, text, prototype: prototype(.string))
        }
    }

    /// ToPropertyKey
    @inline(__always)
    package func toKey(_ value: Value) throws(Thrown) -> PropertyKey {
        switch value {
        case .text(let text): return key(text)
        case .number(let number):
            if let index = UInt32(exactly: number), index <= PropertyKey.indexMax { return PropertyKey(index: index) }
            return key(spelled: NumberText.units(number))
        case .symbol(let symbol): return PropertyKey(symbol)
        default: return try otherToKey(value)
        }
    }

    private func otherToKey(_ value: Value) throws(Thrown) -> PropertyKey {
        if case .object(let object) = value {
            if object.isOpaque {
                // It names no property that the program has written.
                _ = try holds(object, "as the name of a property")
                return key("${\(describe(value))}")
            }
            return try toKey(try toPrimitive(value, .string))
        }
        return key(try toText(value))
    }

    /// ToIntegerOrInfinity
    package func toInteger(_ value: Value) throws(Thrown) -> Double {
        let number = try toNumber(value)
        if number.isNaN { return 0 }
        return number.rounded(.towardZero) + 0
    }

    /// ToLength
    package func toLength(_ value: Value) throws(Thrown) -> Double {
        min(max(try toInteger(value), 0), 9_007_199_254_740_991)
    }

    /// ToInt32
    @inline(__always)
    package func toInt32(_ value: Value) throws(Thrown) -> Int32 {
        if case .number(let number) = value, let integer = Int32(exactly: number) { return integer }
        return Int32(bitPattern: Self.wrapped(try toNumber(value)))
    }

    /// ToUint32
    package func toUInt32(_ value: Value) throws(Thrown) -> UInt32 {
        Self.wrapped(try toNumber(value))
    }

    /// A number's integer part modulo 2 to the power of 32.
    package static func wrapped(_ number: Double) -> UInt32 {
        guard number.isFinite else { return 0 }
        if abs(number) < 9.2e18 { return UInt32(truncatingIfNeeded: Int64(number)) }
        var rest = number.rounded(.towardZero).truncatingRemainder(dividingBy: 4_294_967_296)
        if rest < 0 { rest += 4_294_967_296 }
        return UInt32(rest)
    }

    /// LengthOfArrayLike
    package func length(of object: ScriptObject) throws(Thrown) -> Double {
        if object.state.contains(.isArray) {
            return Double(unsafeDowncast(object, to: ScriptArray.self).length)
        }
        if object.isOpaque { throw opaqueUse(object, "as a list") }
        return try toLength(try object.get(.length))
    }

    // MARK: Properties of any value

    /// GetV
    package func get(_ value: Value, _ key: PropertyKey) throws(Thrown) -> Value {
        switch value {
        case .object(let object): return try object.get(key, receiver: value)
        case .text(let text):
            if key == .known(.length) { return .number(Double(text.count)) }
            if let index = key.index, Int(index) < text.count { return .text(self.text(unit: text[Int(index)])) }
            return try prototype(.string).get(key, receiver: value)
        case .number: return try prototype(.number).get(key, receiver: value)
        case .boolean: return try prototype(.boolean).get(key, receiver: value)
        case .symbol: return try prototype(.symbol).get(key, receiver: value)
        case .undefined, .null, .absent:
            if key == .known(.iterator) { throw notIterable(value) }
            throw typeError(
                "Cannot read properties of \(value.isNull ? "null" : "undefined") (reading '\(describe(key))')")
        }
    }

    /// GetMethod
    package func method(_ value: Value, _ key: PropertyKey) throws(Thrown) -> ScriptObject? {
        let method = try get(value, key)
        switch method {
        case .undefined, .null: return nil
        case .object(let object) where object.isCallable: return object
        default: throw typeError("\(callSite(method)) is not a function")
        }
    }

    /// Invoke
    package func invoke(_ value: Value, _ key: PropertyKey, _ arguments: [Value] = []) throws(Thrown) -> Value {
        let method = try get(value, key)
        guard case .object(let function) = method, function.isCallable else {
            throw typeError("\(callSite(method)) is not a function")
        }
        return try call(function, this: value, arguments)
    }

    package func invoke(_ value: Value, _ name: String, _ arguments: [Value] = []) throws(Thrown) -> Value {
        try invoke(value, key(name), arguments)
    }

    /// Set, with an error where it cannot be.
    func set(_ value: Value, _ key: PropertyKey, _ new: Value) throws(Thrown) {
        switch value {
        case .object(let object):
            if try object.set(key, new, receiver: value) { return }
            throw cannotAssign(key, to: value)
        case .undefined, .null, .absent:
            throw typeError(
                "Cannot set properties of \(value.isNull ? "null" : "undefined") (setting '\(describe(key))')")
        default:
            let object = try toObject(value)
            if try object.set(key, new, receiver: value) { return }
            if case .text(let text) = value, try object.ownProperty(key) != nil {
                throw typeError(
                    "Cannot assign to read only property '\(describe(key))' of string '\(describe(.text(text)))'")
            }
            throw typeError(
                "Cannot create property '\(describe(key))' on \(typeName(value)) '\(describe(value))'")
        }
    }

    package func typeName(_ value: Value) -> String {
        switch value {
        case .undefined, .absent: "undefined"
        case .null: "object"
        case .boolean: "boolean"
        case .number: "number"
        case .text: "string"
        case .symbol: "symbol"
        case .object(let object): object.isCallable ? "function" : "object"
        }
    }

    // MARK: Comparing

    /// IsLooselyEqual
    package func isEqual(_ left: Value, _ right: Value) throws(Thrown) -> Bool {
        switch (left, right) {
        case (.undefined, .null), (.null, .undefined): return true
        case (.number(let number), .text(let text)), (.text(let text), .number(let number)):
            return number == NumberReading.number(text.units)
        case (.boolean(let boolean), .object), (.boolean(let boolean), .number), (.boolean(let boolean), .text):
            return try isEqual(.number(boolean ? 1 : 0), right)
        case (.object, .boolean(let boolean)), (.number, .boolean(let boolean)), (.text, .boolean(let boolean)):
            return try isEqual(left, .number(boolean ? 1 : 0))
        case (.object(let object), .number), (.object(let object), .text), (.object(let object), .symbol):
            if object.isOpaque { return try holds(object, Self.comparison) }
            return try isEqual(try toPrimitive(left), right)
        case (.number, .object(let object)), (.text, .object(let object)), (.symbol, .object(let object)):
            if object.isOpaque { return try holds(object, Self.comparison) }
            return try isEqual(left, try toPrimitive(right))
        default: return try isStrictlyEqual(left, right)
        }
    }

    /// `===`, which has no answer where one side is opaque and the other one a text, a number or a truth value. Nor has it one where
    /// the opaque side may be anything, and is not the other one itself.
    @inline(__always)
    func isStrictlyEqual(_ left: Value, _ right: Value) throws(Thrown) -> Bool {
        switch (left, right) {
        case (.object(let object), .text), (.object(let object), .number), (.object(let object), .boolean),
            (.text, .object(let object)), (.number, .object(let object)), (.boolean, .object(let object)):
            return object.isOpaque ? try holds(object, Self.comparison) : false
        case (.object(let object), .undefined), (.object(let object), .null), (.undefined, .object(let object)),
            (.null, .object(let object)):
            if object.isOpaque { try need(object, Self.comparison) }
            return false
        case (.object(let one), .object(let other)):
            if one === other { return true }
            if one.isOpaque, other.isOpaque {
                try need(one, Self.comparison)
                try need(other, Self.comparison)
            }
            return false
        default: return left.isSame(as: right)
        }
    }

    /// SameValueZero, with the same answers.
    func isSameValueZero(_ left: Value, _ right: Value) throws(Thrown) -> Bool {
        if case .number = left { return left.isSameValueZero(as: right) }
        return try isStrictlyEqual(left, right)
    }

    /// SameValue, with the same answers.
    func isSameValue(_ left: Value, _ right: Value) throws(Thrown) -> Bool {
        if case .number = left, case .number = right { return left.isSameValue(as: right) }
        return try isStrictlyEqual(left, right)
    }

    /// Ends the program where an opaque value may be anything.
    func need(_ object: ScriptObject, _ use: String) throws(Thrown) {
        if let opaque = object as? OpaqueObject, host.isAnything(opaque, in: self) { throw opaqueUse(opaque, use) }
    }

    /// The same for a value that may be an opaque one.
    func need(_ value: Value, _ use: String) throws(Thrown) {
        if case .object(let object) = value, object.isOpaque { try need(object, use) }
    }

    /// IsLessThan; nothing where one is not a number.
    func isLess(_ left: Value, _ right: Value, leftFirst: Bool = true) throws(Thrown) -> Bool? {
        for case .object(let object) in [left, right] where object.isOpaque {
            // Neither less nor more, as what is no number.
            return try holds(object, Self.comparison) ? true : nil
        }
        let first: Value
        let second: Value
        if leftFirst {
            first = try toPrimitive(left, .number)
            second = try toPrimitive(right, .number)
        } else {
            second = try toPrimitive(right, .number)
            first = try toPrimitive(left, .number)
        }
        if case .text(let first) = first, case .text(let second) = second { return first.isLess(than: second) }
        let one = try toNumber(first)
        let other = try toNumber(second)
        if one.isNaN || other.isNaN { return nil }
        return one < other
    }

    // MARK: Lists

    /// CreateListFromArrayLike
    package func list(from value: Value) throws(Thrown) -> [Value] {
        guard case .object(let object) = value else { throw typeError("CreateListFromArrayLike called on non-object") }
        if let array = object as? ScriptArray, array.isPlain {
            return array.elements.map { $0.isAbsent ? .undefined : $0 }
        }
        let length = try length(of: object)
        if length > Double(limits.listLength) { throw .ended(.limit(.listLength)) }
        var values: [Value] = []
        for index in 0..<Int(length) {
            try spend()
            values.append(try object.get(index: Double(index)))
        }
        return values
    }

    /// SetIntegrityLevel
    package func setIntegrity(_ object: ScriptObject, isFrozen: Bool) throws(Thrown) {
        if try !object.preventExtensions() { throw typeError("Cannot prevent extensions") }
        for key in try object.ownKeys() {
            try spend()
            var change = PropertyDescriptor()
            change.isConfigurable = false
            if isFrozen {
                guard let own = try object.ownProperty(key) else { continue }
                if own.isData { change.isWritable = false }
            }
            try object.defineOrThrow(key, change)
        }
    }

    /// SpeciesConstructor
    package func speciesConstructor(_ object: ScriptObject, _ standard: Intrinsic) throws(Thrown) -> ScriptObject {
        let constructor = try object.get(.constructor)
        if constructor.isUndefined { return self.constructor(standard) }
        guard case .object(let function) = constructor else {
            throw typeError("The .constructor property is not an object")
        }
        let species = try function.get(.known(.species))
        if species.isNullish { return self.constructor(standard) }
        guard case .object(let result) = species, result.isConstructor else {
            throw typeError("object.constructor[Symbol.species] is not a constructor")
        }
        return result
    }

    /// IsArray
    package func isArray(_ value: Value) -> Bool {
        if case .object(let object) = value { return object.state.contains(.isArray) }
        return false
    }

    /// OrdinaryHasInstance
    func hasInstance(_ function: Value, _ value: Value) throws(Thrown) -> Bool {
        guard case .object(let object) = function, object.isCallable else { return false }
        if let bound = object as? BoundFunction {
            return try isInstance(value, of: bound.target.map { .object($0) } ?? .undefined)
        }
        guard case .object(let instance) = value else { return false }
        guard case .object(let prototype) = try object.get(.prototype) else {
            throw typeError(
                "Function has non-object prototype '\(describe(try object.get(.prototype)))' in instanceof check")
        }
        var ancestor = try instance.getPrototype()
        while let current = ancestor {
            if current === prototype { return true }
            try spend()
            ancestor = try current.getPrototype()
        }
        return false
    }

    /// InstanceofOperator
    func isInstance(_ value: Value, of target: Value) throws(Thrown) -> Bool {
        guard case .object(let object) = target else {
            throw typeError("Right-hand side of 'instanceof' is not an object")
        }
        if object.isOpaque { return try holds(object, "in instanceof") }
        if case .object(let instance) = value, instance.isOpaque {
            // An object of a class of the program's own is known to be one.
            if instance.prototype != nil, try hasInstance(target, value) { return true }
            return try holds(instance, "in instanceof")
        }
        if let method = try object.method(.known(.hasInstance)) {
            return try toBoolean(try call(method, this: target, [value]))
        }
        guard object.isCallable else { throw typeError("Right-hand side of 'instanceof' is not callable") }
        return try hasInstance(target, value)
    }

    /// OrdinaryCreateFromConstructor: which prototype the new object has.
    package func prototype(from newTarget: ScriptObject?, _ standard: Intrinsic) throws(Thrown) -> ScriptObject {
        guard let newTarget else { return prototype(standard) }
        if case .object(let prototype) = try newTarget.get(.prototype) { return prototype }
        return prototype(standard)
    }

    /// CopyDataProperties
    func copyProperties(from source: Value, to target: ScriptObject, except: [PropertyKey] = []) throws(Thrown) {
        if source.isNullish { return }
        let object = try toObject(source)
        for key in try object.ownKeys() where !except.contains(key) {
            try spend()
            guard let own = try object.ownProperty(key), own.isEnumerable == true else { continue }
            _ = try target.createProperty(key, try object.get(key))
        }
    }
}

extension Value {
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}
