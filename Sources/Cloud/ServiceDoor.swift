import Access
import JSON
import Network

/// A service over HTTP: recognises the operation, asks who calls, and answers in the service's form.
package struct ServiceDoor: Sendable {
    package typealias Credentials = @Sendable (_ request: HTTPRequest, _ body: [UInt8]) -> CredentialRequest

    package let table: ServiceTable
    private let callers: AdministratorCheck
    private let credentials: Credentials

    /// - Parameter credentials: those that a request is signed with.
    package init(_ table: ServiceTable, _ callers: AdministratorCheck, _ credentials: @escaping Credentials) {
        (self.table, self.callers, self.credentials) = (table, callers, credentials)
    }

    /// The refusal of what is no call, before its body is read.
    package func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == .post else {
            var answer = table.refusal(
                CloudError("UnsupportedOperation", "The service is called by POST.", status: 405))
            answer.fields.append("allow", "POST")
            return answer
        }
        guard head.fields.contains("authorization") else {
            return table.refusal(
                CloudError("MissingAuthenticationTokenException", "Request is missing Authentication Token"))
        }
        return nil
    }

    /// The operation that a request is for; empty: none of this service.
    package func operation(of head: HTTPRequestHead) -> String {
        let parts = (head.fields["x-amz-target"] ?? "").parts(separatedBy: ".")
        return parts.count == 2 && parts[0].utf8.elementsEqual(table.target.utf8) ? parts[1] : ""
    }

    /// Returns whether a request waits for something to come.
    package func isWaiting(_ request: HTTPRequest) -> Bool {
        table.operation(named: operation(of: request.head))?.isWaiting == true
    }

    /// The answer to a request whose head was not refused.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let operation = operation(of: request.head)
        // Nobody's body is read; a function's is looked at for what it asks for.
        var read: JSONValue??
        func value() -> JSONValue? {
            if let read { return read }
            let value =
                body.isEmpty ? .object(JSONObject()) : try? JSONReader.value(of: body, limits: table.limits)
            read = value
            return value
        }
        let refusal = callers.refusal(
            of: credentials(request, body), for: operation, now: Timestamp.now.seconds
        ) { table.rights(of: operation, CallInput(value()?.object ?? JSONObject())) }
        if let refusal {
            var answer = table.refusal(CloudError(refusal.errorType, refusal.message))
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        do throws(CloudError) {
            return table.response(
                .ok,
                .object(try await table.answer(operation, value() ?? .null, from: CallOrigin(request))))
        } catch {
            return table.refusal(error)
        }
    }

    /// The refusal of what is no acceptable request.
    package func refusal(of error: HTTPParseError) -> HTTPResponse {
        table.refusal(CloudError(table.words.unreadable, "\(error)", status: error.status.code))
    }
}
