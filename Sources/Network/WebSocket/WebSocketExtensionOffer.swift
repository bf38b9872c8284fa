/// One extension that a client offers, with its parameters, as in `Sec-WebSocket-Extensions`.
package struct WebSocketExtensionOffer: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let value: String?
    }

    package let name: String
    package let parameters: [Parameter]

    /// Reads the values of all `Sec-WebSocket-Extensions` headers; none when one is not well formed.
    ///
    ///     offers    = offer *("," offer)
    ///     offer     = token *(";" token ["=" (token | quoted token)])
    package static func all(in headerValues: [String]) -> [WebSocketExtensionOffer]? {
        var offers: [WebSocketExtensionOffer] = []
        for value in headerValues {
            var scanner = HeaderScanner(value)
            while true {
                // Lists may have empty elements.
                if scanner.isAtEnd { break }
                if scanner.skip(",") { continue }
                guard let offer = WebSocketExtensionOffer(&scanner) else { return nil }
                offers.append(offer)
                guard scanner.isAtEnd || scanner.skip(",") else { return nil }
            }
        }
        return offers
    }

    private init?(_ scanner: inout HeaderScanner) {
        guard let name = scanner.token() else { return nil }
        var parameters: [Parameter] = []
        while scanner.skip(";") {
            guard let name = scanner.token() else { return nil }
            if scanner.skip("=") {
                guard let value = scanner.token() ?? scanner.quotedToken() else { return nil }
                parameters.append(Parameter(name: name.lowercased(), value: value))
            } else {
                parameters.append(Parameter(name: name.lowercased(), value: nil))
            }
        }
        self.name = name.lowercased()
        self.parameters = parameters
    }
}
