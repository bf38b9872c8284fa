import Engine
import JSON
import Network
import Synchronization

/// What is known of a request without its story: what the log says of it.
package struct RequestOutline: Sendable {
    /// What the note of an answer of the API says.
    package struct Operation: Sendable {
        /// `query`, `mutation`, `subscription`; nil: nobody knows, as the request was refused before.
        package var kind: String?
        package var field: String?
        package var errorTypes: [String] = []
        package var caller = ""

        package init() {}
    }

    package var ended: MonotonicTime
    package var nanoseconds: UInt64
    package var status: Int
    package var bytesIn = 0
    package var bytesOut = 0
    /// The note of an answer of the API, which the server reads; 0: there is none.
    package var note: UInt64 = 0
    /// The operations whose numbers the note has.
    package var operations: [RootFields.Entry] = []
    /// The texts; nil: those of an operation over HTTP, which has none. Hot path: each request that ends hands its outline on.
    private var texts: Texts?

    private final class Texts: Sendable {
        let transport: String
        let call: (service: String, name: String)?
        let reason: String?

        init(_ transport: String, _ call: (service: String, name: String)?, _ reason: String?) {
            (self.transport, self.call, self.reason) = (transport, call, reason)
        }
    }

    package var transport: String {
        get { texts?.transport ?? "http" }
        set { texts = Texts(newValue, call, reason) }
    }

    /// The service that was asked, and the call; nil: the API.
    package var call: (service: String, name: String)? {
        get { texts?.call }
        set { texts = Texts(transport, newValue, reason) }
    }

    /// Why the request was refused.
    package var reason: String? {
        get { texts?.reason }
        set { if newValue != nil || texts != nil { texts = Texts(transport, call, newValue) } }
    }

    package init(ended: MonotonicTime, nanoseconds: UInt64, status: Int) {
        (self.ended, self.nanoseconds, self.status) = (ended, nanoseconds, status)
    }

    /// The head of the row that Live shows.
    func head(_ operation: Operation?, at now: (wall: Int64, monotonic: MonotonicTime)) -> StoryJSON.Head {
        var head = StoryJSON.Head()
        let age = now.monotonic > ended ? now.monotonic.nanoseconds(since: ended) / 1_000_000 : 0
        head.at = now.wall - Int64(clamping: age)
        (head.nanoseconds, head.status, head.transport) = (nanoseconds, status, transport)
        (head.bytesIn, head.bytesOut) = (bytesIn, bytesOut)
        if let call { (head.service, head.operation, head.fields) = (call.service, call.service, [call.name]) }
        if let operation {
            (head.operation, head.callerLabel) = (operation.kind, operation.caller)
            if let field = operation.field { head.fields = [field] }
            head.isSubscription = operation.kind == "subscription"
        }
        head.errors = (operation?.errorTypes ?? []).map { type in
            [
                "errorType": .string(type),
                "message": .string(reason?.shortened(to: ConsoleLimits.outlineTextBytesMax) ?? ""),
            ]
        }
        if head.errors.isEmpty, let reason, status >= 400 {
            head.errors = [["message": .string(reason.shortened(to: ConsoleLimits.outlineTextBytesMax))]]
        }
        return head
    }
}

/// The outlines of the newest requests of one loop, kept while nobody looks.
package final class RecentRequests: Sendable {
    private struct State {
        var outlines: [RequestOutline] = []
        /// The place of the oldest, once all places are taken.
        var next = 0
    }

    private let state = Mutex(State())

    init() {}

    /// Hot path: each request that ends.
    package func add(_ outline: RequestOutline) {
        state.withLock { state in
            guard state.outlines.count == ConsoleLimits.outlinesMax else {
                state.outlines.append(outline)
                return
            }
            state.outlines[state.next] = outline
            state.next = state.next + 1 == ConsoleLimits.outlinesMax ? 0 : state.next + 1
        }
    }

    /// All of them, which are not kept here any longer.
    func take() -> [RequestOutline] {
        state.withLock { state in
            defer { state = State() }
            return state.outlines
        }
    }
}
