/// An object around a text, whose units are properties.
package final class TextObject: ScriptObject {
    package let text: Text

    package init(_ realm: Realm, _ text: Text, prototype: ScriptObject) {
        self.text = text
        super.init(realm, prototype: prototype)
        state.insert(.isExotic)
    }

    package override var className: String { "String" }

    private func unit(_ key: PropertyKey) -> PropertyDescriptor? {
        if let index = key.index, Int(index) < text.count {
            return PropertyDescriptor(
                .text(realm.text(unit: text[Int(index)])), isWritable: false, isEnumerable: true,
                isConfigurable: false)
        }
        if key == .known(.length) {
            return PropertyDescriptor(
                .number(Double(text.count)), isWritable: false, isEnumerable: false, isConfigurable: false)
        }
        return nil
    }

    package override func ownProperty(_ key: PropertyKey) throws(Thrown) -> PropertyDescriptor? {
        unit(key) ?? ordinaryOwnProperty(key)
    }

    package override func define(_ key: PropertyKey, _ descriptor: PropertyDescriptor) throws(Thrown) -> Bool {
        if let unit = unit(key) { return Self.isChangeAllowed(from: unit, to: descriptor) }
        return try ordinaryDefine(key, descriptor)
    }

    package override func has(_ key: PropertyKey) throws(Thrown) -> Bool {
        if unit(key) != nil { return true }
        return try super.has(key)
    }

    package override func get(_ key: PropertyKey, receiver: Value) throws(Thrown) -> Value {
        if let unit = unit(key) { return unit.value ?? .undefined }
        return try super.get(key, receiver: receiver)
    }

    package override func set(_ key: PropertyKey, _ value: Value, receiver: Value) throws(Thrown) -> Bool {
        if unit(key) != nil { return false }
        return try super.set(key, value, receiver: receiver)
    }

    package override func delete(_ key: PropertyKey) throws(Thrown) -> Bool {
        if unit(key) != nil { return false }
        return try super.delete(key)
    }

    package override func ownKeys() throws(Thrown) -> [PropertyKey] {
        let own = try super.ownKeys()
        let firstName = own.firstIndex { !$0.isIndex } ?? own.count
        var keys = (0..<text.count).map { PropertyKey(index: UInt32(truncatingIfNeeded: $0)) }
        keys += own[..<firstName]
        keys.append(.known(.length))
        keys += own[firstName...]
        return keys
    }
}
