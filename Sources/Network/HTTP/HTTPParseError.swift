/// Why bytes are not an acceptable HTTP message: the status to answer with, and a sentence for the person who sent them.
package struct HTTPParseError: Error, Equatable, Sendable, CustomStringConvertible {
    package let status: HTTPStatus
    package let description: String

    init(_ status: HTTPStatus, _ description: String) {
        self.status = status
        self.description = description
    }

    /// The client speaks TLS where there is none.
    package static let speaksTLS = HTTPParseError(.badRequest, "expected HTTP, found the beginning of TLS")

    /// The client speaks plain HTTP to a port with a certificate, from another machine. In nginx's words, which tools and people know.
    package static let speaksPlainHTTP = HTTPParseError(
        .badRequest, "The plain HTTP request was sent to HTTPS port")

    /// The preface of HTTP/2 where it is not served: behind another request, or over TLS without an agreement.
    static let servesNoHTTP2 = HTTPParseError(
        .versionNotSupported, "the versions served here are HTTP/1.1 and HTTP/1.0")

    static func malformed(_ description: String) -> HTTPParseError {
        HTTPParseError(.badRequest, description)
    }
}
