extension WebSocketHandshake {
    /// Makes a WebSocket of a request: the change of protocol that an `HTTPApplication` answers with. The handler is made
    /// on the connection's loop.
    package static func upgrade(
        _ head: HTTPRequestHead, settings: WebSocketSettings, choosingSubprotocol policy: ([String]) -> String?,
        handler: @escaping @Sendable () -> any WebSocketHandler
    ) throws(Refusal) -> HTTPUpgrade {
        let agreement = try answer(to: Request(head), settings: settings, choosingSubprotocol: policy).get()
        var fields = HTTPFieldLines()
        for header in agreement.headers { fields.append(header.name, header.value) }
        return HTTPUpgrade(fields: fields) { channel, identifier in
            WebSocketConnection(
                channel, identifier: identifier, agreement: agreement, settings: settings, handler: handler())
        }
    }

    /// Returns whether a request asks to become a WebSocket at all.
    package static func isRequested(by head: HTTPRequestHead) -> Bool {
        head.fields.list("upgrade", contains: "websocket")
    }
}

extension WebSocketHandshake.Request {
    init(_ head: HTTPRequestHead) {
        self.init(method: head.method, isHTTP11: head.minorVersion >= 1) { head.fields.values(of: $0) }
    }
}

extension WebSocketHandshake.Refusal {
    /// The refusal as the application answers other bad requests,
    package var error: HTTPParseError { HTTPParseError(HTTPStatus(code: status), message) }

    /// and the fields that its answer needs beside.
    package var fields: HTTPFieldLines {
        var lines = HTTPFieldLines()
        for header in headers { lines.append(header.name, header.value) }
        return lines
    }
}
