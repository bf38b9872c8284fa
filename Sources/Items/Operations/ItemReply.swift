/// How a call is answered.
package enum ItemReply: Sendable {
    case now(ItemAnswer)
    /// What has to wait runs as a task.
    case later(@Sendable () async -> ItemAnswer)
    /// The writer has it: the closure is called with whom to hand the answer to, once, on any thread. Costs no task.
    case promised(@Sendable (_ deliver: @escaping @Sendable (ItemAnswer) -> Void) -> Void)

    /// The answer, for those who wait in a task anyway.
    package func answer() async -> ItemAnswer {
        switch self {
        case .now(let answer): answer
        case .later(let wait): await wait()
        case .promised(let begin):
            await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
        }
    }
}
