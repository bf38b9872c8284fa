extension NativeClass {
    static let array = NativeClass(
        name: "Array", length: 1,
        makePrototype: { (realm, parent) in ScriptArray(realm, prototype: parent) },
        statics: ArrayLibrary.statics, properties: ArrayLibrary.properties + ArrayLibrary.others
    ) { call throws(Thrown) in
        let realm = call.realm
        let prototype = try realm.prototype(from: call.newTarget, .array)
        let array = ScriptArray(realm, prototype: prototype)
        if call.count == 1, case .number(let number) = call[0] {
            guard let length = UInt32(exactly: number) else { throw realm.rangeError("Invalid array length") }
            _ = try array.setLength(length)
            return .object(array)
        }
        for argument in call.arguments { try array.append(argument) }
        return .object(array)
    }

    static let arrayIterator = NativeClass(
        name: "Array Iterator", prototypeParent: .iterator, hasConstructor: false,
        properties: [
            .method("next", length: 0) { call throws(Thrown) in
                try call.this(as: ArrayIterator.self, "Array Iterator.prototype.next").next()
            },
            .tag("Array Iterator"),
        ])
}

/// `Array`. Every method works on any object with a length; what is plain list and stays one goes the fast way.
enum ArrayLibrary {
    static let statics: [NativeProperty] = [
        .method("isArray", length: 1) { call throws(Thrown) in
            try call.realm.need(call[0], "in a test for a list")
            return .boolean(call.realm.isArray(call[0]))
        },
        .method("of", length: 0) { call throws(Thrown) in
            let realm = call.realm
            let count = Double(call.count)
            let list: ScriptObject =
                call.this.isConstructor ? try realm.construct(call.this, [.number(count)]) : realm.array()
            for (index, value) in call.arguments.enumerated() {
                try list.create(realm.key(index: Double(index)), value)
            }
            try list.set(.length, .number(count))
            return .object(list)
        },
        from,
        .species,
    ]

    /// What the other files of the library have.
    static let others = searches + changes + copies

    static let properties: [NativeProperty] = [
        .method("forEach", length: 1) { call throws(Thrown) in
            let object = try call.thisObject("Array.prototype.forEach")
            try eachElement(call, object, try call.realm.length(of: object)) { (_, _, _) throws(Thrown) in true }
            return .undefined
        },
        .method("map", length: 1) { call throws(Thrown) in
            let object = try call.thisObject("Array.prototype.map")
            let length = try call.realm.length(of: object)
            _ = try call.function(0)
            let result = try speciesCreate(object, length)
            try eachElement(call, object, length) { (index, _, answer) throws(Thrown) in
                try result.create(call.realm.key(index: index), answer)
                return true
            }
            return .object(result)
        },
        .method("filter", length: 1) { call throws(Thrown) in
            let object = try call.thisObject("Array.prototype.filter")
            let length = try call.realm.length(of: object)
            _ = try call.function(0)
            let result = try speciesCreate(object, 0)
            var count = 0.0
            try eachElement(call, object, length) { (_, value, answer) throws(Thrown) in
                if try call.realm.toBoolean(answer) {
                    try result.create(call.realm.key(index: count), value)
                    count += 1
                }
                return true
            }
            return .object(result)
        },
        .method("join", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            let separator = call[0].isUndefined ? call.realm.text(",") : try call.text(0)
            return try join(object, length, separator)
        },
        .method("push", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            if let array = object as? ScriptArray, array.canGrow {
                for index in 0..<call.count { try array.append(call[index]) }
                return .number(Double(array.length))
            }
            var length = try call.realm.length(of: object)
            guard length + Double(call.count) <= 9_007_199_254_740_991 else {
                throw call.realm.typeError(
                    "Pushing \(call.count) elements on an array-like of length \(call.realm.describe(.number(length))) is disallowed, as the total surpasses 2**53-1"
                )
            }
            for index in 0..<call.count {
                try object.set(index: length, call[index])
                length += 1
            }
            try object.set(.length, .number(length))
            return .number(length)
        },
        .method("slice", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            let start = try call.position(0, of: length)
            let end = try call.position(1, of: length, otherwise: length)
            let result = try speciesCreate(object, max(end - start, 0))
            var count = 0.0
            var index = start
            while index < end {
                try realm.spend()
                let key = realm.key(index: index)
                if try object.has(key) { try result.create(realm.key(index: count), try object.get(key)) }
                index += 1
                count += 1
            }
            try result.set(.length, .number(count))
            return .object(result)
        },
        .method("keys", length: 0) { call throws(Thrown) in
            .object(ArrayIterator(call.realm, try call.thisObject(), .keys))
        },
        .method("entries", length: 0) { call throws(Thrown) in
            .object(ArrayIterator(call.realm, try call.thisObject(), .entries))
        },
        .method("values", length: 0) { call throws(Thrown) in
            .object(ArrayIterator(call.realm, try call.thisObject(), .values))
        },
        .alias(.iterator, of: "values"),
        .method("toString", length: 0) { call throws(Thrown) in
            let object = try call.thisObject()
            if case .object(let join) = try object.get("join"), join.isCallable {
                return try call.realm.call(join, this: .object(object), [])
            }
            return try ObjectLibrary.tagged(.object(object), call.realm)
        },
    ]

    /// Calls the callback, argument 0, with each element that is there; `body` gets index, element and answer, and says
    /// whether to go on.
    static func eachElement(
        _ call: NativeCall, _ object: ScriptObject, _ length: Double,
        _ body: (Double, Value, Value) throws(Thrown) -> Bool
    ) throws(Thrown) {
        let realm = call.realm
        let callback = try call.function(0)
        var index = 0.0
        while index < length {
            try realm.spend()
            if let value = try element(object, index) {
                let answer = try realm.call(callback, this: call[1], [value, .number(index), .object(object)])
                if try !body(index, value, answer) { return }
            }
            index += 1
        }
    }

    /// The element at an index, nothing where there is none.
    static func element(_ object: ScriptObject, _ index: Double) throws(Thrown) -> Value? {
        if let array = object as? ScriptArray, let element = array.element(at: Int(index)) { return element }
        let key = object.realm.key(index: index)
        return try object.has(key) ? try object.get(key) : nil
    }

    /// ArraySpeciesCreate
    static func speciesCreate(_ original: ScriptObject, _ length: Double) throws(Thrown) -> ScriptObject {
        let realm = original.realm
        var constructor = Value.undefined
        if original is ScriptArray {
            constructor = try original.get(.constructor)
            if case .object(let function) = constructor {
                if function === realm.constructor(.array) {
                    constructor = try function.get(.known(.species))
                    if case .object(let species) = constructor, species === function { constructor = .undefined }
                } else {
                    constructor = try function.get(.known(.species))
                }
                if constructor.isNull { constructor = .undefined }
            }
        }
        if constructor.isUndefined {
            guard length < 4_294_967_296 else { throw realm.rangeError("Invalid array length") }
            let array = realm.array()
            // Room is made as elements come; a long list of holes would be sparse.
            if length > 0 { _ = try array.setLength(UInt32(length)) }
            return array
        }
        guard case .object(let function) = constructor, function.isConstructor else {
            throw realm.typeError("object.constructor[Symbol.species] is not a constructor")
        }
        return try realm.construct(function, [.number(length)])
    }

    /// `join`, where a list that contains itself is empty inside.
    static func join(_ object: ScriptObject, _ length: Double, _ separator: Text) throws(Thrown) -> Value {
        let realm = object.realm
        if realm.joining.contains(where: { $0 === object }) { return .text(realm.emptyText) }
        realm.joining.append(object)
        defer { realm.joining.removeLast() }
        var units: [UInt16] = []
        var index = 0.0
        while index < length {
            try realm.spend()
            if index > 0 { units.append(contentsOf: separator.units) }
            let value = try object.get(index: index)
            if !value.isNullish { units.append(contentsOf: try realm.toText(value).units) }
            try realm.checkText(length: units.count)
            index += 1
        }
        return realm.value(units)
    }
}

/// What goes through a list: an iterator of its indices, its elements, or both.
final class ArrayIterator: ScriptObject {
    enum Kind {
        case keys, values, entries
    }

    private var target: ScriptObject?
    private let kind: Kind
    private var index = 0.0

    init(_ realm: Realm, _ target: ScriptObject, _ kind: Kind) {
        self.target = target
        self.kind = kind
        super.init(realm, prototype: realm.prototype(.arrayIterator))
    }

    override func clear() {
        super.clear()
        target = nil
    }

    func next() throws(Thrown) -> Value {
        guard let target else { return realm.iteratorResult(.undefined, done: true) }
        let length = try realm.length(of: target)
        guard index < length else {
            self.target = nil
            return realm.iteratorResult(.undefined, done: true)
        }
        let current = index
        index += 1
        switch kind {
        case .keys: return realm.iteratorResult(.number(current), done: false)
        case .values: return realm.iteratorResult(try target.get(index: current), done: false)
        case .entries:
            let entry = realm.array([.number(current), try target.get(index: current)])
            return realm.iteratorResult(.object(entry), done: false)
        }
    }
}

extension Realm {
    /// The library's own `values` of lists, whatever programs have put in its place.
    var arrayValues: Value { .object(original(.arrayValues, .array, .known(.iterator))) }

    /// The library's own `next` of lists' iterators.
    var arrayIteratorNext: Value { .object(original(.arrayIteratorNext, .arrayIterator, .known(.next))) }

    /// A function of the library as it was in the beginning.
    private func original(_ which: Special, _ intrinsic: Intrinsic, _ key: PropertyKey) -> ScriptObject {
        if let known = special[which] { return known }
        // A prototype is made with its table, so this comes before any change.
        _ = prototype(intrinsic).place(of: key)
        return special[which] ?? global
    }

    package func construct(_ function: Value, _ arguments: [Value]) throws(Thrown) -> ScriptObject {
        guard case .object(let object) = function else { throw typeError("\(describe(function)) is not a constructor") }
        return try construct(object, arguments)
    }
}
