import Glibc
import Network
import TestSupport
import Testing

@Suite("A local certificate authority")
struct CertificateAuthorityTests {
    let folder = TemporaryFolder()
    var tls: String { folder.file("project/.homeport/tls") }

    @Test("makes an authority and a certificate that OpenSSL's own program accepts for the machine's names")
    func isAccepted() async throws {
        let local = try CertificateAuthority.renew(in: tls, names: ["api.test", "192.168.7.9"])
        #expect(local.isAuthorityNew)
        for name in ["localhost", "api.test", "host.docker.internal", "auth.localhost", "app-files.s3.localhost"] {
            let outcome = try await TestProgram.run(
                "openssl",
                [
                    "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-CAfile",
                    local.files.authority, local.files.certificate,
                ])
            #expect(outcome.status == 0, "\(name): \(outcome.output) \(outcome.errors)")
        }
        for address in ["127.0.0.1", "::1", "10.0.2.2", "192.168.7.9"] {
            let outcome = try await TestProgram.run(
                "openssl",
                ["verify", "-verify_ip", address, "-CAfile", local.files.authority, local.files.certificate])
            #expect(outcome.status == 0, "\(address): \(outcome.output) \(outcome.errors)")
        }
    }

    @Test("keeps keys to their owner, and all of it out of version control")
    func modes() throws {
        _ = try CertificateAuthority.renew(in: tls)
        #expect(folder.mode(of: "project/.homeport/tls") == 0o700)
        #expect(folder.mode(of: "project/.homeport/tls/key.pem") == 0o600)
        #expect(folder.mode(of: "project/.homeport/tls/authority-key.pem") == 0o600)
        #expect(folder.mode(of: "project/.homeport/tls/certificate.pem") == 0o644)
        #expect(folder.read("project/.homeport/tls/.gitignore") == "*\n")
    }

    @Test("keeps its authority and renews the certificate")
    func renews() throws {
        let first = try CertificateAuthority.renew(in: tls)
        let firstCertificate = folder.read("project/.homeport/tls/certificate.pem")
        let second = try CertificateAuthority.renew(in: tls)
        #expect(!second.isAuthorityNew)
        #expect(first.authorityFingerprint == second.authorityFingerprint)
        #expect(first.authorityFingerprint.utf8.count == 32 * 3 - 1)
        #expect(folder.read("project/.homeport/tls/certificate.pem") != firstCertificate)
        _ = try TLSContext(serverCertificate: second.files.certificate, key: second.files.key)
    }

    @Test("has a certificate that no system finds too long, for servers only, of an authority for local names only")
    func contents() async throws {
        let local = try CertificateAuthority.renew(in: tls)
        let leaf = try await TestProgram.run("openssl", ["x509", "-noout", "-text", "-in", local.files.certificate])
            .output
        #expect(leaf.contains("TLS Web Server Authentication"))
        #expect(leaf.contains("CA:FALSE"))
        let end = try await TestProgram.run(
            "openssl", ["x509", "-noout", "-checkend", "\(825 * 86_400)", "-in", local.files.certificate])
        #expect(end.status == 1)
        let authority = try await TestProgram.run("openssl", ["x509", "-noout", "-text", "-in", local.files.authority])
            .output
        #expect(authority.contains("CA:TRUE, pathlen:0"))
        #expect(authority.contains("X509v3 Name Constraints: critical"))
        #expect(authority.contains("DNS:localhost"))
        #expect(authority.contains("IP:192.168.0.0/255.255.0.0"))
    }

    @Test(
        "refuses names that cannot stand in a certificate",
        arguments: [
            "", ".", "a..b", "-a.test", "a-.test", "a_b.test", "a b", "a,DNS:b", "*", "a.*.test", "*a.test",
            "1.2.3.256",
            "1.2.3", "[::1]", "localhost:8080", "münchen.test", String(repeating: "a", count: 64) + ".test",
            String(repeating: "abcdefg.", count: 32) + "test", "a.test\n", "a;b",
        ])
    func invalidNames(name: String) {
        #expect(throws: CertificateAuthorityError.invalidName(name)) {
            try CertificateAuthority.renew(in: tls, names: [name])
        }
    }

    @Test("takes names, wildcards and addresses of both versions, and folds their case")
    func validNames() throws {
        let names = ["API.Test", "*.Example.internal", "fd00::9", "172.20.1.2", "a.example.com"]
        let local = try CertificateAuthority.renew(in: tls, names: names)
        #expect(
            Array(local.names.prefix(5)) == [
                "api.test", "*.example.internal", "fd00::9", "172.20.1.2", "a.example.com",
            ])
        #expect(local.names.contains("localhost"))
        #expect(local.refusedNames.isEmpty)
    }

    @Test("says that an authority may not sign for a name on the internet that it was not made for")
    func mayNotSign() throws {
        let first = try CertificateAuthority.renew(in: tls)
        #expect(
            throws: CertificateAuthorityError.mayNotSign(
                "bank.example.com", authority: first.files.authority, key: first.files.authorityKey)
        ) { try CertificateAuthority.renew(in: tls, names: ["bank.example.com"]) }
        #expect(
            throws: CertificateAuthorityError.mayNotSign(
                "8.8.8.8", authority: first.files.authority, key: first.files.authorityKey)
        ) { try CertificateAuthority.renew(in: tls, names: ["8.8.8.8"]) }
    }

    @Test("takes no more names than its limit")
    func tooManyNames() {
        #expect(throws: CertificateAuthorityError.tooManyNames(limit: 64)) {
            try CertificateAuthority.renew(in: tls, names: (0..<65).map { "n\($0).test" })
        }
    }

    @Test("does not make a new authority when half of the old one is missing")
    func incomplete() throws {
        let first = try CertificateAuthority.renew(in: tls)
        unlink(first.files.authorityKey)
        #expect(
            throws: CertificateAuthorityError.incomplete(
                present: first.files.authority, missing: first.files.authorityKey)
        ) { try CertificateAuthority.renew(in: tls) }
    }

    @Test("does not touch an authority that it cannot read")
    func unusable() throws {
        _ = try CertificateAuthority.renew(in: tls)
        try folder.write("rubbish", to: "project/.homeport/tls/authority.pem")
        #expect(throws: CertificateAuthorityError.self) { try CertificateAuthority.renew(in: tls) }
        #expect(folder.read("project/.homeport/tls/authority.pem") == "rubbish")
    }

    @Test("says where it may not write")
    func unwritable() throws {
        try folder.write("", to: "file")
        #expect(throws: CertificateAuthorityError.self) {
            try CertificateAuthority.renew(in: folder.file("file/below"))
        }
    }

    @Test("tells how to trust it, in commands that can be pasted with any path")
    func instructions() throws {
        let local = try CertificateAuthority.renew(in: folder.file("it's here"))
        let text = TrustInstructions.text(authority: local.files.authority)
        for part in ["add-trusted-cert", "update-ca-certificates", "simctl", "adb push", "NODE_EXTRA_CA_CERTS"] {
            #expect(text.contains(part))
        }
        #expect(text.contains("\(folder.path)/it'\\''s here/authority.pem'"))
        #expect(local.summary.contains(local.authorityFingerprint))
    }
}
