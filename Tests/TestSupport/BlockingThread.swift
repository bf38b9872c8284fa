import Glibc
import Network
import Synchronization

/// Runs blocking work outside of the threads that run tasks.
package enum BlockingThread {
    package static func detach(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    /// Runs the body on a thread and waits for what it answers.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            detach { continuation.resume(with: Result { try body() }) }
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// Runs a test that waits for sockets or processes. On one of the threads that all tasks share it would hold up the others.
/// Few do so at once: with hundreds of threads on two cores, each would wait for its turn longer than what it tests may take.
@concurrent
package func onThreadOfItsOwn(_ test: @Sendable @concurrent () async throws -> Void) async throws {
    await TestPlaces.shared.take()
    defer { TestPlaces.shared.give() }
    let loop = try EventLoop(index: 0)
    try loop.start()
    defer { loop.stop() }
    try await withTaskExecutorPreference(loop) { try await test() }
}

/// The places of the tests that run on threads of their own; who finds none waits without a thread.
private final class TestPlaces: Sendable {
    static let shared = TestPlaces(32)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func give() {
        let next = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() as CheckedContinuation<Void, Never>? }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
