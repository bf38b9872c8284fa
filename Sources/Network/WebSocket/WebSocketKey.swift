import COpenSSL

/// The key that a client sends in its opening handshake: sixteen random bytes in base64.
struct WebSocketKey {
    private let text: String

    /// Twenty-two digits and two signs of padding.
    private static let digits = 22

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.digits + 2, bytes[Self.digits...] == [0x3D, 0x3D],
            bytes[..<Self.digits].allSatisfy(Self.isBase64Digit)
        else { return nil }
        self.text = text
    }

    /// The server's answer, which shows that it understood the request as a WebSocket's.
    var accept: String {
        let input = Array((text + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var encoded = [UInt8](repeating: 0, count: 29)
        // SHA-1 is what the protocol asks for; nothing depends on its strength.
        let isDigested = EVP_Digest(input, input.count, &digest, nil, EVP_sha1(), nil)
        precondition(isDigested == 1, "OpenSSL without SHA-1 cannot serve WebSockets")
        EVP_EncodeBlock(&encoded, digest, Int32(digest.count))
        return String(decoding: encoded.dropLast(), as: UTF8.self)
    }

    private static func isBase64Digit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default:
            false
        }
    }
}
