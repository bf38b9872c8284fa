import JSON

/// What a request wants to do with channels: an authorizer decides about that, and not about the token alone.
package final class ChannelQuestion: Sendable {
    /// `EVENT_CONNECT`, `EVENT_PUBLISH` or `EVENT_SUBSCRIBE`.
    let operation: String
    let namespace: String?
    let channel: String?

    package init(_ operation: String, namespace: String? = nil, channel: String? = nil) {
        self.operation = operation
        self.namespace = namespace
        self.channel = channel
    }

    /// Under what an answer about a token is remembered. None of the parts before the token has a line break.
    func key(of token: String) -> String { "\(operation)\n\(channel ?? "")\n\(token)" }

    /// What the function reads of it, beside what it reads of every request.
    var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("operation", .string(operation))]
        if let namespace { members.append(("channelNamespaceName", .string(namespace))) }
        if let channel { members.append(("channel", .string(channel))) }
        return members
    }
}
