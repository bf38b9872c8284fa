import Synchronization

/// A server's TLS context that can be made anew from its files while connections come in.
///
/// A new connection gets the context of its moment; those that are open keep theirs.
package final class ReloadableTLSContext: Sendable {
    package let certificatePath: String
    package let keyPath: String
    private let state: Mutex<TLSContext>

    package init(serverCertificate: String, key: String) throws(TLSConfigurationError) {
        certificatePath = serverCertificate
        keyPath = key
        state = Mutex(try TLSContext(serverCertificate: serverCertificate, key: key))
    }

    package var current: TLSContext { state.withLock { $0 } }

    /// Reads the files again. When they are not usable the old context stays, and the error says what is wrong.
    @discardableResult
    package func reload() throws(TLSConfigurationError) -> [TLSWarning] {
        let context = try TLSContext(serverCertificate: certificatePath, key: keyPath)
        state.withLock { $0 = context }
        return context.warnings
    }
}
