/// An object of a program. This class is the ordinary object; others override the methods below, which are the internal
/// methods of the language under their meanings: `ownProperty` is [[GetOwnProperty]], `define` is [[DefineOwnProperty]].
///
/// An object belongs to its realm, which knows all that live: when it ends, it takes them apart, because they may hold one
/// another in circles. Whoever holds an object beyond that has an empty one.
package class ScriptObject {
    struct State: OptionSet {
        let rawValue: UInt16

        static let isExtensible = State(rawValue: 1)
        static let isCallable = State(rawValue: 2)
        static let isConstructor = State(rawValue: 4)
        /// Its properties are made when one is first asked for, by `prepare`.
        static let isPending = State(rawValue: 8)
        /// It overrides how properties are read, written or looked for.
        static let isExotic = State(rawValue: 16)
        /// Some property's key is an index, so lists that inherit from it must look.
        static let hasIndices = State(rawValue: 32)
        /// Its realm has ended.
        static let isDead = State(rawValue: 64)
        static let isOpaque = State(rawValue: 128)
        static let isArray = State(rawValue: 256)
        static let isScriptFunction = State(rawValue: 512)
        static let isNativeFunction = State(rawValue: 1024)
    }

    unowned(unsafe) package final let realm: Realm
    package final var prototype: ScriptObject?
    final var table = PropertyTable()
    final var state: State = .isExtensible
    /// What is charged for it, so that as much is given back.
    private final var charged: Int32 = 0
    // The neighbours in the realm's ring of objects that live.
    unowned(unsafe) final var previous: ScriptObject?
    unowned(unsafe) final var following: ScriptObject?

    private static let bytes: Int32 = 128
    private static let bytesOfProperty: Int32 = 32

    init(_ realm: Realm, prototype: ScriptObject?) {
        self.realm = realm
        self.prototype = prototype
        charged = Self.bytes
        realm.heap.enter(self)
    }

    deinit {
        if state.contains(.isDead) { return }
        realm.heap.leave(self, charged: Int(charged))
        realm.heap.release(&table, &prototype)
    }

    /// Lets go of all that it holds. Classes that hold more override it.
    func clear() {
        state.insert(.isDead)
        prototype = nil
        _ = table.removeAll()
    }

    /// Makes the properties of an object that is pending.
    func prepare() {
        state.remove(.isPending)
        realm.prepare(self)
    }

    /// The value of a deferred property; the number is what stood in its place.
    func deferredValue(_ key: PropertyKey, _ number: Int) -> Value { .undefined }

    /// Takes it out of the objects that live, which a realm takes apart. Whoever keeps it sees to it that it goes before the realm.
    final func keepOutOfHeap() {
        realm.heap.leave(self, charged: Int(charged))
        state.insert(.isDead)
    }

    final func charge(_ count: Int) {
        charged &+= Int32(truncatingIfNeeded: count)
        realm.heap.meter.charge(count)
    }

    /// What has been charged for it.
    final var chargedBytes: Int { Int(charged) }

    /// As `[object Name]` says it where no `Symbol.toStringTag` does.
    package var className: String { "Object" }

    package final var isCallable: Bool { state.contains(.isCallable) }
    package final var isConstructor: Bool { state.contains(.isConstructor) }
    package final var isOpaque: Bool { state.contains(.isOpaque) }

    // MARK: Internal methods

    package func getPrototype() throws(Thrown) -> ScriptObject? { prototype }

    package func setPrototype(_ new: ScriptObject?) throws(Thrown) -> Bool {
        if new === prototype { return true }
        // All others inherit from the prototype of objects, so its own is nothing for ever.
        guard state.contains(.isExtensible), self !== realm.prototype(.object) else { return false }
        // Exotic objects ask their prototype themselves, one inside the other.
        var exoticCount = state.contains(.isExotic) ? 1 : 0
        var ancestor = new
        while let object = ancestor {
            if object === self { return false }
            try realm.spend()
            if object.state.contains(.isExotic) { exoticCount += 1 }
            ancestor = object.prototype
        }
        if exoticCount > realm.limits.nativeDepth { throw .ended(.limit(.nativeDepth)) }
        prototype = new
        return true
    }

    package func isExtensible() throws(Thrown) -> Bool { state.contains(.isExtensible) }

    package func preventExtensions() throws(Thrown) -> Bool {
        if state.contains(.isPending) { prepare() }
        state.remove(.isExtensible)
        return true
    }

    package func ownProperty(_ key: PropertyKey) throws(Thrown) -> PropertyDescriptor? {
        ordinaryOwnProperty(key)
    }

    package func define(_ key: PropertyKey, _ descriptor: PropertyDescriptor) throws(Thrown) -> Bool {
        try ordinaryDefine(key, descriptor)
    }

    package func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        var holder = self
        while true {
            if holder.place(of: key) != nil { return true }
            guard let next = holder.prototype else { return false }
            if next.state.contains(.isExotic) { return try next.has(key) }
            holder = next
        }
    }

    package func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        var holder = self
        while true {
            if let place = holder.place(of: key) { return try holder.value(at: place, receiver: receiver) }
            guard let next = holder.prototype else { return .undefined }
            if next.state.contains(.isExotic) { return try next.get(key, receiver: receiver) }
            holder = next
        }
    }

    package func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        var holder = self
        while true {
            if let place = holder.place(of: key) {
                let attributes = holder.table.attributes(at: place)
                if attributes.contains(.accessor) {
                    return try holder.callSetter(at: place, value, receiver: receiver)
                }
                guard attributes.contains(.writable) else { return false }
                if case .object(let object) = receiver, object === holder {
                    holder.table.set(value, attributes.subtracting(.deferred), at: place)
                    return true
                }
                break
            }
            guard let next = holder.prototype else { break }
            if next.state.contains(.isExotic) { return try next.set(key, value, receiver: receiver) }
            holder = next
        }
        return try Self.setOnReceiver(key, value, receiver)
    }

    package func delete(_ key: PropertyKey) throws(Thrown) -> Bool {
        guard let place = place(of: key) else { return true }
        guard table.attributes(at: place).contains(.configurable) else { return false }
        table.remove(at: place)
        return true
    }

    package func ownKeys() throws(Thrown) -> [PropertyKey] {
        if state.contains(.isPending) { prepare() }
        return table.keys()
    }

    // MARK: How they are done for ordinary objects

    @inline(__always)
    final func place(of key: PropertyKey) -> Int? {
        if state.contains(.isPending) { prepare() }
        return table.place(of: key)
    }

    @inline(__always)
    final func value(at place: Int, receiver: Value) throws(Thrown) -> Value {
        let attributes = table.attributes(at: place)
        if attributes.isDisjoint(with: [.accessor, .deferred]) { return table.value(at: place) }
        return try unusualValue(at: place, receiver: receiver)
    }

    private final func unusualValue(at place: Int, receiver: Value) throws(Thrown) -> Value {
        if table.attributes(at: place).contains(.deferred) {
            resolveDeferred(at: place)
            return table.value(at: place)
        }
        guard let getter = accessor(at: place)?.getter else { return .undefined }
        return try realm.call(getter, this: receiver, [])
    }

    private final func resolveDeferred(at place: Int) {
        guard case .number(let number) = table.value(at: place) else { return }
        let key = table.key(at: place)
        let value = deferredValue(key, Int(number))
        // Making the value may have looked at this very table, not changed what is deferred in it.
        guard let place = table.place(of: key) else { return }
        table.set(value, table.attributes(at: place).subtracting(.deferred), at: place)
    }

    final func accessor(at place: Int) -> Accessor? {
        guard case .object(let object) = table.value(at: place) else { return nil }
        return object as? Accessor
    }

    final func isAccessor(at place: Int) -> Bool { table.attributes(at: place).contains(.accessor) }

    final func callSetter(at place: Int, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        guard let setter = accessor(at: place)?.setter else { return false }
        _ = try realm.call(setter, this: receiver, [value])
        return true
    }

    static func setOnReceiver(_ key: PropertyKey, _ value: Value, _ receiver: Value) throws(Thrown) -> Bool {
        guard case .object(let receiver) = receiver else { return false }
        if !receiver.state.contains(.isExotic) {
            if let place = receiver.place(of: key) {
                let attributes = receiver.table.attributes(at: place)
                if attributes.contains(.accessor) || !attributes.contains(.writable) { return false }
                receiver.table.set(value, attributes.subtracting(.deferred), at: place)
                return true
            }
            guard receiver.state.contains(.isExtensible) else { return false }
            try receiver.append(key, value, .all)
            return true
        }
        var change = PropertyDescriptor()
        if let existing = try receiver.ownProperty(key) {
            if existing.isAccessor || existing.isWritable == false { return false }
            change.value = value
        } else {
            change = PropertyDescriptor(plain: value)
        }
        return try receiver.define(key, change)
    }

    /// A new property; that there is none yet has been looked at.
    final func append(
        _ key: PropertyKey, _ value: Value, _ attributes: PropertyTable.Attributes
    ) throws(Thrown) {
        if table.count >= realm.limits.listLength { throw .ended(.limit(.listLength)) }
        insert(key, value, attributes)
    }

    private final func insert(_ key: PropertyKey, _ value: Value, _ attributes: PropertyTable.Attributes) {
        if key.isIndex { state.insert(.hasIndices) }
        charge(Int(Self.bytesOfProperty))
        table.append(key, value, attributes)
    }

    final func ordinaryOwnProperty(_ key: PropertyKey) -> PropertyDescriptor? {
        guard let place = place(of: key) else { return nil }
        if table.attributes(at: place).contains(.deferred) { resolveDeferred(at: place) }
        let attributes = table.attributes(at: place)
        var descriptor = PropertyDescriptor()
        descriptor.isEnumerable = attributes.contains(.enumerable)
        descriptor.isConfigurable = attributes.contains(.configurable)
        if attributes.contains(.accessor) {
            let accessor = accessor(at: place)
            descriptor.getter = accessor?.getter.map { .object($0) } ?? .undefined
            descriptor.setter = accessor?.setter.map { .object($0) } ?? .undefined
        } else {
            descriptor.value = table.value(at: place)
            descriptor.isWritable = attributes.contains(.writable)
        }
        return descriptor
    }

    /// ValidateAndApplyPropertyDescriptor
    final func ordinaryDefine(_ key: PropertyKey, _ new: PropertyDescriptor) throws(Thrown) -> Bool {
        guard let place = place(of: key) else {
            guard state.contains(.isExtensible) || key.isPrivate else { return false }
            try append(key, storedValue(new, over: nil), Self.attributes(new, over: nil))
            return true
        }
        guard let old = ordinaryOwnProperty(key) else { return false }
        guard Self.isChangeAllowed(from: old, to: new) else { return false }
        table.set(storedValue(new, over: old), Self.attributes(new, over: old), at: place)
        return true
    }

    static func isChangeAllowed(from old: PropertyDescriptor, to new: PropertyDescriptor) -> Bool {
        if old.isConfigurable == true { return true }
        if new.isConfigurable == true { return false }
        if let isEnumerable = new.isEnumerable, isEnumerable != old.isEnumerable { return false }
        if !new.isData && !new.isAccessor { return true }
        if new.isAccessor != old.isAccessor { return false }
        if old.isAccessor {
            if let getter = new.getter, !getter.isSameValue(as: old.getter ?? .undefined) { return false }
            if let setter = new.setter, !setter.isSameValue(as: old.setter ?? .undefined) { return false }
            return true
        }
        if old.isWritable == true { return true }
        if new.isWritable == true { return false }
        if let value = new.value, !value.isSameValue(as: old.value ?? .undefined) { return false }
        return true
    }

    private func storedValue(_ new: PropertyDescriptor, over old: PropertyDescriptor?) -> Value {
        let isAccessor = new.isAccessor || (!new.isData && old?.isAccessor == true)
        guard isAccessor else { return new.value ?? (old?.isAccessor == true ? nil : old?.value) ?? .undefined }
        return .object(
            Accessor(
                getter: (new.getter ?? old?.getter)?.object, setter: (new.setter ?? old?.setter)?.object, realm))
    }

    private static func attributes(
        _ new: PropertyDescriptor, over old: PropertyDescriptor?
    ) -> PropertyTable.Attributes {
        var attributes: PropertyTable.Attributes = []
        if new.isEnumerable ?? old?.isEnumerable ?? false { attributes.insert(.enumerable) }
        if new.isConfigurable ?? old?.isConfigurable ?? false { attributes.insert(.configurable) }
        if new.isAccessor || (!new.isData && old?.isAccessor == true) {
            attributes.insert(.accessor)
        } else if new.isWritable ?? (old?.isAccessor == true ? false : old?.isWritable) ?? false {
            attributes.insert(.writable)
        }
        return attributes
    }
}

extension ScriptObject {
    // MARK: For those who make objects

    /// Puts a property on an object that was just made, or replaces one of its own: no setter is called, no attribute asked.
    final func put(_ key: PropertyKey, _ value: Value, _ attributes: PropertyTable.Attributes = .all) {
        if let place = place(of: key) {
            table.set(value, attributes, at: place)
        } else {
            insert(key, value, attributes)
        }
    }

    package final func put(_ name: WellKnownName, _ value: Value) {
        put(.known(name), value)
    }

    package final func put(_ name: String, _ value: Value) {
        put(realm.key(name), value)
    }

    // MARK: The abstract operations

    /// Get
    @inline(__always)
    package final func get(_ key: PropertyKey) throws(Thrown) -> Value {
        try get(key, receiver: .object(self))
    }

    package final func get(_ name: WellKnownName) throws(Thrown) -> Value {
        try get(.known(name), receiver: .object(self))
    }

    package final func get(_ name: String) throws(Thrown) -> Value {
        try get(realm.key(name), receiver: .object(self))
    }

    /// Get of an index that may be beyond those of lists.
    package final func get(index: Double) throws(Thrown) -> Value {
        try get(realm.key(index: index), receiver: .object(self))
    }

    /// Set, with an error where it cannot be.
    package final func set(_ key: PropertyKey, _ value: Value) throws(Thrown) {
        if try !set(key, value, receiver: .object(self)) { throw realm.cannotAssign(key, to: .object(self)) }
    }

    package final func set(_ name: WellKnownName, _ value: Value) throws(Thrown) {
        try set(.known(name), value)
    }

    package final func set(index: Double, _ value: Value) throws(Thrown) {
        try set(realm.key(index: index), value)
    }

    /// CreateDataProperty
    package final func createProperty(_ key: PropertyKey, _ value: Value) throws(Thrown) -> Bool {
        try define(key, PropertyDescriptor(plain: value))
    }

    /// CreateDataPropertyOrThrow
    package final func create(_ key: PropertyKey, _ value: Value) throws(Thrown) {
        if try !createProperty(key, value) { throw realm.cannotDefine(key, on: self) }
    }

    /// DefinePropertyOrThrow
    package final func defineOrThrow(_ key: PropertyKey, _ descriptor: PropertyDescriptor) throws(Thrown) {
        if try !define(key, descriptor) { throw realm.cannotDefine(key, on: self) }
    }

    /// DeletePropertyOrThrow
    package final func deleteOrThrow(_ key: PropertyKey) throws(Thrown) {
        if try !delete(key) {
            throw realm.typeError("Cannot delete property '\(realm.describe(key))' of \(realm.describe(.object(self)))")
        }
    }

    /// HasOwnProperty
    package final func hasOwn(_ key: PropertyKey) throws(Thrown) -> Bool {
        try ownProperty(key) != nil
    }

    /// GetMethod: nothing where it is undefined or null.
    package final func method(_ key: PropertyKey) throws(Thrown) -> ScriptObject? {
        try realm.method(.object(self), key)
    }
}
