import JSON
import Network
import UserPool

/// What the issuer of the pool's tokens says of itself, at its address: its keys, and where its other doors are.
struct IssuerRoute: Sendable {
    enum Document: Sendable {
        case keys
        case configuration
    }

    private let pool: UserPool
    private let crossOrigin: CrossOrigin
    private let forwarding: Forwarding

    init(_ pool: UserPool, _ crossOrigin: CrossOrigin, _ forwarding: Forwarding) {
        self.pool = pool
        self.crossOrigin = crossOrigin
        self.forwarding = forwarding
    }

    /// The document that a request is for; nil for other paths.
    func document(of head: HTTPRequestHead) -> Document? {
        let path = head.path
        // Hot path: every request for a file comes by, and is none for these two documents.
        guard path.utf8.last == UInt8(ascii: "n") else { return nil }
        let parts = path.parts(separatedBy: "/")
        guard parts.count == 4, parts[0].isEmpty, ByteText(parts[1]) == ByteText(pool.identifiers.userPoolID),
            ByteText(parts[2]) == ".well-known"
        else { return nil }
        switch ByteText(parts[3]) {
        case "jwks.json": return .keys
        case "openid-configuration": return .configuration
        default: return nil
        }
    }

    func answer(_ document: Document, to request: HTTPRequest) async -> HTTPResponse {
        let content: JSONValue
        switch document {
        case .keys:
            guard let keys = await pool.publishedKeys() else {
                return ErrorAnswer(
                    status: .serviceUnavailable, type: "ServiceUnavailableException",
                    message: "There is no key to sign tokens with; the server's log says why."
                ).response(crossOrigin.fields(for: request.head), isOfAnyService: true)
            }
            content = keys
        case .configuration:
            let base = forwarding.base(of: request.head, from: request.peer, isSecure: request.isSecure)
            content = pool.discovery(base: base ?? "http://localhost")
        }
        var fields = crossOrigin.fields(for: request.head)
        fields.append("content-type", "application/json")
        return HTTPResponse(fields: fields, body: .bytes(JSONWriter.bytes(of: content)))
    }
}
