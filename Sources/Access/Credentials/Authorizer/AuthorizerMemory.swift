import Synchronization

/// What a Lambda authorizer has said of tokens, for all loops: each token is asked about once as long as its answer is good,
/// and whoever shows it meanwhile waits for that one answer.
package final class AuthorizerMemory: Sendable {
    /// Somebody whom the authorizer has admitted, and until when.
    struct Admitted: Sendable {
        let identity: Identity
        let expires: Int64
    }

    /// What the authorizer has answered about a token.
    enum Verdict: Sendable {
        /// Good for everybody who shows the token, until a time.
        case admitted(Admitted)
        /// Not good for anybody who shows it now.
        case refused
        /// The answer was about one request alone: nobody else may use it.
        case notShared(Result<Identity, Refusal>)
        /// Whoever asked has gone without an answer.
        case abandoned
    }

    /// What is to be done about a token.
    enum Turn: Sendable {
        case use(Admitted)
        case refuse
        /// Ask, and tell by `answered` what came of it.
        case ask
        /// Ask for this request alone.
        case askAlone
        /// Somebody else asked, and did not wait for the answer: try again.
        case again
    }

    private struct State {
        var admitted = GenerationCache<Admitted>(countMax: AccessLimits.rememberedTokensMax)
        /// Who waits for an answer about a token, by the token's bytes.
        var waiting: [[UInt8]: [CheckedContinuation<Turn, Never>]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Who shows a token, if the authorizer has admitted it.
    func admitted(_ token: String, now: Int64) -> Admitted? {
        state.withLock { $0.admitted.value(of: token, now: now) }
    }

    /// Takes one's turn with a token: waits while somebody else asks about it.
    func turn(_ token: String, now: Int64) async -> Turn {
        let key = Array(token.utf8)
        return await withCheckedContinuation { continuation in
            let turn = state.withLock { state -> Turn? in
                if let admitted = state.admitted.value(of: token, now: now) { return .use(admitted) }
                guard let waiting = state.waiting[key] else {
                    state.waiting[key] = []
                    return .ask
                }
                guard waiting.count < AccessLimits.waitersMax else { return .refuse }
                state.waiting[key]?.append(continuation)
                return nil
            }
            if let turn { continuation.resume(returning: turn) }
        }
    }

    /// Tells what came of asking about a token, to those who wait for it and to those who come.
    func answered(_ token: String, _ verdict: Verdict) {
        let waiting = state.withLock { state in
            if case .admitted(let admitted) = verdict {
                state.admitted.insert(admitted, for: token, expires: admitted.expires)
            }
            return state.waiting.removeValue(forKey: Array(token.utf8)) ?? []
        }
        for continuation in waiting {
            switch verdict {
            case .admitted(let admitted): continuation.resume(returning: .use(admitted))
            case .refused: continuation.resume(returning: .refuse)
            case .notShared: continuation.resume(returning: .askAlone)
            case .abandoned: continuation.resume(returning: .again)
            }
        }
    }
}
