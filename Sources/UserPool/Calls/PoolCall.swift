import JSON

/// A call of one of the two services, as it came over HTTP.
package struct PoolCall: Sendable {
    /// What the `X-Amz-Target` field names.
    package let target: String
    package let body: [UInt8]
    /// Scheme and authority by which the server was called, such as `http://localhost:20002`: the issuer begins with it.
    package let base: String
    /// The address of the client, for limits; of the proxy, where no proxy is configured.
    package let address: String
    /// Why the request is no administrator's; nil where one has signed it. Is called with the operation's name, for those
    /// that only administrators may call.
    let refusalOfAdministration: @Sendable (_ operation: String) -> PoolError?

    package init(
        target: String, body: [UInt8], base: String, address: String,
        refusalOfAdministration: @escaping @Sendable (_ operation: String) -> PoolError?
    ) {
        self.target = target
        self.body = body
        self.base = base
        self.address = address
        self.refusalOfAdministration = refusalOfAdministration
    }

    /// A call of which it is known whether an administrator makes it.
    package init(target: String, body: [UInt8], base: String, address: String, isByAdministrator: Bool) {
        self.init(target: target, body: body, base: base, address: address) { _ in
            isByAdministrator
                ? nil : PoolError("MissingAuthenticationTokenException", "Missing Authentication Token")
        }
    }

    /// Returns whether a target is one of the identity pool's.
    package static func isOfIdentityPool(_ text: String) -> Bool {
        text.hasPrefix("\(PoolOperation.Service.identityPool.rawValue).")
    }

    /// Returns whether a target is one of the two services', whatever it names there.
    package static func isTarget(_ text: String) -> Bool {
        PoolOperation.Service.allCases.contains { text.hasPrefix("\($0.rawValue).") }
    }
}

/// The answer to a call.
package enum PoolAnswer: Sendable {
    /// JSON; empty for operations without an answer.
    case success([UInt8])
    case refusal(PoolError)
}
