/// A `Map` or a `Set`.
package final class CollectionObject: ScriptObject {
    enum Kind: String {
        case map = "Map"
        case set = "Set"
    }

    let kind: Kind
    private(set) var entries = ValueTable()

    init(_ realm: Realm, _ kind: Kind, prototype: ScriptObject? = nil) {
        self.kind = kind
        super.init(realm, prototype: prototype ?? realm.prototype(kind == .map ? .map : .set))
    }

    deinit {
        if state.contains(.isDead) { return }
        var (keys, values) = entries.removeAll()
        realm.heap.release(&keys)
        realm.heap.release(&values)
    }

    override func clear() {
        super.clear()
        _ = entries.removeAll()
    }

    package override var className: String { kind.rawValue }

    private static let bytesOfEntry = 96

    package var count: Int { entries.count }

    package func value(of key: Value) -> Value? { entries.value(of: key) }

    package func set(_ key: Value, _ value: Value) throws(Thrown) {
        if entries.count >= realm.limits.listLength { throw .ended(.limit(.listLength)) }
        try realm.spend()
        if entries.set(key, value) { charge(Self.bytesOfEntry) }
    }

    func remove(_ key: Value) -> Bool {
        guard entries.remove(key) else { return false }
        charge(-Self.bytesOfEntry)
        return true
    }

    func removeAll() {
        charge(-Self.bytesOfEntry * entries.count)
        var (keys, values) = entries.removeAll()
        realm.heap.release(&keys)
        realm.heap.release(&values)
    }

    package func next(_ cursor: inout ValueTable.Cursor) -> (key: Value, value: Value)? { entries.next(&cursor) }
}

/// What goes through a map or a set.
final class CollectionIterator: ScriptObject {
    enum Kind {
        case keys, values, entries
    }

    private var target: CollectionObject?
    private let kind: Kind
    private var cursor = ValueTable.Cursor()
    let isOfMap: Bool

    init(_ target: CollectionObject, _ kind: Kind) {
        self.target = target
        self.kind = kind
        isOfMap = target.kind == .map
        super.init(target.realm, prototype: target.realm.prototype(isOfMap ? .mapIterator : .setIterator))
    }

    override func clear() {
        super.clear()
        target = nil
    }

    func next() -> Value {
        guard let entry = target?.next(&cursor) else {
            target = nil
            return realm.iteratorResult(.undefined, done: true)
        }
        switch kind {
        case .keys: return realm.iteratorResult(entry.key, done: false)
        case .values: return realm.iteratorResult(isOfMap ? entry.value : entry.key, done: false)
        case .entries:
            let value = isOfMap ? entry.value : entry.key
            return realm.iteratorResult(.object(realm.array([entry.key, value])), done: false)
        }
    }
}
