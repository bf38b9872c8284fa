import Synchronization

/// A place for an object that is made when somebody asks for it first.
///
/// Several threads may make it at the same time; all get the one that was ready first.
///
/// Hot path: the standard library's `AtomicLazyReference` does the same, but its `load` is not inlined, and looks up the metadata of
/// its type each time: 650 instructions instead of ten. For the same reason no value here has a type that depends on `Object`, such as
/// `Unmanaged<Object>`: code that is not specialized would look up that type's metadata.
package struct MadeOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of the object, which this place retains; zero where there is none yet.
    @usableFromInline
    package let address = Atomic<UInt>(0)

    @inlinable
    package init() {}

    deinit {
        if let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) {
            Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
    }

    /// The object, where there is one.
    @inlinable @inline(__always)
    package var known: Object? {
        guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
        return unsafeDowncast(Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue(), to: Object.self)
    }

    /// The object; where there is none yet, `make` makes it.
    @inlinable @inline(__always)
    package func object(orMake make: () -> Object) -> Object {
        if let known { return known }
        return keep(make())
    }

    /// Keeps an object unless another one was quicker. Returns the one that is kept.
    @usableFromInline
    package func keep(_ object: Object) -> Object {
        let made = Unmanaged<AnyObject>.passRetained(object)
        let desired = UInt(bitPattern: made.toOpaque())
        if address.compareExchange(expected: 0, desired: desired, ordering: .acquiringAndReleasing).exchanged {
            return object
        }
        made.release()
        return known ?? object
    }
}
