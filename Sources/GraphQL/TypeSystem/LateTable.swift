import Synchronization

/// A table that is made when it is first asked for: of a schema's hundreds of types few are, and a start waits for none.
///
/// Two threads may make it at the same time; both get the one that was ready first.
struct LateTable<Table: AnyObject & Sendable>: ~Copyable, Sendable {
    private let made = AtomicLazyReference<Table>()
    private let make: @Sendable () -> Table

    init(_ make: @escaping @Sendable () -> Table) {
        self.make = make
    }

    var table: Table { made.load() ?? made.storeIfNil(make()) }
}
