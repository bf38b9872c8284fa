/// Methods that make another list of what they are called on.
extension ArrayLibrary {
    static let copies: [NativeProperty] = [
        .method("concat", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject("Array.prototype.concat")
            let result = try speciesCreate(object, 0)
            var count = 0.0
            for value in [.object(object)] + call.arguments {
                if case .object(let list) = value, try isSpreadable(list) {
                    let length = try realm.length(of: list)
                    try checkLength(count + length, object)
                    var index = 0.0
                    while index < length {
                        try realm.spend()
                        if let element = try element(list, index) {
                            try result.create(realm.key(index: count + index), element)
                        }
                        index += 1
                    }
                    count += length
                } else {
                    try checkLength(count + 1, object)
                    try result.create(realm.key(index: count), value)
                    count += 1
                }
            }
            try result.set(.length, .number(count))
            return .object(result)
        },
        .method("flat", length: 0) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            let depth = call[0].isUndefined ? 1 : try call.integer(0)
            let result = try speciesCreate(object, 0)
            var count = 0.0
            try flatten(object, length, depth: depth, into: result, &count, level: 0)
            return .object(result)
        },
        .method("flatMap", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            guard case .object(let callback) = call[0], callback.isCallable else {
                throw realm.typeError("flatMap mapper function is not callable")
            }
            let result = try speciesCreate(object, 0)
            var (count, index) = (0.0, 0.0)
            while index < length {
                try realm.spend()
                if let value = try element(object, index) {
                    let answer = try realm.call(callback, this: call[1], [value, .number(index), .object(object)])
                    try realm.need(answer, "as a list")
                    if case .object(let list) = answer, realm.isArray(answer) {
                        try flatten(list, try realm.length(of: list), depth: 0, into: result, &count, level: 0)
                    } else {
                        try result.create(realm.key(index: count), answer)
                        count += 1
                    }
                }
                index += 1
            }
            return .object(result)
        },
        .method("toReversed", length: 0) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            try checkListLength(length, call.realm)
            var values: [Value] = []
            try read(object, from: length, to: 0, into: &values)
            return .object(call.realm.array(values))
        },
        .method("toSorted", length: 1) { call throws(Thrown) in
            let comparison = try comparison(call)
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            try checkListLength(length, call.realm)
            var values: [Value] = []
            try read(object, from: 0, to: length, into: &values)
            return .object(call.realm.array(try sorted(values, comparison, call.realm)))
        },
        .method("toSpliced", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            let start = try call.position(0, of: length)
            let removed = try removedCount(call, length, start)
            let added = Double(max(call.count - 2, 0))
            try checkLength(length + added - removed, object)
            try checkListLength(length + added - removed, realm)
            var values: [Value] = []
            try read(object, from: 0, to: start, into: &values)
            values += call.arguments(from: 2)
            try read(object, from: start + removed, to: length, into: &values)
            return .object(realm.array(values))
        },
        .method("with", length: 2) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            let relative = try call.integer(0)
            let index = relative < 0 ? length + relative : relative
            guard index >= 0, index < length else {
                throw realm.rangeError("Invalid index : \(realm.describe(call[0]))")
            }
            try checkListLength(length, realm)
            var values: [Value] = []
            try read(object, from: 0, to: index, into: &values)
            values.append(call[1])
            try read(object, from: index + 1, to: length, into: &values)
            return .object(realm.array(values))
        },
        // What `with` statements of old were not to see.
        NativeProperty(
            key: .symbol(.unscopables),
            content: .made { realm in
                let names = ScriptObject(realm, prototype: nil)
                for name in [
                    "at", "copyWithin", "entries", "fill", "find", "findIndex", "findLast", "findLastIndex", "flat",
                    "flatMap", "includes", "keys", "toReversed", "toSorted", "toSpliced", "values",
                ] {
                    names.put(name, .boolean(true))
                }
                return .object(names)
            }, attributes: .configurable),
    ]

    static let from = NativeProperty.method("from", length: 1) { call throws(Thrown) in
        let realm = call.realm
        let mapping = call[1].isUndefined ? nil : try call.function(1)
        func mapped(_ value: Value, _ index: Double) throws(Thrown) -> Value {
            guard let mapping else { return value }
            return try realm.call(mapping, this: call[2], [value, .number(index)])
        }
        func list(_ arguments: [Value]) throws(Thrown) -> ScriptObject {
            if call.this.isConstructor { return try realm.construct(call.this, arguments) }
            let array = realm.array()
            if let length = arguments.first { try array.set(.length, length) }
            return array
        }
        var index = 0.0
        if let method = try realm.method(call[0], .known(.iterator)) {
            let result = try list([])
            var iterator = try realm.iterator(calling: method, on: call[0])
            while let value = try iterator.step(realm) {
                do throws(Thrown) {
                    try realm.spend()
                    try result.create(realm.key(index: index), try mapped(value, index))
                } catch {
                    throw iterator.close(after: error, realm)
                }
                index += 1
            }
            try result.set(.length, .number(index))
            return .object(result)
        }
        let source = try realm.toObject(call[0])
        let length = try realm.length(of: source)
        let result = try list([.number(length)])
        while index < length {
            try realm.spend()
            try result.create(realm.key(index: index), try mapped(try source.get(index: index), index))
            index += 1
        }
        try result.set(.length, .number(length))
        return .object(result)
    }

    /// Reads the elements from one index up to another one, or down where that is the lower one; the higher one is not
    /// read. Holes are undefined, for copies that are plain lists.
    private static func read(
        _ object: ScriptObject, from start: Double, to end: Double, into values: inout [Value]
    ) throws(Thrown) {
        let realm = object.realm
        var index = start
        while index != end {
            try realm.spend()
            if start > end { index -= 1 }
            try append(try object.get(index: index), to: &values, realm)
            if start < end { index += 1 }
        }
    }

    private static func checkListLength(_ length: Double, _ realm: Realm) throws(Thrown) {
        guard length <= 4_294_967_295 else { throw realm.rangeError("Invalid array length") }
    }

    private static func isSpreadable(_ object: ScriptObject) throws(Thrown) -> Bool {
        if object.isOpaque { try object.realm.need(object, "as a list") }
        let wish = try object.get(.known(.isConcatSpreadable))
        return wish.isUndefined ? object.realm.isArray(.object(object)) : try object.realm.toBoolean(wish)
    }

    /// How deep lists may lie in lists that are made flat.
    private static let flatDepth = 500

    private static func flatten(
        _ list: ScriptObject, _ length: Double, depth: Double, into result: ScriptObject, _ count: inout Double,
        level: Int
    ) throws(Thrown) {
        let realm = list.realm
        guard level < flatDepth else { throw .ended(.limit(.callDepth)) }
        var index = 0.0
        while index < length {
            try realm.spend()
            if let value = try element(list, index) {
                if depth > 0 { try realm.need(value, "as a list") }
                if depth > 0, case .object(let inner) = value, realm.isArray(value) {
                    try flatten(
                        inner, try realm.length(of: inner), depth: depth - 1, into: result, &count, level: level + 1)
                } else {
                    try checkLength(count + 1, result)
                    try result.create(realm.key(index: count), value)
                    count += 1
                }
            }
            index += 1
        }
    }
}
