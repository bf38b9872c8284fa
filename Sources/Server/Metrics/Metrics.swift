import Engine
import Synchronization

/// The counts of the server, for `/metrics`.
///
/// Each event loop counts for itself, without locks (`LoopMetrics`); a scrape adds the loops up.
package final class Metrics: Sendable {
    /// The answers that are told apart; any other is counted as `other`.
    static let statuses = [
        101, 200, 204, 206, 304, 400, 401, 403, 404, 405, 408, 409, 411, 412, 413, 414, 415, 416, 417, 429, 431, 500,
        501, 502, 503, 504, 505,
    ]
    /// The upper bounds of the histogram of durations, in microseconds.
    static let durationBounds: [UInt64] = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        5_000_000, 10_000_000,
    ]

    /// The media type of what `text` answers.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The names of the routes; requests for anything else are counted as `other`.
    package let routes: [String]
    private let names: Mutex<[RootFields.Entry]>
    package let loops: [LoopMetrics]

    /// - Parameters:
    ///   - routes: the names under which requests are counted, such as `/graphql`.
    ///   - operations: the names under which operations are counted.
    ///   - hasRoom: whether others may come in their place.
    ///   - loops: how many event loops count.
    package init(routes: [String], operations: [RootFields.Entry] = [], hasRoom: Bool = false, loops: Int) {
        self.routes = routes + ["other"]
        names = Mutex(operations)
        let count = routes.count + 1
        let room = hasRoom ? RootFields.entriesMax : operations.count
        self.loops = (0..<max(loops, 1)).map { _ in LoopMetrics(routes: count, operations: room) }
    }

    /// The operations that are told apart, by their numbers.
    var operations: [RootFields.Entry] { names.withLock { $0 } }

    /// Counts other operations from now on. Each loop begins anew with those (`OperationCounters.clear`).
    func count(_ operations: [RootFields.Entry]) { names.withLock { $0 = operations } }
}
