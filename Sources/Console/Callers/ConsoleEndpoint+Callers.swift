import Access
import Blueprint
import JSON

extension ConsoleEndpoint {
    /// Those on whose behalf something may be asked for.
    static let callers: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/callers") { console, request throws(ConsoleError) in
            .json(try await CallerChoice(host: try console.host, loop: request.loop).json())
        },
        ConsoleEndpoint(.post, "/callers/resolve") { console, request throws(ConsoleError) in
            .json(try await console.caller(request).json)
        },
    ]
}

extension Console {
    /// On whose behalf a request asks.
    func caller(_ request: ConsoleRequest) async throws(ConsoleError) -> ResolvedCaller {
        let wish = try CallerWish(try request.members()["as"])
        return try await CallerResolver(host: try host, loop: request.loop).resolved(wish)
    }
}
