/// Why a TLS context cannot be made: which file, what is wrong with it, and what to do.
package struct TLSConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The role of a file.
    package enum Role: String, Equatable, Sendable {
        case certificate = "TLS certificate"
        case key = "TLS key"
        case authorities = "certificate authorities"
    }

    /// The problem of a file.
    package enum Problem: Equatable, Sendable {
        case missing
        /// It cannot be read; the text is the system's.
        case unreadable(String)
        case larger(thanBytes: Int)
        case empty
        /// No block of the kind wanted in it; the text says what is there instead.
        case found(String)
        /// A PEM block that cannot be read; the text is OpenSSL's.
        case broken(String)
        case encrypted
        /// The key is not that of the certificate in this file.
        case keyOfAnother(certificate: String)
        /// OpenSSL does not accept it, for instance since the key is too short; the text is OpenSSL's.
        case refused(String)
    }

    package let role: Role
    package let file: String
    package let problem: Problem

    package init(role: Role, file: String, problem: Problem) {
        self.role = role
        self.file = file
        self.problem = problem
    }

    package var description: String { "\(role.rawValue) \(file): \(found). \(remedy)" }

    private var wanted: String {
        switch role {
        case .certificate: return "a PEM file with the certificate and then its intermediates"
        case .key: return "a PEM file with the private key"
        case .authorities: return "a PEM file with one or more certificates"
        }
    }

    private var found: String {
        switch problem {
        case .missing: return "there is no such file"
        case .unreadable(let reason): return "cannot be read: \(reason)"
        case .larger(let limit): return "larger than \(limit) bytes"
        case .empty: return "empty"
        case .found(let what): return "expected \(wanted), found \(what)"
        case .broken(let reason): return "its PEM block cannot be read: \(reason)"
        case .encrypted: return "the key is encrypted with a passphrase"
        case .keyOfAnother(let certificate): return "not the key of the certificate in \(certificate)"
        case .refused(let reason): return "OpenSSL refuses it: \(reason)"
        }
    }

    private var remedy: String {
        switch problem {
        case .missing:
            return role == .authorities
                ? "Check the path." : "Check the path, or make a local certificate with `homeport certificate`."
        case .unreadable: return "Let the user that runs homeport read it."
        case .larger, .empty, .found, .broken: return "Give \(wanted)."
        case .encrypted: return "Decrypt it once: openssl pkey -in \(file) -out key.pem"
        case .keyOfAnother: return "Give the key that the certificate was requested with."
        case .refused: return "Give an RSA key of 2048 bits or more, or an EC key."
        }
    }
}
