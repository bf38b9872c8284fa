extension NativeClass {
    static let object = NativeClass(
        name: "Object", length: 1, prototypeParent: nil,
        statics: ObjectLibrary.statics, properties: ObjectLibrary.properties
    ) { call throws(Thrown) in
        if let newTarget = call.newTarget, newTarget !== call.function {
            return .object(ScriptObject(call.realm, prototype: try call.realm.prototype(from: newTarget, .object)))
        }
        return .object(call[0].isNullish ? call.realm.object() : try call.realm.toObject(call[0]))
    }
}

/// `Object`
enum ObjectLibrary {
    static let statics: [NativeProperty] = [
        .method("assign", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let target = try realm.toObject(call[0])
            for source in call.arguments(from: 1) where !source.isNullish {
                let source = try realm.toObject(source)
                for key in try source.ownKeys() {
                    try realm.spend()
                    guard let own = try source.ownProperty(key), own.isEnumerable == true else { continue }
                    try target.set(key, try source.get(key))
                }
            }
            return .object(target)
        },
        .method("create", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let object: ScriptObject
            switch call[0] {
            case .object(let prototype): object = ScriptObject(realm, prototype: prototype)
            case .null: object = ScriptObject(realm, prototype: nil)
            default:
                throw realm.typeError("Object prototype may only be an Object or null: \(realm.describe(call[0]))")
            }
            if !call[1].isUndefined { try defineProperties(object, call[1]) }
            return .object(object)
        },
        .method("defineProperties", length: 2) { call throws(Thrown) in
            guard case .object(let object) = call[0] else {
                throw call.realm.typeError("Object.defineProperties called on non-object")
            }
            try defineProperties(object, call[1])
            return call[0]
        },
        .method("defineProperty", length: 3) { call throws(Thrown) in
            guard case .object(let object) = call[0] else {
                throw call.realm.typeError("Object.defineProperty called on non-object")
            }
            let key = try call.key(1)
            try object.defineOrThrow(key, try call.realm.toDescriptor(call[2]))
            return call[0]
        },
        .method("entries", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let list = realm.array()
            try eachProperty(call) { (key, value) throws(Thrown) in
                try list.append(.object(realm.array([realm.value(of: key), value])))
            }
            return .object(list)
        },
        .method("freeze", length: 1) { call throws(Thrown) in
            if case .object(let object) = call[0] { try call.realm.setIntegrity(object, isFrozen: true) }
            return call[0]
        },
        .method("fromEntries", length: 1) { call throws(Thrown) in
            let realm = call.realm
            // V8 says undefined where it is null too.
            if call[0].isNullish { throw realm.typeError("undefined is not iterable") }
            let object = realm.object()
            try realm.iterate(call[0]) { (entry) throws(Thrown) in
                guard case .object(let pair) = entry else {
                    throw realm.typeError("Iterator value \(realm.describe(entry)) is not an entry object")
                }
                let key = try pair.get(PropertyKey(index: 0))
                let value = try pair.get(PropertyKey(index: 1))
                try object.create(try realm.toKey(key), value)
            }
            return .object(object)
        },
        .method("getOwnPropertyDescriptor", length: 2) { call throws(Thrown) in
            let object = try call.realm.toObject(call[0])
            return try object.ownProperty(try call.key(1)).map { call.realm.value(of: $0) } ?? .undefined
        },
        .method("getOwnPropertyDescriptors", length: 1) { call throws(Thrown) in
            let object = try call.realm.toObject(call[0])
            let result = call.realm.object()
            for key in try object.ownKeys() {
                guard let own = try object.ownProperty(key) else { continue }
                _ = try result.createProperty(key, call.realm.value(of: own))
            }
            return .object(result)
        },
        .method("getOwnPropertyNames", length: 1) { call throws(Thrown) in
            let keys = try call.realm.toObject(call[0]).ownKeys()
            return .object(call.realm.array(keys.filter { !$0.isSymbol }.map { call.realm.value(of: $0) }))
        },
        .method("getOwnPropertySymbols", length: 1) { call throws(Thrown) in
            let keys = try call.realm.toObject(call[0]).ownKeys()
            return .object(call.realm.array(keys.filter { $0.isSymbol }.map { call.realm.value(of: $0) }))
        },
        .method("getPrototypeOf", length: 1) { call throws(Thrown) in
            try call.realm.toObject(call[0]).getPrototype().map { .object($0) } ?? .null
        },
        .method("groupBy", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let groups = ScriptObject(realm, prototype: nil)
            try call.group { (key, value) throws(Thrown) in
                let key = try realm.toKey(key)
                if case .object(let list) = try groups.get(key), let list = list as? ScriptArray {
                    try list.append(value)
                } else {
                    try groups.create(key, .object(realm.array([value])))
                }
            }
            return .object(groups)
        },
        .method("hasOwn", length: 2) { call throws(Thrown) in
            let object = try call.realm.toObject(call[0])
            return .boolean(try object.hasOwn(try call.key(1)))
        },
        .method("is", length: 2) { call throws(Thrown) in .boolean(try call.realm.isSameValue(call[0], call[1])) },
        .method("isExtensible", length: 1) { call throws(Thrown) in
            .boolean(try call[0].object?.isExtensible() ?? false)
        },
        .method("isFrozen", length: 1) { call throws(Thrown) in .boolean(try hasIntegrity(call[0], isFrozen: true)) },
        .method("isSealed", length: 1) { call throws(Thrown) in .boolean(try hasIntegrity(call[0], isFrozen: false)) },
        .method("keys", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let object = try realm.toObject(call[0])
            let list = realm.array()
            for key in try object.ownKeys() where !key.isSymbol {
                try realm.spend()
                if try object.ownProperty(key)?.isEnumerable == true { try list.append(realm.value(of: key)) }
            }
            return .object(list)
        },
        .method("preventExtensions", length: 1) { call throws(Thrown) in
            if case .object(let object) = call[0], try !object.preventExtensions() {
                throw call.realm.typeError("Cannot prevent extensions")
            }
            return call[0]
        },
        .method("seal", length: 1) { call throws(Thrown) in
            if case .object(let object) = call[0] { try call.realm.setIntegrity(object, isFrozen: false) }
            return call[0]
        },
        .method("setPrototypeOf", length: 2) { call throws(Thrown) in
            let realm = call.realm
            if call[0].isNullish { throw realm.typeError("Object.setPrototypeOf called on null or undefined") }
            guard call[1].isObject || call[1].isNull else {
                throw realm.typeError("Object prototype may only be an Object or null: \(realm.describe(call[1]))")
            }
            if case .object(let object) = call[0] { try setPrototype(object, call[1].object) }
            return call[0]
        },
        .method("values", length: 1) { call throws(Thrown) in
            let list = call.realm.array()
            try eachProperty(call) { (_, value) throws(Thrown) in try list.append(value) }
            return .object(list)
        },
    ]

    static let properties: [NativeProperty] = [
        .method("__defineGetter__", length: 2) { call throws(Thrown) in
            try defineAccessor(
                call, PropertyDescriptor(getter: call[1], setter: nil, isEnumerable: true, isConfigurable: true))
        },
        .method("__defineSetter__", length: 2) { call throws(Thrown) in
            try defineAccessor(
                call, PropertyDescriptor(getter: nil, setter: call[1], isEnumerable: true, isConfigurable: true))
        },
        .method("hasOwnProperty", length: 1) { call throws(Thrown) in
            let key = try call.key(0)
            return .boolean(try call.thisObject().hasOwn(key))
        },
        .method("__lookupGetter__", length: 1) { call throws(Thrown) in
            try lookUp(call)?.getter ?? .undefined
        },
        .method("__lookupSetter__", length: 1) { call throws(Thrown) in
            try lookUp(call)?.setter ?? .undefined
        },
        .method("isPrototypeOf", length: 1) { call throws(Thrown) in
            guard case .object(let object) = call[0] else { return .false }
            let this = try call.thisObject()
            var ancestor = try object.getPrototype()
            while let current = ancestor {
                if current === this { return .true }
                try call.realm.spend()
                ancestor = try current.getPrototype()
            }
            return .false
        },
        .method("propertyIsEnumerable", length: 1) { call throws(Thrown) in
            let key = try call.key(0)
            return .boolean(try call.thisObject().ownProperty(key)?.isEnumerable ?? false)
        },
        .method("toString", length: 0) { call throws(Thrown) in try tagged(call.this, call.realm) },
        .method("valueOf", length: 0) { call throws(Thrown) in .object(try call.thisObject()) },
        .accessor(
            "__proto__",
            get: { call throws(Thrown) in try call.thisObject().getPrototype().map { .object($0) } ?? .null },
            set: { call throws(Thrown) in
                if call.this.isNullish {
                    throw call.realm.typeError("Object.prototype.__proto__ called on null or undefined")
                }
                guard call[0].isObject || call[0].isNull, case .object(let object) = call.this else {
                    return .undefined
                }
                try setPrototype(object, call[0].object)
                return .undefined
            }),
        .method("toLocaleString", length: 0) { call throws(Thrown) in
            try call.realm.invoke(call.this, "toString")
        },
    ]

    /// `[object Name]`, as `Object.prototype.toString` says it.
    static func tagged(_ value: Value, _ realm: Realm) throws(Thrown) -> Value {
        if value.isUndefined { return realm.value("[object Undefined]") }
        if value.isNull { return realm.value("[object Null]") }
        let object = try realm.toObject(value)
        if case .text(let tag) = try object.get(.known(.toStringTag)) {
            return realm.value("[object \(tag.string)]")
        }
        return realm.value("[object \(object.isCallable ? "Function" : object.builtinTag)]")
    }

    private static func setPrototype(_ object: ScriptObject, _ new: ScriptObject?) throws(Thrown) {
        if try object.setPrototype(new) { return }
        let realm = object.realm
        if object === realm.prototype(.object) {
            throw realm.typeError("Immutable prototype object 'Object.prototype' cannot have their prototype set")
        }
        if try !object.isExtensible() {
            throw realm.typeError("\(realm.describe(.object(object))) is not extensible")
        }
        throw realm.typeError("Cyclic __proto__ value")
    }

    private static func defineAccessor(_ call: NativeCall, _ descriptor: PropertyDescriptor) throws(Thrown) -> Value {
        let object = try call.thisObject()
        _ = try call.function(1)
        try object.defineOrThrow(try call.key(0), descriptor)
        return .undefined
    }

    private static func lookUp(_ call: NativeCall) throws(Thrown) -> PropertyDescriptor? {
        var object: ScriptObject? = try call.thisObject()
        let key = try call.key(0)
        while let current = object {
            if let own = try current.ownProperty(key) { return own }
            object = try current.getPrototype()
        }
        return nil
    }

    private static func eachProperty(
        _ call: NativeCall, _ body: (PropertyKey, Value) throws(Thrown) -> Void
    ) throws(Thrown) {
        let object = try call.realm.toObject(call[0])
        for key in try object.ownKeys() where !key.isSymbol {
            try call.realm.spend()
            if try object.ownProperty(key)?.isEnumerable == true { try body(key, try object.get(key)) }
        }
    }

    private static func hasIntegrity(_ value: Value, isFrozen: Bool) throws(Thrown) -> Bool {
        guard case .object(let object) = value else { return true }
        if try object.isExtensible() { return false }
        for key in try object.ownKeys() {
            guard let own = try object.ownProperty(key) else { continue }
            if own.isConfigurable == true || (isFrozen && own.isData && own.isWritable == true) { return false }
        }
        return true
    }

    /// ObjectDefineProperties
    private static func defineProperties(_ object: ScriptObject, _ properties: Value) throws(Thrown) {
        let realm = object.realm
        let source = try realm.toObject(properties)
        var descriptors: [(PropertyKey, PropertyDescriptor)] = []
        for key in try source.ownKeys() {
            try realm.spend()
            guard try source.ownProperty(key)?.isEnumerable == true else { continue }
            descriptors.append((key, try realm.toDescriptor(try source.get(key))))
        }
        for (key, descriptor) in descriptors { try object.defineOrThrow(key, descriptor) }
    }
}

extension ScriptObject {
    /// What `Object.prototype.toString` says without a tag.
    var builtinTag: String {
        switch className {
        case "Array", "Error", "Boolean", "Number", "String", "Date", "RegExp", "Arguments", "Function": className
        default: "Object"
        }
    }
}

extension Realm {
    /// ToPropertyDescriptor
    func toDescriptor(_ value: Value) throws(Thrown) -> PropertyDescriptor {
        guard case .object(let object) = value else {
            throw typeError("Property description must be an object: \(describe(value))")
        }
        var descriptor = PropertyDescriptor()
        func flag(_ name: String) throws(Thrown) -> Bool? {
            try object.has(key(name)) ? try toBoolean(try object.get(name)) : nil
        }
        func function(_ name: WellKnownName, _ title: String) throws(Thrown) -> Value? {
            guard try object.has(.known(name)) else { return nil }
            let function = try object.get(name)
            guard function.isUndefined || function.isCallable else {
                throw typeError("\(title) must be a function: \(describe(function))")
            }
            return function
        }
        descriptor.isEnumerable = try flag("enumerable")
        descriptor.isConfigurable = try flag("configurable")
        if try object.has(.known(.value)) { descriptor.value = try object.get(.value) }
        descriptor.isWritable = try flag("writable")
        descriptor.getter = try function(.get, "Getter")
        descriptor.setter = try function(.set, "Setter")
        if descriptor.isAccessor, descriptor.isData {
            throw typeError(
                "Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, \(describe(.object(object)))"
            )
        }
        return descriptor
    }

    /// FromPropertyDescriptor
    func value(of descriptor: PropertyDescriptor) -> Value {
        let object = object()
        if descriptor.isAccessor {
            object.put(.get, descriptor.getter ?? .undefined)
            object.put(.set, descriptor.setter ?? .undefined)
        } else {
            object.put(.value, descriptor.value ?? .undefined)
            object.put("writable", .boolean(descriptor.isWritable ?? false))
        }
        object.put("enumerable", .boolean(descriptor.isEnumerable ?? false))
        object.put("configurable", .boolean(descriptor.isConfigurable ?? false))
        return .object(object)
    }
}
