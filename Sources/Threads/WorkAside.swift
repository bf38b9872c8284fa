import CSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Work on a thread of its own, while whoever began it goes on: a start has several things to make that do not need each
/// other.
///
/// Unchecked: the thread is joined before anybody looks at what it made.
package final class WorkAside<Value: Sendable>: @unchecked Sendable {
    private let work: @Sendable () -> Value
    private var made: Value?
    private var thread: pthread_t?

    /// What is not worth a thread is done when it is asked for.
    package init(isWorthwhile: Bool = true, _ work: @escaping @Sendable () -> Value) {
        self.work = work
        guard isWorthwhile else { return }
        let box = Unmanaged.passRetained(
            Body {
                self.made = ThreadHeap.widened(self.work)
            })
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // A system places a new thread beside the one that made it and looks for a better place some milliseconds later,
        // which is longer than most work takes.
        homeport_begin_elsewhere(&attributes)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        // Without a thread the work is done when it is asked for.
        if code == 0 { self.thread = thread } else { box.release() }
    }

    /// Waits for what it makes. Called once at least, or the thread goes on by itself.
    package var value: Value {
        if let thread {
            self.thread = nil
            pthread_join(thread, nil)
        }
        if let made { return made }
        let value = work()
        made = value
        return value
    }
}

/// What a thread runs, without the type of what it makes.
private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
