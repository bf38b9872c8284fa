import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that is killed while people sign up, change their passwords and sign out: whoever was told of it finds it so.
@Suite("A killed server with users", .serialized)
struct KillSignInTests {
    private static let clientCount = 3
    /// After each kill so many are asked for of those who were told something since the one before, and of all others. Asking for
    /// everybody each time would take the square of the kills; that is done once, behind the last.
    private static let newestMax = 30
    private static let sampleMax = 10

    /// HOMEPORT_KILLS, or few.
    private static var killCount: Int { ProcessInfo.processInfo.environment["HOMEPORT_KILLS"].flatMap(Int.init) ?? 2 }

    /// How far somebody has come, as they were told.
    private enum Step: Int, Comparable {
        case signedUp, confirmed, changedPassword, signedOut

        static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
    }

    private static let passwords = ["F1rst!Password", "S3cond!Password"]

    /// What people were told, by name; and the tokens of those who have signed out.
    private final class Told: Sendable {
        typealias People = [String: (step: Step, token: String?)]

        private struct State {
            var people: People = [:]
            /// In the order in which they were told for the first time.
            var names: [String] = []
            /// How many of them were known at the last kill.
            var former = 0
        }

        private let state = Mutex(State())
        var all: People { state.withLock { $0.people } }

        func note(_ name: String, _ step: Step, token: String? = nil) {
            state.withLock { state in
                if state.people.updateValue((step, token), forKey: name) == nil { state.names.append(name) }
            }
        }

        /// The newest, and some of the others.
        func some(using random: inout SeededRandom) -> People {
            state.withLock { state in
                let newest = state.names[state.former...].suffix(newestMax)
                let others = (0..<sampleMax).compactMap { _ in state.names.randomElement(using: &random) }
                state.former = state.names.count
                return state.people.filter { newest.contains($0.key) || others.contains($0.key) }
            }
        }
    }

    @Test("has every account, password and sign-out that it told of")
    func keeps() async throws {
        var random = SeededRandom(test: "KillSignInTests")
        let folder = TemporaryFolder()
        let told = Told()
        for kill in 0...Self.killCount {
            let server = try await BlockingThread.run { Unchecked(try HomeportProcess(in: folder)) }
            let isLast = kill == Self.killCount
            let asked = isLast ? told.all : told.some(using: &random)
            try await BlockingThread.run { try Self.expect(asked, of: server.value, after: kill) }
            guard !isLast else {
                #expect(!asked.isEmpty)
                print("KillSignInTests: \(asked.count) people were told of something in \(kill) kills")
                server.value.signal(SIGTERM)
                break
            }
            let length = Duration.microseconds(Int.random(in: 50_000...600_000, using: &random))
            let identifier = server.value.identifier
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<Self.clientCount {
                    group.addTask {
                        try await BlockingThread.run { Self.live("k\(kill)-\(client)", on: server.value, told) }
                    }
                }
                group.addTask {
                    try await BlockingThread.run {
                        // The moment within a commit is anybody's guess, once anybody was told of something.
                        pause(length, because: "the moment of a kill is random")
                        try eventually("anybody was told of something") { !told.all.isEmpty }
                        Foundation.kill(identifier, SIGKILL)
                    }
                }
                try await group.waitForAll()
            }
            _ = server.value.exitStatus()
        }
    }

    /// Signs people up, one after the other, as far as the connection lasts.
    private static func live(_ name: String, on server: HomeportProcess, _ told: Told) {
        guard let client = try? PoolClient(server) else { return }
        for number in 0..<1_000 {
            let name = "\(name)-\(number)"
            do {
                try client.call(
                    "SignUp",
                    [
                        "Username": name, "Password": passwords[0],
                        "UserAttributes": [["Name": "email", "Value": "\(name)@example.com"]],
                    ])
                told.note(name, .signedUp)
                guard let code = server.code(for: name) else { return }
                try client.call("ConfirmSignUp", ["Username": name, "ConfirmationCode": code])
                told.note(name, .confirmed)
                let token = try client.signIn(name, passwords[0])["AccessToken"] as? String ?? ""
                try client.call(
                    "ChangePassword",
                    ["AccessToken": token, "PreviousPassword": passwords[0], "ProposedPassword": passwords[1]])
                told.note(name, .changedPassword)
                try client.call("GlobalSignOut", ["AccessToken": token])
                told.note(name, .signedOut, token: token)
            } catch {
                return
            }
        }
    }

    /// What was told may have gone further, but not back.
    private static func expect(_ people: Told.People, of server: HomeportProcess, after kill: Int) throws {
        let client = try PoolClient(server)
        for (name, told) in people {
            func type(_ body: () throws -> Void) -> String {
                do {
                    try body()
                    return "none"
                } catch let refusal as PoolClient.Refusal {
                    return refusal.type
                } catch {
                    return "\(error)"
                }
            }
            if told.step == .signedUp {
                let again = type { try client.call("SignUp", ["Username": name, "Password": passwords[0]]) }
                #expect(again == "UsernameExistsException", "after kill \(kill): \(name) is gone")
            }
            if told.step >= .changedPassword {
                #expect(type { _ = try client.signIn(name, passwords[1]) } == "none", "after kill \(kill): \(name)")
                #expect(
                    type { _ = try client.signIn(name, passwords[0]) } == "NotAuthorizedException",
                    "after kill \(kill): \(name) has the old password")
            } else if told.step == .confirmed {
                let first = type { _ = try client.signIn(name, passwords[0]) }
                // The change may have been made without that it was told.
                if first != "none" {
                    #expect(type { _ = try client.signIn(name, passwords[1]) } == "none", "after kill \(kill): \(name)")
                }
            }
            if let token = told.token {
                #expect(
                    type { try client.call("GetUser", ["AccessToken": token]) } == "NotAuthorizedException",
                    "after kill \(kill): \(name) is signed in again")
            }
        }
    }
}
