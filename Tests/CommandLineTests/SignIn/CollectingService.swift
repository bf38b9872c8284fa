import Foundation
import Network
import Synchronization
import TestSupport

/// A service that keeps what it is called with, and answers with the same status each time, but for its first answers.
final class CollectingService: HTTPApplication {
    struct Call: Sendable {
        let fields: [String: String]
        let body: String
    }

    struct NoCall: Error {}

    private let status: HTTPStatus
    private let first: Mutex<[HTTPStatus]>
    private let calls = Mutex<[Call]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    init(status: HTTPStatus = .ok, first: [HTTPStatus] = []) {
        self.status = status
        self.first = Mutex(first)
    }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 1 << 20) { [self] request in
            guard case .bytes(let body) = request.body else { return HTTPResponse(status: .badRequest) }
            let fields = request.head.fields.all.map { ($0.name.lowercased(), $0.value) }
            let call = Call(
                fields: Dictionary(fields, uniquingKeysWith: { one, _ in one }),
                body: String(decoding: body, as: UTF8.self))
            calls.withLock { $0.append(call) }
            arrivals.signal()
            let status = first.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? status
            return HTTPResponse(status: status, body: .bytes(Array("{}".utf8)))
        }
    }

    /// Waits for the next call.
    func next() throws -> Call {
        guard arrivals.wait(timeout: .now() + 60) == .success else { throw NoCall() }
        return try calls.withLock { calls in
            guard !calls.isEmpty else { throw NoCall() }
            return calls.removeFirst()
        }
    }

    /// Runs a body with its address.
    func run(_ body: (String) async throws -> Void) async throws {
        let server = try await LoopbackServer(self)
        do {
            try await body(server.url)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
