import Testing

@testable import Network

struct WebSocketHandshakeTests {
    static let good: [String: [String]] = [
        "host": ["localhost:20002"], "upgrade": ["websocket"], "connection": ["Upgrade"],
        "sec-websocket-key": ["dGhlIHNhbXBsZSBub25jZQ=="], "sec-websocket-version": ["13"],
    ]

    func answer(
        _ headers: [String: [String]], method: HTTPMethod = .get, isHTTP11: Bool = true,
        policy: ([String]) -> String? = { _ in nil }
    ) -> WebSocketHandshake.Answer {
        let request = WebSocketHandshake.Request(method: method, isHTTP11: isHTTP11) { headers["\($0)"] ?? [] }
        return WebSocketHandshake.answer(to: request, settings: WebSocketSettings(), choosingSubprotocol: policy)
    }

    func agreement(_ answer: WebSocketHandshake.Answer) throws -> WebSocketHandshake.Agreement {
        try answer.get()
    }

    struct Unexpected: Error { let what: String }

    @Test("the answer shows the key of RFC 6455's example")
    func accept() throws {
        let agreed = try agreement(answer(Self.good))
        #expect(
            agreed.headers.map { "\($0.name): \($0.value)" } == [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            ])
    }

    @Test(
        "what browsers and proxies write in other ways is accepted",
        arguments: [
            ["connection": ["keep-alive, Upgrade"]], ["connection": ["keep-alive", "upgrade"]],
            ["upgrade": ["WebSocket"]],
            ["upgrade": ["h2c, websocket"]], ["content-length": ["0"]],
        ] as [[String: [String]]])
    func variants(_ change: [String: [String]]) throws {
        _ = try agreement(answer(Self.good.merging(change) { $1 }))
    }

    struct Refused: CustomTestStringConvertible {
        let change: [String: [String]]
        var method = HTTPMethod.get
        var isHTTP11 = true
        let status: Int
        var header: [String: String] = [:]
        var testDescription: String { "\(method) \(change) → \(status)" }
    }

    static let newer = ["sec-websocket-version": "13", "upgrade": "websocket"]

    @Test(
        "a request that is no proper WebSocket request is refused",
        arguments: [
            Refused(change: ["upgrade": []], status: 426, header: ["upgrade": "websocket"]),
            Refused(change: ["upgrade": ["h2c"]], status: 426, header: ["upgrade": "websocket"]),
            Refused(change: [:], method: .post, status: 405, header: ["allow": "GET"]),
            Refused(change: [:], isHTTP11: false, status: 400),
            Refused(change: ["connection": []], status: 400),
            Refused(change: ["connection": ["keep-alive"]], status: 400),
            Refused(change: ["connection": ["upgrades"]], status: 400),
            Refused(change: ["sec-websocket-version": []], status: 426, header: newer),
            Refused(change: ["sec-websocket-version": ["8"]], status: 426, header: newer),
            Refused(change: ["sec-websocket-version": ["13", "8"]], status: 426, header: newer),
            Refused(change: ["sec-websocket-version": ["013"]], status: 426, header: newer),
            Refused(change: ["sec-websocket-key": []], status: 400),
            Refused(change: ["sec-websocket-key": [""]], status: 400),
            Refused(change: ["sec-websocket-key": ["dGhlIHNhbXBsZSBub25jZQ"]], status: 400),
            Refused(change: ["sec-websocket-key": ["dGhlIHNhbXBsZSBub25jZ==="]], status: 400),
            Refused(change: ["sec-websocket-key": ["dGhlIHNhbXBsZSBub25j!Q=="]], status: 400),
            Refused(
                change: ["sec-websocket-key": ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="]], status: 400),
            Refused(change: ["sec-websocket-extensions": ["permessage-deflate; ="]], status: 400),
            Refused(change: ["sec-websocket-protocol": ["a b\u{1}c"]], status: 400),
            Refused(
                change: ["sec-websocket-protocol": [Array(repeating: "a", count: 17).joined(separator: ",")]],
                status: 400),
            Refused(change: ["content-length": ["5"]], status: 400),
            Refused(change: ["transfer-encoding": ["chunked"]], status: 400),
        ])
    func refusals(_ row: Refused) throws {
        let answered = answer(Self.good.merging(row.change) { $1 }, method: row.method, isHTTP11: row.isHTTP11)
        guard case .failure(let refusal) = answered else { throw Unexpected(what: "\(answered)") }
        #expect(refusal.status == row.status)
        #expect(Dictionary(refusal.headers.map { ("\($0.name)", $0.value) }) { $1 } == row.header)
        #expect(refusal.message.hasPrefix("expected"))
    }

    /// What the AppSync protocol's policy is like: one name, and never the credentials that travel beside it.
    static func appSync(_ offered: [String]) -> String? {
        offered.contains("graphql-ws") ? "graphql-ws" : nil
    }

    @Test(
        "the subprotocol is what the policy picks of what was offered",
        arguments: [
            ([], nil), (["graphql-ws"], "graphql-ws"), (["graphql-ws, header-eyJob3N0IjoiYSJ9"], "graphql-ws"),
            (["header-eyJob3N0IjoiYSJ9", " graphql-ws "], "graphql-ws"), (["chat"], nil), (["header-abc="], nil),
        ] as [([String], String?)])
    func subprotocols(_ values: [String], _ expected: String?) throws {
        let headers = Self.good.merging(["sec-websocket-protocol": values]) { $1 }
        let agreed = try agreement(answer(headers, policy: Self.appSync))
        #expect(agreed.subprotocol == expected)
        #expect(agreed.headers.first { "\($0.name)" == "Sec-WebSocket-Protocol" }?.value == expected)
    }

    @Test("a subprotocol that was not offered is never answered")
    func policyIsChecked() throws {
        let headers = Self.good.merging(["sec-websocket-protocol": ["chat"]]) { $1 }
        #expect(try agreement(answer(headers, policy: { _ in "graphql-ws" })).subprotocol == nil)
    }

    static let always = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    @Test(
        "the first offer of compression that can be kept is agreed to",
        arguments: [
            ([], nil),
            (["permessage-deflate"], always),
            (["PerMessage-Deflate"], always),
            (["permessage-deflate; client_max_window_bits"], always),
            (["permessage-deflate; client_max_window_bits=10; server_no_context_takeover"], always),
            (["permessage-deflate; client_no_context_takeover"], always),
            (["permessage-deflate; server_max_window_bits=15"], always + "; server_max_window_bits=15"),
            (["permessage-deflate;server_max_window_bits=\"10\""], always + "; server_max_window_bits=10"),
            (["permessage-deflate; server_max_window_bits=9"], always + "; server_max_window_bits=9"),
            // zlib cannot compress with a window of 256 bytes.
            (["permessage-deflate; server_max_window_bits=8"], nil),
            (["permessage-deflate; server_max_window_bits=8, permessage-deflate"], always),
            (["permessage-deflate; server_max_window_bits"], nil),
            (["permessage-deflate; server_max_window_bits=7"], nil),
            (["permessage-deflate; server_max_window_bits=16"], nil),
            (["permessage-deflate; server_max_window_bits=010"], nil),
            (["permessage-deflate; server_max_window_bits=+10"], nil),
            (["permessage-deflate; server_max_window_bits=10; server_max_window_bits=10"], nil),
            (["permessage-deflate; client_max_window_bits=7"], nil),
            (["permessage-deflate; client_max_window_bits=x"], nil),
            (["permessage-deflate; server_no_context_takeover=1"], nil),
            (["permessage-deflate; client_no_context_takeover=true"], nil),
            (["permessage-deflate; client_no_context_takeover; client_no_context_takeover"], nil),
            (["permessage-deflate; something_new"], nil),
            (
                ["permessage-deflate; something_new", "permessage-deflate; server_max_window_bits=12"],
                always + "; server_max_window_bits=12"
            ),
            (["x-webkit-deflate-frame, permessage-deflate"], always),
            (["x-webkit-deflate-frame"], nil),
        ] as [([String], String?)])
    func compression(_ values: [String], _ expected: String?) throws {
        let headers = Self.good.merging(["sec-websocket-extensions": values]) { $1 }
        let agreed = try agreement(answer(headers))
        #expect(agreed.headers.first { "\($0.name)" == "Sec-WebSocket-Extensions" }?.value == expected)
    }

    @Test("compression that is switched off is not agreed to")
    func compressionOff() throws {
        var settings = WebSocketSettings()
        settings.isCompressionAllowed = false
        let headers = Self.good.merging(["sec-websocket-extensions": ["permessage-deflate"]]) { $1 }
        let request = WebSocketHandshake.Request(method: .get, isHTTP11: true) { headers["\($0)"] ?? [] }
        let answered = WebSocketHandshake.answer(to: request, settings: settings) { _ in nil }
        #expect(try answered.get().compression == nil)
    }

    @Test(
        "a list of extensions that is not well formed is none",
        arguments: ["a b", ";a", "a;", "a=1", "a;b=", "a;b=\"", "a;b=\"\"", "a;b=\"x y\"", "a;b=\"x\\", "a;b;c d", "é"])
    func malformedExtensions(_ value: String) {
        #expect(WebSocketExtensionOffer.all(in: [value]) == nil)
    }

    @Test("a list of extensions may have empty elements and quoted values")
    func extensions() {
        let offers = WebSocketExtensionOffer.all(in: [" , a ;B= \"c\\d\" ,, e", "f;g"])
        #expect(offers?.map(\.name) == ["a", "e", "f"])
        #expect(offers?.first?.parameters == [.init(name: "b", value: "cd")])
    }
}
