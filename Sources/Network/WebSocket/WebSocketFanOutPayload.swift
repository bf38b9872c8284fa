/// The part of a message that is the same for many clients of a loop. It is compressed when the first of them asks for it,
/// once for each size of window.
package final class WebSocketFanOutPayload {
    package let kind: WebSocketMessage.Kind
    package let bytes: [UInt8]

    /// None for a window with which it could not be compressed.
    private var deflated: [Int: [UInt8]?] = [:]

    package init(_ kind: WebSocketMessage.Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    func deflated(by compression: PerMessageDeflate, with pool: inout CompressionPool) -> [UInt8]? {
        if let known = deflated[compression.serverWindowBits] { return known }
        var made: [UInt8] = []
        let isDeflated = bytes.withUnsafeBytes { compression.deflate($0, into: &made, with: &pool) }
        let answer = isDeflated ? made : nil
        deflated.updateValue(answer, forKey: compression.serverWindowBits)
        return answer
    }
}
