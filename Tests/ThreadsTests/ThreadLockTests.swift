import Foundation
import TestSupport
import Testing

@testable import Threads

@Suite("Locks and clocks")
struct ThreadLockTests {
    /// What two threads have in common.
    private final class Shared: @unchecked Sendable {
        // Safe to share: read and written with the lock held.
        let lock = ThreadLock()
        let changed: ThreadCondition
        var value = 0

        init() { changed = ThreadCondition(of: lock) }
    }

    @Test("who waits for a condition goes on when another thread says so")
    func signals() async throws {
        let shared = Shared()
        BlockingThread.detach {
            shared.lock.withLock { shared.value = 1 }
            shared.changed.signal()
        }
        try await BlockingThread.run {
            shared.lock.withLock {
                while shared.value != 1 { shared.changed.wait() }
            }
        }
        #expect(shared.lock.withLock { shared.value } == 1)
    }

    @Test("all that wait go on when all are told")
    func broadcasts() async throws {
        let shared = Shared()
        let waiting = (0..<4).map { _ in
            Task {
                try await BlockingThread.run {
                    shared.lock.withLock {
                        while shared.value == 0 { shared.changed.wait() }
                        shared.value += 1
                    }
                }
            }
        }
        shared.lock.withLock {
            shared.value = 1
            shared.changed.broadcast()
        }
        for task in waiting { try await task.value }
        #expect(shared.lock.withLock { shared.value } == 5)
    }

    @Test("nobody waits beyond a deadline, and the lock is held behind it", arguments: [0, 1, 30])
    func ends(milliseconds: Int) async throws {
        let shared = Shared()
        let begin = SystemClock.monotonic.milliseconds
        try await BlockingThread.run {
            shared.lock.lock()
            defer { shared.lock.unlock() }
            let deadline = ThreadDeadline(inMilliseconds: milliseconds)
            while shared.changed.wait(until: deadline) {}
        }
        #expect(SystemClock.monotonic.milliseconds - begin >= Int64(milliseconds) - 1)
        #expect(shared.lock.withLock { shared.value } == 0)
    }

    @Test("the time of day is that of the system, and the other clock never goes back")
    func tellsTime() {
        let before = Int64(Date().timeIntervalSince1970 * 1_000) - 1
        let wall = SystemClock.wall.milliseconds
        #expect(wall >= before && wall <= Int64(Date().timeIntervalSince1970 * 1_000) + 1)
        var last = SystemClock.monotonic
        for _ in 0..<1_000 {
            let next = SystemClock.monotonic
            #expect((next.seconds, next.nanoseconds) >= (last.seconds, last.nanoseconds))
            last = next
        }
    }

    @Test("clocks are read, and locks are made, in one place")
    func areInOnePlace() throws {
        let root = #filePath.split(separator: "/").prefix { $0 != "Tests" }.map { "/" + $0 }.joined() + "/Sources"
        var found: [String: Set<String>] = [:]
        let files = try #require(FileManager.default.enumerator(atPath: root))
        for case let name as String in files where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
            for word in ["clock_gettime", "pthread_mutex_t", "pthread_cond_t"] where text.contains(word) {
                found[word, default: []].insert(name)
            }
        }
        #expect(
            found == [
                "clock_gettime": ["Threads/SystemClock.swift"], "pthread_mutex_t": ["Threads/ThreadLock.swift"],
                "pthread_cond_t": ["Threads/ThreadLock.swift"],
            ])
    }
}
