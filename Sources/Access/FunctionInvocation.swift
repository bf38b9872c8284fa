/// A call of one of the app's functions, from whichever room: a resolver, an authorizer, a trigger, an event, a conflict.
///
/// Where a function runs is nobody's business here but that of who carries the call: its address is a URL, or says that it is
/// one that the server runs itself (`FunctionAddress`).
package struct FunctionInvocation: Sendable {
    package let address: String
    package let payload: [UInt8]
    /// True for an event: the caller does not wait for the result.
    package let isEvent: Bool
    /// True if whoever makes such a call makes it again where it fails.
    package let isKept: Bool
    package let timeoutMilliseconds: Int
    package let answerBytesMax: Int

    package init(
        _ address: String, _ payload: [UInt8], isEvent: Bool = false, isKept: Bool = false, timeoutMilliseconds: Int,
        answerBytesMax: Int
    ) {
        self.address = address
        self.payload = payload
        self.isEvent = isEvent
        self.isKept = isKept
        self.timeoutMilliseconds = timeoutMilliseconds
        self.answerBytesMax = answerBytesMax
    }

    /// The same as a request to a URL.
    package var request: OutsideRequest {
        var fields = [(name: "content-type", value: "application/json")]
        if isEvent { fields.append((name: "x-amz-invocation-type", value: "Event")) }
        return OutsideRequest(
            url: address, fields: fields, body: payload, timeoutMilliseconds: timeoutMilliseconds,
            responseBytesMax: answerBytesMax)
    }
}

/// Where a function is called that the server runs itself.
package enum FunctionAddress {
    private static let scheme = "function:"

    package static func of(_ name: String) -> String { scheme + name }

    /// The name of the function; nil: the address is a URL.
    package static func name(in address: String) -> String? {
        address.utf8.starts(with: scheme.utf8) ? String(address.dropFirst(scheme.count)) : nil
    }
}
