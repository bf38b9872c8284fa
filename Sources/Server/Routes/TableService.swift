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

    var targets: [String] { [door.table.target] }
    var scopes: [String] { [door.table.service] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        if let refusal = door.refusal(of: head) { return .answer(refusal) }
        return .compute(bodyMax: door.table.limits.bytesMax) { [door] request in
            guard !BesideLoop.isLong(request) else {
                return .later { await BesideLoop.always { await door.answer(request) } }
            }
            // A call that waits ends when its client goes; all else is done whoever still listens.
            return door.isWaiting(request)
                ? .whileWaited { await door.answer(request) } : .later { await door.answer(request) }
        }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse { door.refusal(of: error) }
}
