/// The sender of a mail: an address, and the name that readers see beside it.
package struct MailParty: Sendable, Hashable, CustomStringConvertible {
    package let address: MailAddress
    /// Any text: what a header cannot hold is encoded or left out when the mail is composed.
    package let name: String?

    package static let nameBytesMax = 256

    package init(_ address: MailAddress, name: String? = nil) throws(MailAddressError) {
        if let name, name.utf8.count > Self.nameBytesMax { throw .nameTooLong(limit: Self.nameBytesMax) }
        self.address = address
        self.name = name
    }

    /// Reads `name@example.com` or `A Name <name@example.com>`; the name may stand in quotes.
    package init(_ text: String) throws(MailAddressError) {
        let bytes = Array(text.utf8)
        guard bytes.last == UInt8(ascii: ">"), let start = bytes.lastIndex(of: UInt8(ascii: "<")) else {
            try self.init(MailAddress(text))
            return
        }
        var name = bytes[..<start].drop(while: HTTPCharacters.isBlank)
        while let last = name.last, HTTPCharacters.isBlank(last) { name.removeLast() }
        if name.count >= 2, name.first == UInt8(ascii: "\""), name.last == UInt8(ascii: "\"") {
            name = name.dropFirst().dropLast()
        }
        guard name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !"\"<>".utf8.contains($0) }) else { throw .badDisplayName }
        let address = try MailAddress(String(decoding: bytes[(start + 1)..<(bytes.count - 1)], as: UTF8.self))
        try self.init(address, name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
    }

    package var description: String { name.map { "\($0) <\(address)>" } ?? address.text }
}
