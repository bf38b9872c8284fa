import JSON
import TestSupport

extension CaseRun {
    func subscription(_ name: String) throws(Mismatch) -> SubscriptionLink {
        guard let link = subscriptions[name] else { throw Mismatch(path(name), "a subscription", "nothing") }
        return link
    }

    private func link(of caller: String) throws -> SubscriptionLink {
        if let link = links[caller] { return link }
        let link = try SubscriptionLink(
            port: server.port, authorization: authorization(of: caller, at: "/graphql/connect", "{}"),
            patience: patience)
        links[caller] = link
        return link
    }

    func subscribe(_ step: Step.Subscribing) throws {
        let link = try link(of: step.caller)
        var message = link.greeting
        if message?["type"] == "connection_ack" {
            let data = JSONWriter.text(of: [
                "query": .string(names.filled(step.query)), "variables": try names.filled(step.variables),
            ])
            message = try link.start(
                step.name, data, authorization: authorization(of: step.caller, at: "/graphql", data), within: patience)
            subscriptions[step.name] = link
        }
        guard let expected = step.error else {
            guard message?["type"] == "start_ack" else {
                throw Mismatch(path("subscribe"), expected: ["type": "start_ack"], got: message)
            }
            return
        }
        guard let message, message["type"]?.string?.contains("error") == true else {
            throw Mismatch(path("subscribe"), expected: ["type": "error"], got: message)
        }
        try Matcher(names.values).check(message["payload"] ?? .null, expected, at: path("payload"))
    }
}
