import Threads

/// A table that is made when it is first asked for: of a schema's hundreds of types few are, and a start waits for none.
struct LateTable<Table: AnyObject & Sendable>: ~Copyable, Sendable {
    private let made = MadeOnce<Table>()
    private let make: @Sendable () -> Table

    init(_ make: @escaping @Sendable () -> Table) {
        self.make = make
    }

    var table: Table { made.object(orMake: make) }
}
