/// The error codes of RFC 9113, section 7.
package enum HTTP2ErrorCode: UInt32, Sendable {
    case noError = 0
    case protocolError = 1
    case internalError = 2
    case flowControlError = 3
    case settingsTimeout = 4
    case streamClosed = 5
    case frameSizeError = 6
    case refusedStream = 7
    case cancel = 8
    case compressionError = 9
    case connectError = 10
    case enhanceYourCalm = 11
    case inadequateSecurity = 12
    case http11Required = 13
}

/// Why a connection ends: its code, and a sentence for the person who looks at GOAWAY.
package struct HTTP2ConnectionError: Error, Equatable, Sendable {
    package let code: HTTP2ErrorCode
    package let reason: String

    package init(_ code: HTTP2ErrorCode, _ reason: String) {
        (self.code, self.reason) = (code, reason)
    }

    static func malformed(_ reason: String) -> HTTP2ConnectionError { .init(.protocolError, reason) }

    static func badSize(_ reason: String) -> HTTP2ConnectionError { .init(.frameSizeError, reason) }

    static func tooMuch(_ reason: String) -> HTTP2ConnectionError { .init(.enhanceYourCalm, reason) }

    package static func == (one: HTTP2ConnectionError, other: HTTP2ConnectionError) -> Bool {
        one.code == other.code && one.reason.utf8.elementsEqual(other.reason.utf8)
    }
}
