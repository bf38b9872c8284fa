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

    init(_ pool: UserPool, _ crossOrigin: CrossOrigin) {
        self.pool = pool
        self.crossOrigin = crossOrigin
    }

    /// The document that a request is for; nil for other paths.
    func document(of head: HTTPRequestHead) -> Document? {
        let parts = head.path.split(separator: "/", omittingEmptySubsequences: false)
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
            guard let keys = await pool.publishedKeys() else { return HTTPResponse(status: .serviceUnavailable) }
            content = keys
        case .configuration:
            let base = "\(request.isSecure ? "https" : "http")://\(request.head.authority ?? "localhost")"
            content = pool.discovery(base: base)
        }
        var fields = crossOrigin.fields(for: request.head)
        fields.append("content-type", "application/json")
        return HTTPResponse(fields: fields, body: .bytes(JSONWriter.bytes(of: content)))
    }
}
