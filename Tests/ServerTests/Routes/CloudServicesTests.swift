import Network
import Testing

@testable import Server

@Suite("Services of AWS are told apart")
struct CloudServicesTests {
    /// A service that is known and answers nothing.
    private struct Known: CloudService {
        let route: Route
        var targets: [String] = []
        var scopes: [String] = []
        var path: String?
        var sharedPath: String?

        func shares(_ head: HTTPRequestHead) -> Bool { sharedPath.map { head.path == $0 } ?? true }

        func isAt(_ head: HTTPRequestHead) -> Bool { head.path == path }

        func reception(
            _ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard
        ) -> HTTPReception { .answer(HTTPResponse()) }

        func refusal(of error: HTTPParseError) -> HTTPResponse { HTTPResponse(status: error.status) }
    }

    private static let services = CloudServices([
        Known(route: .items, targets: ["Tables_1"], scopes: ["tables"]),
        Known(route: .keys, scopes: ["mails"], sharedPath: "/newer"),
        Known(route: .outbox, scopes: ["mails"], path: "/mails"),
        Known(route: .gateway, path: "/rest"),
    ])

    private static func signed(for service: String) -> String {
        "AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/\(service)/aws4_request, SignedHeaders=host, Signature=0"
    }

    @Test(
        "by their targets, then by their signatures, then by their paths",
        arguments: [
            ("Tables_1.Get", nil, "/", Route.items),
            ("Tables_1.Get", "mails", "/rest", .items),
            ("Tables_1.", nil, "/", .items),
            ("Tables_1", nil, "/", nil),
            ("Tables_2.Get", nil, "/", nil),
            ("Tables_2.Get", "tables", "/", .items),
            (nil, "tables", "/rest", .items),
            (nil, "mails", "/", .outbox), (nil, "mails", "/newer", .keys), (nil, nil, "/newer", nil),
            (nil, "mail", "/", nil),
            (nil, "mails/more", "/", nil),
            (nil, nil, "/mails", .outbox),
            (nil, nil, "/rest", .gateway),
            (nil, nil, "/", nil),
        ] as [(String?, String?, String, Route?)])
    func apart(target: String?, scope: String?, path: String, route: Route?) throws {
        var fields = ["Host: localhost"]
        if let target { fields.append("X-Amz-Target: \(target)") }
        if let scope { fields.append("Authorization: \(Self.signed(for: scope))") }
        let head = try HTTPRequestHead.read("POST \(path)", fields)
        #expect(Self.services.service(for: head)?.route == route)
    }
}
