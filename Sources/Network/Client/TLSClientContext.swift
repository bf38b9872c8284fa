import Synchronization

/// A client's TLS context that is made when it is first needed: reading the system's authorities takes
/// milliseconds and memory, which a server that calls nobody need not spend.
package final class TLSClientContext: Sendable {
    private let trust: TLSTrust
    private let asksForHTTP: Bool
    private let made = Mutex<TLSContext?>(nil)

    package init(trusting trust: TLSTrust, asksForHTTP: Bool = true) {
        self.trust = trust
        self.asksForHTTP = asksForHTTP
    }

    package func context() throws(TLSConfigurationError) -> TLSContext {
        try made.withLock { made throws(TLSConfigurationError) in
            if let made { return made }
            let context = try TLSContext(trusting: trust, asksForHTTP: asksForHTTP)
            made = context
            return context
        }
    }
}
