import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that is killed has every item that it said is put, and its indexes with them.
@Suite("A killed server with items", .serialized)
struct KillItemsTests {
    private static let clientCount = 4
    private static let killCount = 3
    private static let table =
        #"{"TableName": "Things", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "GlobalSecondaryIndexes": [{"IndexName": "byG", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}"#

    /// What the clients were told.
    private final class Acknowledged: Sendable {
        private let ids = Mutex<Set<String>>([])
        var all: Set<String> { ids.withLock { $0 } }

        /// Answers how many there are.
        func note(_ id: String) -> Int {
            ids.withLock { ids in
                ids.insert(id)
                return ids.count
            }
        }
    }

    @Test("has every item that it acknowledged, in its table and its index")
    func keeps() async throws {
        var random = SeededRandom(test: "KillItemsTests")
        let folder = TemporaryFolder()
        let acknowledged = Acknowledged()
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run { Unchecked(try HomeportProcess(in: folder)) }
            if kill == 0 {
                let status = try await BlockingThread.run {
                    try SignedCall.item("CreateTable", Self.table, to: server.value).answer(from: server.value).status
                }
                #expect(status == 200)
            }
            for index in ["", #", "IndexName": "byG""#] {
                let found = try await BlockingThread.run {
                    try SignedCall.item("Scan", #"{"TableName": "Things"\#(index)}"#, to: server.value)
                        .answer(from: server.value).body
                }
                for id in acknowledged.all {
                    #expect(found.contains("\"\(id)\""), "after kill \(kill): \(id) is gone")
                }
            }
            guard kill < Self.killCount else {
                #expect(acknowledged.all.count >= Self.killCount)
                server.value.signal(SIGTERM)
                break
            }
            let goal = acknowledged.all.count + Int.random(in: 1...40, using: &random)
            let identifier = server.value.identifier
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<Self.clientCount {
                    group.addTask {
                        try await BlockingThread.run {
                            for number in 0..<10_000 {
                                let id = "k\(kill)-\(client)-\(number)"
                                let body = #"{"TableName": "Things", "Item": {"id": {"S": "\#(id)"}, "g": {"S": "g"}}}"#
                                guard
                                    let answer = try? SignedCall.item("PutItem", body, to: server.value)
                                        .answer(from: server.value), answer.status == 200
                                else { return }
                                if acknowledged.note(id) >= goal { Foundation.kill(identifier, SIGKILL) }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
    }
}
