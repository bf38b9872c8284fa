/// How a peer broke the protocol or a limit. Its connection is closed with the code and the words.
package enum WebSocketViolation: Error, Hashable, Sendable {
    case reservedBits(UInt8)
    case compressedButNotAgreed
    case compressedInTheWrongFrame
    case unknownOpcode(UInt8)
    case notMasked
    case masked
    case controlFrameInParts
    case controlFrameTooLong
    case lengthNotMinimal
    case lengthNegative
    case continuationOfNothing
    case messageInsideOfMessage
    case messageTooLong(bytesMax: Int)
    case tooManyFrames(framesMax: Int)
    case textNotUTF8
    case closeWithHalfACode
    case closeCodeNotAllowed(UInt16)
    case closeReasonNotUTF8
    case cannotInflate(CompressionError)
    /// All connections together hold too much of what is not complete.
    case noRoom

    package var code: WebSocketCloseCode {
        switch self {
        case .textNotUTF8, .closeReasonNotUTF8, .cannotInflate: .invalidPayload
        case .messageTooLong: .messageTooBig
        case .tooManyFrames: .policyViolation
        case .noRoom: .tryAgainLater
        default: .protocolError
        }
    }

    package var close: WebSocketClose { WebSocketClose(code, description) }
}

extension WebSocketViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .reservedBits(let bits): "expected reserved bits of zero, found \(bits)"
        case .compressedButNotAgreed: "expected no compressed message, as compression was not agreed on"
        case .compressedInTheWrongFrame: "expected the compression bit in the first frame of a message only"
        case .unknownOpcode(let opcode): "expected a known opcode, found \(opcode)"
        case .notMasked: "expected a masked frame, found one without a mask"
        case .masked: "expected a frame without a mask, found a masked one"
        case .controlFrameInParts: "expected a control frame in one part, found the first of several"
        case .controlFrameTooLong: "expected a control frame of at most 125 bytes, found a longer one"
        case .lengthNotMinimal: "expected a length in its shortest form, found a longer form"
        case .lengthNegative: "expected a length below 2^63, found a larger one"
        case .continuationOfNothing: "expected the first frame of a message, found a continuation"
        case .messageInsideOfMessage: "expected a continuation, found the first frame of another message"
        case .messageTooLong(let bytesMax): "expected a message of at most \(bytesMax) bytes, found a longer one"
        case .tooManyFrames(let framesMax): "expected a message of at most \(framesMax) frames, found more"
        case .textNotUTF8: "expected text in UTF-8, found other bytes"
        case .closeWithHalfACode: "expected a close code of two bytes, found one byte"
        case .closeCodeNotAllowed(let code): "expected a close code that may be sent, found \(code)"
        case .closeReasonNotUTF8: "expected a close reason in UTF-8, found other bytes"
        case .cannotInflate(let error): "expected a compressed message: \(error)"
        case .noRoom: "the server holds too much of messages that are not complete; try again later"
        }
    }
}
