import JSON

/// The forms of IP addresses, of version 4 and 6, with an optional prefix length behind a slash.
enum IPAddressText {
    static func isValid(_ text: [UInt8]) -> Bool {
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return isVersion4(text) || isVersion6(text) }
        let address = Array(text[..<slash])
        let digits = text[(slash + 1)...]
        guard (1...3).contains(digits.count), digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            let length = Int(String(decoding: digits, as: UTF8.self))
        else { return false }
        return isVersion4(address) && length <= 32 || isVersion6(address) && length <= 128
    }

    /// Four numbers up to 255, without leading zeros.
    static func isVersion4(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
                    && UInt8(String(decoding: part, as: UTF8.self)) != nil
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
            }
    }

    /// Eight groups of up to four hexadecimal digits; `::` once for any number of zero groups; the last two groups may
    /// be an address of version 4.
    static func isVersion6(_ text: [UInt8]) -> Bool {
        guard (2...45).contains(text.count) else { return false }
        guard let gap = firstGap(in: text) else { return groups(in: text[...]) == 8 }
        let before = text[..<gap]
        let after = text[(gap + 2)...]
        guard firstGap(in: Array(after)) == nil, after.first != UInt8(ascii: ":") else { return false }
        guard let left = before.isEmpty ? 0 : groups(in: before, canEndInVersion4: false),
            let right = after.isEmpty ? 0 : groups(in: after)
        else { return false }
        return left + right <= 7
    }

    private static func firstGap(in text: [UInt8]) -> Int? {
        text.indices.dropLast().first { text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":") }
    }

    /// How many groups there are, or nil when something is none.
    private static func groups(in text: ArraySlice<UInt8>, canEndInVersion4: Bool = true) -> Int? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        for (index, part) in parts.enumerated() {
            if canEndInVersion4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard isVersion4(Array(part)) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(part.count), part.allSatisfy({ $0.hexadecimalValue != nil }) else { return nil }
                count += 1
            }
        }
        return count
    }
}
