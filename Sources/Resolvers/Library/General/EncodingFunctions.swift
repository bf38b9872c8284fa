import Crypto
import JSON

/// What `util` has for texts: `matches`, forms for URLs and the like. `util.str` has the others.
enum EncodingFunctions {
    static let all = [
        LibraryFunction("util.matches") { call throws(ResolverError) in
            let pattern = try JavaPattern(try call.text(0))
            return .bool(try pattern.matches(try call.text(1), &call.stepsLeft))
        },
        text("util.urlEncode") { text throws(ResolverError) in .string(encodedForURL(text)) },
        text("util.urlDecode") { text throws(ResolverError) in
            guard let decoded = decodedFromURL(text) else {
                throw .fault("util.urlDecode: the text has a % without two hexadecimal digits.")
            }
            return .string(decoded)
        },
        text("util.base64Encode") { text throws(ResolverError) in
            .string(Base64.text(of: Array(text.utf8), .standard))
        },
        text("util.base64Decode") { text throws(ResolverError) in
            guard let bytes = Base64.lenientBytes(of: text.utf8.filter { !isBlank($0) }) else {
                throw .fault("util.base64Decode: the text is no base64.")
            }
            return .string(String(decoding: bytes, as: UTF8.self))
        },
        text("util.escapeJavaScript") { text throws(ResolverError) in .string(escaped(text)) },
    ]

    /// A function of one text. Of null it makes null.
    static func text(
        _ name: String, in languages: LibraryFunction.Languages = .both,
        _ body: @escaping @Sendable (String) throws(ResolverError) -> JSONValue
    ) -> LibraryFunction {
        LibraryFunction(name, in: languages) { call throws(ResolverError) in
            guard let text = try call.optionalText(0) else { return .null }
            try call.count(bytes: text.utf8.count)
            return try body(text)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    // MARK: URLs

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Signs that stay, beside letters and digits, where forms are written.
    private static let plain: Set<UInt8> = Set("-_.*".utf8)

    private static func encodedForURL(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
            case _ where byte.isAlphanumeric || plain.contains(byte): encoded.append(byte)
            default: PercentCoding.appendEscape(of: byte, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func decodedFromURL(_ text: String) -> String? {
        PercentCoding.decodedForm(text.utf8).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: JavaScript

    private static let escapes: [UInt16: UInt8] = [
        0x08: UInt8(ascii: "b"), 0x09: UInt8(ascii: "t"), 0x0A: UInt8(ascii: "n"), 0x0C: UInt8(ascii: "f"),
        0x0D: UInt8(ascii: "r"), 0x22: 0x22, 0x27: 0x27, 0x2F: 0x2F, 0x5C: 0x5C,
    ]

    /// As a part of a text in JavaScript that has letters of ASCII only.
    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for unit in text.utf16 {
            if let sign = escapes[unit] {
                escaped += [UInt8(ascii: "\\"), sign]
            } else if (0x20...0x7F).contains(unit) {
                escaped.append(UInt8(truncatingIfNeeded: unit))
            } else {
                escaped += "\\u".utf8
                for shift in [12, 8, 4, 0] { escaped.append(digits[Int(unit >> UInt16(shift) & 0xF)]) }
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
