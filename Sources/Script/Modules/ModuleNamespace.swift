/// What `import * as name` gives: the exports of a module, in the order of the alphabet, as they are at the time.
final class ModuleNamespace: ScriptObject {
    private var exports: [(key: PropertyKey, binding: ModuleRecord.Binding)] = []
    private var places: [PropertyKey: Int] = [:]
    /// The module, where it passes on all exports of one of which nothing is known: any name may be one of those.
    private weak var open: ModuleRecord?

    init(_ realm: Realm) {
        super.init(realm, prototype: nil)
        state.formUnion([.isExotic])
        state.remove(.isExtensible)
        table.append(.known(.toStringTag), realm.value("Module"), [])
    }

    func fill(_ exports: [(key: PropertyKey, binding: ModuleRecord.Binding)], open: ModuleRecord?) {
        self.exports = exports
        self.open = open
        for (place, export) in exports.enumerated() { places[export.key] = place }
    }

    override func clear() {
        super.clear()
        exports = []
        places = [:]
    }

    override var className: String { "Module" }

    private func value(_ key: PropertyKey) throws(Thrown) -> Value? {
        guard let binding = places[key].map({ exports[$0].binding }) ?? unknownExport(key) else { return nil }
        switch binding {
        case .cell(let cell):
            if case .absent = cell.value {
                throw realm.referenceError("Cannot access '\(realm.describe(key))' before initialization")
            }
            return cell.value
        case .namespace(let module): return .object(try realm.namespace(module))
        }
    }

    private func unknownExport(_ key: PropertyKey) -> ModuleRecord.Binding? {
        // What waits for the namespace, or prints it, looks for these.
        guard let open, key.name != nil, key != .known(.then), key != .known(.default),
            !["toJSON", "__esModule"].contains(realm.describe(key))
        else { return nil }
        return realm.unknownExport(key, of: open)
    }

    override func setPrototype(_ new: ScriptObject?) throws(Thrown) -> Bool { new == nil }

    override func ownProperty(_ key: PropertyKey) throws(Thrown) -> PropertyDescriptor? {
        if key.isSymbol { return ordinaryOwnProperty(key) }
        guard places[key] != nil else { return nil }
        return try value(key).map {
            PropertyDescriptor($0, isWritable: true, isEnumerable: true, isConfigurable: false)
        }
    }

    override func define(_ key: PropertyKey, _ descriptor: PropertyDescriptor) throws(Thrown) -> Bool {
        if key.isSymbol || key.isPrivate { return try ordinaryDefine(key, descriptor) }
        guard let current = try value(key) else { return false }
        if descriptor.isConfigurable == true || descriptor.isEnumerable == false || descriptor.isAccessor
            || descriptor.isWritable == false
        {
            return false
        }
        return descriptor.value.map { $0.isSameValue(as: current) } ?? true
    }

    override func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        key.isSymbol ? place(of: key) != nil : places[key] != nil
    }

    override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        if key.isSymbol { return try super.get(key, receiver: receiver) }
        return try value(key) ?? .undefined
    }

    override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool { false }

    override func delete(_ key: PropertyKey) throws(Thrown) -> Bool {
        key.isSymbol ? try super.delete(key) : places[key] == nil
    }

    override func ownKeys() throws(Thrown) -> [PropertyKey] {
        exports.map(\.key) + (try super.ownKeys())
    }
}
