import Network
import TestSupport

/// An authority and a certificate of it that the tests of TLS share.
enum TestCertificates {
    private static let folder = TemporaryFolder.ofProcess()

    static let local: LocalCertificate = {
        do {
            return try CertificateAuthority.renew(in: folder.file("tls"), names: ["api.test", "*.wild.test"])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static var certificate: String { local.files.certificate }
    static var key: String { local.files.key }
    static var authority: String { local.files.authority }

    static func server() throws -> TLSContext { try TLSContext(serverCertificate: certificate, key: key) }
    static func client() throws -> TLSContext { try TLSContext(trusting: .file(authority)) }
}
