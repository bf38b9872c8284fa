import JSON
import Testing

@testable import UserPool

@Suite("The queue of messages")
struct MessageQueueTests {
    @Test("keeps the latest, and beyond them what is still to be sent and of use")
    func sweeps() async throws {
        let pool = try TestPool()
        let user = try await pool.make("ann")
        let sent = PoolLimits.messagesMax + PoolLimits.messagesPerSweep
        try await pool.write { change throws(PoolError) in
            for number in 1...sent {
                let delivery = CodeDelivery("email", "a\(number)@example.com")
                try change.queue(OutgoingMessage(.confirmation, code: "123456", to: user, delivery))
            }
        }
        // Nothing was sent yet.
        #expect(try await pool.messageCount() == sent)
        try await pool.pool.messageWasSent(1)
        try await pool.write { change throws(PoolError) in
            for number in 1...PoolLimits.messagesPerSweep {
                let delivery = CodeDelivery("email", "b\(number)@example.com")
                try change.queue(OutgoingMessage(.confirmation, code: "123456", to: user, delivery))
            }
        }
        #expect(try await pool.messageCount() == sent + PoolLimits.messagesPerSweep - 1)
        // Codes that have ended are no use to anybody.
        pool.clock.pass(seconds: 2 * 86_400)
        try await pool.write { change throws(PoolError) in
            for number in 1...PoolLimits.messagesPerSweep {
                let delivery = CodeDelivery("email", "c\(number)@example.com")
                try change.queue(OutgoingMessage(.confirmation, code: "123456", to: user, delivery))
            }
        }
        #expect(try await pool.messageCount() == PoolLimits.messagesMax)
    }
}
