/// An entity tag as clients send it back: in quotes, or as amplify-swift does, without.
enum EntityTag {
    static func bare(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return text }
        return String(decoding: bytes[1..<(bytes.count - 1)], as: UTF8.self)
    }
}
