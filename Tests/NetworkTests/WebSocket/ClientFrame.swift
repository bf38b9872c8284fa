@testable import Network

/// A frame as a client sends it, with every field free to be wrong.
struct ClientFrame {
    var first: UInt8
    var payload: [UInt8]
    var key: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    /// 7, 16 or 64; the shortest that fits when it is not given.
    var lengthBits: Int?

    static func text(_ text: String, isFinal: Bool = true) -> ClientFrame {
        ClientFrame(first: isFinal ? 0x81 : 0x01, payload: Array(text.utf8))
    }

    static func continuation(_ text: String, isFinal: Bool) -> ClientFrame {
        ClientFrame(first: isFinal ? 0x80 : 0x00, payload: Array(text.utf8))
    }

    static func close(_ code: UInt16, _ reason: String = "") -> ClientFrame {
        ClientFrame(first: 0x88, payload: [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
    }

    var bytes: [UInt8] {
        var bytes = [first]
        let masked: UInt8 = key == nil ? 0 : 0x80
        let count = payload.count
        switch lengthBits ?? (count < 126 ? 7 : count < 65536 ? 16 : 64) {
        case 7: bytes.append(masked | UInt8(count))
        case 16: bytes += [masked | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default: bytes += [masked | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        }
        guard let key else { return bytes + payload }
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }
}

/// All that a parser said to some bytes.
struct ParserOutcome: Equatable, CustomStringConvertible {
    var events: [WebSocketParser.Event] = []
    var violation: WebSocketViolation?

    var description: String { "\(events) then \(violation.map(String.init(describing:)) ?? "nothing")" }

    /// Feeds the pieces one after the other.
    init(
        of pieces: [ArraySlice<UInt8>], role: WebSocketParser.Role = .server,
        settings: WebSocketSettings = WebSocketSettings(), isCompressionAgreed: Bool = false
    ) {
        var parser = WebSocketParser(role: role, settings: settings, isCompressionAgreed: isCompressionAgreed)
        for piece in pieces {
            // A copy in a place of its own, so that a sanitizer would see a read beyond it.
            Array(piece).withUnsafeBytes { bytes in
                var position = 0
                do throws(WebSocketViolation) {
                    while let event = try parser.next(bytes, at: &position) { events.append(event) }
                    if position != bytes.count { events.append(.close(WebSocketClose(nil, "left over"))) }
                } catch {
                    violation = error
                }
            }
        }
    }
}

/// The ways to cut bytes that every table is run with: whole, byte by byte, and in two at every position.
func cuts(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    [[bytes[...]], bytes.indices.map { bytes[$0...$0] }] + bytes.indices.map { [bytes[..<$0], bytes[$0...]] }
}
