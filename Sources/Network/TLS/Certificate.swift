import COpenSSL
import Glibc

/// An X.509 certificate.
final class Certificate {
    /// Freed with this object, which must outlive its use.
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }

    /// The names and addresses that it is for, as OpenSSL prints them: "DNS:localhost, IP Address:127.0.0.1".
    var names: String? {
        let position = X509_get_ext_by_NID(pointer, NID_subject_alt_name, -1)
        guard position >= 0, let names = X509_get_ext(pointer, position) else { return nil }
        let buffer = MemoryBuffer()
        guard X509V3_EXT_print(buffer.pointer, names, 0, 0) == 1 else { return nil }
        return buffer.text
    }

    /// The seconds until it begins to be valid, negative when it is.
    var secondsUntilValid: Int { Self.seconds(until: X509_get0_notBefore(pointer)) }

    /// The seconds until it expires, negative when it has.
    var secondsUntilExpired: Int { Self.seconds(until: X509_get0_notAfter(pointer)) }

    /// The day when it expires, as OpenSSL prints it: "Jan  2 03:04:05 2027 GMT".
    var expires: String {
        let buffer = MemoryBuffer()
        return ASN1_TIME_print(buffer.pointer, X509_get0_notAfter(pointer)) == 1 ? buffer.text : "an unreadable time"
    }

    /// SHA-256 over the certificate in hexadecimal, in pairs: what trust settings of systems and browsers show.
    var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard X509_digest(pointer, EVP_sha256(), &digest, &length) == 1 else { return "" }
        return digest.prefix(Int(length)).map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined(separator: ":")
    }

    func isOf(_ key: TLSPrivateKey) -> Bool {
        OpenSSLErrorQueue.clear()
        let isMatch = X509_check_private_key(pointer, key.pointer) == 1
        OpenSSLErrorQueue.clear()
        return isMatch
    }

    private static func seconds(until time: UnsafePointer<ASN1_TIME>?) -> Int {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, nil, time) == 1 else { return 0 }
        return Int(days) * 86_400 + Int(seconds)
    }
}
