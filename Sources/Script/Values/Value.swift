/// A value of the language. Numbers are doubles, texts are UTF-16.
package enum Value {
    case undefined
    case null
    case boolean(Bool)
    case number(Double)
    case text(Text)
    case symbol(Symbol)
    case object(ScriptObject)
    /// No value: a hole of a list, a variable before its declaration. No program and no native function ever gets it.
    case absent

    package static var `true`: Value { .boolean(true) }
    package static var `false`: Value { .boolean(false) }

    package var isUndefined: Bool {
        if case .undefined = self { return true }
        return false
    }

    package var isNullish: Bool {
        switch self {
        case .undefined, .null: true
        default: false
        }
    }

    package var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }

    package var object: ScriptObject? {
        if case .object(let object) = self { return object }
        return nil
    }

    package var isObject: Bool { object != nil }

    package var isCallable: Bool {
        if case .object(let object) = self { return object.isCallable }
        return false
    }

    package var isConstructor: Bool {
        if case .object(let object) = self { return object.isConstructor }
        return false
    }
}

extension Value {
    /// IsStrictlyEqual
    package func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left.isEqual(to: right)
        case (.object(let left), .object(let right)): left === right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.symbol(let left), .symbol(let right)): left == right
        case (.undefined, .undefined), (.null, .null): true
        default: false
        }
    }

    /// SameValueZero
    package func isSameValueZero(as other: Value) -> Bool {
        if case .number(let left) = self, case .number(let right) = other, left.isNaN, right.isNaN { return true }
        return isSame(as: other)
    }

    /// SameValue
    package func isSameValue(as other: Value) -> Bool {
        guard case .number(let left) = self, case .number(let right) = other else { return isSame(as: other) }
        if left.isNaN || right.isNaN { return left.isNaN && right.isNaN }
        return left == right && left.sign == right.sign
    }
}
