import COpenSSL
import Glibc
import Network

/// The settings of TLS with one server.
///
/// A context of its own beside that of Network: it can go without a check of the host's name (`verify-ca`) or of the
/// certificate (`require`), which no other connection of the server may, and its sessions show the server's certificate.
final class PostgresTLSContext {
    fileprivate let pointer: OpaquePointer
    fileprivate let mode: PostgresTLSMode

    /// - Parameter authorities: a PEM file, or "system".
    init(mode: PostgresTLSMode, authorities: String?) throws(Problem) {
        _ = BrokenPipe.isIgnored
        guard let pointer = SSL_CTX_new(TLS_client_method()) else { throw Problem("TLS: \(OpenSSLText.take())") }
        self.pointer = pointer
        self.mode = mode
        homeport_tls_harden(pointer)
        switch mode {
        case .disable, .require: SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
        case .verifyCA, .verifyFull:
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
            if let problem = Self.trust(authorities, in: pointer) { throw problem }
        }
    }

    deinit { SSL_CTX_free(pointer) }

    struct Problem: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private static func trust(_ authorities: String?, in pointer: OpaquePointer) -> Problem? {
        ERR_clear_error()
        guard let authorities else { return Problem("sslrootcert is not set, so no certificate can be verified") }
        if authorities.utf8.elementsEqual("system".utf8) {
            let isThere =
                getenv(X509_get_default_cert_file_env()) != nil || getenv(X509_get_default_cert_dir_env()) != nil
                || access(X509_get_default_cert_file(), R_OK) == 0 || access(X509_get_default_cert_dir(), R_OK) == 0
            guard isThere, SSL_CTX_set_default_verify_paths(pointer) == 1 else {
                return Problem(
                    "this system has no certificates of authorities; name a file with sslrootcert or SSL_CERT_FILE")
            }
            return nil
        }
        guard SSL_CTX_load_verify_file(pointer, authorities) == 1 else {
            return Problem("the file of sslrootcert cannot be used: \(OpenSSLText.take())")
        }
        return nil
    }
}

/// TLS over one connection, the client's side. It borrows the descriptor, which does not block.
final class PostgresTLSSession {
    private let pointer: OpaquePointer
    private var isBroken = false

    enum Outcome {
        case done(Int)
        case wantsRead, wantsWrite
        case closed
        case failed(TLSError)
    }

    init(_ context: PostgresTLSContext, over descriptor: Int32, host: String) throws(TLSError) {
        ERR_clear_error()
        guard let pointer = SSL_new(context.pointer) else { throw .protocolFailure(OpenSSLText.take()) }
        self.pointer = pointer
        SSL_set_connect_state(pointer)
        guard SSL_set_fd(pointer, descriptor) == 1, Self.name(host, context.mode, pointer) else {
            throw .protocolFailure(OpenSSLText.take())
        }
    }

    deinit { SSL_free(pointer) }

    /// Says whom we want to reach, and demands a certificate for it where the mode does.
    private static func name(_ host: String, _ mode: PostgresTLSMode, _ pointer: OpaquePointer) -> Bool {
        // The dot that makes a name absolute is in no certificate.
        let host = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        let isAddress = SocketAddress(numeric: host, port: 0) != nil
        // An address has no place in the server name extension (RFC 6066, 3).
        if !isAddress, homeport_tls_set_server_name(pointer, host) != 1 { return false }
        guard mode == .verifyFull else { return true }
        if isAddress { return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(pointer), host) == 1 }
        SSL_set_hostflags(pointer, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return SSL_set1_host(pointer, host) == 1
    }

    func handshake() -> Outcome { attempt { SSL_do_handshake($0) == 1 ? 1 : 0 } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        attempt { pointer in
            var count = 0
            return SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count) == 1 ? count : 0
        }
    }

    func write(_ buffer: UnsafeRawBufferPointer) -> Outcome {
        attempt { pointer in
            var count = 0
            return SSL_write_ex(pointer, buffer.baseAddress, buffer.count, &count) == 1 ? count : 0
        }
    }

    /// Bytes have come from the socket that are not read yet.
    var hasBufferedInput: Bool { SSL_has_pending(pointer) == 1 }

    func sayGoodbye() {
        guard !isBroken, SSL_in_init(pointer) == 0 else { return }
        SSL_shutdown(pointer)
        ERR_clear_error()
    }

    /// Calls OpenSSL; 0 says that it has done nothing.
    private func attempt(_ body: (OpaquePointer) -> Int) -> Outcome {
        guard !isBroken else { return .failed(.truncated) }
        ERR_clear_error()
        errno = 0
        let count = body(pointer)
        if count > 0 { return .done(count) }
        let code = errno
        switch SSL_get_error(pointer, 0) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL:
            isBroken = true
            ERR_clear_error()
            return .failed(code == 0 ? .truncated : .system(code))
        default:
            isBroken = true
            let text = OpenSSLText.take()
            let result = SSL_get_verify_result(pointer)
            guard result != Int(X509_V_OK), SSL_get_verify_mode(pointer) != SSL_VERIFY_NONE else {
                return .failed(.protocolFailure(text))
            }
            return .failed(
                .untrusted(reason: String(cString: X509_verify_cert_error_string(result)), names: nil))
        }
    }

    /// What `tls-server-end-point` binds to (RFC 5929, 4.1): the digest of the server's certificate by the algorithm of its
    /// signature, by SHA-256 where that has MD5 or SHA-1; nil where the algorithm has no digest.
    var endPoint: [UInt8]? {
        guard let certificate = SSL_get1_peer_certificate(pointer) else { return nil }
        defer {
            X509_free(certificate)
            ERR_clear_error()
        }
        var number: Int32 = 0
        guard X509_get_signature_info(certificate, &number, nil, nil, nil) == 1, number != NID_undef else { return nil }
        let isWeak = number == NID_md5 || number == NID_sha1
        guard let digest = isWeak ? EVP_sha256() : EVP_get_digestbyname(OBJ_nid2sn(number)) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(certificate, digest, &bytes, &count) == 1 else { return nil }
        return Array(bytes.prefix(Int(count)))
    }
}

/// The oldest error that OpenSSL remembers on this thread, as text.
private enum OpenSSLText {
    static func take() -> String {
        defer { ERR_clear_error() }
        guard let reason = ERR_reason_error_string(ERR_peek_error()) else { return "OpenSSL gave no reason" }
        return String(cString: reason)
    }
}

/// OpenSSL writes in a way that raises a signal where the peer has closed the connection; a handler that somebody has set stays.
private enum BrokenPipe {
    static let isIgnored: Void = {
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        if action.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
    }()
}
