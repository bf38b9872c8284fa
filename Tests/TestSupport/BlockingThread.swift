import Glibc
import Network

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
@concurrent
package func onThreadOfItsOwn(_ test: @Sendable @concurrent () async throws -> Void) async throws {
    let loop = try EventLoop(index: 0)
    try loop.start()
    defer { loop.stop() }
    try await withTaskExecutorPreference(loop) { try await test() }
}
