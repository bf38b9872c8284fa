import JSON
import Store
import Testing

@testable import UserPool

/// Where nobody is to learn who is there, whoever is not gets the answers of whoever is, however often they ask. What it takes in
/// time says `bench/existence.py`.
@Suite("Who is not there")
struct ExistenceTests {
    private enum Step: Sendable {
        case forgot
        case reset
        case confirm
        case resend
        case passSeconds(Int64)
    }

    private static let ways: [(what: String, status: User.Status, steps: [Step])] = [
        ("a new password without a code", .confirmed, [.reset, .reset]),
        ("a new password", .confirmed, [.forgot, .reset, .reset, .forgot, .reset]),
        ("a code too old", .confirmed, [.forgot, .passSeconds(3_601), .reset]),
        ("too many tries", .confirmed, [.forgot] + Array(repeating: .reset, count: 8)),
        (
            "a code that has been tried too often", .confirmed,
            [.forgot]
                + (0..<12).flatMap { _ in [Step.reset, .passSeconds(300)] }
        ),
        ("too many messages", .confirmed, Array(repeating: .forgot, count: 22) + [.passSeconds(3_601), .forgot]),
        ("a confirmation without a code", .unconfirmed, [.confirm, .confirm]),
        ("a confirmation", .unconfirmed, [.resend, .confirm, .resend, .confirm, .forgot, .reset]),
        ("too many confirmations", .unconfirmed, [.resend] + Array(repeating: .confirm, count: 8)),
        ("too many messages of confirmations", .unconfirmed, Array(repeating: .resend, count: 22)),
    ]

    /// Users who are there, and to whom no code may be sent.
    private static let outOfReach: [(what: String, change: @Sendable (inout User) -> Void)] = [
        ("disabled", { $0.isEnabled = false }),
        ("disabled, unconfirmed", { ($0.isEnabled, $0.status) = (false, .unconfirmed) }),
        ("without a verified address", { $0.attributes.remove("email_verified") }),
        ("without an address", { $0.attributes = JSONObject() }),
        (
            "unconfirmed, without a verified address",
            {
                $0.status = .unconfirmed
                $0.attributes.remove("email_verified")
            }
        ),
    ]

    @Test("who cannot be sent a new password is answered as somebody who is not there", arguments: outOfReach.indices)
    func unreachable(row: Int) async throws {
        let (what, change) = Self.outOfReach[row]
        var steps: [Step] = [.forgot, .reset, .reset, .forgot, .reset, .passSeconds(3_601), .reset]
        if what.utf8.starts(with: "disabled".utf8) { steps += [.resend, .confirm, .confirm] }
        var seen: [[String]] = []
        for name in ["eve@example.com", "eva@example.com"] {
            let pool = try TestPool()
            try await pool.make(
                "eve@example.com", [("email", "eve@example.com"), ("email_verified", "true")], change: change)
            seen.append(await answers(name, steps, pool))
            #expect(try await pool.messageCount() == 0, "\(what)")
        }
        #expect(seen[0] == seen[1], "\(what)")
        #expect(seen[0].first?.contains("CodeDeliveryDetails") ?? false, "\(what)")
    }

    private func answers(_ name: String, _ steps: [Step], _ pool: TestPool) async -> [String] {
        var answers: [String] = []
        for step in steps {
            var members = JSONObject([("ClientId", "client"), ("Username", .string(name))])
            let operation: String
            switch step {
            case .passSeconds(let seconds):
                pool.clock.pass(seconds: seconds)
                continue
            case .forgot: operation = "ForgotPassword"
            case .resend: operation = "ResendConfirmationCode"
            case .reset:
                operation = "ConfirmForgotPassword"
                members.set("ConfirmationCode", to: "x00000")
                members.set("Password", to: "N3w!Passw0rd")
            case .confirm:
                operation = "ConfirmSignUp"
                members.set("ConfirmationCode", to: "x00000")
            }
            do throws(PoolError) {
                answers.append(JSONWriter.text(of: try await pool.call(operation, .object(members))))
            } catch {
                answers.append("\(error.type): \(error.message)")
            }
        }
        return answers
    }

    @Test("codes are asked for and tried with the same answers", arguments: ways.indices)
    func codes(row: Int) async throws {
        let (what, status, steps) = Self.ways[row]
        var seen: [[String]] = []
        // Names that look the same where a code is said to have gone.
        for name in ["eve@example.com", "eva@example.com"] {
            let pool = try TestPool()
            try await pool.make(
                "eve@example.com", [("email", "eve@example.com"), ("email_verified", "true")]
            ) { $0.status = status }
            seen.append(await answers(name, steps, pool))
        }
        #expect(seen[0] == seen[1], "\(what)")
        #expect(!seen[0].isEmpty)
    }

    @Test("codes of those who are not there end, and are no more than a limit")
    func sweep() async throws {
        let pool = try TestPool()
        try await pool.make("ann")
        func count() async throws -> Int64 {
            try await pool.write { change throws(PoolError) in
                try change.session.count(RoomStatement("SELECT count(*) FROM _homeport_user_codes WHERE user < 0"))
            }
        }
        for index in 0..<5 { _ = await answers("nobody\(index)", [.forgot], pool) }
        #expect(try await count() == 5)
        #expect(try await pool.messageCount() == 0)
        pool.clock.pass(seconds: 3_601)
        _ = await answers("other", [.forgot], pool)
        #expect(try await count() == 1)
    }

    @Test("where existence is shown it is said as before, and nothing is kept")
    func shown() async throws {
        let pool = try TestPool { $0.existenceErrors = .shown }
        try await pool.make("ann")
        for step in [Step.forgot, .reset, .confirm, .resend] {
            #expect(await answers("nobody", [step], pool) == ["UserNotFoundException: User does not exist."])
        }
    }
}
