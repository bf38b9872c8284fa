/// A whole message as it came over the wire.
package struct WebSocketMessage: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case text, binary
    }

    package let kind: Kind
    /// True if the bytes are compressed still. Only the text of a message that is not is known to be UTF-8.
    package let isCompressed: Bool
    package let bytes: [UInt8]

    package init(kind: Kind, isCompressed: Bool = false, bytes: [UInt8]) {
        self.kind = kind
        self.isCompressed = isCompressed
        self.bytes = bytes
    }

    /// The message as the sender meant it.
    package consuming func inflated(
        by pool: inout CompressionPool, bytesMax: Int
    ) throws(WebSocketViolation) -> WebSocketMessage {
        guard isCompressed else { return self }
        var inflated: [UInt8] = []
        do {
            try bytes.withUnsafeBufferPointer { compressed throws(CompressionError) in
                try pool.inflateMessage(UnsafeRawBufferPointer(compressed), into: &inflated, bytesMax: bytesMax)
            }
        } catch .tooLong(_) {
            throw .messageTooLong(bytesMax: bytesMax)
        } catch {
            throw .cannotInflate(error)
        }
        if kind == .text {
            var validator = UTF8Validator()
            guard inflated.withUnsafeBytes({ validator.accepts($0) }), validator.isComplete else { throw .textNotUTF8 }
        }
        return WebSocketMessage(kind: kind, bytes: inflated)
    }
}
