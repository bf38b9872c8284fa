/// A function of the library or of the host.
package final class NativeFunction: ScriptObject {
    package typealias Body = @Sendable (borrowing NativeCall) throws(Thrown) -> Value

    let body: Body
    /// What some functions carry for their body: a promise to settle, a callback.
    private(set) var held: ContiguousArray<Value>
    private let name: Value
    private let length: Int

    init(
        _ realm: Realm, name: Value, length: Int, isConstructor: Bool = false, prototype: ScriptObject? = nil,
        held: ContiguousArray<Value> = [], _ body: @escaping Body
    ) {
        self.body = body
        self.held = held
        self.name = name
        self.length = length
        super.init(realm, prototype: prototype ?? realm.prototype(.function))
        state.formUnion([.isCallable, .isPending, .isNativeFunction])
        if isConstructor { state.insert(.isConstructor) }
    }

    /// Its name, as messages have it.
    var spelledName: String { if case .text(let text) = name { text.string } else { "" } }

    deinit {
        if state.contains(.isDead) { return }
        realm.heap.release(&held)
    }

    override func clear() {
        super.clear()
        held = []
    }

    package override var className: String { "Function" }

    override func prepare() {
        state.remove(.isPending)
        put(.known(.length), .number(Double(length)), .configurable)
        put(.known(.name), name, .configurable)
        super.prepare()
    }

    /// Changes what it carries.
    func hold(_ value: Value, at index: Int) {
        held[index] = value
    }
}
