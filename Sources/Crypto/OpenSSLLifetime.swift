import COpenSSL

/// OpenSSL as a whole.
package enum OpenSSLLifetime {
    /// Keeps what OpenSSL has made until the process is gone. By itself it takes everything apart when the process exits,
    /// also under the hands of threads that are still using it.
    ///
    /// Called before anything else of OpenSSL, or it is too late.
    package static func keepUntilTheEnd() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
