/// A large value behind a reference: whoever stores it copies eight bytes and counts one reference.
///
/// A struct that holds other structs by value copies and counts every part of them, inlined at each place. One over 256 bytes
/// belongs behind this; `scripts/stored-sizes` looks at the compiled program.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}
