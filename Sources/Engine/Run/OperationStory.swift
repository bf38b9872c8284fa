import Access
import GraphQL
import Store
import Synchronization
import Threads

/// What happened to one request, step by step, for somebody who looks: made only where somebody does.
package final class OperationStory: Sendable {
    /// A step, with the time since the one before.
    package struct Step: Sendable {
        package let what: String
        package let detail: String?
        package let nanoseconds: UInt64
    }

    /// An event that a subscription was looked at for.
    package struct Heard: Sendable {
        /// The event's number.
        package let sequence: UInt64
        package let isSent: Bool
        /// The filter that it meets, or the part of it that it does not.
        package let why: String
    }

    private struct State {
        var steps: [Step] = []
        var last: UInt64
        var isPlanCached: Bool?
        var commitNanoseconds: UInt64?
        var events: [UInt64] = []
        var errors: [GraphQLError] = []
        var heard: [Heard] = []
    }

    /// The request; empty where it is longer than what is kept.
    package let body: [UInt8]
    package let bodyBytes: Int
    /// Whose it is, and why they were denied; nil: nobody is asked for reasons.
    package let caller: Identity?
    package let trace: DecisionTrace?
    /// What the database was asked.
    package let statements = StatementObserver()
    package let began: UInt64
    private let state: Mutex<State>

    private static let stepsMax = 64
    private static let errorsMax = 20
    private static let bodyBytesMax = 64 << 10

    package init(of body: [UInt8], by caller: Identity? = nil, trace: DecisionTrace? = nil) {
        self.body = body.count <= Self.bodyBytesMax ? body : []
        bodyBytes = body.count
        (self.caller, self.trace) = (caller, trace)
        began = Self.now
        state = Mutex(State(last: began))
    }

    private static var now: UInt64 {
        let clock = SystemClock.monotonic
        return UInt64(clock.seconds) &* 1_000_000_000 &+ UInt64(clock.nanoseconds)
    }

    package var nanoseconds: UInt64 { Self.now &- began }
    package var steps: [Step] { state.withLock { $0.steps } }
    package var isPlanCached: Bool? { state.withLock { $0.isPlanCached } }
    /// How long the commit was waited for; nil: nothing was committed.
    package var commitNanoseconds: UInt64? { state.withLock { $0.commitNanoseconds } }

    /// Notes that a step is done.
    package func mark(_ what: String, _ detail: String? = nil) {
        let now = Self.now
        state.withLock { state in
            guard state.steps.count < Self.stepsMax else { return }
            state.steps.append(Step(what: what, detail: detail, nanoseconds: now &- state.last))
            state.last = now
        }
    }

    func planned(fromCache isCached: Bool) {
        state.withLock { $0.isPlanCached = isCached }
        mark("read, checked, planned", isCached ? "plan from cache" : "planned anew")
    }

    /// The numbers of the events that it became.
    package var events: [UInt64] { state.withLock { $0.events } }

    /// The errors of its response, the first of them.
    package var errors: [GraphQLError] { state.withLock { $0.errors } }

    func failed(_ errors: [GraphQLError]) {
        state.withLock { $0.errors += errors.prefix(max(0, Self.errorsMax - $0.errors.count)) }
    }

    /// The events that a subscription was looked at for, the newest of them.
    package var heard: [Heard] { state.withLock { $0.heard } }

    package func hear(_ sequence: UInt64, isSent: Bool, _ why: String) {
        state.withLock { state in
            if state.heard.count == Self.stepsMax { state.heard.removeFirst() }
            state.heard.append(Heard(sequence: sequence, isSent: isSent, why: why))
        }
    }

    func told(_ sequence: UInt64) {
        state.withLock { if $0.events.count < Self.stepsMax { $0.events.append(sequence) } }
    }

    func committed() {
        let now = Self.now
        state.withLock { $0.commitNanoseconds = now &- $0.last }
        mark("durable")
    }
}
