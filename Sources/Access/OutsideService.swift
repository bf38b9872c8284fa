import JSON

/// A way to call services over HTTP, for rooms that know nothing of sockets.
///
/// Each event loop has its own, used on that loop's thread only.
package protocol OutsideService: AnyObject, Sendable {
    /// Sends a request and waits for the complete answer, whatever its status.
    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse

    /// Calls a function and waits for its answer. The one way by which all rooms do: a function that has failed says so by the
    /// field `x-amz-function-error`.
    func invoke(_ call: FunctionInvocation) async throws(OutsideError) -> OutsideResponse
}

extension OutsideService {
    /// Who runs no function itself knows those at URLs only.
    package func invoke(_ call: FunctionInvocation) async throws(OutsideError) -> OutsideResponse {
        try await send(call.request)
    }
}

/// A request to a service outside.
package struct OutsideRequest: Sendable {
    package var method: String
    package var url: String
    /// The fields of its head, without those that the body and the connection need.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    package var timeoutMilliseconds: Int
    package var responseBytesMax: Int

    package init(
        method: String = "POST", url: String, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
        timeoutMilliseconds: Int, responseBytesMax: Int
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeoutMilliseconds = timeoutMilliseconds
        self.responseBytesMax = responseBytesMax
    }
}

/// What a service outside answered.
package struct OutsideResponse: Sendable {
    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first field of that name, in whatever case.
    package func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why there is no answer from a service outside.
package enum OutsideError: Error, Sendable, Equatable {
    case invalidURL(String)
    /// It cannot be reached, or broke off; with the reason.
    case unreachable(String)
    case timedOut(milliseconds: Int)
    case tooLarge(bytesMax: Int)
}
