import Access
import Channels
import Engine
import JSON

/// An API of channels with all that decides about callers and events. It never changes: another one comes in its place.
final class ServedChannels: Sendable {
    struct Handlers: Sendable {
        var onPublish: NamespaceHandler?
        var onSubscribe: NamespaceHandler?
    }

    let api: ChannelAPI
    /// One for each loop.
    let authenticators: [Authenticator]
    private let handlers: [ByteText: Handlers]
    /// What the roles of the identity pool may do; nil: signed-in identities may do what the modes say.
    private let rights: IdentityRights?
    /// The handlers as they are written, to see a change of them.
    let written: [ByteText: WrittenHandlers]
    /// The namespaces whose handlers are others than those by which some subscription may have begun.
    private let changed: Set<ByteText>

    init(
        _ api: ChannelAPI, _ authenticators: [Authenticator], _ handlers: [ByteText: Handlers] = [:],
        _ written: [ByteText: WrittenHandlers] = [:], rights: IdentityRights?, after former: ServedChannels? = nil
    ) {
        (self.api, self.authenticators, self.handlers, self.rights) = (api, authenticators, handlers, rights)
        self.written = written
        guard let former else {
            changed = []
            return
        }
        // It only grows: a subscription of two APIs ago may still wait to be asked about.
        let names = Set(written.keys).union(former.written.keys)
        changed = former.changed.union(names.filter { written[$0] != former.written[$0] })
    }

    subscript(namespace: String) -> Handlers { handlers[namespace] ?? Handlers() }

    func hasChanged(_ namespace: String) -> Bool { changed.contains(ByteText(namespace)) }

    func accept(_ temporary: any TemporaryCredentials) {
        for authenticator in authenticators { authenticator.accept(temporary) }
    }

    /// Why somebody whom we know may not do something; nil: they may, as far as modes, namespaces and policies say.
    ///
    /// - Parameter name: the channel; nil: none is named, or its text is no name.
    func refusal(of identity: Identity, _ operation: ChannelOperation, in name: ChannelName?) -> ChannelFault? {
        let namespace = name.flatMap { api[$0.namespace] }
        guard api.modes(for: operation, in: namespace).contains(identity.mode) else {
            return .unauthorized(because: "\(identity.mode.rawValue) is no mode that may \(operation) here")
        }
        if operation != .connect {
            guard name != nil else { return .badChannel }
            guard namespace != nil else {
                return .unauthorizedSilently(because: "there is no namespace of that name")
            }
        }
        guard let principal = identity.principal, let refusal = refusal(of: principal, operation, in: namespace)
        else { return nil }
        return .unauthorized(because: refusal.reason ?? refusal.message)
    }

    /// Why a principal has no right to an operation. A guest, or a member of a group in its role, needs a policy.
    private func refusal(
        of principal: IAMPrincipal, _ operation: ChannelOperation, in namespace: ChannelNamespace?
    ) -> Refusal? {
        let place = "apis/\(ProjectValues.eventAPIID)"
        let resource =
            namespace.map { PolicyResource("appsync", "\(place)/channelNamespace/", $0.name) }
            ?? PolicyResource("appsync", "apis/", ProjectValues.eventAPIID)
        switch principal.role {
        case .administrator: return principal.rights?.refusal(of: operation.action, on: resource)
        case .authenticated where rights == nil && !principal.isInGroupRole: return nil
        case .authenticated, .unauthenticated:
            return (rights ?? IdentityRights()).refusal(of: operation.action, onOneOf: [resource], by: principal)
        }
    }
}
