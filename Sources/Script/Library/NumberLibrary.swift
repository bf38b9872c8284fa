extension NativeClass {
    static let number = NativeClass(
        name: "Number", length: 1,
        makePrototype: { (realm, parent) in NumberLibrary.prototype(realm, parent, .number(0)) },
        statics: NumberLibrary.statics, properties: NumberLibrary.properties
    ) { call throws(Thrown) in
        let number = call.count == 0 ? 0 : try call.number(0)
        guard let newTarget = call.newTarget else { return .number(number) }
        let prototype = try call.realm.prototype(from: newTarget, .number)
        return .object(PrimitiveObject(call.realm, .number(number), prototype: prototype))
    }

    static let boolean = NativeClass(
        name: "Boolean", length: 1,
        makePrototype: { (realm, parent) in NumberLibrary.prototype(realm, parent, .false) },
        properties: [
            .method("toString", length: 0) { call throws(Thrown) in
                call.realm.value(try BooleanLibrary.value(call, "toString") ? "true" : "false")
            },
            .method("valueOf", length: 0) { call throws(Thrown) in .boolean(try BooleanLibrary.value(call, "valueOf"))
            },
        ]
    ) { call throws(Thrown) in
        let boolean = try call.boolean(0)
        guard let newTarget = call.newTarget else { return .boolean(boolean) }
        let prototype = try call.realm.prototype(from: newTarget, .boolean)
        return .object(PrimitiveObject(call.realm, .boolean(boolean), prototype: prototype))
    }
}

/// `Boolean`
enum BooleanLibrary {
    static func value(_ call: NativeCall, _ name: String) throws(Thrown) -> Bool {
        if case .boolean(let boolean) = call.this { return boolean }
        if case .object(let object) = call.this, let object = object as? PrimitiveObject,
            case .boolean(let boolean) = object.value
        {
            return boolean
        }
        throw call.realm.typeError("Boolean.prototype.\(name) requires that 'this' be a Boolean")
    }
}

/// `Number`
enum NumberLibrary {
    static func prototype(_ realm: Realm, _ parent: ScriptObject?, _ value: Value) -> ScriptObject {
        PrimitiveObject(realm, value, prototype: parent ?? realm.prototype(.object))
    }

    static let statics: [NativeProperty] = [
        .constant("EPSILON", 0x1p-52),
        .constant("MAX_SAFE_INTEGER", NumberConversion.maxSafeInteger),
        .constant("MAX_VALUE", .greatestFiniteMagnitude),
        .constant("MIN_SAFE_INTEGER", -NumberConversion.maxSafeInteger),
        .constant("MIN_VALUE", .leastNonzeroMagnitude),
        .constant("NaN", .nan),
        .constant("NEGATIVE_INFINITY", -.infinity),
        .constant("POSITIVE_INFINITY", .infinity),
        .method("isFinite", length: 1) { call throws(Thrown) in
            try call.realm.need(call[0], "as a number")
            if case .number(let number) = call[0] { return .boolean(number.isFinite) }
            return .false
        },
        .method("isInteger", length: 1) { call throws(Thrown) in
            try call.realm.need(call[0], "as a number")
            return .boolean(integer(call[0]) != nil)
        },
        .method("isNaN", length: 1) { call throws(Thrown) in
            try call.realm.need(call[0], "as a number")
            if case .number(let number) = call[0] { return .boolean(number.isNaN) }
            return .false
        },
        .method("isSafeInteger", length: 1) { call throws(Thrown) in
            try call.realm.need(call[0], "as a number")
            return .boolean(integer(call[0]).map { $0.magnitude <= NumberConversion.maxSafeInteger } ?? false)
        },
        // The same functions as the global ones.
        .made("parseFloat") { realm in (try? realm.global.get("parseFloat")) ?? .undefined },
        .made("parseInt") { realm in (try? realm.global.get("parseInt")) ?? .undefined },
    ]

    private static func integer(_ value: Value) -> Double? {
        guard case .number(let number) = value, number.isFinite, number == number.rounded(.towardZero) else {
            return nil
        }
        return number
    }

    static let properties: [NativeProperty] = [
        .method("toExponential", length: 1) { call throws(Thrown) in
            let number = try value(call, "toExponential")
            let digits = try call.integer(0)
            if !number.isFinite { return call.realm.value(NumberText.decimal(number)) }
            let count = try checked(digits, NumberLimits.exponentialDigits, call, "toExponential() argument")
            return call.realm.value(NumberText.exponential(number, digits: call[0].isUndefined ? nil : count))
        },
        .method("toFixed", length: 1) { call throws(Thrown) in
            let number = try value(call, "toFixed")
            let digits = try call.integer(0)
            let count = try checked(digits, NumberLimits.fixedDigits, call, "toFixed() digits argument")
            return call.realm.value(NumberText.fixed(number, digits: count))
        },
        .method("toLocaleString", length: 0) { call throws(Thrown) in
            let number = try value(call, "toLocaleString")
            try call.requireDefaultLocale(0, "Number.prototype.toLocaleString")
            return call.realm.value(NumberText.grouped(number))
        },
        .method("toPrecision", length: 1) { call throws(Thrown) in
            let number = try value(call, "toPrecision")
            if call[0].isUndefined { return call.realm.value(NumberText.decimal(number)) }
            let digits = try call.integer(0)
            if !number.isFinite { return call.realm.value(NumberText.decimal(number)) }
            let count = try checked(digits, NumberLimits.precisions, call, "toPrecision() argument")
            return call.realm.value(NumberText.precision(number, digits: count))
        },
        .method("toString", length: 1) { call throws(Thrown) in
            let number = try value(call, "toString")
            if call[0].isUndefined { return call.realm.value(NumberText.decimal(number)) }
            let radix = try call.integer(0)
            guard radix >= 2, radix <= 36 else {
                throw call.realm.rangeError("toString() radix argument must be between 2 and 36")
            }
            return call.realm.value(NumberText.text(number, radix: Int(radix)))
        },
        .method("valueOf", length: 0) { call throws(Thrown) in .number(try value(call, "valueOf")) },
    ]

    private static func value(_ call: NativeCall, _ name: String) throws(Thrown) -> Double {
        if case .number(let number) = call.this { return number }
        if case .object(let object) = call.this, let object = object as? PrimitiveObject,
            case .number(let number) = object.value
        {
            return number
        }
        throw call.realm.typeError("Number.prototype.\(name) requires that 'this' be a Number")
    }

    private static func checked(
        _ digits: Double, _ range: ClosedRange<Int>, _ call: NativeCall, _ what: String
    ) throws(Thrown) -> Int {
        guard digits >= Double(range.lowerBound), digits <= Double(range.upperBound) else {
            throw call.realm.rangeError("\(what) must be between \(range.lowerBound) and \(range.upperBound)")
        }
        return Int(digits)
    }
}
