import Glibc
import Network

/// The certificate that a server shows: the configured one, else the one that `homeport certificate` made for its project, else that
/// of the user of this machine.
enum ServerCertificate {
    static func context(
        for configuration: Configuration, _ environment: [String: String] = [:], _ log: Log
    ) throws(StartError) -> ReloadableTLSContext? {
        let local = CertificateCommand.files(of: configuration)
        guard let files = configuration.tls ?? tlsFiles(local) else {
            // A port with a certificate refuses plain requests of other machines, such as phones that never heard of this one.
            return configuration.isForThisMachineOnly ? ofUser(environment, log) : nil
        }
        do throws(TLSConfigurationError) { return try context(files, log) } catch {
            throw StartError(.configuration, error.description)
        }
    }

    /// Returns whether a server has a certificate of its own: then addresses for clients say https.
    static func isOwn(of configuration: Configuration) -> Bool {
        configuration.tls != nil || CertificateCommand.files(of: configuration).areUsable
    }

    /// That of the user. One that cannot be used stops no server of theirs.
    private static func ofUser(_ environment: [String: String], _ log: Log) -> ReloadableTLSContext? {
        guard let files = UserCertificates.files(environment).flatMap(tlsFiles) else { return nil }
        do throws(TLSConfigurationError) { return try context(files, log) } catch {
            log.warning(
                "https is off, since your certificate cannot be used: \(error); run `homeport certificate --trust`")
            return nil
        }
    }

    private static func tlsFiles(_ files: LocalCertificateFiles) -> TLSFiles? {
        files.areUsable ? TLSFiles(certificate: files.certificate, key: files.key) : nil
    }

    private static func context(_ files: TLSFiles, _ log: Log) throws(TLSConfigurationError) -> ReloadableTLSContext {
        let context = try ReloadableTLSContext(serverCertificate: files.certificate, key: files.key)
        for warning in context.current.warnings { log.warning("\(warning)") }
        return context
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
