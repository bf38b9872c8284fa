import Access
import Channels

/// Who lets clients in to channels: what this room asks of those who know the modes, the namespaces and their handlers. Each loop
/// has its own, and all calls come on that loop.
package protocol ChannelGate: Sendable {
    /// Who opens a connection.
    func connect(_ shown: RealtimeCredentials) async -> Result<Identity, ChannelFault>

    /// Who subscribes, if they may.
    func subscribe(
        _ request: ChannelMessage.Subscribe, _ shown: RealtimeCredentials
    ) async -> Result<Identity, ChannelFault>

    /// What becomes of the events of a publish. They are on their way when this answers.
    func publish(
        _ request: ChannelMessage.Publish, _ shown: RealtimeCredentials
    ) async -> Result<PublishReport, ChannelFault>
}
