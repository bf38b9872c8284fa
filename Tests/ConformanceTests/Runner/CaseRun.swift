import Glibc
import JSON
import PostgresSupport
import TestSupport

/// Runs one case against a server of its own.
final class CaseRun {
    /// Why a case does not pass.
    struct Failure: Error, CustomStringConvertible {
        /// "the start", or "step 3".
        let place: String
        let reason: String
        var description: String { "\(place): \(reason)" }
    }

    /// How long to wait for a message that must come.
    let patience: Duration
    let server: HomeportProcess
    let identities: [String: Identity]
    var names = Substitution()
    /// By caller, the connections for subscriptions.
    var links: [String: SubscriptionLink] = [:]
    /// By subscription, the connection that it runs on.
    var subscriptions: [String: SubscriptionLink] = [:]
    /// WebSockets that steps have kept, by name.
    var sockets: [String: OpenSocket] = [:]
    private let name: String

    /// Nil when the case passes.
    static func outcome(of testCase: ConformanceCase, patience: Duration) async throws -> Failure? {
        try await Places.forServers.occupy {
            // Everything in here blocks, so it has a thread of its own.
            try await BlockingThread.run { () -> Failure? in
                do throws(Failure) {
                    try CaseRun(testCase, patience: patience).run(testCase.steps)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }

    private init(_ testCase: ConformanceCase, patience: Duration) throws(Failure) {
        self.patience = patience
        identities = testCase.identities
        name = testCase.name
        do {
            let folder = TemporaryFolder()
            try CaseConfiguration(testCase).write(to: folder)
            server = try HomeportProcess(
                ["--config", CaseConfiguration.name],
                environment: TestDatabase.isOnServer ? PostgresServer.environment : [:], in: folder)
        } catch {
            throw Failure(place: "the start", reason: "\(error)")
        }
    }

    private func run(_ steps: [Step]) throws(Failure) {
        for (index, step) in steps.enumerated() {
            do {
                try run(step)
            } catch {
                throw Failure(place: "step \(index + 1)", reason: "\(error)")
            }
        }
    }

    private func run(_ step: Step) throws {
        switch step {
        case .request(let request): try send(request)
        case .exchange(let exchange): try run(exchange)
        case .socket(let script): try run(script)
        case .conversation(let socket, let turns): try goOn(socket, turns)
        case .calls(let place, let expected):
            // A call that nobody waits for comes when it comes.
            let matcher = Matcher(names.values)
            let last: Void? = try? eventually("the calls", within: patience) {
                matcher.matches(StandIns.calls(of: place, in: name), expected)
            }
            if last == nil { try matcher.check(StandIns.calls(of: place, in: name), expected, at: path("calls")) }
        case .subscribe(let subscribing): try subscribe(subscribing)
        case .event(let name, let expectation, let milliseconds):
            let message = try subscription(name).next(of: name, within: limit(milliseconds))
            guard let message, message["type"] == "data" else {
                throw Mismatch(path("event \(name)"), expected: "a message with data", got: message)
            }
            try check(message["payload"] ?? .null, expectation)
        case .silence(let name, let milliseconds):
            if let message = try subscription(name).next(of: name, within: .milliseconds(milliseconds)) {
                throw Mismatch(path("event \(name)"), "nothing", JSONWriter.text(of: message))
            }
        case .unsubscribe(let name):
            let message = try subscription(name).stop(name, within: patience)
            subscriptions[name] = nil
            guard message?["type"] == "complete" else {
                throw Mismatch(path("stop"), expected: ["type": "complete"], got: message)
            }
        case .pause(let milliseconds): CaseRun.pause(milliseconds)
        }
    }

    /// The time that a case gives is a part of what it says: how long ago something happened counts.
    static func pause(_ milliseconds: Int) {
        TestSupport.pause(.milliseconds(milliseconds), because: "the case says how long ago something happened")
    }

    /// The time that a test waits for what a case expects: never less than what a busy machine needs.
    func limit(_ milliseconds: Int?) -> Duration {
        milliseconds.map { max(.seconds(30), .milliseconds($0)) } ?? patience
    }

    func path(_ name: String) -> JSONPath { JSONPath([.key(name)]) }
}

extension HomeportProcess {
    /// The host and the port, as a request names them.
    var authority: String { "127.0.0.1:\(port)" }
}
