import Access
import Crypto
import JSON

/// A checksum that clients send with what they store and want back with it.
package enum Checksum: String, Sendable, CaseIterable {
    case crc32, crc32c, crc64nvme, sha1, sha256, md5

    /// Those that have a field and an element of their own. MD5 is no such one: `Content-MD5` is as old as S3 is.
    package static let named: [Checksum] = [.crc32, .crc32c, .crc64nvme, .sha1, .sha256]

    /// What `x-amz-checksum-algorithm` and elements call it.
    package var name: String { rawValue.uppercased() }

    /// The field that carries it.
    package var fieldName: StaticString {
        switch self {
        case .crc32: "x-amz-checksum-crc32"
        case .crc32c: "x-amz-checksum-crc32c"
        case .crc64nvme: "x-amz-checksum-crc64nvme"
        case .sha1: "x-amz-checksum-sha1"
        case .sha256: "x-amz-checksum-sha256"
        case .md5: "content-md5"
        }
    }

    /// The element that carries it; nil where none does.
    package var elementName: String? { self == .md5 ? nil : "Checksum\(name)" }

    package var byteCount: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .sha1: 20
        case .sha256: 32
        case .md5: 16
        }
    }

    /// The one of that name, in either case; nil for a name that is none's.
    package init?(name: String) {
        let name = name.inLowerCaseASCII
        guard let checksum = Self.named.first(where: { $0.rawValue == name }) else { return nil }
        self = checksum
    }

    /// The one that a field of this name carries, in either case; nil for other fields.
    package init?(fieldName: String) {
        let name = fieldName.inLowerCaseASCII
        guard let checksum = Self.named.first(where: { "\($0.fieldName)" == name }) else { return nil }
        self = checksum
    }

    /// The checksum that a text stands for, as clients send it; nil for a text that is none of this kind.
    package func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == (byteCount + 2) / 3 * 4, let bytes = Base64.bytes(of: text.utf8, .standard),
            bytes.count == byteCount
        else { return nil }
        return bytes
    }

    /// A checksum as clients are told it.
    package static func text(of bytes: [UInt8]) -> String { Base64.text(of: bytes, .standard) }
}
