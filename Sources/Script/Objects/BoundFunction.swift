/// What `bind` makes.
final class BoundFunction: ScriptObject {
    private(set) var target: ScriptObject?
    private(set) var this: Value
    private(set) var arguments: ContiguousArray<Value>

    init(
        _ realm: Realm, target: ScriptObject, this: Value, _ arguments: ContiguousArray<Value>, prototype: ScriptObject?
    ) {
        self.target = target
        self.this = this
        self.arguments = arguments
        super.init(realm, prototype: prototype)
        state.insert(.isCallable)
        if target.isConstructor { state.insert(.isConstructor) }
        charge(arguments.count * 16)
    }

    deinit {
        if state.contains(.isDead) { return }
        var others: [AnyObject] = []
        if let target { others.append(target) }
        target = nil
        realm.heap.release(&others)
        arguments.append(this)
        this = .undefined
        realm.heap.release(&arguments)
    }

    override func clear() {
        super.clear()
        target = nil
        this = .undefined
        arguments = []
    }

    override var className: String { "Function" }
}
