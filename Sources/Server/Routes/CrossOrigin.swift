import JSON
import Network

/// The fields that let web pages of other origins use the API (the Fetch standard's CORS protocol), as AppSync sends them.
struct CrossOrigin: Sendable {
    let allowsPrivateNetworkAccess: Bool

    private static let exposed =
        "x-amzn-RequestId,x-amzn-ErrorType,x-amz-user-agent,x-amzn-ErrorMessage,Date,x-amz-schema-version"

    /// For clients that are no web pages.
    static let fieldsForAll = HTTPFieldLines([
        "access-control-allow-origin": "*", "access-control-expose-headers": exposed,
    ])

    /// The headers of a route's answers for pages of other origins: none, where it is not open to them.
    func fields(for head: HTTPRequestHead, at route: Route) -> HTTPFieldLines {
        route.isOpenToPages ? fields(for: head) : HTTPFieldLines()
    }

    /// The headers of every answer of the API, errors too: without them a page could not see why its call failed.
    func fields(for head: HTTPRequestHead?) -> HTTPFieldLines {
        guard let origin = head?.fields["origin"] else { return Self.fieldsForAll }
        // Never with the page's cookies: nothing here that pages of other origins may call reads any.
        return HTTPFieldLines([
            "access-control-allow-origin": origin,
            "access-control-expose-headers": Self.exposed, "vary": "origin",
        ])
    }

    /// The answer to OPTIONS: what a page may send.
    func preflight(_ head: HTTPRequestHead, at route: Route) -> HTTPResponse {
        var fields = fields(for: head, at: route)
        let allowed = (route.methods + [.options]).map(\.rawValue).joined(separator: ", ")
        fields.append("allow", allowed)
        guard route.isOpenToPages else { return HTTPResponse(fields: fields) }
        fields.append("access-control-allow-methods", "GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS")
        if let requested = head.fields["access-control-request-headers"] {
            fields.append("access-control-allow-headers", requested)
        }
        fields.append("access-control-max-age", "172800")
        // A page of a public site calls into a private network: only where the operator wants that.
        if allowsPrivateNetworkAccess, head.fields["access-control-request-private-network"] == "true" {
            fields.append("access-control-allow-private-network", "true")
        }
        return HTTPResponse(fields: fields)
    }
}
