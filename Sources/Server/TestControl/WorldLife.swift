import CSystem
import JSON
import Network
import Store
import Synchronization
import Threads

/// The life of a server that is a world: it takes the state of another server, and ends when nobody has used it for long.
final class WorldLife: Sendable {
    private let control: TestControl?
    /// Nil: it has no state yet, and waits for as long as its server runs.
    private let idleMilliseconds = Mutex<Int64?>(nil)

    /// The last use before it has rested; nil: it has not.
    private let rested = Mutex<MonotonicTime?>(nil)

    static let refusal: JSONValue = ["error": "This server is no world: it takes no lines."]

    init(_ control: TestControl?) { self.control = control }

    static func order(adopting state: WorldState, idleSeconds: Int64) -> JSONValue {
        ["adopt": state.json, "idleMilliseconds": .integer(idleSeconds * 1_000)]
    }

    /// Carries out `{"adopt": {…}, "idleMilliseconds": N}`.
    func answer(to order: JSONValue) async -> JSONValue {
        guard let parts = control?.parts, let state = WorldState(order["adopt"]),
            let idle = order["idleMilliseconds"]?.integer, Self.isTime(state.movedMilliseconds)
        else { return ["error": "Expected {\"adopt\": {…}, \"idleMilliseconds\": N}."] }
        SystemClock.moved = state.movedMilliseconds
        do throws(ErrorAnswer) { try await parts.data.adopt(state) } catch {
            return ["error": .string(error.message)]
        }
        if state.movedMilliseconds != 0 { parts.timeChanged() }
        control?.use.note()
        idleMilliseconds.withLock { $0 = idle }
        return ["adopted": true]
    }

    /// True if the clock can be moved so far.
    private static func isTime(_ moved: Int64) -> Bool {
        let (time, isTooFar) = SystemClock.machine.milliseconds.addingReportingOverflow(moved)
        return !isTooFar && TestControlLimits.times.contains(time)
    }

    /// Gives back the memory that it can do without, if nobody has used it for a moment, and somebody has before.
    ///
    /// - Parameter whenUsed: called at the next use, where it rests.
    func rest(
        _ store: Store, at now: MonotonicTime, whenUsed: @escaping @Sendable () -> Void
    ) async -> GuestLines.Rest {
        guard let control, let idle = idleMilliseconds.withLock({ $0 }),
            control.use.isIdle(forMilliseconds: TestControlLimits.worldRestMilliseconds, at: now)
        else { return .none }
        let last = control.use.last
        let former = rested.withLock { rested in
            defer { rested = last }
            return rested
        }
        // It can go on with what it has.
        if former != last { try? await store.giveMemoryBack { homeport_give_memory_back() } }
        guard control.use.callAtNext(since: last, whenUsed) else { return .none }
        let passed = Int64(clamping: now.nanoseconds(since: last) / 1_000_000)
        return .rested(forMilliseconds: Int32(clamping: max(0, idle - passed) + 1))
    }

    func isOver(now: MonotonicTime) -> Bool {
        guard let control, let idle = idleMilliseconds.withLock({ $0 }) else { return false }
        return control.use.isIdle(forMilliseconds: idle, at: now)
    }
}
