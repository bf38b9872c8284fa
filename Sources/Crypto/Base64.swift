/// Bytes as text (RFC 4648): the standard form, and the one for URLs, without padding.
package enum Base64 {
    package enum Form: Sendable {
        case standard
        case url

        var alphabet: [UInt8] {
            switch self {
            case .standard: Base64.standardAlphabet
            case .url: Base64.urlAlphabet
            }
        }

        var values: [UInt8] {
            switch self {
            case .standard: Base64.standardValues
            case .url: Base64.urlValues
            }
        }
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardAlphabet = Array((common + "+/").utf8)
    private static let urlAlphabet = Array((common + "-_").utf8)
    private static let standardValues = values(of: standardAlphabet)
    private static let urlValues = values(of: urlAlphabet)
    private static let noValue: UInt8 = 0xFF

    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: noValue, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    package static func text(of bytes: [UInt8], _ form: Form = .url) -> String {
        let alphabet = form.alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
        if form == .standard {
            while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil for one that is not what `text(of:)` writes. Hot path: works on bytes.
    ///
    /// Padding may be left out of the standard form, and is refused in the one for URLs.
    package static func bytes(of text: some Collection<UInt8>, _ form: Form = .url) -> [UInt8]? {
        let values = form.values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        var digits = 0
        var padding = 0
        for character in text {
            if form == .standard, character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let value = values[Int(character)]
            guard value != noValue, padding == 0 else { return nil }
            digits += 1
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard padding == 0 || (padding < 3 && (digits + padding).isMultiple(of: 4)) else { return nil }
        // What is left over must be fewer bits than a character has, and zero: bytes have one text.
        guard count < 6, bits & ((1 << count) - 1) == 0 else { return nil }
        return bytes
    }
}
