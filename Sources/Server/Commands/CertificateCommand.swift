import Network

/// `homeport certificate`: makes a certificate for this machine and says how clients come to trust it.
package enum CertificateCommand {
    /// The folder of the certificates that belong to a configuration; `serve` looks for them there.
    package static func files(of configuration: Configuration) -> LocalCertificateFiles {
        LocalCertificateFiles(of: "\(configuration.data)/certificates")
    }

    /// Makes the certificate, for this machine's names and those given.
    package static func run(_ configuration: Configuration, names: [String], _ output: CommandOutput) -> ExitCode {
        do throws(SystemError) { try DataFolder.make(configuration.data) } catch {
            output.report("homeport: \(error)")
            return .unwritableOutput
        }
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

    /// Makes the certificate of the user of this machine, for all servers of theirs, and has the stores of the machine trust its authority.
    package static func trust(
        _ environment: [String: String], names: [String], _ output: CommandOutput
    ) -> ExitCode {
        trust(environment, names: names, TrustStores(home: environment["HOME"]), output)
    }

    static func trust(
        _ environment: [String: String], names: [String], _ stores: TrustStores, _ output: CommandOutput
    ) -> ExitCode {
        guard let files = UserCertificates.files(environment) else {
            output.report("homeport: neither HOME nor XDG_CONFIG_HOME names a folder for the certificate")
            return .configuration
        }
        do throws(CertificateAuthorityError) {
            let made = try CertificateAuthority.renew(in: files.directory, names: names)
            output.print(made.summary)
            output.print("")
            let outcomes = stores.add(made.files.authority)
            for outcome in outcomes {
                output.print("\(outcome.failure == nil ? "trusted by" : "not trusted by") \(outcome.store)")
                if let failure = outcome.failure { output.print("  \(failure)") }
            }
            let isTrusted = outcomes.contains { $0.failure == nil }
            output.print("")
            output.print(
                "Servers of this user speak https beside http on their port from their next start on. Restart browsers."
            )
            output.print("Node: export NODE_EXTRA_CA_CERTS=\(made.files.authority)")
            if !isTrusted {
                output.print("")
                output.print(TrustInstructions.text(authority: made.files.authority))
            }
            return isTrusted ? .success : .failure
        } catch {
            output.report("homeport: \(error)")
            return exitCode(for: error)
        }
    }

    /// What a start says where files can't be reached from a browser.
    static let filesHint =
        "browsers store files by https alone: run `homeport certificate --trust` once on this machine, and start again"

    private static func exitCode(for error: CertificateAuthorityError) -> ExitCode {
        switch error {
        case .file: .unwritableOutput
        case .invalidName, .tooManyNames: .usage
        case .incomplete, .unusableAuthority, .mayNotSign: .configuration
        case .cryptography: .internalError
        }
    }
}
