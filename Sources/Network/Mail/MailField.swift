/// A field that an app adds to the header of a mail: `List-Unsubscribe: <mailto:...>`.
package struct MailField: Sendable, Equatable {
    package let name: String
    package let value: String

    /// With the value a line of a mail at its longest.
    package static let nameBytesMax = 126
    package static let valueBytesMax = 870

    /// The fields that a mail and the servers that carry it set themselves.
    private static let ownNames = [
        "bcc", "cc", "date", "dkim-signature", "from", "message-id", "mime-version", "received", "reply-to",
        "return-path", "sender", "subject", "to",
    ]
    private static let ownStarts = ["arc-", "content-", "resent-"]

    package init(_ name: String, _ value: String) throws(MailFieldError) {
        guard (1...Self.nameBytesMax).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") })
        else { throw .badName(limit: Self.nameBytesMax) }
        guard value.utf8.count <= Self.valueBytesMax, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .badValue(limit: Self.valueBytesMax)
        }
        let known = name.lowercased()
        guard !Self.ownNames.contains(known), !Self.ownStarts.contains(where: { known.hasPrefix($0) }) else {
            throw .ownName
        }
        (self.name, self.value) = (name, value)
    }
}

/// Why there is no such field.
package enum MailFieldError: Error, Equatable, Sendable, CustomStringConvertible {
    case badName(limit: Int)
    case badValue(limit: Int)
    case ownName

    package var description: String {
        switch self {
        case .badName(let limit): "a name has 1 to \(limit) printing letters of ASCII without blanks and colons"
        case .badValue(let limit): "a value has up to \(limit) printing letters of ASCII"
        case .ownName: "the mail has its own"
        }
    }
}
