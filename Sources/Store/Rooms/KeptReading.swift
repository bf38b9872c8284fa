import Synchronization

/// The content of a room's tables as it was read last, kept in memory until it changes. Nobody waits for a reading: a database may take its
/// time, and loops ask for what is known.
///
/// The reading that began last is kept. So where two change the tables and read them again, that of the first one never stays.
package final class KeptReading<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        /// The readings so far are numbered as they begin.
        var begun = 0
        /// Readings up to this one are not kept any more.
        var last = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value? = nil) { state = Mutex(State(value: value)) }

    /// Nil where nothing is known.
    package var value: Value? { state.withLock { $0.value } }

    /// How many readings have begun so far.
    package var begun: Int { state.withLock { $0.begun } }

    /// Nil also where what is known was read by one of so many first readings.
    package func value(since begun: Int) -> Value? { state.withLock { $0.last > begun ? $0.value : nil } }

    /// Reads, and keeps what is read unless a later reading is kept, or all was forgotten meanwhile.
    @discardableResult
    package func read<Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let value = try body()
        state.withLock { state in
            guard number > state.last else { return }
            (state.value, state.last) = (value, number)
        }
        return value
    }

    /// Forgets what is known, and what is being read.
    package func forget() {
        state.withLock { state in
            (state.value, state.last) = (nil, state.begun)
        }
    }
}
