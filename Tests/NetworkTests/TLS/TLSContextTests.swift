import Glibc
import Network
import TestSupport
import Testing

@Suite("A TLS context")
struct TLSContextTests {
    typealias Problem = TLSConfigurationError.Problem

    let folder = TemporaryFolder()

    @Test("says that a file is missing, and what to do")
    func missing() throws {
        let path = folder.file("none.pem")
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: path, key: TestCertificates.key)
        }
        #expect(error?.problem == .missing)
        #expect(
            error?.description
                == "TLS certificate \(path): there is no such file. "
                + "Check the path, or make a local certificate with `homeport certificate`.")
    }

    @Test("says that a file cannot be read")
    func unreadable() throws {
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: folder.path, key: TestCertificates.key)
        }
        #expect(error?.problem == .unreadable("Is a directory"))
    }

    @Test(
        "says what it found in place of a certificate",
        arguments: [
            ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "a public key"),
            ("hello", "no PEM block"),
            (
                "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n",
                "a certificate request, which no authority has signed yet"
            ),
            ("0\u{1}\u{2}", "binary DER (convert it with openssl)"),
        ])
    func notACertificate(content: String, found: String) throws {
        let path = try folder.write(content, to: "certificate.pem")
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: path, key: TestCertificates.key)
        }
        #expect(error == TLSConfigurationError(role: .certificate, file: path, problem: .found(found)))
    }

    @Test("says when certificate and key are swapped")
    func swapped() throws {
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: TestCertificates.key, key: TestCertificates.certificate)
        }
        #expect(error?.problem == .found("a private key (are certificate and key swapped?)"))
        let other = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: TestCertificates.certificate, key: TestCertificates.certificate)
        }
        #expect(other?.role == .key)
        #expect(other?.problem == .found("a certificate (are certificate and key swapped?)"))
    }

    @Test("says when a file is empty, broken or too large")
    func badContents() throws {
        func problem(_ content: String) throws -> Problem? {
            let path = try folder.write(content, to: "certificate.pem")
            do {
                _ = try TLSContext(serverCertificate: path, key: TestCertificates.key)
                return nil
            } catch { return error.problem }
        }
        #expect(try problem("") == .empty)
        #expect(try problem(String(repeating: "a", count: 1 << 20 + 1)) == .larger(thanBytes: 1 << 20))
        let broken = "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n"
        guard case .broken = try problem(broken) else {
            Issue.record("a broken block was not found")
            return
        }
    }

    @Test("says when the key belongs to another certificate")
    func keyOfAnother() throws {
        let other = try CertificateAuthority.renew(in: folder.file("other"))
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: TestCertificates.certificate, key: other.files.key)
        }
        #expect(error?.file == other.files.key)
        #expect(error?.problem == .keyOfAnother(certificate: TestCertificates.certificate))
    }

    @Test("says that an encrypted key must be decrypted, and asks nobody for a passphrase")
    func encrypted() async throws {
        let key = folder.file("encrypted.pem")
        let made = try await TestProgram.run(
            "openssl", ["pkey", "-in", TestCertificates.key, "-aes128", "-passout", "pass:secret", "-out", key])
        #expect(made.status == 0)
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(serverCertificate: TestCertificates.certificate, key: key)
        }
        #expect(error?.problem == .encrypted)
    }

    @Test("takes RSA keys of the older form too, and refuses one that is too short")
    func rsa() async throws {
        for (bits, isAccepted) in [(2048, true), (1024, false)] {
            let key = folder.file("rsa-\(bits).pem")
            let certificate = folder.file("rsa-\(bits)-certificate.pem")
            #expect(
                try await TestProgram.run("openssl", ["genrsa", "-traditional", "-out", key, "\(bits)"]).status == 0)
            let made = try await TestProgram.run(
                "openssl",
                [
                    "req", "-x509", "-key", key, "-out", certificate, "-days", "5", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost",
                ])
            #expect(made.status == 0, "\(made.errors)")
            if isAccepted {
                let context = try TLSContext(serverCertificate: certificate, key: key)
                #expect(context.warnings.count == 1, "it expires within a fortnight")
                #expect(context.warnings.first?.description.contains("expires on") == true)
            } else {
                let error = #expect(throws: TLSConfigurationError.self) {
                    try TLSContext(serverCertificate: certificate, key: key)
                }
                #expect(error?.problem == .refused("ee key too small"))
            }
        }
    }

    @Test("warns of a certificate that has expired, and of one without names")
    func warnings() async throws {
        let certificate = folder.file("expired.pem")
        let made = try await TestProgram.run(
            "openssl",
            [
                "x509", "-in", TestCertificates.certificate, "-signkey", TestCertificates.key, "-days", "-1", "-clrext",
                "-out", certificate,
            ])
        #expect(made.status == 0, "\(made.errors)")
        let context = try TLSContext(serverCertificate: certificate, key: TestCertificates.key)
        let texts = context.warnings.map(\.description)
        #expect(texts.count == 2)
        #expect(texts.first?.contains("expired on") == true)
        #expect(texts.last?.contains("no subject alternative name") == true)
        #expect(try TestCertificates.server().warnings.isEmpty)
    }

    @Test("trusts a file of authorities or says what is wrong with it")
    func authorities() throws {
        _ = try TestCertificates.client()
        let error = #expect(throws: TLSConfigurationError.self) {
            try TLSContext(trusting: .file(folder.file("none.pem")))
        }
        #expect(error?.role == .authorities)
        #expect(error?.problem == .missing)
        _ = try TLSContext(trusting: .system)
    }

    @Test("is made anew from its files, and stays as it was when they are broken")
    func reload() throws {
        let local = try CertificateAuthority.renew(in: folder.file("tls"))
        let reloadable = try ReloadableTLSContext(serverCertificate: local.files.certificate, key: local.files.key)
        let first = reloadable.current
        try reloadable.reload()
        let second = reloadable.current
        #expect(first !== second)
        // A new key with the old certificate is what a reload sees between the two files of a renewal.
        let other = try CertificateAuthority.renew(in: folder.file("other"))
        #expect(rename(other.files.key, local.files.key) == 0)
        let error = #expect(throws: TLSConfigurationError.self) { try reloadable.reload() }
        #expect(error?.problem == .keyOfAnother(certificate: local.files.certificate))
        #expect(reloadable.current === second)
    }
}
