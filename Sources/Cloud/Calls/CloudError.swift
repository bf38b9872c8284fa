import JSON

/// Why a call is refused, in the words of its service.
package struct CloudError: Error, Sendable, Equatable {
    /// As the JSON protocols call it.
    package let type: String
    /// As the protocol of forms calls it.
    package let code: String
    package let message: String
    package let status: Int
    /// The message in the protocol of forms, where that has words of its own.
    let formMessage: String?
    /// The cause, for the log alone.
    package let reason: String?

    package init(
        _ type: String, code: String? = nil, _ message: String, inForms formMessage: String? = nil, status: Int = 400,
        reason: String? = nil
    ) {
        (self.type, self.code, self.message, self.status) = (type, code ?? type, message, status)
        (self.formMessage, self.reason) = (formMessage, reason)
    }

    /// The server of the database does not answer.
    package static let away = CloudError(
        "ServiceUnavailable", "The service is temporarily unavailable.", status: 503)

    /// More waits for the database than may.
    package static let busy = CloudError("ThrottlingException", code: "Throttling", "Rate exceeded")

    /// A failure of the server's own.
    package static func failed(_ type: String = "InternalFailure", because reason: String) -> CloudError {
        CloudError(type, "The service failed; the server's log says why.", status: 500, reason: reason)
    }

    package static func == (left: CloudError, right: CloudError) -> Bool {
        left.type == right.type && left.code == right.code && left.message == right.message
            && left.status == right.status
    }
}
