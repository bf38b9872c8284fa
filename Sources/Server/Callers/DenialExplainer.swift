import Access
import Engine
import JSON
import Network

/// Says why something was denied, where the configuration asks for it (`auth.explain`): in the log, and in the answers to
/// clients on this machine.
///
/// Reasons name claims and values of records. So it is a switch of whoever starts the server, and no field of a request
/// turns it on; the fields of a proxy turn it off.
struct DenialExplainer: Sendable {
    private let log: Log

    /// The note at the start.
    static let warning =
        "denials are explained, with claims and values of records: in the log, and to clients that come from this "
        + "machine, as all do that come through a proxy on it which hides them"

    /// Nil when denials are not explained.
    init?(_ settings: AuthSettings, _ log: Log) {
        guard settings.explainsDenials else { return nil }
        self.log = log
    }

    /// The use of the reasons of a request's denials.
    func explanation(
        _ identifier: RequestIdentifier, for identity: Identity, isFromThisMachine: Bool
    ) -> Explanation {
        Explanation(isAnswered: isFromThisMachine, subject: Self.subject(identity)) { [self] lines in
            report(lines, ["request": .string(identifier.description), "caller": .string(identity.name)])
        }
    }

    /// The same where the answer goes through a connection: only the log has them.
    func explanation(for identity: Identity) -> Explanation {
        Explanation(isAnswered: false, subject: Self.subject(identity)) { [self] lines in
            report(lines, ["caller": .string(identity.name)])
        }
    }

    /// Says why nobody was recognised. The answer is what a client on this machine is told, beside the error.
    func tell(
        _ refusal: Refusal, _ identifier: RequestIdentifier, isFromThisMachine: Bool
    ) -> JSONValue? {
        let reason = "\(refusal.status): \(refusal.reason ?? refusal.message.prefix { $0 != "\n" }.description)"
        report([reason], ["request": .string(identifier.description)])
        return isFromThisMachine ? ["authorization": [.string(reason)]] : nil
    }

    /// The same for a connection.
    func tell(_ refusal: Refusal) {
        report(["\(refusal.status): \(refusal.reason ?? refusal.message.prefix { $0 != "\n" }.description)"], [:])
    }

    /// The caller, in words.
    private static func subject(_ identity: Identity) -> String { "\(identity.name) (\(identity.mode.label))" }

    /// A line for each: together they may be longer than a line can be.
    private func report(_ lines: [String], _ fields: KeyValuePairs<String, JSONValue>) {
        for (number, line) in lines.enumerated() { log.info(line, number == 0 ? fields : [:]) }
    }
}
