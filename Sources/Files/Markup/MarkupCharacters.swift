import JSON

/// How texts are written in XML.
package enum MarkupCharacters {
    /// Appends a text so that a reader of XML gets it back. Each character that XML cannot hold becomes U+FFFD.
    ///
    /// Hot path: a page of a list is a thousand keys.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            if !utf8.contains(where: isSpecial) { return bytes.append(contentsOf: utf8) }
            for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars { append(scalar, to: &bytes) }
        }
    }

    /// Returns whether a byte may have to be written otherwise. U+FFFE and U+FFFF begin with the last.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF: true
        default: false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "&": bytes.append(contentsOf: "&amp;".utf8)
        case "<": bytes.append(contentsOf: "&lt;".utf8)
        case ">": bytes.append(contentsOf: "&gt;".utf8)
        case "\"": bytes.append(contentsOf: "&quot;".utf8)
        // As they are, readers would make one character of them all, or a blank.
        case "\t": bytes.append(contentsOf: "&#9;".utf8)
        case "\n": bytes.append(contentsOf: "&#10;".utf8)
        case "\r": bytes.append(contentsOf: "&#13;".utf8)
        case let scalar where XMLCharacters.canHold(scalar): bytes.append(contentsOf: String(scalar).utf8)
        default: bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        }
    }

    /// A key as lists write it that are asked for `encoding-type=url`: escapes for everything but unreserved characters
    /// (RFC 3986) and slashes. A blank is `%20`, which every client reads; `+` is a blank to some and a plus to others.
    package static func percentEncoded(_ text: String) -> String {
        // Hot path: nearly every key of a list is as it is.
        func isKept(_ byte: UInt8) -> Bool { PercentCoding.isUnreserved(byte) || byte == UInt8(ascii: "/") }
        return text.utf8.allSatisfy(isKept) ? text : PercentCoding.encoded(text, keeping: isKept)
    }
}
