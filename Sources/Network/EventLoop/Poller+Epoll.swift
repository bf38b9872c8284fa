#if os(Linux)
    import CSystem
    import Glibc

    /// The poller over Linux's epoll; an eventfd wakes it.
    struct Poller: ~Copyable {
        /// Events taken from the kernel in one call. More stay there for the next.
        private static let eventsPerWait = 256

        private let poller: FileDescriptor
        private let wakeUp: FileDescriptor
        private let events = UnsafeMutablePointer<homeport_epoll_event>.allocate(capacity: Poller.eventsPerWait)

        init() throws(SystemError) {
            poller = FileDescriptor(owning: homeport_epoll_create())
            wakeUp = FileDescriptor(owning: homeport_eventfd())
            guard poller.raw >= 0 else { throw SystemError(call: "epoll_create1") }
            guard wakeUp.raw >= 0 else { throw SystemError(call: "eventfd") }
            try add(wakeUp.raw, key: .pollerWakeKey, interest: .reading)
        }

        deinit {
            events.deallocate()
        }

        func add(_ descriptor: Int32, key: UInt64, interest: PollInterest) throws(SystemError) {
            guard homeport_epoll_control(poller.raw, Int32(homeport_epoll_add), descriptor, interest.epoll, key) == 0
            else {
                throw SystemError(call: "epoll_ctl")
            }
        }

        func change(_ descriptor: Int32, key: UInt64, from: PollInterest, to interest: PollInterest) {
            _ = homeport_epoll_control(poller.raw, Int32(homeport_epoll_change), descriptor, interest.epoll, key)
        }

        func remove(_ descriptor: Int32, interest: PollInterest) {
            _ = homeport_epoll_control(poller.raw, Int32(homeport_epoll_remove), descriptor, 0, 0)
        }

        func wait(milliseconds: Int32, _ body: (_ key: UInt64, _ events: PollEvents) -> Void) {
            let count = homeport_epoll_wait(poller.raw, events, Int32(Poller.eventsPerWait), milliseconds)
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let key = events[index].key
                if key == .pollerWakeKey {
                    var value: UInt64 = 0
                    _ = read(wakeUp.raw, &value, MemoryLayout<UInt64>.size)
                }
                body(key, PollEvents(epoll: events[index].events))
            }
        }

        /// Safe on any thread: the descriptor lives as long as the poller, and a write to an eventfd is atomic.
        func wake() {
            var one: UInt64 = 1
            _ = write(wakeUp.raw, &one, MemoryLayout<UInt64>.size)
        }
    }

    extension PollInterest {
        fileprivate var epoll: UInt32 {
            let bits = (contains(.reading) ? homeport_epoll_in : 0) | (contains(.writing) ? homeport_epoll_out : 0)
            return UInt32(bits)
        }
    }

    extension PollEvents {
        fileprivate init(epoll events: UInt32) {
            let events = Int(events)
            var result: PollEvents = []
            if events & homeport_epoll_in != 0 { result.insert(.readable) }
            if events & homeport_epoll_out != 0 { result.insert(.writable) }
            if events & (homeport_epoll_error | homeport_epoll_hangup) != 0 { result.insert(.broken) }
            self = result
        }
    }
#endif
