import Files
import Items
import Network
import Realtime
import UserPool

/// The state of one loop: its counters, its part of the access log, what the engine keeps.
final class LoopShard: LoopBound, @unchecked Sendable {
    let metrics: LoopMetrics
    let callers: CallerShard
    let pool: PoolShard
    let files = FileShard()
    var items: ItemShard { callers.items }
    var loop: EventLoop { callers.loop }
    var accessLog: AccessLog

    init(_ metrics: LoopMetrics, _ accessLog: AccessLog, _ callers: CallerShard) {
        self.metrics = metrics
        self.accessLog = accessLog
        self.callers = callers
        pool = PoolShard(outside: callers.outside)
    }

    /// Called on the loop when nothing is served any more.
    func close() {
        callers.close()
        pool.close()
        files.close()
        items.close()
    }

    /// Counts and logs an operation that HTTP has not carried alone.
    func note(_ carried: CarriedOperation) {
        checkLoop()
        let operation = OperationSummary(carried.note)
        metrics.operations.ended(operation, nanoseconds: carried.nanoseconds)
        guard accessLog.isWanted else { return }
        let entry = AccessLog.Entry(carried, operation)
        accessLog.record(entry) { carried.identifier.append(to: &$0) }
    }
}
