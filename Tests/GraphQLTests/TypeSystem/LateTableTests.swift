import Synchronization
import Testing

@testable import GraphQL

@Suite("Tables that are made when they are asked for")
struct LateTableTests {
    @Test("nothing is made before, and one thing is what everybody gets")
    func makesOnce() async {
        let count = Mutex(0)
        let late = Late {
            count.withLock { $0 += 1 }
            return InputTable([])
        }
        let before = count.withLock { $0 }
        #expect(before == 0)
        let tables = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<64 { group.addTask { ObjectIdentifier(late.table.table) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tables.count == 1)
        let after = count.withLock { $0 }
        #expect(after >= 1)
        _ = late.table.table
        let again = count.withLock { $0 }
        #expect(again == after)
    }

    /// A noncopyable value in an object, which tasks can share.
    private final class Late: Sendable {
        let table: LateTable<InputTable>
        init(_ make: @escaping @Sendable () -> InputTable) { table = LateTable(make) }
    }
}
