/// An object of the host: it carries state in Swift, and its methods are native functions that find it as their `this`.
///
///     static let model = HostClass("ModelType", [
///         .method("authorization", length: 1) { call in
///             let model: Model = try call.payload()
///             ...
///             return call.this
///         }
///     ])
///     realm.hostObject(model, Model())
package final class HostObject: ScriptObject {
    package private(set) var payload: AnyObject?
    private let kind: HostClass

    init(_ realm: Realm, _ kind: HostClass, _ payload: AnyObject, prototype: ScriptObject) {
        self.payload = payload
        self.kind = kind
        super.init(realm, prototype: prototype)
        if kind.missing != nil { state.insert(.isExotic) }
    }

    package override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        guard let missing = kind.missing, key.isName, try !has(key) else {
            return try super.get(key, receiver: receiver)
        }
        return try missing(self, realm.describe(key))
    }

    override func clear() {
        super.clear()
        payload = nil
    }

    package override var className: String { kind.name }
}

/// What host objects of a kind have in common.
package final class HostClass: Sendable {
    let name: String
    let properties: [NativeProperty]
    let parent: HostClass?
    /// What a property is that none of its objects has: a value, or an error that says what they have.
    package typealias Missing = @Sendable (HostObject, String) throws(Thrown) -> Value
    let missing: Missing?

    package init(
        _ name: String, parent: HostClass? = nil, _ properties: [NativeProperty], missing: Missing? = nil
    ) {
        self.name = name
        self.properties = properties
        self.parent = parent
        self.missing = missing
    }
}

extension Realm {
    package func hostObject(_ kind: HostClass, _ payload: AnyObject) -> HostObject {
        HostObject(self, kind, payload, prototype: prototype(kind))
    }

    package func prototype(_ kind: HostClass) -> ScriptObject {
        if let known = hostClasses[ObjectIdentifier(kind)] { return known }
        let parent = kind.parent.map { prototype($0) } ?? prototype(.object)
        let object = object({ kind.properties }, prototype: parent)
        hostClasses[ObjectIdentifier(kind)] = object
        return object
    }
}

extension NativeCall {
    /// What the host object carries that the function is called on.
    package func payload<Payload: AnyObject>(_ type: Payload.Type = Payload.self) throws(Thrown) -> Payload {
        guard case .object(let object) = this, let payload = (object as? HostObject)?.payload as? Payload else {
            throw realm.typeError("Method called on incompatible receiver \(realm.describe(this))")
        }
        return payload
    }
}
