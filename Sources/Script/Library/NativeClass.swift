/// A class of the library: its constructor and its prototype, as tables. `Intrinsic` lists them all.
package struct NativeClass: Sendable {
    package var name: String
    package var length = 0
    /// Whose prototype the prototype inherits from.
    package var prototypeParent: Intrinsic? = .object
    /// Which constructor the constructor inherits from, if not functions' prototype.
    package var constructorParent: Intrinsic?
    /// Iterators' prototypes have none.
    package var hasConstructor = true
    /// The prototype's `constructor` cannot be written.
    package var hidesConstructor = false
    /// Of the prototype of generator functions: the class of what they make.
    package var prototypeOfFunctions: Intrinsic?
    /// Of what generator functions make: the class of those functions, which is its `constructor`.
    package var functionsClass: Intrinsic?
    /// What the prototype is, where it is no ordinary object.
    package var makePrototype: (@Sendable (Realm, ScriptObject?) -> ScriptObject)?
    package var statics: [NativeProperty] = []
    package var properties: [NativeProperty] = []
    package var construct: NativeFunction.Body = { call throws(Thrown) in
        throw call.realm.typeError("Illegal constructor")
    }
}
