import JSON

/// A struct that an object of the configuration stands for, such as a queue of `queues`. Its members are listed once: for reading an
/// object, for taking one over another, and for showing it.
package protocol SettingObject: ConfigurationValue, Equatable {
    init()
    static var members: [SettingMember<Self>] { get }
}

extension SettingObject {
    package init?(configured value: JSONValue) {
        guard let object = value.object else { return nil }
        self.init()
        take(object)
    }

    /// Takes the members of an object; the others stay as they are.
    package mutating func take(_ object: JSONObject) {
        for member in Self.members {
            if let value = object[member.name] { member.read(value, &self) }
        }
    }

    /// The members that differ from those of an empty object.
    package var configured: JSONValue {
        .object(JSONObject(Self.members.compactMap { member in member.shown(self).map { (member.name, $0) } }))
    }
}

/// A member of such an object, with the field that it sets.
package struct SettingMember<Setting: SettingObject>: Sendable {
    let name: String
    /// Takes a checked value over.
    let read: @Sendable (JSONValue, inout Setting) -> Void
    /// The value of the field; nil: that which it has without the member.
    let shown: @Sendable (Setting) -> JSONValue?

    init(
        _ name: String, read: @escaping @Sendable (JSONValue, inout Setting) -> Void,
        shown: @escaping @Sendable (Setting) -> JSONValue?
    ) {
        (self.name, self.read, self.shown) = (name, read, shown)
    }

    init<Value: ConfigurationValue & Equatable>(
        _ name: String, _ field: any WritableKeyPath<Setting, Value> & Sendable, isAlwaysShown: Bool = false
    ) {
        self.init(name) { value, setting in
            if let value = Value(configured: value) { setting[keyPath: field] = value }
        } shown: { setting in
            let value = setting[keyPath: field]
            return isAlwaysShown || value != Setting()[keyPath: field] ? value.configured : nil
        }
    }
}
