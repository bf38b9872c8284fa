import Testing

@testable import Postgres

@Suite("Memory for rows")
struct RowMemoryTests {
    private let limits: PostgresLimits = {
        var limits = PostgresLimits()
        limits.spareRowBytes = 8 << 10
        return limits
    }()

    /// Memory with one row of one value.
    private static func filled(_ spare: SpareRowMemory, bytes: Int) throws -> RowMemory {
        let memory = RowMemory(spare)
        var body = MessageWriter()
        body.row([.bytea([UInt8](repeating: 7, count: bytes))])
        #expect(body.bytes.withUnsafeBytes { memory.append($0, columns: 1) })
        #expect(memory.byteCount == bytes + 4 && memory.placeCount == 1)
        return memory
    }

    @Test("is used again by the next rows when nobody reads these any more")
    func again() throws {
        let spare = SpareRowMemory(limits: limits)
        var first: RowMemory? = try Self.filled(spare, bytes: 3_000)
        let address = first?.bytes
        #expect(spare.byteCount == 0)
        let second = try Self.filled(spare, bytes: 10)
        #expect(second.bytes != address)
        first = nil
        let kept = spare.byteCount
        #expect(kept >= 3_004 && kept <= limits.spareRowBytes)
        let third = try Self.filled(spare, bytes: 20)
        #expect(third.bytes == address && spare.byteCount == 0)
        withExtendedLifetime(second) {}
    }

    @Test("is kept once, the larger one, and up to a limit")
    func limit() throws {
        let spare = SpareRowMemory(limits: limits)
        let sizes = [100, 5_000, 2_000]
        // None is given back before all are there.
        var all = try sizes.map { try Self.filled(spare, bytes: $0) }
        let large = all[1].bytes
        all = []
        #expect(try Self.filled(spare, bytes: 1).bytes == large)
        #expect(spare.byteCount >= 5_000)
        let taken = spare.take()
        #expect(taken != nil)
        taken?.free()
        _ = try Self.filled(spare, bytes: limits.spareRowBytes)
        #expect(spare.byteCount == 0)
    }
}
