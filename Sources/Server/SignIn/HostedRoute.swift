import JSON
import Network
import UserPool

/// The pages on which people sign in, and OAuth 2.0's doors beside them.
struct HostedRoute: Sendable {
    private let pool: UserPool
    private let crossOrigin: CrossOrigin
    private let forwarding: Forwarding

    init(_ pool: UserPool, _ crossOrigin: CrossOrigin, _ forwarding: Forwarding) {
        self.pool = pool
        self.crossOrigin = crossOrigin
        self.forwarding = forwarding
    }

    static let bodyBytesMax = HostedRequest.bodyBytesMax

    /// The place that a request is for; nil for others.
    static func place(of head: HTTPRequestHead) -> HostedPath? { HostedPath(rawValue: head.encodedPath) }

    /// By which row of the table a place is counted: pages of other origins may use what is for apps, and nothing else.
    static func route(of path: HostedPath) -> Route { path.isForApps ? .oauth : .hosted }

    /// Answers a request whose body has come.
    func answer(_ request: HTTPRequest, at path: HostedPath, on shard: PoolShard) async -> HTTPResponse {
        let head = request.head
        let method: HostedPath.Method
        switch head.method {
        // What looks at links in mails before people do must not confirm anybody.
        case .head where path == .confirmUser: return refusal(head, at: path)
        case .get, .head: method = .get
        case .post: method = .post
        default: return refusal(head, at: path)
        }
        guard case .bytes(let body) = request.body,
            let base = forwarding.base(of: head, from: request.peer, isSecure: request.isSecure)
        else {
            return refusal(head, at: path)
        }
        let answer = await pool.answer(
            HostedRequest(
                method, path, query: head.query, contentTypes: head.fields.values(of: "content-type" as StaticString),
                body: body, cookies: head.fields.values(of: "cookie" as StaticString),
                origins: head.fields.values(of: "origin" as StaticString),
                fetchSites: head.fields.values(of: "sec-fetch-site" as StaticString),
                authorizations: head.fields.values(of: "authorization" as StaticString), base: base,
                address: forwarding.client(of: head, from: request.peer),
                isFromThisMachine: RequestOrigin.isThisMachine(head, from: request.peer)), on: shard)
        var fields = crossOrigin.fields(for: head, at: Self.route(of: path))
        for field in answer.fields { fields.append(name: field.name, value: field.value) }
        var response = HTTPResponse(status: HTTPStatus(code: answer.status), fields: fields, body: .bytes(answer.body))
        response.reason = answer.reason
        return response
    }

    private func refusal(_ head: HTTPRequestHead, at path: HostedPath) -> HTTPResponse {
        var fields = crossOrigin.fields(for: head, at: Self.route(of: path))
        fields.append("allow", path.methods.map(\.rawValue).joined(separator: ", "))
        fields.append("cache-control", "no-store")
        return HTTPResponse(status: .methodNotAllowed, fields: fields)
    }
}
