import Access
import JSON
import Synchronization

/// A service outside that answers as a test says, and keeps what it was asked.
final class FakeOutside: OutsideService {
    typealias Answer = @Sendable (OutsideRequest) throws(OutsideError) -> OutsideResponse

    private struct State {
        var requests: [OutsideRequest] = []
        var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let answer: Answer

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    convenience init(status: Int = 200, _ body: String, fields: [(name: String, value: String)] = []) {
        self.init { (_) throws(OutsideError) in OutsideResponse(status: status, fields: fields, body: Array(body.utf8))
        }
    }

    convenience init(_ error: OutsideError) {
        self.init { (_) throws(OutsideError) in throw error }
    }

    var requests: [OutsideRequest] { state.withLock { $0.requests } }

    /// The bodies of the requests, as JSON.
    var payloads: [JSONValue] { requests.map { (try? JSONReader.value(of: $0.body)) ?? .null } }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        let ready = state.withLock { state in
            state.requests.append(request)
            let ready = state.watchers.filter { $0.count <= state.requests.count }.map(\.1)
            state.watchers.removeAll { $0.count <= state.requests.count }
            return ready
        }
        for continuation in ready { continuation.resume() }
        return try answer(request)
    }

    /// Waits until so many requests have come.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count < count { state.watchers.append((count, continuation)) }
                return state.requests.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}
