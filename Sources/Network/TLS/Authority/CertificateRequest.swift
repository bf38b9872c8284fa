import COpenSSL

/// The content of a certificate, before an authority signs it.
struct CertificateRequest {
    /// X.520 allows no more characters in a common name.
    private static let commonNameCharactersMax = 64
    private static let serialBytes = 16

    let commonName: String
    let days: Int
    /// Each an OpenSSL number for the extension and its value in OpenSSL's configuration language.
    let extensions: [(kind: Int32, value: String)]

    static func makeKey() throws(CertificateAuthorityError) -> TLSPrivateKey {
        OpenSSLErrorQueue.clear()
        guard let pointer = homeport_generate_p256_key() else { throw .cryptography(OpenSSLErrorQueue.takeText()) }
        return TLSPrivateKey(taking: pointer)
    }

    /// A certificate for the key, signed by the issuer, or by itself when there is none.
    func sign(
        _ key: TLSPrivateKey, by issuer: (certificate: Certificate, key: TLSPrivateKey)?
    ) throws(CertificateAuthorityError) -> Certificate {
        OpenSSLErrorQueue.clear()
        guard let pointer = X509_new() else { throw .cryptography(OpenSSLErrorQueue.takeText()) }
        let certificate = Certificate(taking: pointer)
        let issuerPointer = issuer?.certificate.pointer ?? pointer
        // 2 stands for version 3, the one that has extensions.
        let isFilled =
            X509_set_version(pointer, 2) == 1 && setSerial(of: pointer) && setName(of: pointer)
            && X509_set_issuer_name(pointer, X509_get_subject_name(issuerPointer)) == 1
            && X509_gmtime_adj(X509_getm_notBefore(pointer), -CertificateAuthority.daysBefore * 86_400) != nil
            && X509_gmtime_adj(X509_getm_notAfter(pointer), days * 86_400) != nil
            && X509_set_pubkey(pointer, key.pointer) == 1
        guard isFilled else { throw .cryptography(OpenSSLErrorQueue.takeText()) }
        for (kind, value) in extensions {
            guard homeport_add_extension(pointer, issuerPointer, kind, value) == 1 else {
                throw .cryptography(OpenSSLErrorQueue.takeText())
            }
        }
        guard X509_sign(pointer, (issuer?.key ?? key).pointer, EVP_sha256()) > 0 else {
            throw .cryptography(OpenSSLErrorQueue.takeText())
        }
        return certificate
    }

    private func setSerial(of certificate: OpaquePointer) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.serialBytes)
        guard RAND_bytes(&bytes, Int32(Self.serialBytes)) == 1 else { return false }
        // A serial number is positive and has no empty first byte.
        bytes[0] = bytes[0] & 0x7F | 0x40
        guard let number = BN_bin2bn(bytes, Int32(Self.serialBytes), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private func setName(of certificate: OpaquePointer) -> Bool {
        let name = X509_get_subject_name(certificate)
        let text = Array(String(commonName.prefix(Self.commonNameCharactersMax)).utf8)
        return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1
    }
}
