/// Names of Node's global object that programs of files find beside those of the language.
package enum NodeGlobals {
    package static let table: [NativeProperty] = [
        .made("global") { realm in .object(realm.global) },
        .made("Reflect") { realm in .object(realm.object({ reflect }, prototype: realm.prototype(.object))) },
        .method("queueMicrotask", length: 1) { call throws(Thrown) in
            let callback = try call.describedFunction(0)
            let ready = call.realm.promise()
            ready.resolve(.undefined)
            ready.react(
                .native { (realm, _) throws(Thrown) in _ = try realm.call(callback, this: .undefined, []) })
            return .undefined
        },
        .method("btoa", length: 1) { call throws(Thrown) in
            let units = try call.text(0).units
            guard units.allSatisfy({ $0 < 0x100 }) else { throw call.realm.error(.error, "Invalid character") }
            try call.realm.spend(units.count >> 3)
            return call.realm.value(Base64Text.encoded(units.map { UInt8(truncatingIfNeeded: $0) }))
        },
        .method("atob", length: 1) { call throws(Thrown) in
            let units = try call.text(0).units
            try call.realm.spend(units.count >> 3)
            guard let bytes = Base64Text.decoded(units) else {
                throw call.realm.error(.error, "The string to be decoded is not correctly encoded.")
            }
            return call.realm.value(bytes.map { UInt16($0) })
        },
    ]

    /// `Reflect`
    private static let reflect: [NativeProperty] = [
        .method("apply", length: 3) { call throws(Thrown) in
            try call.realm.call(try call.function(0), this: call[1], try call.realm.list(from: call[2]))
        },
        .method("construct", length: 2) { call throws(Thrown) in
            let target = try constructor(call, 0)
            let newTarget = call.count > 2 ? try constructor(call, 2) : target
            return .object(
                try call.realm.construct(target, try call.realm.list(from: call[1]), newTarget: newTarget))
        },
        .method("defineProperty", length: 3) { call throws(Thrown) in
            let object = try target(call, "defineProperty")
            let key = try call.key(1)
            return .boolean(try object.define(key, try call.realm.toDescriptor(call[2])))
        },
        .method("deleteProperty", length: 2) { call throws(Thrown) in
            .boolean(try target(call, "deleteProperty").delete(try call.key(1)))
        },
        .method("get", length: 2) { call throws(Thrown) in
            let object = try target(call, "get")
            return try object.get(try call.key(1), receiver: call.count > 2 ? call[2] : call[0])
        },
        .method("getOwnPropertyDescriptor", length: 2) { call throws(Thrown) in
            let object = try target(call, "getOwnPropertyDescriptor")
            return try object.ownProperty(try call.key(1)).map { call.realm.value(of: $0) } ?? .undefined
        },
        .method("getPrototypeOf", length: 1) { call throws(Thrown) in
            try target(call, "getPrototypeOf").getPrototype().map { .object($0) } ?? .null
        },
        .method("has", length: 2) { call throws(Thrown) in
            .boolean(try target(call, "has").has(try call.key(1)))
        },
        .method("isExtensible", length: 1) { call throws(Thrown) in
            .boolean(try target(call, "isExtensible").isExtensible())
        },
        .method("ownKeys", length: 1) { call throws(Thrown) in
            let realm = call.realm
            return .object(realm.array(try target(call, "ownKeys").ownKeys().map { realm.value(of: $0) }))
        },
        .method("preventExtensions", length: 1) { call throws(Thrown) in
            .boolean(try target(call, "preventExtensions").preventExtensions())
        },
        .method("set", length: 3) { call throws(Thrown) in
            let object = try target(call, "set")
            return .boolean(
                try object.set(try call.key(1), call[2], receiver: call.count > 3 ? call[3] : call[0]))
        },
        .method("setPrototypeOf", length: 2) { call throws(Thrown) in
            let object = try target(call, "setPrototypeOf")
            guard call[1].isObject || call[1].isNull else {
                throw call.realm.typeError(
                    "Object prototype may only be an Object or null: \(call.realm.describe(call[1]))")
            }
            return .boolean(try object.setPrototype(call[1].object))
        },
        .tag("Reflect"),
    ]

    private static func target(_ call: NativeCall, _ name: String) throws(Thrown) -> ScriptObject {
        guard case .object(let object) = call[0] else {
            throw call.realm.typeError("Reflect.\(name) called on non-object")
        }
        return object
    }

    private static func constructor(_ call: NativeCall, _ index: Int) throws(Thrown) -> ScriptObject {
        guard case .object(let object) = call[index], object.isConstructor else {
            throw call.realm.typeError("\(call.realm.describe(call[index])) is not a constructor")
        }
        return object
    }
}

/// Bytes as text of the 64 signs, as `atob` and `btoa` have it.
enum Base64Text {
    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf16)

    static func encoded(_ bytes: [UInt8]) -> [UInt16] {
        var text: [UInt16] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var bits = part.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - part.count)
            for place in 0..<4 {
                text.append(place <= part.count ? signs[bits >> (18 - 6 * place) & 63] : 0x3D)
            }
            start += 3
        }
        return text
    }

    /// Nil: it is no such text.
    static func decoded(_ units: [UInt16]) -> [UInt8]? {
        var signs = units.filter { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        if signs.count % 4 == 0 {
            for _ in 0..<2 where signs.last == 0x3D { signs.removeLast() }
        }
        guard signs.count % 4 != 1 else { return nil }
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for unit in signs {
            guard let sign = Self.signs.firstIndex(of: unit) else { return nil }
            (bits, count) = ((bits << 6 | sign) & 0xFFFF, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}
