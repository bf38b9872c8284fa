import JSON

/// Whose requests are counted together: those of one address of version 4, or of one network (/64) of version 6, since everybody who has
/// one has all its addresses.
package enum ClientNetwork {
    /// Nil: this machine, or an unknown address.
    package static func of(_ address: String) -> ByteText? {
        let bytes = address.utf8
        guard bytes.contains(UInt8(ascii: ":")) else {
            return address.hasPrefix("127.") || address.isEmpty ? nil : ByteText(address)
        }
        if address.hasPrefix("::ffff:"), bytes.contains(UInt8(ascii: ".")) {
            return of(String(address.dropFirst("::ffff:".count)))
        }
        guard ByteText(address) != "::1" else { return nil }
        return ByteText(network(of: address))
    }

    /// The first 64 bits of an address of version 6, with all their zeros.
    private static func network(of address: String) -> String {
        let halves = address.parts(separatedBy: "::")
        let front = halves[0].utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        let back =
            halves.count > 1
            ? halves[1].utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) } : []
        let zeros = Array(repeating: "0", count: max(0, 8 - front.count - back.count))
        return (front + zeros + back).prefix(4).joined(separator: ":")
    }
}
