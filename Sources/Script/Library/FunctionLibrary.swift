extension NativeClass {
    static let function = NativeClass(
        name: "Function", length: 1,
        makePrototype: { (realm, parent) in
            NativeFunction(realm, name: .text(realm.emptyText), length: 0, prototype: parent) { _ in .undefined }
        },
        properties: FunctionLibrary.properties, construct: FunctionLibrary.refuse)
}

/// `Function.prototype`
enum FunctionLibrary {
    /// Programs are read before they run, and no text becomes one later.
    static let refuse: NativeFunction.Body = { call throws(Thrown) in
        throw .ended(
            .unsupported(
                message: "Function(...) makes code from a text, which is not supported",
                hint: "Write the function itself."))
    }

    static let properties: [NativeProperty] = [
        .method("apply", length: 2) { call throws(Thrown) in
            guard case .object(let function) = call.this, function.isCallable else {
                throw call.realm.typeError(
                    "Function.prototype.apply was called on \(call.realm.describe(call.this)), which is \(call.realm.typeName(call.this)) and not a function"
                )
            }
            let arguments = call[1].isNullish ? [] : try call.realm.list(from: call[1])
            return try call.realm.call(function, this: call[0], arguments)
        },
        .method("bind", length: 1) { call throws(Thrown) in
            let realm = call.realm
            guard case .object(let target) = call.this, target.isCallable else {
                throw realm.typeError("Bind must be called on a function")
            }
            let bound = BoundFunction(
                realm, target: target, this: call[0], ContiguousArray(call.arguments(from: 1)),
                prototype: try target.getPrototype())
            var length = 0.0
            if try target.hasOwn(.known(.length)), case .number(let number) = try target.get(.length) {
                length = max(0, (number.isNaN ? 0 : number.rounded(.towardZero)) - Double(max(0, call.count - 1))) + 0
            }
            bound.put(.known(.length), .number(length), .configurable)
            var name = realm.text("bound ")
            if case .text(let own) = try target.get(.name) { name = try realm.join(name, own) }
            bound.put(.known(.name), .text(name), .configurable)
            return .object(bound)
        },
        .method("call", length: 1) { call throws(Thrown) in
            guard case .object(let function) = call.this, function.isCallable else {
                throw call.realm.typeError(
                    "Function.prototype.call was called on \(call.realm.describe(call.this)), which is \(call.realm.typeName(call.this)) and not a function"
                )
            }
            return try call.realm.call(function, this: call[0], call.arguments(from: 1))
        },
        .method("toString", length: 0) { call throws(Thrown) in
            guard case .object(let function) = call.this, function.isCallable else {
                throw call.realm.typeError("Function.prototype.toString requires that 'this' be a Function")
            }
            if let script = function as? ScriptFunction, !script.sourceText.isEmpty {
                return call.realm.value(script.sourceText)
            }
            var name = ""
            if let native = function as? NativeFunction, case .text(let text) = try native.get(.name) {
                name = text.string
            }
            return call.realm.value("function \(name)() { [native code] }")
        },
        .method(.hasInstance, length: 1) { call throws(Thrown) in
            .boolean(try call.realm.hasInstance(call.this, call[0]))
        },
        .poisoned("caller"),
        .poisoned("arguments"),
    ]
}

extension NativeProperty {
    /// `caller` and `arguments` of functions, which nobody may ask for.
    fileprivate static func poisoned(_ name: String) -> NativeProperty {
        NativeProperty(key: .name(name), content: .thrower, attributes: .configurable)
    }
}

extension Realm {
    /// %ThrowTypeError%
    var throwTypeError: ScriptObject {
        if let known = special[.throwTypeError] { return known }
        let function = NativeFunction(self, name: .text(emptyText), length: 0) { call throws(Thrown) in
            throw call.realm.typeError(
                "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them"
            )
        }
        function.prepare()
        function.put(.known(.length), .number(0), [])
        function.put(.known(.name), .text(emptyText), [])
        function.state.remove(.isExtensible)
        special[.throwTypeError] = function
        return function
    }
}
