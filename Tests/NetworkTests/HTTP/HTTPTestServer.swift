import Crypto
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Network

/// A real server on a free port of the loopback address, with routes that show what a test wants to see.
struct HTTPTestServer {
    private let loopback: LoopbackServer
    let application = HTTPTestApplication()
    let reports = Reports()

    init(loops: Int = 1, limits: HTTPLimits = .init()) async throws {
        loopback = try await LoopbackServer(
            application, loops: loops, limits: limits, report: { [reports] in reports.append($0) })
    }

    var server: HTTPServer { loopback.server }
    var group: EventLoopGroup { loopback.group }
    var port: UInt16 { loopback.port }

    func stop() async { await loopback.stop() }

    /// Starts a server, lets the body use it, and stops it whatever happens.
    static func run(
        loops: Int = 1, limits: HTTPLimits = .init(), _ body: (HTTPTestServer) async throws -> Void
    ) async throws {
        let server = try await HTTPTestServer(loops: loops, limits: limits)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

/// What a server reported outside of any request.
final class Reports: Sendable {
    private let errors = Mutex<[SystemError]>([])

    var all: [SystemError] { errors.withLock { $0 } }

    func append(_ error: SystemError) { errors.withLock { $0.append(error) } }
}

/// Routes: /echo answers the body, /digest the digest of what was sent compressed, /stream answers a streamed body piece by
/// piece, /count reads one, /wait answers when it is let go, /whileWaited and /promisedWhileWaited when nobody waits any more, /large answers so many bytes, /file sends a file, /fail breaks off.
final class HTTPTestApplication: HTTPApplication {
    private let exchanges = Mutex<[HTTPExchange]>([])
    let gate = Gate()

    var finishedExchanges: [HTTPExchange] { exchanges.withLock { $0 } }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        switch head.path {
        case "/echo":
            return .collect(bodyMax: 4096) { request in
                guard case .bytes(let bytes) = request.body else { return HTTPResponse(status: .internalServerError) }
                return HTTPResponse(body: .bytes(bytes))
            }
        case "/digest":
            return .compute(bodyMax: 4096) { request in
                let digest = request.sentDigest.map { Hexadecimal.text(of: $0) } ?? "none"
                return .now(HTTPResponse(body: .bytes(Array(digest.utf8))))
            }
        case "/count":
            return .stream(bodyMax: 64 * 1024 * 1024) { await Self.count($0) }
        case "/wait":
            return .collect(bodyMax: 4096) { [gate] _ in
                await gate.pass()
                return HTTPResponse(body: .bytes(Array("waited".utf8)))
            }
        case "/whileWaited":
            return .compute(bodyMax: 4096) { [gate] _ in
                .whileWaited {
                    // Ends when its task is cancelled, and by nothing else.
                    let (endless, signal) = AsyncStream<Void>.makeStream()
                    defer { signal.finish() }
                    gate.note()
                    for await _ in endless {}
                    return HTTPResponse(body: .bytes(Array("given up".utf8)))
                }
            }
        case "/promisedWhileWaited":
            return .compute(bodyMax: 4096) { [gate] _ in
                .promisedWhileWaited { deliver in
                    gate.note()
                    return { deliver(HTTPResponse(body: .bytes(Array("given up".utf8)))) }
                }
            }
        case "/large":
            let count = Int(head.query) ?? 0
            return .collect(bodyMax: 0) { _ in HTTPResponse(body: .bytes([UInt8](repeating: 0x61, count: count))) }
        case "/stream":
            let pieces = Int(head.query) ?? 3
            return .collect(bodyMax: 0) { _ in
                HTTPResponse(
                    body: .stream(length: nil) { writer in
                        for piece in 0..<pieces { try await writer.write(Array("\(piece)\n".utf8)) }
                    })
            }
        case "/short":
            return .collect(bodyMax: 0) { _ in
                HTTPResponse(body: .stream(length: 10) { try await $0.write(Array("abc".utf8)) })
            }
        case "/file":
            return .answer(Self.file(String(head.query)))
        default:
            return .answer(HTTPResponse(status: .notFound, body: .bytes(Array("nothing here".utf8))))
        }
    }

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: error.status, body: .bytes(Array(error.description.utf8)))
    }

    func finished(_ exchange: HTTPExchange) {
        exchanges.withLock { $0.append(exchange) }
    }

    private static func count(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .stream(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        var count = 0
        do throws(HTTPBodyError) {
            while let piece = try await body.next() { count += piece.count }
        } catch {
            guard case .unacceptable(let error) = error else { return HTTPResponse(status: .badRequest) }
            return HTTPResponse(status: error.status, body: .bytes(Array(error.description.utf8)))
        }
        return HTTPResponse(body: .bytes(Array("\(count)".utf8)))
    }

    private static func file(_ path: String) -> HTTPResponse {
        let descriptor = FileDescriptor(owning: open(path, O_RDONLY))
        guard descriptor.raw >= 0 else { return HTTPResponse(status: .notFound) }
        var status = stat()
        fstat(descriptor.raw, &status)
        return HTTPResponse(body: .file(HTTPFileBody(descriptor, offset: 1, count: Int(status.st_size) - 1)))
    }
}

/// Holds tasks up until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiting.append(continuation) }
                let reached = state.watchers.filter { $0.count <= state.arrived }.map { $0.1 }
                state.watchers.removeAll { $0.count <= state.arrived }
                return reached + (state.isOpen ? [continuation] : [])
            }
            for continuation in ready { continuation.resume() }
        }
    }

    /// Counts one that does not wait.
    func note() {
        let reached = state.withLock { state in
            state.arrived += 1
            let reached = state.watchers.filter { $0.count <= state.arrived }.map { $0.1 }
            state.watchers.removeAll { $0.count <= state.arrived }
            return reached
        }
        for continuation in reached { continuation.resume() }
    }

    /// Waits until so many have come to the gate.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived < count { state.watchers.append((count, continuation)) }
                return state.arrived >= count
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
