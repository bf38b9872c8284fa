/// An object around a number, a truth value or a symbol.
package final class PrimitiveObject: ScriptObject {
    package let value: Value

    package init(_ realm: Realm, _ value: Value, prototype: ScriptObject) {
        self.value = value
        super.init(realm, prototype: prototype)
    }

    package override var className: String {
        switch value {
        case .number: "Number"
        case .boolean: "Boolean"
        default: "Object"
        }
    }
}
