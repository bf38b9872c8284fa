/// The getter and the setter of a property. It stands in a table as a value and never leaves it.
final class Accessor: ScriptObject {
    private(set) var getter: ScriptObject?
    private(set) var setter: ScriptObject?

    init(getter: ScriptObject?, setter: ScriptObject?, _ realm: Realm) {
        self.getter = getter
        self.setter = setter
        super.init(realm, prototype: nil)
    }

    override func clear() {
        super.clear()
        getter = nil
        setter = nil
    }
}
