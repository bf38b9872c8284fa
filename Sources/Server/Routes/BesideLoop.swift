import Network

/// Work on requests beside the loop that they came on, whatever it takes: reading a long body, checking its signature, and what follows.
///
/// Whoever is asked there knows no loop; what they do has a bound of its own.
enum BesideLoop {
    /// A body that has more bytes is not looked at on a loop.
    static let bytesMax = 64 << 10

    static func isLong(_ request: HTTPRequest) -> Bool {
        if case .bytes(let body) = request.body { body.count > bytesMax } else { false }
    }

    /// Answers a request: on the loop, unless its body is long.
    static func ifLong(
        _ request: HTTPRequest, _ answer: @escaping @Sendable () async -> HTTPResponse
    ) async -> HTTPResponse {
        isLong(request) ? await always(answer) : await answer()
    }

    static func always<Answer: Sendable>(_ work: @escaping @Sendable () async -> Answer) async -> Answer {
        // A task within one on a loop would run there, too.
        await value(of: Task.detached { await work() })
    }

    /// Work that needs the loop, within such that is beside it.
    static func back<Answer: Sendable>(
        to loop: EventLoop, _ work: @escaping @Sendable () async -> Answer
    ) async -> Answer {
        await value(of: Task(executorPreference: loop) { await work() })
    }

    /// A task that ends with whoever waits for it.
    private static func value<Answer: Sendable>(of task: Task<Answer, Never>) async -> Answer {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
