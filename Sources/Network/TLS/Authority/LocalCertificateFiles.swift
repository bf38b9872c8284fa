import COpenSSL
import Glibc

/// The files of a local authority and its server certificate, in a directory of their own.
package struct LocalCertificateFiles: Sendable, Equatable {
    package let directory: String
    package var authority: String { "\(directory)/authority.pem" }
    package var authorityKey: String { "\(directory)/authority-key.pem" }
    package var certificate: String { "\(directory)/certificate.pem" }
    package var key: String { "\(directory)/key.pem" }

    private static let keyMode: mode_t = 0o600
    private static let certificateMode: mode_t = 0o644
    private static let directoryMode: mode_t = 0o700

    /// Names the files in a directory, whether they are there or not.
    package init(of directory: String) {
        self.directory = directory
    }

    /// The files that a server can use: both there.
    package var areUsable: Bool {
        access(certificate, F_OK) == 0 && access(key, F_OK) == 0
    }

    /// Makes the directory, and those above it, when it is not there. Its keys are kept out of version control.
    init(in directory: String) throws(CertificateAuthorityError) {
        self.init(of: directory)
        if access(directory, F_OK) == 0 { return }
        let parts = directory.split(separator: "/", omittingEmptySubsequences: true)
        var path = directory.hasPrefix("/") ? "/" : ""
        for (position, part) in parts.enumerated() {
            path += position == 0 ? String(part) : "/" + part
            let mode: mode_t = position == parts.count - 1 ? Self.directoryMode : 0o777
            guard mkdir(path, mode) == 0 || errno == EEXIST else {
                throw .file(SystemError(call: "mkdir", subject: path))
            }
        }
        try write(Array("*\n".utf8), to: "\(directory)/.gitignore", mode: Self.certificateMode)
    }

    /// Holds off every other process that would write here, for as long as the descriptor is open.
    func lock() throws(CertificateAuthorityError) -> FileDescriptor {
        let raw = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw .file(SystemError(call: "open", subject: directory)) }
        let descriptor = FileDescriptor(owning: raw)
        while flock(descriptor.raw, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .file(SystemError(call: "flock", subject: directory)) }
        }
        return descriptor
    }

    func write(_ key: TLSPrivateKey, to path: String) throws(CertificateAuthorityError) {
        OpenSSLErrorQueue.clear()
        let buffer = MemoryBuffer()
        guard PEM_write_bio_PKCS8PrivateKey(buffer.pointer, key.pointer, nil, nil, 0, nil, nil) == 1 else {
            throw .cryptography(OpenSSLErrorQueue.takeText())
        }
        try write(buffer.bytes, to: path, mode: Self.keyMode)
    }

    func write(_ certificates: [Certificate], to path: String) throws(CertificateAuthorityError) {
        OpenSSLErrorQueue.clear()
        let buffer = MemoryBuffer()
        for certificate in certificates {
            guard PEM_write_bio_X509(buffer.pointer, certificate.pointer) == 1 else {
                throw .cryptography(OpenSSLErrorQueue.takeText())
            }
        }
        try write(buffer.bytes, to: path, mode: Self.certificateMode)
    }

    private func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(CertificateAuthorityError) {
        do {
            try SmallFile.replace(path, with: bytes, mode: mode)
        } catch {
            throw .file(error)
        }
    }
}
