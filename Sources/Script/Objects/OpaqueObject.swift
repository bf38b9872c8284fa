/// A value that exists only outside: what a module of a package gives, and all that comes of it. Calling it, its members,
/// `new`, awaiting and taking it apart give opaque values again; where a real value is needed, an error says where it came
/// from.
package final class OpaqueObject: ScriptObject {
    /// Where it came from, as the program would write it: `Stack.of(scope).region`.
    package let origin: String

    /// The module that it was imported from, itself or what it comes of.
    package let module: Module?

    /// What made it of other values.
    package enum Making {
        /// It was there.
        case none
        /// It is a member of another, by this name.
        case member(OpaqueObject, String)
        /// A call, or `new`, with these arguments.
        case call([Value])
        /// A template with these texts, and a value between each two.
        case template([String], [Value])
    }

    package let making: Making
    /// What was called to make it, where a call did.
    package internal(set) var function: OpaqueObject?

    package struct Module: Sendable {
        package let address: String
        /// What messages call it, unless origins do already.
        let name: String?
        /// Where it is named.
        package let place: SourcePlace?
    }

    /// The origin with the module.
    package var fullOrigin: String { module?.name.map { "\(origin) of \"\($0)\"" } ?? origin }

    /// The module whose exports its members are.
    weak var namespaceOf: ModuleRecord?
    /// True if the properties that were put are all that it has, so that they can be listed: the tables of models.
    package var isListed = false
    /// True if it has nothing but what was put: any other member is undefined.
    package var isClosed = false
    /// True if it was made as an object of a class of the program's own, whose members are its own affair.
    package internal(set) var isExtended = false
    /// What it is a copy of, which a literal made: `{ ...auth, name: 'x' }`, `[...names]`.
    package internal(set) var spreadOf: OpaqueObject?

    private static let originMax = 200

    package init(_ realm: Realm, origin: String, from module: Module? = nil, by making: Making = .none) {
        self.module = module
        self.making = making
        self.origin = origin.utf8.count > Self.originMax ? String(origin.prefix(Self.originMax)) + "..." : origin
        super.init(realm, prototype: nil)
        state.formUnion([.isCallable, .isConstructor, .isExotic, .isOpaque])
    }

    /// An opaque value that comes of this one.
    func following(_ step: String, by making: Making = .none) -> Value { leading(to: origin + step, by: making) }

    /// A member that is put, so that it is always the same and can be listed.
    @discardableResult
    package func putMember(_ name: String) -> OpaqueObject {
        let member = OpaqueObject(realm, origin: "\(origin).\(name)", from: module, by: .member(self, name))
        put(name, .object(member))
        return member
    }

    /// The same for one whose origin is not written behind this one's.
    func leading(to origin: String, by making: Making = .none) -> Value {
        .object(OpaqueObject(realm, origin: origin, from: module, by: making))
    }

    /// What is made under a name of the program's own has that name: `new RestApi(scope, id, { restApiName: 'shop' }).restApiName`.
    private func givenName(_ key: PropertyKey) throws(Thrown) -> Value? {
        guard case .call(let given) = making, case .object(let options)? = given.last, !options.isOpaque,
            options.place(of: key) != nil, realm.describe(key).hasSuffix("Name"), origin.hasPrefix("new ")
        else { return nil }
        guard case .text(let name) = try options.get(key) else { return nil }
        return .text(name)
    }

    /// The member under a key of the program's own classes, if this is an object of one: it comes before what exists only outside.
    private func own(_ key: PropertyKey) -> (holder: ScriptObject, place: Int)? {
        var holder = prototype
        while let object = holder, !object.isOpaque {
            if let place = object.place(of: key) { return (object, place) }
            holder = object.prototype
        }
        return nil
    }

    package override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        if let place = place(of: key) { return try value(at: place, receiver: receiver) }
        if let (holder, place) = own(key) { return try holder.value(at: place, receiver: receiver) }
        // `super.member` in such a class
        if case .object(let object as OpaqueObject) = receiver, object !== self, object.isExtended {
            return try object.outsideValue(key)
        }
        return try outsideValue(key)
    }

    private func outsideValue(_ key: PropertyKey) throws(Thrown) -> Value {
        if let place = place(of: key) { return try value(at: place, receiver: .object(self)) }
        if key == .known(.iterator) || key == .known(.asyncIterator) { throw realm.opaqueUse(self, "as a list") }
        if key.isSymbol || isClosed { return .undefined }
        if let name = try givenName(key) { return name }
        if let whole = namespaceOf, let part = realm.part(key, of: whole) { return .object(try realm.namespace(part)) }
        let name = realm.describe(key)
        if let constant = realm.host.constant(name, of: self) { return realm.value(constant) }
        return following(key.isIndex ? "[\(name)]" : ".\(name)", by: .member(self, name))
    }

    package override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        if let (holder, place) = own(key), holder.isAccessor(at: place) {
            return try holder.callSetter(at: place, value, receiver: receiver)
        }
        put(key, value)
        realm.host.assigns(to: self, realm.describe(key), in: realm)
        return true
    }

    /// The properties that were put or assigned.
    package var assignedKeys: [PropertyKey] { (try? super.ownKeys()) ?? [] }

    package override func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        if place(of: key) != nil || own(key) != nil { return true }
        if isListed || isClosed { return false }
        return try realm.holds(self, "in a test for a property")
    }

    package override func delete(_ key: PropertyKey) throws(Thrown) -> Bool { true }

    package override func ownKeys() throws(Thrown) -> [PropertyKey] {
        if isListed { return try super.ownKeys() }
        if realm.host.passesOver(self, in: realm) { return [] }
        throw realm.opaqueUse(self, "as an object whose properties are listed")
    }
}
