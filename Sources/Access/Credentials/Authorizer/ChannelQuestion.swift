import JSON

/// An operation on channels, as an authorizer is asked about it: it decides about the operation, not about the token alone.
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

    /// The members of the function's input that only requests for channels have.
    var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("operation", .string(operation))]
        if let namespace { members.append(("channelNamespaceName", .string(namespace))) }
        if let channel { members.append(("channel", .string(channel))) }
        return members
    }
}
