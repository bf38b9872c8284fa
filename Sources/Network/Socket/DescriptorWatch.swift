import Glibc

/// Watches a descriptor that is no socket, such as a pipe or a process, and tells each time that it is ready to be read.
///
/// It belongs to its loop's thread, where it is made and stopped.
package final class DescriptorWatch: PollTarget, LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    private let descriptor: FileDescriptor
    private var registration: PollRegistration?
    private var whenReady: (() -> Void)?

    /// - Parameter whenReady: is called as long as there is something to be read, the end of a pipe among it.
    package init(
        _ descriptor: consuming FileDescriptor, on loop: EventLoop, whenReady: @escaping () -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.descriptor = descriptor
        self.whenReady = whenReady
        checkLoop()
        registration = try loop.register(self.descriptor.raw, interest: .reading, target: self)
    }

    /// Reads what is there, into the loop's own buffer, and hands it on. False: there will be no more. Of a descriptor that does
    /// not block.
    package func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        checkLoop()
        let count = Glibc.read(descriptor.raw, loop.scratch.baseAddress, loop.scratch.count)
        if count > 0 { body(UnsafeRawBufferPointer(rebasing: loop.scratch[..<count])) }
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
    }

    /// Tells nothing more. The descriptor is closed with the watch.
    package func stop() {
        checkLoop()
        if let registration { loop.unregister(registration) }
        registration = nil
        whenReady = nil
    }

    func pollTargetIsReady(_ events: PollEvents) { whenReady?() }
}
