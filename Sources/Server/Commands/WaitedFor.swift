import Network

/// Waits on the thread of a command for work of the rooms, which are asynchronous.
enum WaitedFor {
    /// The thread for the work of all commands of this process. Swift's own threads are as many as cores, and each may be waiting here:
    /// then nobody would be left to do the work.
    private static let loops = try? EventLoopGroup(count: 1)

    static func value<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        if let loop = loops?.loops.first { return loop.wait(for: work) }
        let awaited = AwaitedValue<Value>()
        Task { awaited.finish(with: await work()) }
        return awaited.wait()
    }
}
