import COpenSSL
import CSystem

/// A checksum of bytes that come piece by piece. Not for several threads at once.
package final class ChecksumStream {
    private enum State {
        case cyclic(homeport_crc_kind, UInt64)
        case digest(OpaquePointer)
    }

    package let checksum: Checksum
    private var state: State

    package init(_ checksum: Checksum) {
        self.checksum = checksum
        state =
            switch checksum {
            case .crc32: .cyclic(homeport_crc32, 0)
            case .crc32c: .cyclic(homeport_crc32c, 0)
            case .crc64nvme: .cyclic(homeport_crc64nvme, 0)
            case .sha1: .digest(Self.context(DigestMethod.sha1))
            case .sha256: .digest(Self.context(DigestMethod.sha256))
            case .md5: .digest(Self.context(DigestMethod.md5))
            }
    }

    deinit {
        if case .digest(let context) = state { EVP_MD_CTX_free(context) }
    }

    private static func context(_ method: DigestMethod) -> OpaquePointer {
        // OpenSSL fails here only without memory; a checksum of nothing would equal another one.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, method.pointer, nil) == 1 else {
            preconditionFailure("OpenSSL began no digest")
        }
        return context
    }

    /// Hot path: every byte that is stored passes here.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        switch state {
        case .cyclic(let kind, let value): state = .cyclic(kind, homeport_crc(kind, value, start, bytes.count))
        case .digest(let context):
            precondition(EVP_DigestUpdate(context, start, bytes.count) == 1, "OpenSSL went on with no digest")
        }
    }

    /// The checksum of everything that has come, the most significant byte first. What comes from then on begins anew.
    package func finish() -> [UInt8] {
        switch state {
        case .cyclic(let kind, let value):
            state = .cyclic(kind, 0)
            let count = checksum.byteCount
            return (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64((count - 1 - $0) * 8)) }
        case .digest(let context):
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, initialized in
                let isMade = EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1
                initialized = isMade ? checksum.byteCount : 0
            }
            precondition(
                bytes.count == checksum.byteCount && EVP_DigestInit_ex(context, nil, nil) == 1,
                "OpenSSL made no digest")
            return bytes
        }
    }

    /// CRC-32 of bytes that are all there. Hot path: answers of some services have it, and no object is made for it.
    package static func crc32(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return UInt32(truncatingIfNeeded: homeport_crc(homeport_crc32, 0, start, bytes.count))
        }
    }

    /// The checksum of bytes that are all there.
    package static func sum(_ checksum: Checksum, of bytes: [UInt8]) -> [UInt8] {
        let stream = ChecksumStream(checksum)
        bytes.withUnsafeBytes { stream.update($0) }
        return stream.finish()
    }
}

/// A digest of OpenSSL, looked for once: that costs more than the digest of a small object.
private struct DigestMethod: @unchecked Sendable {
    // Safe to share: nothing changes it, and it is never given back.
    let pointer: OpaquePointer

    private init(_ name: String) {
        guard let pointer = EVP_MD_fetch(nil, name, nil) else { preconditionFailure("OpenSSL has no \(name)") }
        self.pointer = pointer
    }

    static let md5 = DigestMethod("MD5")
    static let sha1 = DigestMethod("SHA1")
    static let sha256 = DigestMethod("SHA256")
}
