/// The opening handshake: whether a request may become a WebSocket, and what the answer says.
package enum WebSocketHandshake {
    /// The parts of a request that the handshake reads.
    package struct Request {
        package let method: HTTPMethod
        package let isHTTP11: Bool
        /// The values of all headers of a name, which is given in lower case.
        package let values: (StaticString) -> [String]

        package init(method: HTTPMethod, isHTTP11: Bool, values: @escaping (StaticString) -> [String]) {
            self.method = method
            self.isHTTP11 = isHTTP11
            self.values = values
        }

        /// Returns whether the header's list holds the word, in any case.
        fileprivate func lists(_ word: String, in name: StaticString) -> Bool {
            values(name).contains { value in
                value.split(separator: ",").contains { element in
                    String(element.filter { $0 != " " && $0 != "\t" }).lowercased() == word
                }
            }
        }
    }

    /// The agreement of the two sides.
    package struct Agreement: Sendable {
        package let subprotocol: String?
        package let compression: PerMessageDeflate?
        fileprivate let accept: String

        /// The headers of the 101 answer, written as in RFC 6455: Python's gql looks for `Sec-WebSocket-Protocol` in exactly
        /// this form.
        package var headers: [(name: StaticString, value: String)] {
            var headers: [(name: StaticString, value: String)] = [
                ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept),
            ]
            if let subprotocol { headers.append(("Sec-WebSocket-Protocol", subprotocol)) }
            if let compression { headers.append(("Sec-WebSocket-Extensions", compression.headerValue)) }
            return headers
        }
    }

    /// Why the request stays HTTP.
    package struct Refusal: Error {
        package let status: Int
        package let message: String
        /// The header fields of the answer.
        package let headers: [(name: StaticString, value: String)]

        fileprivate init(_ status: Int, _ message: String, headers: [(name: StaticString, value: String)] = []) {
            self.status = status
            self.message = message
            self.headers = headers
        }
    }

    package typealias Answer = Result<Agreement, Refusal>

    static let version = "13"

    /// Subprotocols that a client may offer. AppSync clients send their credentials as one.
    private static let subprotocolsMax = 16

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
            return .success(Agreement(subprotocol: chosen, compression: compression, accept: key.accept))
        } catch {
            return .failure(error)
        }
    }

    private static func checked(_ request: Request) throws(Refusal) -> WebSocketKey {
        guard request.lists("websocket", in: "upgrade") else {
            throw Refusal(426, "expected a WebSocket request", headers: [("upgrade", "websocket")])
        }
        guard request.method == .get else {
            throw Refusal(405, "expected GET for a WebSocket, found another method", headers: [("allow", "GET")])
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
                headers: [("sec-websocket-version", version), ("upgrade", "websocket")])
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
