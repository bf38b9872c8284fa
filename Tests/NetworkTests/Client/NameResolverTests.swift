import Foundation
import Network
import Synchronization
import TestSupport
import Testing

@Suite("The resolver of names")
struct NameResolverTests {
    private typealias Answer = Result<[SocketAddress], NameResolverError>

    @Test("asks the system, and keeps the port")
    func system() async {
        let answer = await withCheckedContinuation { continuation in
            NameResolver.shared.lookUp("localhost", port: 8080) { continuation.resume(returning: $0) }
        }
        guard case .success(let addresses) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(addresses.contains(.loopback(port: 8080)) || addresses.contains { $0.isLoopback && $0.port == 8080 })
    }

    @Test("uses no more threads than its limit, and lets no more names wait than its limit")
    func limits() async throws {
        let gate = DispatchSemaphore(value: 0)
        let asked = Mutex<Set<String>>([])
        let running = Mutex((now: 0, most: 0))
        let resolver = NameResolver { host, _ in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            asked.withLock { _ = $0.insert(host) }
            gate.wait()
            running.withLock { $0.now -= 1 }
            return .success([])
        }
        let answers = Mutex<[String: Answer]>([:])
        let done = DispatchSemaphore(value: 0)
        func lookUp(_ host: String) {
            resolver.lookUp(host, port: 1) { answer in
                answers.withLock { $0[host] = answer }
                done.signal()
            }
        }
        // Two are being asked for, so that the limit of those that wait is met exactly by what comes next.
        lookUp("a")
        lookUp("b")
        try await eventually("two names are asked for") { asked.withLock { $0.count } >= 2 }
        for number in 0..<NameResolver.waitingMax { lookUp("waiting-\(number)") }
        lookUp("beyond")
        #expect(answers.withLock { $0["beyond"] } == .failure(.tooManyWaiting(limit: NameResolver.waitingMax)))
        let count = NameResolver.waitingMax + 2
        for _ in 0..<count { gate.signal() }
        for _ in 0..<count + 1 { done.wait() }
        #expect(answers.withLock { $0.values.filter { $0 == .success([]) }.count } == count)
        #expect(running.withLock { $0.most } == 2)
    }
}
