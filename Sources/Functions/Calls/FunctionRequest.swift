/// A call of a function, as its caller makes it.
package struct FunctionRequest: Sendable {
    package var name: String
    package var payload: [UInt8]
    /// The client context that the caller sends beside the event: JSON.
    package var clientContext: String?
    /// How long the caller waits; nil: as long as it takes.
    package var timeoutMilliseconds: Int?

    package init(_ name: String, _ payload: [UInt8], clientContext: String? = nil, timeoutMilliseconds: Int? = nil) {
        self.name = name
        self.payload = payload
        self.clientContext = clientContext
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// The answer to a call.
package struct FunctionAnswer: Sendable {
    package let id: String
    package let outcome: FunctionOutcome
    /// The last of what the function has written meanwhile.
    package let tail: [UInt8]
}
