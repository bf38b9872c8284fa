/// A request to another server.
package struct HTTPClientRequest: Sendable {
    package var method: HTTPMethod
    package var url: HTTPURL
    /// Besides these the client sets `host`, `content-length` and `accept-encoding: identity`.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// True if the server may get the request twice. A request on a connection that turns out to be closed is sent
    /// again if so.
    package var isIdempotent: Bool
    /// Other than the client's limits, where given.
    package var totalMilliseconds: Int?
    package var responseBodyBytes: Int?
    /// Gets the body of an answer with status 200 piece by piece, on the loop, as it comes; it is not kept then.
    package var takesPiece: (@Sendable ([UInt8]) -> Void)?

    package init(
        _ method: HTTPMethod = .get, _ url: HTTPURL, fields: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        switch method {
        case .get, .head, .put, .delete, .options: isIdempotent = true
        case .post, .patch, .other: isIdempotent = false
        }
    }
}

extension HTTPClientRequest {
    /// Fields that say how the message is framed or what becomes of the connection: the client's to set.
    private static let ownFields: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "upgrade", "te",
        "trailer", "expect",
    ]

    /// The request as it goes over the connection.
    func serialized() throws(HTTPClientError) -> [UInt8] {
        guard method != .other else { throw error(.namelessMethod) }
        var bytes = Array("\(method.rawValue) \(url.target) HTTP/1.1\r\nhost: \(url.authority)\r\n".utf8)
        var acceptsEncoding = false
        for (name, value) in fields {
            let lowered = name.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(HTTPCharacters.isToken),
                value.utf8.allSatisfy(HTTPCharacters.isFieldValue), !Self.ownFields.contains(lowered)
            else { throw error(.badField(name)) }
            if lowered == "accept-encoding" { acceptsEncoding = true }
            bytes.append(contentsOf: "\(lowered): \(value)\r\n".utf8)
        }
        if !acceptsEncoding { bytes.append(contentsOf: "accept-encoding: identity\r\n".utf8) }
        if !body.isEmpty || expectsBody { bytes.append(contentsOf: "content-length: \(body.count)\r\n".utf8) }
        bytes.append(contentsOf: "\r\n".utf8)
        bytes.append(contentsOf: body)
        return bytes
    }

    /// True if a server may ask for the length even when there is no body (RFC 9110, 8.6).
    private var expectsBody: Bool {
        switch method {
        case .post, .put, .patch: true
        case .get, .head, .delete, .options, .other: false
        }
    }

    func error(_ problem: HTTPClientError.Problem) -> HTTPClientError {
        HTTPClientError(origin: "\(url.isSecure ? "https" : "http")://\(url.authority)", problem: problem)
    }
}

/// A complete answer of another server. A redirection is an answer like any other.
package struct HTTPClientResponse: Sendable {
    package let status: HTTPStatus
    package let fields: HTTPFields
    package let body: [UInt8]
}
