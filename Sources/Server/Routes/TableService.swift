import Cloud
import Network

/// A service that is a table, on the port of the API.
struct TableService: CloudService {
    let route: Route
    private let door: ServiceDoor

    var table: ServiceTable { door.table }

    init(_ route: Route, _ table: ServiceTable, _ callers: ServiceCallers) {
        self.route = route
        door = ServiceDoor(table, callers.of(table.service)) { $0.credentials(body: $1) }
    }

    var targets: [String] { table.target.isEmpty ? [] : [table.target] }
    var scopes: [String] { [table.service] }

    func shares(_ head: HTTPRequestHead) -> Bool { table.takes(head) }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        if let refusal = door.refusal(of: head) { return .answer(refusal) }
        return .compute(bodyMax: door.table.limits.bytesMax) { [door] request in
            let isBeside = door.table.isBesideLoop || BesideLoop.isLong(request)
            let answer: @Sendable () async -> HTTPResponse = {
                isBeside ? await BesideLoop.always { await door.answer(request) } : await door.answer(request)
            }
            // A call that waits ends when its client goes; all else is done whoever still listens.
            return door.isWaiting(request) ? .whileWaited(answer) : .later(answer)
        }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse { door.refusal(of: error) }
}
