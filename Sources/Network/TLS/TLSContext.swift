import COpenSSL
import Glibc

/// The settings that all TLS connections of one kind share: certificate and key for a server, trusted authorities for a client.
///
/// TLS 1.2 and 1.3, ALPN `h2` and `http/1.1` where HTTP is served, no compression, no renegotiation. A connection gives its record buffers back
/// while it is idle.
package final class TLSContext: Sendable {
    // OpenSSL counts the references to a context and guards what sessions change in it (its ticket keys); nothing else
    // is changed after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Warnings for the operator: a certificate that has expired or soon will.
    package let warnings: [TLSWarning]

    /// Ciphers for TLS 1.2 that a server takes: with forward secrecy and authenticated encryption. (All of 1.3 are.)
    private static let serverCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// A server's context, from PEM files: the certificate followed by its intermediates, and its private key.
    package convenience init(
        serverCertificate certificatePath: String, key keyPath: String
    ) throws(TLSConfigurationError) {
        let certificateFile = try PEMFile(.certificate, at: certificatePath)
        let chain = try certificateFile.certificates()
        let keyFile = try PEMFile(.key, at: keyPath)
        let key = try keyFile.key()
        guard let leaf = chain.first else { throw certificateFile.problem(.empty) }
        guard leaf.isOf(key) else { throw keyFile.problem(.keyOfAnother(certificate: certificatePath)) }
        guard let pointer = SSL_CTX_new(TLS_server_method()) else {
            throw certificateFile.problem(.refused(OpenSSLErrorQueue.takeText()))
        }
        self.init(taking: pointer, warnings: TLSWarning.warnings(for: leaf, in: certificatePath))
        try use(leaf, intermediates: chain.dropFirst(), from: certificateFile)
        OpenSSLErrorQueue.clear()
        guard SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1 else {
            throw keyFile.problem(.refused(OpenSSLErrorQueue.takeText()))
        }
        SSL_CTX_set_cipher_list(pointer, Self.serverCiphers)
        homeport_tls_serve_http(pointer)
    }

    /// A client's context, for HTTP unless it says otherwise. It trusts the authorities of the system, or just those in the
    /// PEM file.
    package convenience init(
        trusting authorities: TLSTrust, asksForHTTP: Bool = true
    ) throws(TLSConfigurationError) {
        guard let pointer = SSL_CTX_new(TLS_client_method()) else {
            throw TLSConfigurationError(
                role: .authorities, file: "", problem: .refused(OpenSSLErrorQueue.takeText()))
        }
        self.init(taking: pointer, warnings: [])
        homeport_tls_verify_peer(pointer)
        switch authorities {
        case .system: trustSystem()
        case .file(let path): try trust(PEMFile(.authorities, at: path))
        }
        if asksForHTTP { homeport_tls_ask_for_http1(pointer) }
    }

    private init(taking pointer: OpaquePointer, warnings: [TLSWarning]) {
        self.pointer = pointer
        self.warnings = warnings
        homeport_tls_harden(pointer)
        BrokenPipeSignal.isIgnored
    }

    deinit { SSL_CTX_free(pointer) }

    private func use(
        _ leaf: Certificate, intermediates: ArraySlice<Certificate>, from file: PEMFile
    ) throws(TLSConfigurationError) {
        OpenSSLErrorQueue.clear()
        guard SSL_CTX_use_certificate(pointer, leaf.pointer) == 1 else {
            throw file.problem(.refused(OpenSSLErrorQueue.takeText()))
        }
        for certificate in intermediates {
            guard homeport_tls_add_chain_certificate(pointer, certificate.pointer) == 1 else {
                throw file.problem(.refused(OpenSSLErrorQueue.takeText()))
            }
        }
    }

    private func trust(_ file: PEMFile) throws(TLSConfigurationError) {
        let store = SSL_CTX_get_cert_store(pointer)
        for certificate in try file.certificates() {
            OpenSSLErrorQueue.clear()
            guard X509_STORE_add_cert(store, certificate.pointer) == 1 else {
                throw file.problem(.refused(OpenSSLErrorQueue.takeText()))
            }
        }
    }

    /// Trusts what OpenSSL was built to trust. A binary that was built on one distribution and runs on another finds
    /// nothing there, so then the places of the others are tried.
    private func trustSystem() {
        SSL_CTX_set_default_verify_paths(pointer)
        defer { OpenSSLErrorQueue.clear() }
        if getenv(X509_get_default_cert_file_env()) != nil || getenv(X509_get_default_cert_dir_env()) != nil { return }
        if access(X509_get_default_cert_file(), R_OK) == 0 { return }
        for path in Self.systemAuthorities where access(path, R_OK) == 0 {
            if SSL_CTX_load_verify_file(pointer, path) == 1 { return }
        }
    }

    private static let systemAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Alpine, Arch
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat, Amazon Linux
        "/etc/ssl/ca-bundle.pem",  // SUSE
        "/etc/ssl/cert.pem",  // macOS, the BSDs
    ]
}

/// The authorities that a TLS client trusts.
package enum TLSTrust: Sendable, Equatable {
    /// The authorities that the system trusts.
    case system
    /// The certificates in a PEM file, and no others.
    case file(String)
}

/// The signal that a write to a connection which the peer has closed raises.
///
/// OpenSSL writes with `write`, which unlike `send` cannot be told not to raise it, and its default action is to end the
/// process. So the first TLS context makes the process ignore it; a handler that somebody has set stays.
enum BrokenPipeSignal {
    static let isIgnored: Void = {
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        if action.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
    }()
}
