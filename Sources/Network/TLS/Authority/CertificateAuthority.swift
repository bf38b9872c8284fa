import COpenSSL
import Glibc

/// The local certificate authority of one directory, and the server certificate that it signs.
///
///     authority.pem       what clients trust: EC P-256, ten years, good for local names and addresses only
///     authority-key.pem   its key
///     certificate.pem     the server's certificate, followed by that of the authority
///     key.pem             its key
///
/// Whoever steals the authority's key cannot pass for a site of the internet: the name constraints of its certificate
/// leave it the names of this machine, the local domains and the private addresses.
package struct CertificateAuthority {
    /// How long an authority is good for.
    static let authorityDays = 3650
    /// How long a server certificate is good for. Apple's systems refuse one of more than 825 days.
    static let certificateDays = 820
    /// A client's clock may be behind this one.
    static let daysBefore = 1
    /// The most names in a certificate; a machine that has more addresses keeps those that come first.
    static let namesMax = 64

    let files: LocalCertificateFiles
    let certificate: Certificate
    let key: TLSPrivateKey
    /// True if this call made the authority, so that clients have to be told to trust it.
    let isNew: Bool

    /// Makes a server certificate under the directory, and the authority before it when there is none yet or
    /// it has expired.
    ///
    /// The certificate is for `localhost`, this machine's names and addresses, and the names given.
    package static func renew(
        in directory: String, names requested: [String] = []
    ) throws(CertificateAuthorityError) -> LocalCertificate {
        var wanted: [CertificateName] = []
        for text in requested {
            guard let name = CertificateName(text) else { throw .invalidName(text) }
            if !wanted.contains(name) { wanted.append(name) }
        }
        guard wanted.count <= namesMax else { throw .tooManyNames(limit: namesMax) }
        let files = try LocalCertificateFiles(in: directory)
        let lock = try files.lock()
        defer { withExtendedLifetime(lock) {} }
        let local = CertificateName.ofThisMachine()
        let authority = try openOrMake(files, names: wanted + local)
        return try authority.issue(requested: wanted, local: local)
    }

    private static func openOrMake(
        _ files: LocalCertificateFiles, names: [CertificateName]
    ) throws(CertificateAuthorityError) -> CertificateAuthority {
        let hasCertificate = access(files.authority, F_OK) == 0
        let hasKey = access(files.authorityKey, F_OK) == 0
        if hasCertificate != hasKey {
            throw hasKey
                ? .incomplete(present: files.authorityKey, missing: files.authority)
                : .incomplete(present: files.authority, missing: files.authorityKey)
        }
        if hasCertificate {
            let existing = try open(files)
            if existing.certificate.secondsUntilExpired > 0 { return existing }
        }
        return try make(files, names: names)
    }

    private static func open(_ files: LocalCertificateFiles) throws(CertificateAuthorityError) -> CertificateAuthority {
        do throws(TLSConfigurationError) {
            let file = try PEMFile(.certificate, at: files.authority)
            let keyFile = try PEMFile(.key, at: files.authorityKey)
            guard let certificate = try file.certificates().first else { throw file.problem(.empty) }
            let key = try keyFile.key()
            guard certificate.isOf(key) else { throw keyFile.problem(.keyOfAnother(certificate: files.authority)) }
            return CertificateAuthority(files: files, certificate: certificate, key: key, isNew: false)
        } catch {
            throw .unusableAuthority(error)
        }
    }

    private static func make(
        _ files: LocalCertificateFiles, names: [CertificateName]
    ) throws(CertificateAuthorityError) -> CertificateAuthority {
        let key = try CertificateRequest.makeKey()
        let request = CertificateRequest(
            commonName: "Homeport authority of \(CertificateName.hostName ?? "this machine")", days: authorityDays,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
                (NID_name_constraints, NameConstraints.text(permitting: names)),
            ])
        let certificate = try request.sign(key, by: nil)
        try files.write(key, to: files.authorityKey)
        try files.write([certificate], to: files.authority)
        return CertificateAuthority(files: files, certificate: certificate, key: key, isNew: true)
    }

    private func issue(
        requested: [CertificateName], local: [CertificateName]
    ) throws(CertificateAuthorityError) -> LocalCertificate {
        let key = try CertificateRequest.makeKey()
        var names: [CertificateName] = []
        var refused: [CertificateName] = []
        for name in requested + local where !names.contains(name) && !refused.contains(name) {
            if try isGood(sign(key, for: [name])) {
                if names.count < Self.namesMax { names.append(name) }
            } else if requested.contains(name) {
                throw .mayNotSign(name.text, authority: files.authority, key: files.authorityKey)
            } else {
                refused.append(name)
            }
        }
        let leaf = try sign(key, for: names)
        try files.write(key, to: files.key)
        try files.write([leaf, certificate], to: files.certificate)
        return LocalCertificate(
            files: files, isAuthorityNew: isNew, authorityFingerprint: certificate.fingerprint,
            names: names.map(\.text), refusedNames: refused.map(\.text), expires: leaf.expires)
    }

    private func sign(_ key: TLSPrivateKey, for names: [CertificateName]) throws(CertificateAuthorityError)
        -> Certificate
    {
        let daysLeft = max(1, certificate.secondsUntilExpired / 86_400)
        let request = CertificateRequest(
            commonName: "Homeport", days: min(Self.certificateDays, daysLeft),
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
                (NID_subject_alt_name, names.map(\.extensionText).joined(separator: ",")),
            ])
        return try request.sign(key, by: (certificate, self.key))
    }

    /// Returns whether a client that trusts the authority would accept the certificate: its constraints may not allow the
    /// name, for instance when the machine was called otherwise when the authority was made.
    private func isGood(_ leaf: Certificate) -> Bool {
        let store = X509_STORE_new()
        defer { X509_STORE_free(store) }
        let verification = X509_STORE_CTX_new()
        defer { X509_STORE_CTX_free(verification) }
        defer { OpenSSLErrorQueue.clear() }
        guard X509_STORE_add_cert(store, certificate.pointer) == 1,
            X509_STORE_CTX_init(verification, store, leaf.pointer, nil) == 1
        else { return false }
        X509_STORE_CTX_set_purpose(verification, X509_PURPOSE_SSL_SERVER)
        return X509_verify_cert(verification) == 1
    }
}
