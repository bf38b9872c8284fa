import Glibc
import Network

/// The certificate that a server shows: the configured one, or the one that `homeport certificate` made.
enum ServerCertificate {
    static func context(for configuration: Configuration, _ log: Log) throws(StartError) -> ReloadableTLSContext? {
        let local = CertificateCommand.files(of: configuration)
        guard
            let files = configuration.tls
                ?? (local.areUsable ? TLSFiles(certificate: local.certificate, key: local.key) : nil)
        else { return nil }
        do throws(TLSConfigurationError) {
            let context = try ReloadableTLSContext(serverCertificate: files.certificate, key: files.key)
            for warning in context.current.warnings { log.warning("\(warning)") }
            return context
        } catch {
            throw StartError(.configuration, error.description)
        }
    }

    /// Reads the files again. When they cannot be used the old certificate stays.
    static func reload(_ context: ReloadableTLSContext?, _ log: Log) {
        guard let context else { return log.info("nothing to reload: no certificate is in use") }
        do throws(TLSConfigurationError) {
            for warning in try context.reload() { log.warning("\(warning)") }
            log.info("certificate reloaded", ["certificate": .string(context.certificatePath)])
        } catch {
            log.error("certificate not reloaded, the old one stays: \(error)")
        }
    }
}
