import Cloud
import Crypto
import JSON

extension HostedRun {
    private static let credentials: [MemberShape.Member] = [
        .init("Username", .username, isRequired: true), .init("Password", .password, isRequired: true),
    ]

    /// `/login`: the form, and what comes of it.
    func signIn(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard request.method == .post else {
            if let provider = try provider(of: authorization) { return redirect(to: authorization.page(at: provider)) }
            return forms.signIn()
        }
        guard let form = ownForm else { return forms.signIn(problem: Self.foreignForm, status: 403) }
        let username = form["username"] ?? ""
        let password = form["password"] ?? ""
        do throws(PoolError) {
            do throws(PoolError) {
                try MemberCheck.run(
                    Self.credentials,
                    on: JSONObject([("Username", .string(username)), ("Password", .string(password))]))
            } catch {
                throw .wrongPassword
            }
            let run = run([
                "ClientId": .string(authorization.client.id),
                "AuthParameters": ["USERNAME": .string(username), "PASSWORD": .string(password)],
            ])
            let result = try await pool.counted("InitiateAuth", run) { () async throws(PoolError) in
                try await run.signInByPassword(username, password, for: authorization.client)
            }
            guard let result else { throw .wrongPassword }
            return try await goOn(with: result, authorization)
        } catch {
            switch error.type {
            case "UserNotConfirmedException":
                return forms.confirm(username, note: "Your account is to be confirmed first.")
            case "PasswordResetRequiredException":
                return forms.forgot(username, problem: "You need a new password.")
            default: return forms.signIn(username: username, problem: told(error), status: status(error))
            }
        }
    }

    /// `/login/step`: the answer to what a sign-in has asked for behind the password.
    func goOn(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard let form = ownForm else { return forms.signIn(problem: Self.foreignForm, status: 403) }
        guard let step = SignInFormStep(form) else { throw .wrong("This form has not come as it was made.") }
        do throws(PoolError) {
            var session = step.session
            if step.challenge == .setUpFactor {
                let proved = try await perform(
                    "VerifySoftwareToken",
                    ["Session": .string(session), "UserCode": .string(form["code"] ?? "")])
                session = proved["Session"]?.string ?? session
            }
            let result = try await perform(
                "RespondToAuthChallenge",
                [
                    "ClientId": .string(authorization.client.id), "ChallengeName": .string(step.challenge.rawValue),
                    "Session": .string(session), "ChallengeResponses": .object(step.responses(form)),
                ])
            return try await goOn(with: result, authorization)
        } catch {
            switch error.type {
            case "CodeMismatchException", "EnableSoftwareTokenMFAException", "InvalidPasswordException",
                "InvalidParameterException":
                // The session goes on: the same form again.
                return forms.step(step, problem: told(error), status: status(error))
            default: return forms.signIn(problem: told(error), status: status(error))
            }
        }
    }

    /// What comes behind a proved factor: the next form, or the way back to the app with a new cookie.
    func goOn(
        with result: JSONObject, _ authorization: AuthorizationRequest
    ) async throws(PoolError) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        if let text = result[PageSession.member]?.string, let token = RefreshToken(text) {
            do throws(HostedFault) {
                // Who was signed in with this browser before is not any more.
                try await endSession()
                guard var answer = try await goBack(authorization, session: token.signIn) else {
                    throw .pool(.wrongPassword)
                }
                answer.fields += BrowserCookie.fields(token, isSecure: request.isSecure)
                return answer
            } catch {
                if case .pool(let error) = error { throw error }
                throw .wrongPassword
            }
        }
        guard var step = SignInFormStep(result) else {
            throw .invalidParameter("This sign-in asks for something that these pages cannot do.")
        }
        if step.challenge == .setUpFactor {
            let secret = try await perform("AssociateSoftwareToken", ["Session": .string(step.session)])
            step.secret = secret["SecretCode"]?.string
            step.session = secret["Session"]?.string ?? step.session
        }
        return forms.step(step)
    }

    // MARK: Becoming a user

    /// `/signup`.
    func signUp(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard settings.allowsSelfSignUp else {
            throw .page(status: 403, "New accounts are made by an administrator here.")
        }
        guard request.method == .post else { return forms.signUp(FormPairs()) }
        guard let form = ownForm else { return forms.signUp(FormPairs(), problem: Self.foreignForm, status: 403) }
        let username = form["username"] ?? ""
        do throws(PoolError) {
            let attributes = form.values(behind: FormMaker.attributePrefix).filter { !$0.value.isEmpty }
            let result = try await perform(
                "SignUp",
                [
                    "ClientId": .string(authorization.client.id), "Username": .string(username),
                    "Password": .string(form["password"] ?? ""),
                    "UserAttributes": .array(
                        attributes.map { ["Name": .string($0.name), "Value": .string($0.value)] }),
                ])
            if result["UserConfirmed"]?.bool ?? false {
                return forms.signIn(username: username, note: "Your account is there. Please sign in.")
            }
            guard let delivery = result["CodeDeliveryDetails"]?.object else {
                return forms.signIn(
                    username: username, note: "Your account is there. An administrator will confirm it.")
            }
            return forms.confirm(username, note: Self.sent(delivery))
        } catch {
            return forms.signUp(form, problem: told(error), status: status(error))
        }
    }

    /// `/confirm`: the code that a new user has got.
    func confirm(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard request.method == .post else { return forms.confirm(authorization.hint ?? "") }
        guard let form = ownForm else { return forms.confirm("", problem: Self.foreignForm, status: 403) }
        let username = form["username"] ?? ""
        do throws(PoolError) {
            _ = try await perform(
                "ConfirmSignUp",
                [
                    "ClientId": .string(authorization.client.id), "Username": .string(username),
                    "ConfirmationCode": .string(form["code"] ?? ""),
                ])
            return forms.signIn(username: username, note: "Your account is confirmed. Please sign in.")
        } catch {
            return forms.confirm(username, problem: told(error), status: status(error))
        }
    }

    /// `/confirmUser`: what a link in a mail leads to. It has the code, and no app to go back to.
    func confirmUser() async throws(HostedFault) -> HostedAnswer {
        guard let query = request.query, let client = query["client_id"], pool.clients[client] != nil,
            let username = query["user_name"], let code = query["confirmation_code"]
        else {
            throw .page(status: 400, "This link is not complete. Please follow it from the mail as it is.")
        }
        do throws(PoolError) {
            _ = try await perform(
                "ConfirmSignUp",
                ["ClientId": .string(client), "Username": .string(username), "ConfirmationCode": .string(code)])
        } catch {
            throw .page(status: status(error), told(error))
        }
        let content: HTML = #"<p class="note" role="status">You can go back to the app and sign in.</p>"#
        return HostedPage(title: "Your registration has been confirmed!", content: content).answer
    }

    /// `/confirm/resend`: another code.
    func resend(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard let form = ownForm else { return forms.confirm("", problem: Self.foreignForm, status: 403) }
        let username = form["username"] ?? ""
        do throws(PoolError) {
            let result = try await perform(
                "ResendConfirmationCode",
                ["ClientId": .string(authorization.client.id), "Username": .string(username)])
            return forms.confirm(username, note: Self.sent(result["CodeDeliveryDetails"]?.object))
        } catch {
            return forms.confirm(username, problem: told(error), status: status(error))
        }
    }

    // MARK: New passwords

    /// `/forgot`: a code for a new password.
    func forgot(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard request.method == .post else { return forms.forgot(authorization.hint ?? "") }
        guard let form = ownForm else { return forms.forgot("", problem: Self.foreignForm, status: 403) }
        let username = form["username"] ?? ""
        do throws(PoolError) {
            let result = try await perform(
                "ForgotPassword", ["ClientId": .string(authorization.client.id), "Username": .string(username)])
            return forms.reset(username, note: Self.sent(result["CodeDeliveryDetails"]?.object))
        } catch {
            return forms.forgot(username, problem: told(error), status: status(error))
        }
    }

    /// `/forgot/confirm`: the code, and the new password.
    func reset(_ authorization: AuthorizationRequest) async throws(HostedFault) -> HostedAnswer {
        let forms = FormMaker(self, authorization)
        guard request.method == .post else { return forms.reset(authorization.hint ?? "") }
        guard let form = ownForm else { return forms.reset("", problem: Self.foreignForm, status: 403) }
        let username = form["username"] ?? ""
        do throws(PoolError) {
            _ = try await perform(
                "ConfirmForgotPassword",
                [
                    "ClientId": .string(authorization.client.id), "Username": .string(username),
                    "ConfirmationCode": .string(form["code"] ?? ""), "Password": .string(form["password"] ?? ""),
                ])
            return forms.signIn(username: username, note: "Your password is changed. Please sign in with the new one.")
        } catch {
            return forms.reset(username, problem: told(error), status: status(error))
        }
    }

    // MARK: What people are told

    private static func sent(_ delivery: JSONObject?) -> String {
        guard let address = delivery?["Destination"]?.string else { return "A code was sent to you." }
        return "A code was sent to \(address)."
    }

    private func told(_ error: PoolError) -> String {
        if let reason = error.reason { pool.report("\(request.path.rawValue): \(reason)") }
        return error.message
    }

    private func status(_ error: PoolError) -> Int { error.status }
}
