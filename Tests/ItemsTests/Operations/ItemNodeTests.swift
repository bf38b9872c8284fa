import JSON
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import Items

/// Two services over one database, of which the second has not heard what the first has changed.
@Suite(
    "Tables of several nodes", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct ItemNodeTests {
    /// Whether those who ask for what is missing are to end.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    @Test("a table is there for every call that begins behind its creation, however many ask for missing ones")
    func missing() async throws {
        let location = try TestDatabase.server()
        let (first, second) = (try TestTables(at: location), try TestTables(at: location))
        let end = End()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    while !end.isReached.load(ordering: .relaxed) {
                        let refusal = await second.refusal("DescribeTable", #"{"TableName": "None"}"#)
                        #expect(refusal.hasPrefix("ResourceNotFoundException"), "\(refusal)")
                    }
                }
            }
            group.addTask {
                defer { end.isReached.store(true, ordering: .relaxed) }
                for number in 0..<20 {
                    try await first.makeTable("Made\(number)")
                    try await second.done("DescribeTable", #"{"TableName": "Made\#(number)"}"#)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("an item goes into the table that is there, where one of its name was removed and made again")
    func again() async throws {
        let location = try TestDatabase.server()
        let (first, second) = (try TestTables(at: location), try TestTables(at: location))
        let item = #"{"TableName": "Things", "Item": {"p": {"S": "a"}, "s": {"N": "1"}}}"#
        for _ in 0..<3 {
            try await first.makeTable()
            try await second.done("PutItem", item)
            let found = try await first.done("Scan", #"{"TableName": "Things"}"#)
            #expect(found["Count"] == .integer(1))
            try await first.done("DeleteTable", #"{"TableName": "Things"}"#)
            #expect(await second.refusal("PutItem", item).hasPrefix("ResourceNotFoundException"))
        }
    }
}
