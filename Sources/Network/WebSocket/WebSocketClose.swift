/// The content of a close frame: a code, and a few words for a person who looks for the reason.
package struct WebSocketClose: Hashable, Sendable {
    /// None when the frame was empty.
    package let code: WebSocketCloseCode?
    package let reason: String

    /// The payload of a control frame has 125 bytes, two of which are the code.
    static let reasonBytesMax = 123

    /// A reason that is too long is cut at a character's border.
    package init(_ code: WebSocketCloseCode?, _ reason: String = "") {
        self.code = code
        var short = reason
        if short.utf8.count > Self.reasonBytesMax {
            // One grapheme can be as long as it likes; scalars have at most four bytes.
            var scalars = String.UnicodeScalarView()
            var bytes = 0
            for scalar in reason.unicodeScalars {
                bytes += UTF8.width(scalar)
                if bytes > Self.reasonBytesMax { break }
                scalars.append(scalar)
            }
            short = String(scalars)
        }
        self.reason = code == nil ? "" : short
    }

    /// Reads the payload of a close frame.
    init(payload: [UInt8]) throws(WebSocketViolation) {
        guard !payload.isEmpty else {
            self.init(nil)
            return
        }
        guard payload.count >= 2 else { throw .closeWithHalfACode }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isAllowedInFrames else { throw .closeCodeNotAllowed(code.rawValue) }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .closeReasonNotUTF8 }
        self.init(code, reason)
    }

    var payload: [UInt8] {
        guard let code else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + Array(reason.utf8)
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
        UTF8.encode(scalar)?.count ?? 4
    }
}
