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
        for (number, row) in kind.own.enumerated() {
            put(realm.key(row.key), .number(Double(number)), PropertyTable.Attributes.all.union(.deferred))
        }
    }

    /// A function of its own, which knows the object that it was made for.
    override func deferredValue(_ key: PropertyKey, _ number: Int) -> Value {
        guard kind.own.indices.contains(number), case .method(let length, let body) = kind.own[number].content else {
            return .undefined
        }
        return .object(realm.function(kind.own[number].name, length: length, held: [.object(self)], body))
    }

    package override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        guard let missing = kind.missing, key.isName, try !super.has(key) else {
            return try super.get(key, receiver: receiver)
        }
        return try missing(self, realm.describe(key))
    }

    /// Returns whether there is a property. Where the kind says what is missing, a name that is not there may be one of the real object's.
    package override func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        if try super.has(key) { return true }
        if let inspected = kind.inspected, key.isName { try inspected(self) }
        return false
    }

    package override func ownProperty(_ key: PropertyKey) throws(Thrown) -> PropertyDescriptor? {
        if let own = try super.ownProperty(key) { return own }
        if let inspected = kind.inspected, key.isName { try inspected(self) }
        return nil
    }

    package override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        // Nobody looks into it to put a property of its own there.
        if kind.inspected != nil, case .object(let object) = receiver, object === self,
            state.contains(.isExtensible), try !super.has(key)
        {
            try append(key, value, .all)
            return true
        }
        return try super.set(key, value, receiver: receiver)
    }

    package override func ownKeys() throws(Thrown) -> [PropertyKey] {
        if let inspected = kind.inspected { try inspected(self) }
        return try super.ownKeys()
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
    /// Methods that each object has for itself, where programs can list them. Each holds its object.
    let own: [NativeProperty]
    /// What a property is that none of its objects has: a value, or an error that says what they have.
    package typealias Missing = @Sendable (HostObject, String) throws(Thrown) -> Value
    let missing: Missing?
    /// What a program gets that looks into one of its objects: lists its properties, or asks for one that is not there. Nil: they are as
    /// they look.
    package typealias Inspected = @Sendable (HostObject) throws(Thrown) -> Void
    let inspected: Inspected?

    package init(
        _ name: String, parent: HostClass? = nil, _ properties: [NativeProperty], own: [NativeProperty] = [],
        missing: Missing? = nil, inspected: Inspected? = nil
    ) {
        self.own = own
        self.inspected = inspected
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
    /// What the host object carries that a method of its own was made for, whatever it is called on.
    package func heldPayload<Payload: AnyObject>(_ type: Payload.Type = Payload.self) throws(Thrown) -> Payload {
        guard case .object(let object) = held(0), let payload = (object as? HostObject)?.payload as? Payload else {
            throw realm.typeError("Method called on incompatible receiver \(realm.describe(this))")
        }
        return payload
    }

    /// What the host object carries that the function is called on.
    package func payload<Payload: AnyObject>(_ type: Payload.Type = Payload.self) throws(Thrown) -> Payload {
        guard case .object(let object) = this, let payload = (object as? HostObject)?.payload as? Payload else {
            throw realm.typeError("Method called on incompatible receiver \(realm.describe(this))")
        }
        return payload
    }
}
