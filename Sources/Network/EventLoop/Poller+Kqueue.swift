#if !os(Linux)
    import Darwin

    /// The poller over kqueue, for Darwin and the BSDs; a user event wakes it.
    struct Poller: ~Copyable {
        /// Events taken from the kernel in one call. More stay there for the next.
        private static let eventsPerWait = 256
        private static let wakeIdentifier: UInt = 0

        private let queue: FileDescriptor
        private let events = UnsafeMutablePointer<kevent>.allocate(capacity: Poller.eventsPerWait)

        init() throws(SystemError) {
            queue = FileDescriptor(owning: kqueue())
            guard queue.raw >= 0 else { throw SystemError(call: "kqueue") }
            guard apply(Self.wakeIdentifier, filter: EVFILT_USER, flags: EV_ADD | EV_CLEAR, key: .pollerWakeKey) else {
                throw SystemError(call: "kevent")
            }
        }

        deinit {
            events.deallocate()
        }

        func add(_ descriptor: Int32, key: UInt64, interest: PollInterest) throws(SystemError) {
            guard set(descriptor, key: key, interest: interest, isWanted: true) else {
                throw SystemError(call: "kevent")
            }
        }

        func change(_ descriptor: Int32, key: UInt64, from: PollInterest, to interest: PollInterest) {
            _ = set(descriptor, key: key, interest: from.subtracting(interest), isWanted: false)
            _ = set(descriptor, key: key, interest: interest.subtracting(from), isWanted: true)
        }

        func remove(_ descriptor: Int32, interest: PollInterest) {
            _ = set(descriptor, key: 0, interest: interest, isWanted: false)
        }

        func wait(milliseconds: Int32, _ body: (_ key: UInt64, _ events: PollEvents) -> Void) {
            var limit = timespec(tv_sec: Int(milliseconds) / 1000, tv_nsec: Int(milliseconds) % 1000 * 1_000_000)
            let count =
                milliseconds < 0
                ? kevent(queue.raw, nil, 0, events, Int32(Poller.eventsPerWait), nil)
                : kevent(queue.raw, nil, 0, events, Int32(Poller.eventsPerWait), &limit)
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let event = events[index]
                body(UInt64(UInt(bitPattern: event.udata)), PollEvents(event))
            }
        }

        /// Safe on any thread: the queue lives as long as the poller, and the kernel serialises triggers.
        func wake() {
            var event = kevent(
                ident: Self.wakeIdentifier, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0,
                udata: UnsafeMutableRawPointer(bitPattern: UInt(UInt64.pollerWakeKey)))
            _ = kevent(queue.raw, &event, 1, nil, 0, nil)
        }

        private func set(_ descriptor: Int32, key: UInt64, interest: PollInterest, isWanted: Bool) -> Bool {
            let flags = isWanted ? EV_ADD : EV_DELETE
            let identifier = UInt(UInt32(bitPattern: descriptor))
            var isDone = true
            if interest.contains(.reading) {
                isDone = apply(identifier, filter: EVFILT_READ, flags: flags, key: key) && isDone
            }
            if interest.contains(.writing) {
                isDone = apply(identifier, filter: EVFILT_WRITE, flags: flags, key: key) && isDone
            }
            return isDone
        }

        private func apply(_ identifier: UInt, filter: Int32, flags: Int32, key: UInt64) -> Bool {
            var event = kevent(
                ident: identifier, filter: Int16(filter), flags: UInt16(flags), fflags: 0, data: 0,
                udata: UnsafeMutableRawPointer(bitPattern: UInt(key)))
            return kevent(queue.raw, &event, 1, nil, 0, nil) == 0
        }
    }

    extension PollEvents {
        fileprivate init(_ event: kevent) {
            var result: PollEvents = []
            if Int32(event.filter) == EVFILT_WRITE { result.insert(.writable) }
            if Int32(event.filter) == EVFILT_READ { result.insert(.readable) }
            if Int32(event.flags) & EV_EOF != 0, Int32(event.filter) == EVFILT_WRITE { result.insert(.broken) }
            self = result
        }
    }
#endif
