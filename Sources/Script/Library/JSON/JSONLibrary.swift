/// `JSON`
enum JSONLibrary {
    static let table: [NativeProperty] = [
        .method("parse", length: 2) { call throws(Thrown) in
            var reader = ScriptJSONReader(call.realm, try call.text(0))
            let value = try reader.read()
            guard case .object(let reviver) = call[1], reviver.isCallable else { return value }
            return try JSONRevival(call.realm, reviver).revive(value)
        },
        .method("stringify", length: 3) { call throws(Thrown) in
            var writer = try ScriptJSONWriter(call.realm, replacer: call[1], space: call[2])
            return try writer.write(call[0])
        },
        .tag("JSON"),
    ]

    static func object(_ realm: Realm) -> Value {
        .object(realm.object({ table }, prototype: realm.prototype(.object)))
    }

    /// Lists and objects in one another.
    static let depthMax = 5_000

    static func tooDeep(_ realm: Realm) -> Thrown {
        realm.rangeError("Maximum call stack size exceeded")
    }
}
