import Access
import JSON
import Network

/// A service over HTTP: recognises the operation, asks who calls, and answers in the form of the call.
package struct ServiceDoor: Sendable {
    package typealias Credentials = @Sendable (_ request: HTTPRequest, _ body: [UInt8]) -> CredentialRequest

    package let table: ServiceTable
    private let callers: AdministratorCheck
    private let credentials: Credentials

    /// - Parameter credentials: those that a request is signed with.
    package init(_ table: ServiceTable, _ callers: AdministratorCheck, _ credentials: @escaping Credentials) {
        (self.table, self.callers, self.credentials) = (table, callers, credentials)
    }

    // MARK: Heads

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
                CloudError(
                    "MissingAuthenticationTokenException", code: "MissingAuthenticationToken",
                    "Request is missing Authentication Token", status: table.words.refusedStatus))
        }
        return nil
    }

    /// The refusal of what is no acceptable request.
    package func refusal(of error: HTTPParseError) -> HTTPResponse {
        table.refusal(table.words.unreadable("\(error)", status: error.status.code))
    }

    // MARK: Calls

    /// A call as the wire has it.
    private struct Call {
        let form: FormWire?
        let operation: String
        /// Of a form.
        var parameters: [(name: String, value: String)] = []
    }

    private func call(_ head: HTTPRequestHead, _ body: [UInt8]) -> Call {
        let operation = table.operation(in: head)
        guard operation.isEmpty, let form = table.form, !head.fields.contains("x-amz-target") else {
            return Call(form: nil, operation: operation)
        }
        let parameters = HTTPPercentCoding.parameters(
            of: String(decoding: body, as: UTF8.self), max: form.parametersMax + 1)
        return Call(form: form, operation: FormWire.action(in: parameters), parameters: parameters)
    }

    /// Returns whether a request waits for something to come.
    package func isWaiting(_ request: HTTPRequest) -> Bool {
        guard case .bytes(let body) = request.body else { return false }
        return table.operation(named: call(request.head, body).operation)?.isWaiting == true
    }

    /// The answer to a request whose head was not refused.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let call = call(request.head, body)
        let operation = table.operation(named: call.operation)
        func read() -> Result<JSONObject, CloudError> {
            guard let form = call.form else {
                return table.members(of: body).map { .success($0) }
                    ?? .failure(table.words.unreadable("The body is no JSON object."))
            }
            do throws(CloudError) {
                return .success(
                    try form.object(of: call.parameters, operation?.members ?? [], path: request.head.path))
            } catch {
                return .failure(error)
            }
        }
        // Read once: for what a function asks for, if one does, or for the operation.
        var known: Result<JSONObject, CloudError>?
        let refusal = callers.refusal(
            of: credentials(request, body), for: call.operation, now: Timestamp.now.seconds
        ) {
            let members = read()
            known = members
            return table.rights(of: call.operation, CallInput((try? members.get()) ?? JSONObject()))
        }
        if let refusal {
            let error = CloudError(
                refusal.errorType, code: refusal.formCode, refusal.message, status: table.words.refusedStatus)
            var answer = self.refusal(error, of: call.form, request)
            answer.reason = refusal.reason ?? refusal.message
            return answer
        }
        do throws(CloudError) {
            let members = try (known ?? read()).get()
            let content = try await table.answer(call.operation, .object(members), from: CallOrigin(request))
            guard operation?.isWaiting == true else { return written(content, call, request.identifier) }
            return await writtenAside(content, call, request.identifier)
        } catch {
            return self.refusal(error, of: call.form, request)
        }
    }

    // MARK: Answers

    private func written(_ content: JSONObject, _ call: Call, _ identifier: RequestIdentifier) -> HTTPResponse {
        guard let form = call.form else { return table.response(.ok, content) }
        return QueryAnswer(namespace: form.namespace, identifier: identifier, hasFlatLists: true)
            .success(call.operation, form.shown(content, call.operation))
    }

    /// The same, beside the loop where the answer is long: each letter may need an escape.
    private func writtenAside(
        _ content: JSONObject, _ call: Call, _ identifier: RequestIdentifier
    ) async -> HTTPResponse {
        guard Self.bytes(in: .object(content)) > CloudLimits.writtenAtOnceMax else {
            return written(content, call, identifier)
        }
        let form = call.form
        let operation = call.operation
        return await Task.detached { [self] in
            written(content, Call(form: form, operation: operation), identifier)
        }.value
    }

    /// About how long texts are together.
    private static func bytes(in value: JSONValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .array(let list): list.reduce(0) { $0 + bytes(in: $1) }
        case .object(let object): object.members.reduce(0) { $0 + bytes(in: $1.value) }
        default: 0
        }
    }

    private func refusal(_ error: CloudError, of form: FormWire?, _ request: HTTPRequest) -> HTTPResponse {
        guard let form else { return table.refusal(error) }
        return QueryAnswer(namespace: form.namespace, identifier: request.identifier, hasFlatLists: true)
            .refusal(error.status, error.code, error.message)
    }
}
