/// A call of a native function: what it is called on, and its arguments, of which those that are missing are undefined.
/// It is valid until the function returns.
package struct NativeCall {
    unowned(unsafe) package let realm: Realm
    package let this: Value
    /// With `new`, what was called.
    package let newTarget: ScriptObject?
    unowned(unsafe) package let function: NativeFunction
    private let start: UnsafeMutablePointer<Value>
    package let count: Int

    init(
        _ realm: Realm, this: Value, newTarget: ScriptObject?, function: NativeFunction,
        _ start: UnsafeMutablePointer<Value>, count: Int
    ) {
        self.realm = realm
        self.this = this
        self.newTarget = newTarget
        self.function = function
        self.start = start
        self.count = count
    }

    package subscript(index: Int) -> Value {
        index < count ? start[index] : .undefined
    }

    package var arguments: [Value] { arguments(from: 0) }

    package func arguments(from first: Int) -> [Value] {
        first < count ? (first..<count).map { start[$0] } : []
    }

    /// What the function carries, see `Realm.function`.
    package func held(_ index: Int) -> Value {
        index < function.held.count ? function.held[index] : .undefined
    }

    // MARK: Arguments as the operations of the language read them

    package func number(_ index: Int) throws(Thrown) -> Double { try realm.toNumber(self[index]) }
    /// ToIntegerOrInfinity
    package func integer(_ index: Int) throws(Thrown) -> Double { try realm.toInteger(self[index]) }
    /// ToString
    package func text(_ index: Int) throws(Thrown) -> Text { try realm.toText(self[index]) }
    package func boolean(_ index: Int) throws(Thrown) -> Bool { try realm.toBoolean(self[index]) }
    package func key(_ index: Int) throws(Thrown) -> PropertyKey { try realm.toKey(self[index]) }

    /// An argument that must be a function.
    package func function(_ index: Int) throws(Thrown) -> ScriptObject {
        guard case .object(let object) = self[index], object.isCallable else {
            throw realm.typeError("\(realm.describe(self[index])) is not a function")
        }
        return object
    }

    /// The same, for the methods whose errors in V8 say the kind of the value too.
    package func describedFunction(_ index: Int) throws(Thrown) -> ScriptObject {
        guard case .object(let object) = self[index], object.isCallable else {
            throw realm.typeError("\(realm.callSite(self[index])) is not a function")
        }
        return object
    }

    /// An index relative to the end where it is negative, between 0 and `length`; `otherwise` where there is none.
    package func position(_ index: Int, of length: Double, otherwise: Double = 0) throws(Thrown) -> Double {
        if self[index].isUndefined { return otherwise }
        let relative = try integer(index)
        return relative < 0 ? max(length + relative, 0) : min(relative, length)
    }

    /// GroupBy: goes through argument 0, and gives each value with what the callback, argument 1, answers for it.
    func group(_ add: (_ key: Value, _ value: Value) throws(Thrown) -> Void) throws(Thrown) {
        if self[0].isNullish { throw realm.typeError("\(realm.describe(self[0])) is not iterable") }
        let callback = try function(1)
        var index = 0.0
        try realm.iterate(self[0]) { (value) throws(Thrown) in
            let key = try call(callback, value, .number(index))
            index += 1
            try add(key, value)
        }
    }

    // MARK: What it is called on

    package func thisObject() throws(Thrown) -> ScriptObject { try realm.toObject(this) }

    /// The same, for the methods of lists whose errors in V8 say their names.
    package func thisObject(_ method: String) throws(Thrown) -> ScriptObject {
        if this.isNullish { throw realm.typeError("\(method) called on null or undefined") }
        return try realm.toObject(this)
    }

    /// For methods of texts: `this` as a text, which must not be null or undefined.
    package func thisText(_ method: String) throws(Thrown) -> Text {
        if this.isNullish { throw realm.typeError("\(method) called on null or undefined") }
        return try realm.toText(this)
    }

    /// `this` as an object of a class of ours.
    package func this<Kind: ScriptObject>(as kind: Kind.Type, _ method: String) throws(Thrown) -> Kind {
        guard case .object(let object) = this, let own = object as? Kind else {
            throw realm.typeError("Method \(method) called on incompatible receiver \(realm.describe(this))")
        }
        return own
    }

    /// For constructors that need `new`.
    package func requireNew(_ name: String) throws(Thrown) -> ScriptObject {
        guard let newTarget else { throw realm.typeError("Constructor \(name) requires 'new'") }
        return newTarget
    }

    package func call(_ function: ScriptObject, this: Value = .undefined, _ arguments: Value...) throws(Thrown) -> Value
    {
        try realm.call(function, this: this, arguments)
    }
}
