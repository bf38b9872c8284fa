import Access
import Channels

/// Lets clients in to channels: this room asks it about modes, namespaces and their handlers. Each loop
/// has its own, and all calls come on that loop.
package protocol ChannelGate: Sendable {
    /// The caller that opens a connection, or its refusal.
    func connect(_ shown: RealtimeCredentials) async -> Result<Identity, ChannelFault>

    /// The caller that subscribes, or its refusal.
    func subscribe(
        _ request: ChannelMessage.Subscribe, _ shown: RealtimeCredentials
    ) async -> Result<Identity, ChannelFault>

    /// Why a caller may no longer do what it was let in for, now that another API is served; nil: it may.
    ///
    /// - Parameter request: its subscription; nil: its connection.
    func refusal(of caller: Identity, for request: ChannelMessage.Subscribe?) async -> ChannelFault?

    /// What becomes of the events of a publish. They are on their way when this answers.
    func publish(
        _ request: ChannelMessage.Publish, _ shown: RealtimeCredentials
    ) async -> Result<PublishReport, ChannelFault>
}
