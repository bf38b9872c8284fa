/// A value that exists only outside: what a module of a package gives, and all that comes of it. Calling it, its members,
/// `new`, awaiting and taking it apart give opaque values again; where a real value is needed, an error says where it came
/// from.
package final class OpaqueObject: ScriptObject {
    /// Where it came from, as the program would write it: `Stack.of(scope).region`.
    package let origin: String

    /// The module that it was imported from, itself or what it comes of.
    package let module: Module?

    package struct Module: Sendable {
        package let address: String
        /// What messages call it, unless origins do already.
        let name: String?
        /// Where it is named.
        package let place: SourcePlace?
    }

    /// The origin with the module.
    package var fullOrigin: String { module?.name.map { "\(origin) of \"\($0)\"" } ?? origin }

    private static let originMax = 200

    package init(_ realm: Realm, origin: String, from module: Module? = nil) {
        self.module = module
        self.origin = origin.utf8.count > Self.originMax ? String(origin.prefix(Self.originMax)) + "..." : origin
        super.init(realm, prototype: nil)
        state.formUnion([.isCallable, .isConstructor, .isExotic, .isOpaque])
    }

    /// An opaque value that comes of this one.
    func following(_ step: String) -> Value { leading(to: origin + step) }

    /// The same for one whose origin is not written behind this one's.
    func leading(to origin: String) -> Value {
        .object(OpaqueObject(realm, origin: origin, from: module))
    }

    /// What awaiting it looks for: it is no promise, so it is its own result.
    private func isUnknown(_ key: PropertyKey) -> Bool {
        key != .known(.then) && !key.isSymbol
    }

    package override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        if let place = place(of: key) { return try value(at: place, receiver: receiver) }
        if key == .known(.iterator) || key == .known(.asyncIterator) { throw realm.opaqueUse(self, "as a list") }
        if !isUnknown(key) { return .undefined }
        return following(key.isIndex ? "[\(realm.describe(key))]" : ".\(realm.describe(key))")
    }

    package override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        put(key, value)
        return true
    }

    package override func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        if place(of: key) != nil { return true }
        throw realm.opaqueUse(self, "in a test for a property")
    }

    package override func delete(_ key: PropertyKey) throws(Thrown) -> Bool { true }

    package override func ownKeys() throws(Thrown) -> [PropertyKey] {
        throw realm.opaqueUse(self, "as an object whose properties are listed")
    }
}
