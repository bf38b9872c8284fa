/// A checksum as XML has it: the algorithm's name, which ends an element's (`ChecksumCRC32`), and the value in Base64.
package struct NamedChecksum: Sendable {
    package let algorithm: String
    package let value: String

    package init(algorithm: String, value: String) {
        self.algorithm = algorithm
        self.value = value
    }

    static let algorithms = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"]
}

extension MarkupWriter {
    /// The checksums, and whether they are the whole object's or made from those of its parts.
    mutating func checksums(_ checksums: [NamedChecksum], type: String? = nil) {
        for checksum in checksums { element(named: "Checksum\(checksum.algorithm)", checksum.value) }
        if !checksums.isEmpty { element("ChecksumType", ifAny: type) }
    }
}
