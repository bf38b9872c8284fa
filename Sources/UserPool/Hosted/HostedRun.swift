import Cloud
import Crypto
import JSON
import Store

/// One request at the pages' doors while it is answered.
///
///     address, form ─▶ checked ─▶ the same flows as the API's, as `PoolRun`s of the pages' own ─▶ a page, or back to the app
struct HostedRun: Sendable {
    let pool: UserPool
    let shard: PoolShard
    let request: HostedRequest
    /// In milliseconds since 1970.
    let now: Int64

    var settings: PoolSettings { pool.settings }

    func answer() async -> HostedAnswer {
        do throws(HostedFault) {
            guard request.path.methods.contains(request.method) else {
                if request.path.isForApps { throw .program(.request) }
                throw .page(status: 405, "This address is not called by \(request.method.rawValue).")
            }
            return try await answerByPath()
        } catch {
            return answer(to: error)
        }
    }

    private func answerByPath() async throws(HostedFault) -> HostedAnswer {
        switch request.path {
        case .token: return try await tokens()
        case .revoke: return try await revoke()
        case .userInfo: return try await userInfo()
        case .logout: return try await logOut()
        case .providerAnswer: return try await takeProviderAnswer()
        case .standIn: return try await standIn()
        case .authorize: return try await authorize(authorization())
        case .login: return try await signIn(authorization())
        case .step: return try await goOn(authorization())
        case .signUp: return try await signUp(authorization())
        case .confirm: return try await confirm(authorization())
        case .resend: return try await resend(authorization())
        case .confirmUser: return try await confirmUser()
        case .forgot: return try await forgot(authorization())
        case .reset: return try await reset(authorization())
        }
    }

    private func authorization() throws(HostedFault) -> AuthorizationRequest {
        try AuthorizationRequest(request.query, of: pool.clients)
    }

    /// The cookie's token that the browser has to keep, where it has none.
    func keep(_ cookie: BrowserCookie, _ answer: inout HostedAnswer) {
        guard !cookie.isKnown else { return }
        answer.fields += BrowserCookie.fields(cookie.token, isSecure: request.isSecure)
    }

    // MARK: The API's flows

    /// A call as the API's flows know it, from the pages' door.
    func run(_ members: JSONValue = [:]) -> PoolRun {
        var run = PoolRun(
            pool: pool, shard: shard, input: PoolInput(members.object ?? JSONObject()),
            call: PoolCall(
                target: request.path.rawValue, body: [], base: request.base, address: request.address,
                isByAdministrator: false), now: now)
        run.door = .pages
        return run
    }

    /// Does an operation of the API, its members checked as there.
    func perform(_ name: String, _ members: JSONValue) async throws(PoolError) -> JSONObject {
        guard let operation = PoolOperation.named("\(PoolOperation.Service.userPool.rawValue).\(name)") else {
            throw .invalidParameter("\(name) is not enabled for this user pool.")
        }
        try MemberCheck.run(operation.members, on: members.object ?? JSONObject())
        return try await pool.counted(operation, run(members)) ?? JSONObject()
    }

    func orFault<Value>(_ work: () async throws(PoolError) -> Value) async throws(HostedFault) -> Value {
        do throws(PoolError) { return try await work() } catch { throw .pool(error) }
    }

    // MARK: Forms

    var cookie: BrowserCookie { BrowserCookie(request) }

    func formToken(_ cookie: BrowserCookie) -> String { cookie.formToken(pool.formSecret) }

    static let formTokenName = "_csrf"

    /// The form that a page of ours has sent from this browser; nil for any other.
    var ownForm: FormPairs? {
        guard let form = request.form, request.isFromOwnPage, let token = form[Self.formTokenName] else { return nil }
        let cookie = cookie
        guard cookie.isKnown, ConstantTime.areEqual(token, formToken(cookie)) else { return nil }
        return form
    }

    static let foreignForm =
        "This form was open for too long, or did not come from this page. Please send it again."

    // MARK: Answers

    /// A page with a form; the browser gets the cookie that the form was made for.
    func page(
        _ title: String, _ content: HTML, _ cookie: BrowserCookie, for authorization: AuthorizationRequest, status: Int
    ) -> HostedAnswer {
        var answer = HostedPage(
            title: title, content: content, formTarget: authorization.redirect, status: status
        ).answer
        keep(cookie, &answer)
        return answer
    }

    func redirect(to address: String, formTarget: String? = nil) -> HostedAnswer {
        HostedAnswer(status: 302, fields: [("location", address)] + HostedPage.fields(formTarget), body: [])
    }

    /// JSON for programs.
    func json(_ content: JSONValue, status: Int = 200) -> HostedAnswer {
        HostedAnswer(
            status: status,
            fields: [
                ("content-type", "application/json;charset=UTF-8"), ("cache-control", "no-store"),
                ("x-content-type-options", "nosniff"),
            ], body: JSONWriter.bytes(of: content))
    }

    fileprivate func answer(to fault: HostedFault) -> HostedAnswer {
        switch fault {
        case .page(let status, let message):
            var answer = HostedPage(
                title: "This does not work", content: #"<p class="error" role="alert">\#(message)</p>"#, status: status
            ).answer
            answer.reason = message
            if status == 405 { answer.fields.append(("allow", allowedMethods)) }
            return answer
        case .app(let authorization, let fault):
            var answer = redirect(
                to: authorization.address([("error", fault.error), ("error_description", fault.description)]))
            answer.reason = fault.description
            return answer
        case .program(let fault): return answer(to: fault)
        case .pool(let error):
            if let reason = error.reason { pool.report("\(request.path.rawValue): \(reason)") }
            if request.path.isForApps { return answer(to: OAuthFault(error)) }
            return answer(to: .page(status: error.status, error.message))
        }
    }

    private func answer(to fault: OAuthFault) -> HostedAnswer {
        var answer = json(["error": .string(fault.error)], status: fault.status)
        if let challenge = fault.challenge { answer.fields.append(("www-authenticate", challenge)) }
        if !request.path.methods.contains(request.method) {
            answer.status = 405
            answer.fields.append(("allow", allowedMethods))
        }
        answer.reason = fault.error
        return answer
    }

    private var allowedMethods: String { request.path.methods.map(\.rawValue).joined(separator: ", ") }
}

extension UserPool {
    /// Answers a request for a page or for one of OAuth's doors. `shard` is that of the loop on which this runs.
    package func answer(_ request: HostedRequest, on shard: PoolShard) async -> HostedAnswer {
        let run = HostedRun(pool: self, shard: shard, request: request, now: now)
        do throws(PoolError) {
            try await makeTables(on: shard)
        } catch {
            return run.answer(to: .pool(error))
        }
        return await run.answer()
    }
}
