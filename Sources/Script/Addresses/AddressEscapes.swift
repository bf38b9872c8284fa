/// The sets of the URL standard that say what is written as `%XX`.
enum AddressEscapes {
    static let fragment = set(" \"<>`")
    static let query = set(" \"#<>")
    static let specialQuery = set(" \"#<>'")
    static let path = set(" \"#<>?`{}")
    static let userInformation = set(" \"#<>?`{}/:;=@[\\]^|")
    static let control = set("")

    private static func set(_ more: String) -> Set<UInt8> {
        Set(UInt8(0)...0x1F).union([0x7F]).union(more.utf8)
    }

    private static let digits = Array("0123456789ABCDEF".unicodeScalars)

    static func encode(_ scalar: Unicode.Scalar, _ set: Set<UInt8>, into text: inout String.UnicodeScalarView) {
        if scalar.value < 0x80, !set.contains(UInt8(scalar.value)) {
            text.append(scalar)
            return
        }
        for byte in UTF8.encode(scalar) ?? .init() { append(byte, to: &text) }
    }

    static func append(_ byte: UInt8, to text: inout String.UnicodeScalarView) {
        text.append("%")
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }

    static func encode(_ source: some Sequence<Unicode.Scalar>, _ set: Set<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in source { encode(scalar, set, into: &text) }
        return String(text)
    }

    static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        let source = Array(bytes)
        var index = 0
        while index < source.count {
            if source[index] == 0x25, index + 2 < source.count,
                let high = Lexer.hexadecimalValue(UInt16(source[index + 1])),
                let low = Lexer.hexadecimalValue(UInt16(source[index + 2]))
            {
                decoded.append(UInt8(truncatingIfNeeded: high << 4 | low))
                index += 3
            } else {
                decoded.append(source[index])
                index += 1
            }
        }
        return decoded
    }
}
