import Access
import JSON
import Network

/// An operation of a service: a row of its table.
package struct CloudOperation: Sendable {
    package typealias Rights = @Sendable (_ action: String, _ input: CallInput) -> [RightsDemand]
    package typealias Run = @Sendable (_ call: CloudCall) async throws(CloudError) -> JSONObject

    package let name: String
    /// The name that policies have for it.
    let action: String
    package let members: [MemberShape.Member]
    /// Nil: the service has no paths, or none for this.
    let path: CallPath?
    /// The rights that its caller needs; nil: the action on everything of the service.
    let rights: Rights?
    let run: Run
    /// True if it waits for something to come, and ends when its client goes. Its answers may be long.
    package let isWaiting: Bool

    package init(
        _ name: String, as action: String? = nil, at path: CallPath? = nil, _ members: [MemberShape.Member] = [],
        rights: Rights? = nil, isWaiting: Bool = false, _ run: @escaping Run
    ) {
        (self.name, self.action, self.members, self.rights) = (name, action ?? name, members, rights)
        (self.path, self.isWaiting, self.run) = (path, isWaiting, run)
    }

    /// One that needs nothing but its members.
    package init(
        _ name: String, as action: String? = nil, at path: CallPath? = nil, _ members: [MemberShape.Member] = [],
        rights: Rights? = nil,
        of run: @escaping @Sendable (_ input: CallInput) async throws(CloudError) -> JSONObject
    ) {
        self.init(name, as: action, at: path, members, rights: rights) { call async throws(CloudError) in
            try await run(call.input)
        }
    }
}

/// A call: its members, and how its caller knows the server.
package struct CloudCall: Sendable {
    package let input: CallInput
    package let origin: CallOrigin

    package init(_ input: CallInput, from origin: CallOrigin = CallOrigin()) {
        (self.input, self.origin) = (input, origin)
    }
}

/// Where a call came from.
package struct CallOrigin: Sendable {
    /// Under which the caller knows the server: `http://127.0.0.1:20002`.
    package let endpoint: String
    /// On which the caller waits; nil: on none.
    package let loop: EventLoop?
    /// The trace that the call belongs to.
    package let trace: String?

    package init(endpoint: String = "http://127.0.0.1", loop: EventLoop? = nil, trace: String? = nil) {
        (self.endpoint, self.loop, self.trace) = (endpoint, loop, trace)
    }

    init(_ request: HTTPRequest) {
        self.init(
            endpoint: "\(request.isSecure ? "https" : "http")://\(request.head.authority ?? "127.0.0.1")",
            loop: request.loop, trace: request.head.fields["x-amzn-trace-id"])
    }
}
