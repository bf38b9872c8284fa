import Synchronization

/// What the response of an operation still has room for, where several write parts of it: mutations on the writer's thread,
/// and the fields that are asked for outside.
final class ResponseRoom: Sendable {
    private struct State {
        var left: Int
        /// The first part that did not fit; nil: all did.
        var spentFrom: Int?
        var parts = 0
        var isReported = false

        mutating func spend(from part: Int) { spentFrom = min(spentFrom ?? part, part) }
    }

    /// Before all parts: what is behind it is everything.
    static let beginning = -1

    private let state: Mutex<State>
    let bytesMax: Int

    init(left: Int, of bytesMax: Int) {
        state = Mutex(State(left: left))
        self.bytesMax = bytesMax
    }

    var left: Int { state.withLock { max(0, $0.left) } }

    /// True if something did not fit: nothing more is done for the operation.
    var isSpent: Bool { state.withLock { $0.spentFrom != nil } }

    /// The number of a part that may be written more than once: a group of mutations may run again.
    func nextPart() -> Int {
        state.withLock { state in
            defer { state.parts += 1 }
            return state.parts
        }
    }

    /// Returns whether something before the part did not fit. What comes before that is written again as it was.
    func isSpent(before part: Int) -> Bool { state.withLock { state in state.spentFrom.map { $0 < part } ?? false } }

    /// Takes room for a part that is written; false when there is too little.
    func take(_ count: Int, for part: Int = ResponseRoom.beginning) -> Bool {
        state.withLock { state in
            guard count <= state.left else {
                state.spend(from: part)
                return false
            }
            state.left -= count
            return true
        }
    }

    /// Gives back the room of a part that is written anew.
    func giveBack(_ count: Int) { state.withLock { $0.left += count } }

    func spend(from part: Int = ResponseRoom.beginning) { state.withLock { $0.spend(from: part) } }

    var failure: FieldFailure { .responseTooLarge(bytesMax) }

    /// The same for whoever asks first: one error speaks for all that follow.
    func takeFailure() -> FieldFailure? {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        return isFirst ? failure : nil
    }
}
