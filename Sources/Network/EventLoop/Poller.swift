/// The events that a descriptor is watched for.
struct PollInterest: OptionSet, Sendable {
    let rawValue: UInt8
    static let reading = PollInterest(rawValue: 1)
    static let writing = PollInterest(rawValue: 2)
}

/// The events of a watched descriptor.
struct PollEvents: OptionSet, Sendable {
    let rawValue: UInt8
    static let readable = PollEvents(rawValue: 1)
    static let writable = PollEvents(rawValue: 2)
    /// Both directions are gone, or an error is pending: nothing that is written can arrive any more.
    static let broken = PollEvents(rawValue: 4)
}

// A `Poller` is the kernel's list of watched descriptors and the call that waits for them. There is one per kernel
// interface, `Poller+Epoll.swift` for Linux and `Poller+Kqueue.swift` for Darwin and the BSDs, with the same members:
//
//     init() throws(SystemError)
//     func add(_ descriptor: Int32, key: UInt64, interest: PollInterest) throws(SystemError)
//     func change(_ descriptor: Int32, key: UInt64, from: PollInterest, to: PollInterest)
//     func remove(_ descriptor: Int32, interest: PollInterest)
//     func wait(milliseconds: Int32, _ body: (_ key: UInt64, _ events: PollEvents) -> Void)
//     func wake()                                    from any thread: ends a wait
//
// Both are level-triggered: an event is reported until its cause is gone, so a handler may read a part and return.

extension UInt64 {
    /// The key that a poller reports for its own wake-up.
    static let pollerWakeKey = UInt64.max
}
