/// The address of one mailbox: `name@example.com`.
///
/// Read so strictly that no other reader can take it for anything else: letters of ASCII, a name without quotes, and a domain
/// by its name. It can stand in a command and in a header as it is.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let text: String
    /// The bytes before the "@".
    private let localBytes: Int

    /// The most bytes of an address, of its name and of its domain (RFC 5321, 4.5.3.1).
    package static let bytesMax = 254
    package static let localBytesMax = 64
    package static let domainBytesMax = 253
    private static let labelBytesMax = 63

    package init(_ text: String) throws(MailAddressError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax else { throw .tooLong(limit: Self.bytesMax) }
        if let offset = bytes.firstIndex(where: { $0 > 0x7E }) { throw .notASCII(offset: offset) }
        if let offset = bytes.firstIndex(where: { !Self.isAllowed($0) }) { throw .badCharacter(offset: offset) }
        guard let place = bytes.firstIndex(of: UInt8(ascii: "@")) else { throw .noAt }
        guard bytes.lastIndex(of: UInt8(ascii: "@")) == place else { throw .severalAts }
        guard Self.isName(bytes[..<place]) else { throw .badName }
        guard Self.isDomain(bytes[(place + 1)...]) else { throw .badDomain }
        self.text = text
        localBytes = place
    }

    /// The domain, behind the "@".
    package var domain: String { String(decoding: text.utf8.dropFirst(localBytes + 1), as: UTF8.self) }

    package var description: String { text }

    /// The characters of a name that needs no quotes (`atext` of RFC 5322), the dot and the "@".
    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~.@".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        HTTPCharacters.isDigit(byte) || HTTPCharacters.lowercased(byte) &- 0x61 < 26
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        name.count <= localBytesMax
            && name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    /// Letters, digits and hyphens between dots. A last part of digits alone would make an address in numbers.
    private static func isDomain(_ domain: ArraySlice<UInt8>) -> Bool {
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard domain.count <= domainBytesMax, labels.last?.allSatisfy(HTTPCharacters.isDigit) == false else {
            return false
        }
        return labels.allSatisfy { label in
            (1...labelBytesMax).contains(label.count) && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }
}

/// Why a text is no address that a mail can be sent to.
package enum MailAddressError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case notASCII(offset: Int)
    case badCharacter(offset: Int)
    case noAt
    case severalAts
    case badName
    case badDomain
    /// The name that readers see.
    case nameTooLong(limit: Int)
    case badDisplayName

    package var description: String {
        switch self {
        case .tooLong(let limit): "an address has at most \(limit) bytes"
        case .notASCII(let offset): "byte \(offset) is not ASCII; such a domain is written in its form with xn--"
        case .badCharacter(let offset): "byte \(offset) cannot stand in an address"
        case .noAt: "an address has an @ between name and domain"
        case .severalAts: "an address has one @"
        case .badName:
            "the name before the @ has 1 to \(MailAddress.localBytesMax) bytes, and no dot at its ends or beside another"
        case .badDomain: "behind the @ stands the name of a domain"
        case .nameTooLong(let limit): "the name before an address has at most \(limit) bytes"
        case .badDisplayName: "a name and its address are written as Name <name@example.com>"
        }
    }
}
