/// `process.env`: its values are texts, whatever a program puts there, and the host hears of what is not there.
final class EnvironmentObject: ScriptObject {
    private let host: any NodeHost

    init(_ realm: Realm, _ host: any NodeHost) {
        self.host = host
        super.init(realm, prototype: realm.prototype(.object))
        state.insert(.isExotic)
    }

    override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        if key.isName, try !has(key) { host.missing(variable: realm.describe(key)) }
        return try super.get(key, receiver: receiver)
    }

    override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        try super.set(key, try text(of: value), receiver: receiver)
    }

    override func define(_ key: PropertyKey, _ descriptor: PropertyDescriptor) throws(Thrown) -> Bool {
        var descriptor = descriptor
        if let value = descriptor.value { descriptor.value = try text(of: value) }
        return try super.define(key, descriptor)
    }

    /// What is known only outside stays what it is.
    private func text(of value: Value) throws(Thrown) -> Value {
        if case .object(let object) = value, object.isOpaque { return value }
        return .text(try realm.toText(value))
    }
}
