import Synchronization

/// Says once that a client has asked for TLS where there is no certificate. Such a client hears nothing that it understands,
/// and many try for ever: Amplify's subscribe over TLS, whatever the URL says.
final class TLSRefusal: Sendable {
    private let log: Log
    private let hasTold = Mutex(false)

    init(_ log: Log) {
        self.log = log
    }

    func tell() {
        let isFirst = hasTold.withLock { told in
            defer { told = true }
            return !told
        }
        guard isFirst else { return }
        log.warning(
            "a client asked for TLS, and there is no certificate: homeport certificate makes one. Amplify's clients subscribe "
                + "over TLS; docs/clients.md says how they do without")
    }
}
