import Access
import JSON
import Network

/// An operation of a service: a row of its table.
package struct CloudOperation: Sendable {
    package typealias Rights = @Sendable (_ action: String, _ input: CallInput) -> [RightsDemand]
    package typealias Run = @Sendable (_ call: CloudCall) async throws(CloudError) -> JSONObject
    package typealias Respond = @Sendable (_ call: CloudCall) async throws(CloudError) -> HTTPResponse

    package let name: String
    /// The name that policies have for it.
    let action: String
    package let members: [MemberShape.Member]
    /// Nil: the service has no paths, or none for this.
    let path: CallPath?
    /// The rights that its caller needs; nil: the action on everything of the service.
    let rights: Rights?
    let run: Run
    /// An answer that is no object, such as the result of a function; nil: the answer is the object of `run`.
    let respond: Respond?
    package let callers: CallAudience
    /// True if it waits for something to come, and ends when its client goes. Its answers may be long.
    package let isWaiting: Bool

    package init(
        _ name: String, as action: String? = nil, at path: CallPath? = nil, _ members: [MemberShape.Member] = [],
        rights: Rights? = nil, isWaiting: Bool = false, _ run: @escaping Run
    ) {
        (self.name, self.action, self.members, self.rights) = (name, action ?? name, members, rights)
        (self.path, self.isWaiting, self.run) = (path, isWaiting, run)
        (respond, callers) = (nil, .entitled)
    }

    /// One whose answer is no object of members.
    package init(
        _ name: String, as action: String? = nil, at path: CallPath, _ members: [MemberShape.Member] = [],
        rights: Rights? = nil, respond: @escaping Respond
    ) {
        (self.name, self.action, self.members, self.rights) = (name, action ?? name, members, rights)
        (self.path, self.respond, isWaiting, callers) = (path, respond, true, .entitled)
        run = { call async throws(CloudError) in
            _ = try await respond(call)
            return JSONObject()
        }
    }

    /// One that asks for no rights.
    package init(
        _ name: String, _ members: [MemberShape.Member] = [], by callers: CallAudience, _ run: @escaping Run
    ) {
        (self.name, action, self.members, self.callers, self.run) = (name, name, members, callers, run)
        (rights, path, respond, isWaiting) = (nil, nil, nil, false)
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

/// The callers that an operation answers.
package enum CallAudience: Sendable {
    /// Administrators, and functions with the rights that the operation demands.
    case entitled
    /// Everybody with an access key of this server.
    case signed
    /// Everybody: the call brings its own proof.
    case anyone
}

/// A call: its members, and how its caller knows the server.
package struct CloudCall: Sendable {
    package let input: CallInput
    package let origin: CallOrigin
    /// The signer, where the operation asks for nothing else.
    package let caller: IAMPrincipal?
    /// The body of an operation whose path says that it has no members (`CallPath.isBodyRaw`).
    package let body: [UInt8]

    package init(
        _ input: CallInput, from origin: CallOrigin = CallOrigin(), by caller: IAMPrincipal? = nil, body: [UInt8] = []
    ) {
        (self.input, self.origin, self.caller, self.body) = (input, origin, caller, body)
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
    /// The state of that loop, whose type the operation knows; nil: there is none.
    package let state: LoopState?

    package typealias LoopState = @Sendable () -> any Sendable

    package init(
        endpoint: String = "http://127.0.0.1", loop: EventLoop? = nil, trace: String? = nil, state: LoopState? = nil
    ) {
        (self.endpoint, self.loop, self.trace, self.state) = (endpoint, loop, trace, state)
    }

    init(_ request: HTTPRequest, state: LoopState?) {
        self.init(
            endpoint: "\(request.isSecure ? "https" : "http")://\(request.head.authority ?? "127.0.0.1")",
            loop: request.loop, trace: request.head.fields["x-amzn-trace-id"], state: state)
    }
}
