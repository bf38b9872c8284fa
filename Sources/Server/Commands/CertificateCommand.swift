import Network

/// `homeport certificate`: makes a certificate for this machine and says how clients come to trust it.
package enum CertificateCommand {
    /// The folder of the certificates that belong to a configuration; `serve` looks for them there.
    package static func files(of configuration: Configuration) -> LocalCertificateFiles {
        LocalCertificateFiles(of: "\(configuration.data)/certificates")
    }

    /// Makes the certificate, for this machine's names and those given.
    package static func run(_ configuration: Configuration, names: [String], _ output: CommandOutput) -> ExitCode {
        do throws(CertificateAuthorityError) {
            let made = try CertificateAuthority.renew(in: files(of: configuration).directory, names: names)
            output.print(made.summary)
            output.print("")
            output.print(TrustInstructions.text(authority: made.files.authority))
            return .success
        } catch {
            output.report("homeport: \(error)")
            return exitCode(for: error)
        }
    }

    private static func exitCode(for error: CertificateAuthorityError) -> ExitCode {
        switch error {
        case .file: .unwritableOutput
        case .invalidName, .tooManyNames: .usage
        case .incomplete, .unusableAuthority, .mayNotSign: .configuration
        case .cryptography: .internalError
        }
    }
}
