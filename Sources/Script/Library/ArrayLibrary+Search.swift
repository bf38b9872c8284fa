/// Methods that look at elements and change none.
extension ArrayLibrary {
    static let searches: [NativeProperty] = [
        .method("some", length: 1) { call throws(Thrown) in
            let object = try call.thisObject("Array.prototype.some")
            var found = false
            try eachElement(call, object, try call.realm.length(of: object)) { (_, _, answer) throws(Thrown) in
                found = try call.realm.toBoolean(answer)
                return !found
            }
            return .boolean(found)
        },
        .method("every", length: 1) { call throws(Thrown) in
            let object = try call.thisObject("Array.prototype.every")
            var holds = true
            try eachElement(call, object, try call.realm.length(of: object)) { (_, _, answer) throws(Thrown) in
                holds = try call.realm.toBoolean(answer)
                return holds
            }
            return .boolean(holds)
        },
        .method("find", length: 1) { call throws(Thrown) in
            try find(call, "Array.prototype.find", fromEnd: false)?.value ?? .undefined
        },
        .method("findIndex", length: 1) { call throws(Thrown) in
            .number(try find(call, "Array.prototype.findIndex", fromEnd: false)?.index ?? -1)
        },
        .method("findLast", length: 1) { call throws(Thrown) in
            try find(call, "Array.prototype.findLast", fromEnd: true)?.value ?? .undefined
        },
        .method("findLastIndex", length: 1) { call throws(Thrown) in
            .number(try find(call, "Array.prototype.findLastIndex", fromEnd: true)?.index ?? -1)
        },
        .method("includes", length: 1) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            guard length > 0 else { return .boolean(false) }
            var index = try call.position(1, of: length)
            while index < length {
                try realm.spend()
                if try realm.isSameValueZero(try object.get(index: index), call[0]) { return .boolean(true) }
                index += 1
            }
            return .boolean(false)
        },
        .method("indexOf", length: 1) { call throws(Thrown) in
            let object = try call.thisObject("Array.prototype.indexOf")
            let length = try call.realm.length(of: object)
            guard length > 0 else { return .number(-1) }
            var index = try call.position(1, of: length)
            while index < length {
                try call.realm.spend()
                if let value = try element(object, index), try call.realm.isStrictlyEqual(value, call[0]) {
                    return .number(index)
                }
                index += 1
            }
            return .number(-1)
        },
        .method("lastIndexOf", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            guard length > 0 else { return .number(-1) }
            let from = call.count > 1 ? try call.integer(1) : length - 1
            var index = from < 0 ? length + from : min(from, length - 1)
            while index >= 0 {
                try call.realm.spend()
                if let value = try element(object, index), try call.realm.isStrictlyEqual(value, call[0]) {
                    // An index that was counted from the end may be a zero below zero.
                    return .number(index + 0)
                }
                index -= 1
            }
            return .number(-1)
        },
        .method("reduce", length: 1) { call throws(Thrown) in try reduce(call, "Array.prototype.reduce", fromEnd: false)
        },
        .method("reduceRight", length: 1) { call throws(Thrown) in
            try reduce(call, "Array.prototype.reduceRight", fromEnd: true)
        },
        .method("at", length: 1) { call throws(Thrown) in
            let object = try call.thisObject()
            let length = try call.realm.length(of: object)
            let relative = try call.integer(0)
            let index = relative < 0 ? length + relative : relative
            return index >= 0 && index < length ? try object.get(index: index) : .undefined
        },
        .method("toLocaleString", length: 0) { call throws(Thrown) in
            let realm = call.realm
            let object = try call.thisObject()
            let length = try realm.length(of: object)
            if realm.joining.contains(where: { $0 === object }) { return .text(realm.emptyText) }
            realm.joining.append(object)
            defer { realm.joining.removeLast() }
            var units: [UInt16] = []
            var index = 0.0
            while index < length {
                try realm.spend()
                if index > 0 { units.append(UInt16(UInt8(ascii: ","))) }
                let value = try object.get(index: index)
                if !value.isNullish {
                    let text = try realm.invoke(value, "toLocaleString", [call[0], call[1]])
                    units.append(contentsOf: try realm.toText(text).units)
                }
                try realm.checkText(length: units.count)
                index += 1
            }
            return realm.value(units)
        },
    ]

    /// The first element, or the last, that the callback says yes to. Holes are asked about too.
    private static func find(
        _ call: NativeCall, _ method: String, fromEnd: Bool
    ) throws(Thrown) -> (index: Double, value: Value)? {
        let realm = call.realm
        let object = try call.thisObject(method)
        let length = try realm.length(of: object)
        let callback = try call.function(0)
        var index = fromEnd ? length - 1 : 0
        while fromEnd ? index >= 0 : index < length {
            try realm.spend()
            let value = try object.get(index: index)
            let answer = try realm.call(callback, this: call[1], [value, .number(index), .object(object)])
            if try realm.toBoolean(answer) { return (index, value) }
            index += fromEnd ? -1 : 1
        }
        return nil
    }

    private static func reduce(_ call: NativeCall, _ method: String, fromEnd: Bool) throws(Thrown) -> Value {
        let realm = call.realm
        let object = try call.thisObject(method)
        let length = try realm.length(of: object)
        let callback = try call.function(0)
        var result: Value? = call.count > 1 ? call[1] : nil
        var index = fromEnd ? length - 1 : 0
        while fromEnd ? index >= 0 : index < length {
            try realm.spend()
            if let value = try element(object, index) {
                if let sum = result {
                    result = try realm.call(callback, this: .undefined, [sum, value, .number(index), .object(object)])
                } else {
                    result = value
                }
            }
            index += fromEnd ? -1 : 1
        }
        guard let result else { throw realm.typeError("Reduce of empty array with no initial value") }
        return result
    }
}
