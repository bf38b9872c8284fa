import Network
import Synchronization

/// One page that looks: what it is still to be told. One that reads too slowly loses some, and learns how many.
final class LiveListener: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        var lost = 0
        var isOver = false
        var isTick = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func push(_ frame: [UInt8]) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isOver else { return nil }
            guard state.waiting.count < ConsoleLimits.waitingEventsMax else {
                state.lost += 1
                return nil
            }
            state.waiting.append(frame)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// A second has gone by.
    func tick() { wake { $0.isTick = true } }

    func end() { wake { $0.isOver = true } }

    private func wake(_ change: (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// What there is to tell; nil when it is over.
    func next() async -> (frames: [[UInt8]], isTick: Bool, lost: Int)? {
        while true {
            let ready = state.withLock { state -> (frames: [[UInt8]], isTick: Bool, lost: Int)?? in
                if state.isOver { return .some(nil) }
                guard !state.waiting.isEmpty || state.isTick else { return nil }
                let ready = (state.waiting, state.isTick, state.isTick ? state.lost : 0)
                if state.isTick { state.lost = 0 }
                (state.waiting, state.isTick) = ([], false)
                return .some(ready)
            }
            if let ready { return ready }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.isOver, state.waiting.isEmpty, !state.isTick else { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
