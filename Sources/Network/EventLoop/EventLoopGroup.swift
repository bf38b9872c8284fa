import CSystem
import Synchronization

/// The event loops of a process, one per core.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let isStopped = Atomic(false)

    /// Starts the loops' threads.
    package init(count: Int = EventLoopGroup.usableCores) throws(SystemError) {
        var loops: [EventLoop] = []
        for index in 0..<max(1, count) { loops.append(try EventLoop(index: index)) }
        self.loops = loops
        for loop in loops { try loop.start() }
    }

    /// The cores that this process may run on, which can be fewer than the machine has.
    package static var usableCores: Int {
        max(1, Int(homeport_usable_cores()))
    }

    /// Stops all loops and waits for their threads. Not on a loop. Calling it again changes nothing.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        for loop in loops { loop.stop() }
        for loop in loops { loop.join() }
    }
}
