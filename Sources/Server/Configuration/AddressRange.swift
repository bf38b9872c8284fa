import Network

/// Addresses that begin with the same bits: one (`10.0.0.7`, `::1`), or all of a network (`10.0.0.0/8`, `fd00::/8`).
package struct AddressRange: Sendable, Equatable {
    private let first: Bits
    /// How many bits count.
    private let length: Int
    private let isVersion4: Bool
    /// As it was written.
    package let text: String

    /// The 128 bits of an address; those of version 4 stand first.
    private struct Bits: Sendable, Equatable {
        var high: UInt64
        var low: UInt64

        func prefix(_ count: Int) -> Bits {
            Bits(
                high: count >= 64 ? high : count == 0 ? 0 : high & ~(UInt64.max >> UInt64(count)),
                low: count <= 64 ? 0 : count >= 128 ? low : low & ~(UInt64.max >> UInt64(count - 64)))
        }
    }

    /// Nil for a text that is no address in numbers, or has bits behind the part that counts.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ SocketAddress(numeric: String(Substring($0)), port: 0) }) else {
            return nil
        }
        let (bits, isVersion4) = Self.bits(of: address.host)
        let longest = isVersion4 ? 32 : 128
        var length = longest
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.count),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(String(Substring(digits))), number <= longest
            else { return nil }
            length = number
        }
        guard bits.prefix(length) == bits else { return nil }
        first = bits
        self.length = length
        self.isVersion4 = isVersion4
        self.text = text
    }

    package func contains(_ host: SocketAddress.Host) -> Bool {
        let (bits, isVersion4) = Self.bits(of: host)
        return isVersion4 == self.isVersion4 && bits.prefix(length) == first
    }

    /// An address of version 4 that is written as one of version 6 is the same.
    private static func bits(of host: SocketAddress.Host) -> (bits: Bits, isVersion4: Bool) {
        switch host {
        case .version4(let address): (Bits(high: UInt64(address) << 32, low: 0), true)
        case .version6(0, let low, _) where low >> 32 == 0xFFFF: (Bits(high: low << 32, low: 0), true)
        case .version6(let high, let low, _): (Bits(high: high, low: low), false)
        }
    }
}
