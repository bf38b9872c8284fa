extension NativeClass {
    static let error = NativeClass(
        name: "Error", length: 1,
        properties: [
            .text("name", "Error"),
            .text("message", ""),
            .method("toString", length: 0) { call throws(Thrown) in
                let realm = call.realm
                guard case .object(let error) = call.this else {
                    throw realm.typeError(
                        "Method Error.prototype.toString called on incompatible receiver \(realm.describe(call.this))")
                }
                let name = try error.get(.name)
                let message = try error.get(.message)
                let nameText = name.isUndefined ? realm.text("Error") : try realm.toText(name)
                let messageText = message.isUndefined ? realm.emptyText : try realm.toText(message)
                if nameText.isEmpty { return .text(messageText) }
                if messageText.isEmpty { return .text(nameText) }
                return .text(try realm.join(try realm.join(nameText, realm.text(": ")), messageText))
            },
        ]
    ) { call throws(Thrown) in try ErrorLibrary.make(call, .error) }

    static let evalError = ErrorLibrary.native("EvalError", .evalError)
    static let rangeError = ErrorLibrary.native("RangeError", .rangeError)
    static let referenceError = ErrorLibrary.native("ReferenceError", .referenceError)
    static let syntaxError = ErrorLibrary.native("SyntaxError", .syntaxError)
    static let typeError = ErrorLibrary.native("TypeError", .typeError)
    static let uriError = ErrorLibrary.native("URIError", .uriError)

    static let aggregateError = NativeClass(
        name: "AggregateError", length: 2, prototypeParent: .error, constructorParent: .error,
        properties: [.text("name", "AggregateError"), .text("message", "")]
    ) { call throws(Thrown) in
        let error = try ErrorLibrary.make(call, .aggregateError, message: call[1], options: call[2])
        var errors: [Value] = []
        try call.realm.iterate(call[0]) { (value) throws(Thrown) in errors.append(value) }
        if case .object(let object) = error {
            object.put(call.realm.key("errors"), .object(call.realm.array(errors)), .hidden)
        }
        return error
    }
}

/// `Error` and its like
enum ErrorLibrary {
    static func native(_ name: String, _ intrinsic: Intrinsic) -> NativeClass {
        NativeClass(
            name: name, length: 1, prototypeParent: .error, constructorParent: .error,
            properties: [.text("name", name), .text("message", "")]
        ) { call throws(Thrown) in try make(call, intrinsic) }
    }

    static func make(_ call: NativeCall, _ intrinsic: Intrinsic) throws(Thrown) -> Value {
        try make(call, intrinsic, message: call[0], options: call[1])
    }

    static func make(
        _ call: NativeCall, _ intrinsic: Intrinsic, message: Value, options: Value
    ) throws(Thrown) -> Value {
        let realm = call.realm
        let prototype = try realm.prototype(from: call.newTarget, intrinsic)
        let text = message.isUndefined ? nil : try realm.toText(message)
        let error = ErrorObject(realm, text, prototype: prototype)
        if case .object(let options) = options, try options.has(realm.key("cause")) {
            error.put(realm.key("cause"), try options.get("cause"), .hidden)
        }
        return .object(error)
    }
}
