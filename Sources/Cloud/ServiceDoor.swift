import Access
import JSON
import Network

/// A service over HTTP: recognises the operation, asks who calls, and answers in the form of the call.
package struct ServiceDoor: Sendable {
    package typealias Credentials = @Sendable (_ request: HTTPRequest, _ body: [UInt8]) -> CredentialRequest
    /// Decides on a caller whose key no administrator and no function has; answers why the request is refused.
    package typealias Others =
        @Sendable (
            _ request: CredentialRequest, _ demands: [RightsDemand], _ now: Int64
        ) -> Refusal?

    package let table: ServiceTable
    private let callers: AdministratorCheck
    private let others: Others?
    private let credentials: Credentials

    /// - Parameters:
    ///   - others: the decision on callers who are neither administrators nor functions; nil: none of them may call.
    ///   - credentials: those that a request is signed with.
    package init(
        _ table: ServiceTable, _ callers: AdministratorCheck, others: Others? = nil,
        _ credentials: @escaping Credentials
    ) {
        (self.table, self.callers, self.others, self.credentials) = (table, callers, others, credentials)
    }

    // MARK: Heads

    /// The refusal of what is no call, before its body is read.
    package func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == .post || table.isPath(head.encodedPath) else {
            var answer = table.refusal(
                CloudError(
                    "UnsupportedOperation", code: "InvalidAction", "The service is called by POST.", status: 405))
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
        if error.status == .contentTooLarge, let tooLong = table.words.tooLong { return table.refusal(tooLong) }
        return table.refusal(table.words.unreadable("\(error)", status: error.status.code))
    }

    // MARK: Calls

    /// A call as the wire has it.
    private struct Call {
        let form: FormWire?
        let operation: String
        /// Of a form.
        var parameters: [(name: String, value: String)] = []
        /// Nil: another protocol's.
        var path: PathCall?
    }

    private func call(_ head: HTTPRequestHead, _ body: [UInt8]) -> Call {
        if let path = table.call(head.method, head.methodText, head.encodedPath, query: head.query) {
            return Call(form: nil, operation: path.operation, path: path)
        }
        let operation = table.operation(in: head)
        guard operation.isEmpty, let form = table.form,
            table.target.isEmpty || !head.fields.contains("x-amz-target")
        else { return Call(form: nil, operation: operation) }
        let parameters = form.parameters(
            of: head.method == .get ? head.query : String(decoding: body, as: UTF8.self))
        return Call(form: form, operation: FormWire.action(in: parameters), parameters: parameters)
    }

    /// Returns whether a request waits for something to come. Asked on the loop, so a long form is not read for it: no call that waits has one.
    package func isWaiting(_ request: HTTPRequest) -> Bool {
        guard table.waits, case .bytes(let body) = request.body else { return false }
        let read = body.count > CloudLimits.waitingFormBytesMax ? [] : body
        return table.operation(named: call(request.head, read).operation)?.isWaiting == true
    }

    private func members(
        of call: Call, _ head: HTTPRequestHead, _ body: [UInt8]
    ) throws(CloudError) -> JSONObject {
        if let path = call.path { return try table.members(of: path, body, fields: head.fields) }
        if let form = call.form {
            let shapes = table.operation(named: call.operation)?.members ?? []
            return try form.object(of: call.parameters, shapes, path: head.path)
        }
        guard let members = table.members(of: body) else {
            throw table.words.unreadable("The body is no JSON object.")
        }
        return members
    }

    /// The answer to a request whose head was not refused.
    ///
    /// - Parameter state: that of the request's loop.
    package func answer(_ request: HTTPRequest, state: CallOrigin.LoopState? = nil) async -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
        let call = call(request.head, body)
        func read() -> Result<JSONObject, CloudError> {
            do throws(CloudError) { return .success(try members(of: call, request.head, body)) } catch {
                return .failure(error)
            }
        }
        // Read once: for what a function asks for, if one does, or for the operation.
        var known: Result<JSONObject, CloudError>?
        var caller: IAMPrincipal?
        let now = Timestamp.now.seconds
        do throws(Refusal) {
            switch table.callers(of: call.operation) {
            case .anyone: break
            case .signed: caller = try callers.principal(of: credentials(request, body), now: now)
            case .entitled:
                let credentials = credentials(request, body)
                func demands() -> [RightsDemand] {
                    let members = read()
                    known = members
                    return table.rights(of: call.operation, CallInput((try? members.get()) ?? JSONObject()))
                }
                var refusal = callers.refusal(
                    of: credentials, for: table.action(of: call.operation), now: now, demands: demands)
                // A key that no administrator and no function has may be somebody else's.
                if let others, refusal?.isOfUnknownKey == true { refusal = others(credentials, demands(), now) }
                if let refusal { throw refusal }
            }
        } catch {
            return answer(error, to: call, request)
        }
        do throws(CloudError) {
            let members = try (known ?? read()).get()
            let operation = try table.checked(call.operation, members)
            let checked = CloudCall(
                CallInput(members), from: CallOrigin(request, state: state), by: caller,
                body: operation.path?.isBodyRaw == true ? body : [])
            if let respond = operation.respond { return try await respond(checked) }
            let content = try await operation.run(checked)
            return operation.isWaiting
                ? await writtenAside(content, call, request.identifier) : written(content, call, request.identifier)
        } catch {
            return table.refusal(error, in: call.form, request.identifier)
        }
    }

    // MARK: Answers

    private func answer(_ refusal: Refusal, to call: Call, _ request: HTTPRequest) -> HTTPResponse {
        let code = refusal.formCode
        let error = CloudError(
            refusal.errorType, code: code == ServiceWords.denied ? table.words.denied : code, refusal.message,
            status: table.words.refusedStatus)
        var answer = table.refusal(error, in: call.form, request.identifier)
        answer.reason = refusal.reason ?? refusal.message
        return answer
    }

    private func written(_ content: JSONObject, _ call: Call, _ identifier: RequestIdentifier) -> HTTPResponse {
        guard let form = call.form else { return table.response(.ok, content) }
        return form.answer(identifier).success(call.operation, form.shown(content, call.operation))
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
}
