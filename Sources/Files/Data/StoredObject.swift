import JSON
import Store

/// An object: where its bytes are, and what is known of them.
struct StoredObject: Sendable {
    /// The name of its file.
    let file: FileNumber
    let size: Int64
    /// The entity tag, without quotes.
    let tag: String
    /// In milliseconds since 1970.
    let modified: Int64
    var content: ObjectContent
    let checksum: StoredChecksum?
    /// The CRC-64 of the bytes, by which the file is checked.
    let sum: UInt64

    /// How many parts it was put together from, as its tag says; nil: it came whole.
    var partCount: Int? {
        guard let dash = tag.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        return Int(tag[tag.utf8.index(after: dash)...])
    }

    /// Whole seconds: what clients are told, and compare with.
    var modifiedSeconds: Int64 { modified / 1_000 }
}

/// The checksum that a client has asked for.
struct StoredChecksum: Sendable, Equatable {
    let kind: Checksum
    /// In base64; of an object from parts perhaps the checksum of their checksums, with `-` and their number behind it.
    let text: String
    /// True if it is over all bytes.
    var isOfWhole: Bool { !text.utf8.contains(UInt8(ascii: "-")) }

    init(_ kind: Checksum, _ text: String) {
        self.kind = kind
        self.text = text
    }

    var stored: String { "\(kind.rawValue):\(text)" }

    init?(stored: String) {
        let parts = stored.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, let kind = Checksum(rawValue: String(Substring(parts[0]))) else { return nil }
        self.init(kind, String(Substring(parts[1])))
    }

    static func == (left: StoredChecksum, right: StoredChecksum) -> Bool {
        left.kind == right.kind && ByteText(left.text) == ByteText(right.text)
    }
}
