import Synchronization

/// What the response of an operation still has room for, where several write parts of it: mutations on the writer's thread,
/// and the fields that are asked for outside.
final class ResponseRoom: Sendable {
    private struct State {
        var left: Int
        var isSpent = false
        var isReported = false
    }

    private let state: Mutex<State>
    let bytesMax: Int

    init(left: Int, of bytesMax: Int) {
        state = Mutex(State(left: left))
        self.bytesMax = bytesMax
    }

    var left: Int { state.withLock { max(0, $0.left) } }

    /// Whether something did not fit: nothing more is done for the operation.
    var isSpent: Bool { state.withLock { $0.isSpent } }

    /// Takes room for a part that is written; false when there is too little.
    func take(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= state.left else {
                state.isSpent = true
                return false
            }
            state.left -= count
            return true
        }
    }

    /// Gives back the room of a part that is written anew.
    func giveBack(_ count: Int) { state.withLock { $0.left += count } }

    func spend() { state.withLock { $0.isSpent = true } }

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

extension ResponsePiece {
    /// What it takes of the response, its errors included.
    var byteCount: Int { errors.reduce(bytes.count) { $0 + $1.byteCount } }
}
