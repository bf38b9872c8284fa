/// The opening handshake: whether a request may become a WebSocket, and what the answer says.
package enum WebSocketHandshake {
    /// What the handshake looks at in a request.
    package struct Request {
        package let method: String
        package let isHTTP11: Bool
        /// The values of all headers of a name, which is given in lower case.
        package let values: (String) -> [String]

        package init(method: String, isHTTP11: Bool, values: @escaping (String) -> [String]) {
            self.method = method
            self.isHTTP11 = isHTTP11
            self.values = values
        }

        /// Whether the header's list holds the word, in any case.
        fileprivate func lists(_ word: String, in name: String) -> Bool {
            values(name).contains { value in
                value.split(separator: ",").contains { element in
                    String(element.filter { $0 != " " && $0 != "\t" }).lowercased() == word
                }
            }
        }
    }

    /// What the two sides agreed on.
    package struct Agreement: Sendable {
        package let subprotocol: String?
        package let compression: PerMessageDeflate?
        fileprivate let accept: String

        /// The headers of the 101 answer.
        package var headers: [(name: String, value: String)] {
            var headers = [("upgrade", "websocket"), ("connection", "Upgrade"), ("sec-websocket-accept", accept)]
            if let subprotocol { headers.append(("sec-websocket-protocol", subprotocol)) }
            if let compression { headers.append(("sec-websocket-extensions", compression.headerValue)) }
            return headers
        }
    }

    /// Why the request stays HTTP.
    package struct Refusal: Hashable, Sendable {
        package let status: Int
        package let message: String
        /// A header that the answer must have, by name and value.
        package let header: [String: String]

        fileprivate init(_ status: Int, _ message: String, header: [String: String] = [:]) {
            self.status = status
            self.message = message
            self.header = header
        }
    }

    package enum Answer: Sendable {
        case accepted(Agreement)
        case refused(Refusal)
    }

    static let version = "13"

    /// Subprotocols that a client may offer. AppSync clients send their credentials as one.
    private static let subprotocolsMax = 16

    /// Whether a request asks to become a WebSocket at all.
    package static func isRequested(by request: Request) -> Bool {
        request.lists("websocket", in: "upgrade")
    }

    /// Answers a request. The policy picks one of the subprotocols that the client offers, or none; what it says is sent
    /// only if the client offered it.
    package static func answer(
        to request: Request, settings: WebSocketSettings, choosingSubprotocol policy: ([String]) -> String?
    ) -> Answer {
        do throws(Refusal) {
            let key = try checked(request)
            let offered = try subprotocols(request)
            let chosen = offered.isEmpty ? nil : policy(offered).flatMap { offered.contains($0) ? $0 : nil }
            guard let offers = WebSocketExtensionOffer.all(in: request.values("sec-websocket-extensions")) else {
                throw Refusal(400, "expected a list of extensions in Sec-WebSocket-Extensions, found something else")
            }
            let compression = settings.isCompressionAllowed ? PerMessageDeflate.accepted(from: offers) : nil
            return .accepted(Agreement(subprotocol: chosen, compression: compression, accept: key.accept))
        } catch {
            return .refused(error)
        }
    }

    private static func checked(_ request: Request) throws(Refusal) -> WebSocketKey {
        guard request.lists("websocket", in: "upgrade") else {
            throw Refusal(426, "expected a WebSocket request", header: ["upgrade": "websocket"])
        }
        guard request.method == "GET" else {
            throw Refusal(405, "expected GET for a WebSocket, found another method", header: ["allow": "GET"])
        }
        guard request.isHTTP11 else { throw Refusal(400, "expected HTTP/1.1 for a WebSocket, found an older version") }
        guard request.lists("upgrade", in: "connection") else {
            throw Refusal(400, "expected \"Upgrade\" in the Connection header, found none")
        }
        let versions = request.values("sec-websocket-version")
        guard versions == [version] else {
            throw Refusal(
                426,
                "expected version \(version) in Sec-WebSocket-Version, found \(versions.isEmpty ? "none" : "another")",
                header: ["sec-websocket-version": version, "upgrade": "websocket"])
        }
        let keys = request.values("sec-websocket-key")
        guard keys.count == 1, let key = keys.first.flatMap(WebSocketKey.init) else {
            throw Refusal(400, "expected one Sec-WebSocket-Key of 16 bytes in base64, found something else")
        }
        // A body would be taken for frames.
        guard request.values("transfer-encoding").isEmpty,
            request.values("content-length").allSatisfy({ $0 == "0" })
        else { throw Refusal(400, "expected no body in a WebSocket request, found one") }
        return key
    }

    private static func subprotocols(_ request: Request) throws(Refusal) -> [String] {
        var offered: [String] = []
        for value in request.values("sec-websocket-protocol") {
            for element in value.utf8.split(separator: UInt8(ascii: ",")) {
                let name = String(Substring(element)).filter { $0 != " " && $0 != "\t" }
                guard !name.isEmpty else { continue }
                guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                    throw Refusal(400, "expected names in Sec-WebSocket-Protocol, found other characters")
                }
                guard offered.count < subprotocolsMax else {
                    throw Refusal(400, "expected at most \(subprotocolsMax) subprotocols, found more")
                }
                offered.append(name)
            }
        }
        return offered
    }
}

extension WebSocketHandshake.Refusal: Error {}
