import COpenSSL
import Glibc

/// A PEM file in memory: the certificates or the key that are in it, or exactly what is wrong.
struct PEMFile {
    /// A chain has a handful of certificates, and the system's own list of authorities takes a quarter of this.
    static let bytesMax = 1 << 20
    /// An endless chain would make each handshake as slow as it is long.
    static let certificatesMax = 512

    let role: TLSConfigurationError.Role
    let path: String
    private let bytes: [UInt8]

    init(_ role: TLSConfigurationError.Role, at path: String) throws(TLSConfigurationError) {
        self.role = role
        self.path = path
        self.bytes = try Self.read(role, at: path)
    }

    /// The certificates in the order of the file.
    func certificates() throws(TLSConfigurationError) -> [Certificate] {
        let memory = MemoryBuffer(reading: bytes)
        var certificates: [Certificate] = []
        while true {
            OpenSSLErrorQueue.clear()
            guard let pointer = PEM_read_bio_X509_AUX(memory.pointer, nil, homeport_no_passphrase, nil) else { break }
            certificates.append(Certificate(taking: pointer))
            if certificates.count > Self.certificatesMax {
                throw problem(.found("more than \(Self.certificatesMax) certificates"))
            }
        }
        // The end of the file reads as "no start line", which is an error just if nothing came before it.
        let reason = OpenSSLErrorQueue.firstReason
        let text = OpenSSLErrorQueue.takeText()
        if reason != PEM_R_NO_START_LINE { throw problem(.broken(text)) }
        if certificates.isEmpty { throw problem(.found(content)) }
        return certificates
    }

    func key() throws(TLSConfigurationError) -> TLSPrivateKey {
        let memory = MemoryBuffer(reading: bytes)
        OpenSSLErrorQueue.clear()
        if let pointer = PEM_read_bio_PrivateKey(memory.pointer, nil, homeport_no_passphrase, nil) {
            return TLSPrivateKey(taking: pointer)
        }
        let text = OpenSSLErrorQueue.takeText()
        if holds("ENCRYPTED") { throw problem(.encrypted) }
        if holds("PRIVATE KEY-----") { throw problem(.broken(text)) }
        throw problem(.found(content))
    }

    func problem(_ problem: TLSConfigurationError.Problem) -> TLSConfigurationError {
        TLSConfigurationError(role: role, file: path, problem: problem)
    }

    /// The kind of this content in a person's words, for a file of the wrong kind.
    private var content: String {
        if bytes.isEmpty { return "nothing" }
        // A DER structure is a sequence: that is its first byte.
        if bytes[0] == 0x30 { return "binary DER (convert it with openssl)" }
        if holds("PRIVATE KEY-----") { return "a private key (are certificate and key swapped?)" }
        if holds("CERTIFICATE REQUEST-----") { return "a certificate request, which no authority has signed yet" }
        if holds("CERTIFICATE-----") { return "a certificate (are certificate and key swapped?)" }
        if holds("PUBLIC KEY-----") { return "a public key" }
        return "no PEM block"
    }

    private func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { start in bytes[start...].starts(with: wanted) }
    }

    private static func read(_ role: TLSConfigurationError.Role, at path: String)
        throws(TLSConfigurationError) -> [UInt8]
    {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, bytesMax: bytesMax)
        } catch {
            let problem: TLSConfigurationError.Problem
            switch error.code {
            case ENOENT, ENOTDIR: problem = .missing
            case EFBIG: problem = .larger(thanBytes: bytesMax)
            default: problem = .unreadable(String(cString: strerror(error.code)))
            }
            throw TLSConfigurationError(role: role, file: path, problem: problem)
        }
        if bytes.isEmpty { throw TLSConfigurationError(role: role, file: path, problem: .empty) }
        return bytes
    }
}
