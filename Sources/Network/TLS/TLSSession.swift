import COpenSSL
import Glibc

/// One TLS connection over a socket that does not block. It owns its TLS state and borrows the descriptor.
///
///     handshake() ─done─▶ read(into:) / write(_:) ... ─▶ shutdown()
///          │wantsRead, wantsWrite: call again when the socket is ready for that
///
/// A session belongs to one thread at a time. Reading can want to write and the other way round (a peer may renew
/// its keys), so a caller waits for what the answer says and not for what it was doing.
package struct TLSSession: ~Copyable {
    private let pointer: OpaquePointer
    /// After a failure OpenSSL must not be asked for anything more, not even to say goodbye: the failure stays.
    private var failure: TLSError?

    /// The first byte of a client that speaks TLS: the kind of its record, a handshake.
    package static let firstByte: UInt8 = 0x16

    /// The server's side of a connection.
    package init(serving context: TLSContext, over descriptor: Int32) throws(TLSError) {
        self.pointer = try Self.make(context, descriptor)
        SSL_set_accept_state(pointer)
    }

    /// The client's side. The certificate must be for the host: a name, or an address in numbers without brackets.
    package init(connecting context: TLSContext, over descriptor: Int32, host: String) throws(TLSError) {
        let pointer = try Self.make(context, descriptor)
        SSL_set_connect_state(pointer)
        // The dot that makes a name absolute stands in no certificate.
        if !Self.expect(host.hasSuffix(".") ? String(host.dropLast()) : host, of: pointer) {
            SSL_free(pointer)
            throw .protocolFailure(OpenSSLErrorQueue.takeText())
        }
        self.pointer = pointer
    }

    /// True if both sides have agreed on HTTP/2.
    var hasAgreedHTTP2: Bool { homeport_alpn_is_http2(pointer) != 0 }

    deinit {
        X509_free(homeport_tls_take_refused(pointer))
        SSL_free(pointer)
    }

    private static func make(_ context: TLSContext, _ descriptor: Int32) throws(TLSError) -> OpaquePointer {
        OpenSSLErrorQueue.clear()
        guard let pointer = SSL_new(context.pointer) else { throw .protocolFailure(OpenSSLErrorQueue.takeText()) }
        guard SSL_set_fd(pointer, descriptor) == 1 else {
            SSL_free(pointer)
            throw .protocolFailure(OpenSSLErrorQueue.takeText())
        }
        return pointer
    }

    private static func expect(_ host: String, of pointer: OpaquePointer) -> Bool {
        OpenSSLErrorQueue.clear()
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(pointer), host) == 1
        OpenSSLErrorQueue.clear()
        if isAddress { return true }
        SSL_set_hostflags(pointer, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        // A name goes into the server name extension; an address has no place there (RFC 6066, 3).
        return SSL_set1_host(pointer, host) == 1 && homeport_tls_set_server_name(pointer, host) == 1
    }

    // MARK: What can be asked

    package enum HandshakeResult: Equatable, Sendable {
        case done
        case wantsRead
        case wantsWrite
        case failed(TLSError)
    }

    package mutating func handshake() -> HandshakeResult {
        if let failure { return .failed(failure) }
        OpenSSLErrorQueue.clear()
        let outcome = SSL_do_handshake(pointer)
        if outcome == 1 { return .done }
        switch reason(of: outcome) {
        case .wantsRead: return .wantsRead
        case .wantsWrite: return .wantsWrite
        case .closed: return .failed(.truncated)
        case .failed(let error): return .failed(error)
        }
    }

    package enum ReadResult: Equatable, Sendable {
        case done(Int)
        case wantsRead
        case wantsWrite
        /// The peer has said goodbye: it sends nothing more.
        case closed
        case failed(TLSError)
    }

    /// Reads what one record holds, or less. The socket says nothing about bytes that are decrypted already, so
    /// a caller reads on until it gets `wantsRead`.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        if let failure { return .failed(failure) }
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return .done(0) }
        OpenSSLErrorQueue.clear()
        var count = 0
        let outcome = SSL_read_ex(pointer, start, buffer.count, &count)
        if outcome == 1 { return .done(count) }
        switch reason(of: outcome) {
        case .wantsRead: return .wantsRead
        case .wantsWrite: return .wantsWrite
        case .closed: return .closed
        case .failed(let error): return .failed(error)
        }
    }

    package enum WriteResult: Equatable, Sendable {
        case done(Int)
        case wantsRead
        case wantsWrite
        case failed(TLSError)
    }

    /// Writes a part. After `wantsRead` or `wantsWrite` the next call must bring the same bytes again, wherever
    /// they then are and with more behind them or not: a record of them is made already.
    package mutating func write(_ buffer: UnsafeRawBufferPointer) -> WriteResult {
        if let failure { return .failed(failure) }
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return .done(0) }
        OpenSSLErrorQueue.clear()
        var count = 0
        let outcome = SSL_write_ex(pointer, start, buffer.count, &count)
        if outcome == 1 { return .done(count) }
        switch reason(of: outcome) {
        case .wantsRead: return .wantsRead
        case .wantsWrite: return .wantsWrite
        case .closed: return .failed(.truncated)
        case .failed(let error): return .failed(error)
        }
    }

    package enum ShutdownResult: Equatable, Sendable {
        /// Our goodbye is with the kernel. That of the peer is not waited for.
        case done
        case wantsRead
        case wantsWrite
        case failed(TLSError)
    }

    /// Says that nothing more will be written. The socket is the caller's to close.
    package mutating func shutdown() -> ShutdownResult {
        guard failure == nil, SSL_in_init(pointer) == 0 else { return .done }
        OpenSSLErrorQueue.clear()
        let outcome = SSL_shutdown(pointer)
        if outcome >= 0 { return .done }
        switch reason(of: outcome) {
        case .wantsRead: return .wantsRead
        case .wantsWrite: return .wantsWrite
        case .closed: return .done
        case .failed(let error): return .failed(error)
        }
    }

    /// True if bytes have been taken from the socket that are not read yet. They may be a part of a record, of which
    /// nothing can be read until the rest comes.
    package var hasBufferedInput: Bool { SSL_has_pending(pointer) == 1 }

    /// True if the handshake is not over yet.
    package var isHandshaking: Bool { SSL_in_init(pointer) == 1 }

    // MARK: What was agreed

    /// "TLSv1.3" or "TLSv1.2".
    package var version: String { SSL_get_version(pointer).map { String(cString: $0) } ?? "" }

    /// The protocol that both sides agreed on by ALPN; empty when the client did not ask.
    package var applicationProtocol: String {
        var start: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(pointer, &start, &length)
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
    }

    // MARK: What went wrong

    private enum Reason {
        case wantsRead
        case wantsWrite
        case closed
        case failed(TLSError)
    }

    private mutating func reason(of outcome: Int32) -> Reason {
        let code = errno
        switch SSL_get_error(pointer, outcome) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL:
            OpenSSLErrorQueue.clear()
            return fail(code == 0 ? .truncated : .system(code))
        default:
            return fail(reasonOfFailure())
        }
    }

    private mutating func fail(_ error: TLSError) -> Reason {
        failure = error
        return .failed(error)
    }

    private func reasonOfFailure() -> TLSError {
        let isTruncated = OpenSSLErrorQueue.firstReason == SSL_R_UNEXPECTED_EOF_WHILE_READING
        let text = OpenSSLErrorQueue.takeText()
        if isTruncated { return .truncated }
        let verification = SSL_get_verify_result(pointer)
        guard verification != Int(X509_V_OK) else { return .protocolFailure(text) }
        let reason = String(cString: X509_verify_cert_error_string(verification))
        let refused = homeport_tls_take_refused(pointer).map { Certificate(taking: $0) }
        let isNameWrong =
            verification == Int(X509_V_ERR_HOSTNAME_MISMATCH) || verification == Int(X509_V_ERR_IP_ADDRESS_MISMATCH)
        return .untrusted(reason: reason, names: isNameWrong ? refused?.names : nil)
    }
}
