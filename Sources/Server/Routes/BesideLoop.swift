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
        let task = Task.detached { await work() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
