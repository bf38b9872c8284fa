import JSON
import Testing

@testable import UserPool

/// What those who run the pool see of sign-ins.
@Suite("Sign-ins that are kept")
struct KeptSignInTests {
    @Test("are told with when they began, the newest first, and which of them hold")
    func told() async throws {
        let pool = try TestPool()
        #expect(try await pool.pool.signIns(of: "ann", max: 10).isEmpty)
        try await pool.make("ann")
        #expect(try await pool.pool.signIns(of: "ann", max: 10).isEmpty)
        let began = pool.clock.now
        _ = try await pool.signIn("ann")
        pool.clock.pass(seconds: 60)
        let second = try await pool.signIn("ann")
        let found = try await pool.pool.signIns(of: "ann", max: 10)
        #expect(found.map(\.began) == [began + 60_000, began])
        #expect(found.map(\.holds) == [true, true])
        #expect(try await pool.pool.signIns(of: "ann", max: 1).count == 1)
        #expect(try await pool.pool.signIns(of: "bob", max: 10).isEmpty)
        try await pool.call("GlobalSignOut", ["AccessToken": second.token("AccessToken") ?? .null])
        #expect(try await pool.pool.signIns(of: "ann", max: 10).map(\.holds) == [false, false])
    }
}
