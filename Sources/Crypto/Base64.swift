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

    /// The bytes of a text; nil for one that is not what `text(of:)` writes.
    ///
    /// Padding may be left out of the standard form, and is refused in the one for URLs.
    package static func bytes(of text: some Collection<UInt8>, _ form: Form = .url) -> [UInt8]? {
        text.withContiguousStorageIfAvailable { decoded($0, form) }
            ?? Array(text).withUnsafeBufferPointer { decoded($0, form) }
    }

    /// The bytes of a text as clients put it into URLs and subprotocols: in either alphabet, padded or not, and with a space
    /// where a plus was. Nil for a text with other characters or of an impossible length.
    package static func lenientBytes(of text: some Sequence<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        var isPadded = false
        for character in text {
            if character == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            guard !isPadded else { return nil }
            switch character {
            case UInt8(ascii: "+"), UInt8(ascii: " "): plain.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): plain.append(UInt8(ascii: "_"))
            default: plain.append(character)
            }
        }
        return plain.withUnsafeBufferPointer { decoded($0, .url, mayHaveRest: true) }
    }

    /// Hot path: every new token comes through here, three times. Works on bytes.
    private static func decoded(
        _ text: UnsafeBufferPointer<UInt8>, _ form: Form, mayHaveRest: Bool = false
    ) -> [UInt8]? {
        let text = form == .standard ? withoutPadding(text) : text
        guard let text else { return nil }
        // One character that is left over has fewer bits than a byte.
        guard text.count % 4 != 1 else { return nil }
        let values = form.values
        var isValid = true
        var rest: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { buffer, initialized in
            var bits: UInt32 = 0
            var count: UInt32 = 0
            for character in text {
                let value = values[Int(character)]
                guard value != noValue else {
                    isValid = false
                    break
                }
                bits = (bits << 6 | UInt32(value)) & 0xFFFF
                count += 6
                if count >= 8 {
                    count -= 8
                    buffer[initialized] = UInt8(truncatingIfNeeded: bits >> count)
                    initialized += 1
                }
            }
            rest = bits & ((1 << count) - 1)
        }
        // The bits that are left over are zero where bytes have one text.
        return isValid && (rest == 0 || mayHaveRest) ? bytes : nil
    }

    /// The text without its padding; nil when that is wrong.
    private static func withoutPadding(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || (padding < 3 && text.count.isMultiple(of: 4)) else { return nil }
        return UnsafeBufferPointer(rebasing: text.dropLast(padding))
    }
}
