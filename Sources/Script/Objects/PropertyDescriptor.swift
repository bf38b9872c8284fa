/// What a property is, or what it is to become: what is nil then stays as it is.
package struct PropertyDescriptor {
    package var value: Value?
    /// Undefined: there is none.
    package var getter: Value?
    package var setter: Value?
    package var isWritable: Bool?
    package var isEnumerable: Bool?
    package var isConfigurable: Bool?

    package init() {}

    package init(_ value: Value, isWritable: Bool, isEnumerable: Bool, isConfigurable: Bool) {
        self.value = value
        self.isWritable = isWritable
        self.isEnumerable = isEnumerable
        self.isConfigurable = isConfigurable
    }

    /// Of a property as an assignment makes it.
    package init(plain value: Value) {
        self.init(value, isWritable: true, isEnumerable: true, isConfigurable: true)
    }

    init(getter: Value?, setter: Value?, isEnumerable: Bool?, isConfigurable: Bool?) {
        self.getter = getter
        self.setter = setter
        self.isEnumerable = isEnumerable
        self.isConfigurable = isConfigurable
    }

    package var isAccessor: Bool { getter != nil || setter != nil }
    package var isData: Bool { value != nil || isWritable != nil }
}
