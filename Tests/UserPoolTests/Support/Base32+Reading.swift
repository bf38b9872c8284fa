import Crypto

extension Base32 {
    /// The bytes of a text, as an authenticator app reads them.
    static func bytes(of text: String?) -> [UInt8]? {
        guard let text else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for letter in text.utf8 {
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bits = bits << 5 | Int(letter - UInt8(ascii: "A"))
            case UInt8(ascii: "2")...UInt8(ascii: "7"): bits = bits << 5 | Int(letter - UInt8(ascii: "2") + 26)
            default: return nil
            }
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 0xFF))
            bits &= (1 << count) - 1
        }
        return bytes
    }
}
