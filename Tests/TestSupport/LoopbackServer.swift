import Network

/// A server of ours on a free port of the loopback, on loops of its own.
package struct LoopbackServer: Sendable {
    package let group: EventLoopGroup
    package let server: HTTPServer

    package init(
        _ application: any HTTPApplication, loops: Int = 1, limits: HTTPLimits = .init(),
        tls: ReloadableTLSContext? = nil, at place: SocketAddress = .loopback(port: 0),
        report: @escaping @Sendable (SystemError) -> Void = { _ in }
    ) async throws {
        try await self.init(
            loops: loops, limits: limits, tls: tls, at: place, report: report, application: { _ in application })
    }

    /// The same for an application that wants to know its loops.
    package init(
        loops: Int, limits: HTTPLimits = .init(), tls: ReloadableTLSContext? = nil,
        at place: SocketAddress = .loopback(port: 0),
        report: @escaping @Sendable (SystemError) -> Void = { _ in },
        application: (EventLoopGroup) throws -> any HTTPApplication
    ) async throws {
        group = try EventLoopGroup(count: loops)
        let options = HTTPServerOptions(limits: limits, tls: tls, report: report)
        server = HTTPServer(try application(group), options: options, on: group)
        try await server.start(on: [place])
    }

    package var port: UInt16 { server.addresses.first?.port ?? 0 }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Answers how many connections had to be cut off.
    @discardableResult
    package func stop() async -> Int {
        let cutOff = await server.stop()
        let group = group
        // It waits for its threads, which may be the one that runs this.
        await withCheckedContinuation { continuation in
            BlockingThread.detach {
                group.stop()
                continuation.resume()
            }
        }
        return cutOff
    }
}

extension HTTPApplication {
    package func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: error.status)
    }

    package func finished(_ exchange: HTTPExchange) {}
}
