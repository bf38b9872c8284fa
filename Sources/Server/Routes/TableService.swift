import Cloud
import Network

/// A service that is a table, on the port of the API.
struct TableService: CloudService {
    let route: Route
    private let door: ServiceDoor

    var table: ServiceTable { door.table }

    /// - Parameter others: who may call beside administrators and functions; nil: nobody.
    init(_ route: Route, _ table: ServiceTable, _ callers: ServiceCallers, others: ServiceDoor.Others? = nil) {
        self.route = route
        door = ServiceDoor(table, callers.of(table.service), others: others) { $0.credentials(body: $1) }
    }

    var targets: [String] { table.target.isEmpty ? [] : [table.target] }
    var scopes: [String] { [table.service] }
    var isPartial: Bool { table.isPartial }
    var hasOwnPaths: Bool { table.isPartial }

    func shares(_ head: HTTPRequestHead) -> Bool { table.takes(head) }
    func isAt(_ head: HTTPRequestHead) -> Bool { table.isAt(head) }

    func reception(_ head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        if let refusal = door.refusal(of: head) { return .answer(refusal) }
        return .compute(bodyMax: door.table.limits.bytesMax) { [door] request in
            let isBeside = door.table.isBesideLoop || BesideLoop.isLong(request)
            let state: CallOrigin.LoopState = { shard(request.loop) }
            let answer: @Sendable () async -> HTTPResponse = {
                isBeside
                    ? await BesideLoop.always { await door.answer(request, state: state) }
                    : await door.answer(request, state: state)
            }
            // A call that waits ends when its client goes; all else is done whoever still listens.
            return door.isWaiting(request) ? .whileWaited(answer) : .later(answer)
        }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse { door.refusal(of: error) }
}
