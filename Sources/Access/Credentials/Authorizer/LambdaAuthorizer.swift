import Blueprint
import JSON
import Patterns

/// Asks a function about tokens, and remembers what it said of those that it admits. One for each loop: what it remembers
/// itself is a part of what all of them do, which is looked at without a lock.
final class LambdaAuthorizer {
    private let settings: AuthorizerSettings
    private let pattern: Pattern?
    private let report: @Sendable (String) -> Void
    private var admitted = GenerationCache<Identity>(countMax: AccessLimits.rememberedTokensMax)
    private let memory: AuthorizerMemory
    private var asking = 0

    init(
        _ settings: AuthorizerSettings, sharing memory: AuthorizerMemory, report: @escaping @Sendable (String) -> Void
    ) throws(PatternError) {
        self.settings = settings
        self.memory = memory
        self.report = report
        pattern = try settings.tokenPattern.map { text throws(PatternError) in try Pattern(text) }
    }

    /// What is known of a token without asking: who it is, that it is refused, or nothing.
    func known(_ token: String, of request: CredentialRequest, now: Int64) -> Result<Identity, Refusal>? {
        guard token.utf8.count <= AccessLimits.authorizerTokenBytesMax else { return .failure(.notAuthorized) }
        let key = Self.key(of: token, request)
        if let identity = admitted.value(of: key, now: now) { return .success(identity) }
        if let known = memory.admitted(key, now: now) { return .success(remember(known, for: key)) }
        if let pattern, pattern.outcome(of: token, stepsMax: AccessLimits.patternStepsMax) != .matches {
            return .failure(.notAuthorized)
        }
        return nil
    }

    /// Under what an answer is remembered: of channels, it is about the operation and the channel too.
    private static func key(of token: String, _ request: CredentialRequest) -> String {
        request.question?.key(of: token) ?? token
    }

    fileprivate func remember(_ known: AuthorizerMemory.Admitted, for token: String) -> Identity {
        admitted.insert(known.identity, for: token, expires: known.expires)
        return known.identity
    }

    /// Asks the function, unless somebody else does so already.
    func ask(
        _ token: String, of request: CredentialRequest, using outside: any OutsideService, now: @Sendable () -> Int64
    ) async throws(Refusal) -> Identity {
        // Nothing is kept of an answer: it may be about this request alone.
        guard settings.cacheSeconds > 0 else {
            return try await askAlone(token, of: request, using: outside, now: now).identity(self, token)
        }
        let key = Self.key(of: token, request)
        while true {
            switch await memory.turn(key, now: now()) {
            case .use(let known): return remember(known, for: key)
            case .refuse: throw .notAuthorized
            case .ask:
                let verdict = await askAlone(token, of: request, using: outside, now: now)
                memory.answered(key, verdict)
                return try verdict.identity(self, key)
            case .askAlone:
                return try await askAlone(token, of: request, using: outside, now: now).identity(self, token)
            case .again:
                if Task.isCancelled { throw .notAuthorized }
            }
        }
    }

    /// What the function says about a request.
    private func askAlone(
        _ token: String, of request: CredentialRequest, using outside: any OutsideService, now: @Sendable () -> Int64
    ) async -> AuthorizerMemory.Verdict {
        guard asking < AccessLimits.waitersMax else {
            report("the authorizer is asked about \(asking) tokens at once: no more are asked")
            return .refused
        }
        asking += 1
        defer { asking -= 1 }
        let asked = now()
        let answer: JSONValue
        switch await self.answer(about: token, request, using: outside) {
        case .success(let given): answer = given
        case .failure(let failure):
            if Task.isCancelled { return .abandoned }
            return request.question == nil ? .refused : .notShared(.failure(.authorizerFailed(failure.message)))
        }
        let life = answer["ttlOverride"].flatMap(Self.wholeSeconds) ?? settings.cacheSeconds
        let seconds = min(max(life, 0), AccessLimits.authorizerCacheSecondsMax)
        guard answer["isAuthorized"] == true else {
            return seconds > 0 ? .refused : .notShared(.failure(.notAuthorized))
        }
        let identity = Identity.lambda(
            resolverContext: request.question == nil
                ? Self.context(answer["resolverContext"]) : Self.texts(answer["handlerContext"]),
            deniedFields: answer["deniedFields"]?.array?.compactMap(\.string) ?? [])
        guard seconds > 0 else { return .notShared(.success(identity)) }
        return .admitted(AuthorizerMemory.Admitted(identity: identity, expires: asked + seconds))
    }

    private static func wholeSeconds(_ value: JSONValue) -> Int64? {
        value.integer ?? value.number.flatMap { Int64(exactly: $0.rounded(.down)) }
    }

    /// The members that AppSync passes on: texts, numbers and booleans.
    private static func context(_ value: JSONValue?) -> JSONObject {
        let members = value?.object?.members ?? []
        return JSONObject(
            members.filter { member in
                switch member.value {
                case .array, .object, .null: false
                default: true
                }
            }.map { ($0.key, $0.value) })
    }

    /// The names of operations in the input of an authorizer.
    private static func texts(_ value: JSONValue?) -> JSONObject {
        JSONObject((value?.object?.members ?? []).filter { $0.value.string != nil }.map { ($0.key, $0.value) })
    }

    /// Why there is no answer, with what the function said.
    private struct Failure: Error {
        let message: String
    }

    private func answer(
        about token: String, _ request: CredentialRequest, using outside: any OutsideService
    ) async -> Result<JSONValue, Failure> {
        do throws(OutsideError) {
            let response = try await outside.invoke(
                FunctionInvocation(
                    settings.url, JSONWriter.bytes(of: event(token, request)),
                    timeoutMilliseconds: AccessLimits.authorizerTimeoutMilliseconds,
                    answerBytesMax: AccessLimits.authorizerAnswerBytesMax))
            guard response.status == 200, response.field("x-amz-function-error") == nil else {
                report("the authorizer failed: \(settings.url) answers \(response.status)")
                let message = (try? JSONReader.value(of: response.body))?["errorMessage"]?.string
                return .failure(Failure(message: message ?? "The authorizer failed"))
            }
            guard let answer = try? JSONReader.value(of: response.body) else {
                report("the authorizer failed: the answer of \(settings.url) is no JSON")
                return .failure(Failure(message: "The authorizer failed"))
            }
            return .success(answer)
        } catch {
            report("the authorizer at \(settings.url) cannot be asked: \(error)")
            return .failure(Failure(message: "The authorizer failed"))
        }
    }

    /// What the function gets to know.
    private func event(_ token: String, _ request: CredentialRequest) -> JSONValue {
        let fields = JSONObject(request.fields.all.map { ($0.name.inLowerCaseASCII, .string($0.value)) })
        if let question = request.question {
            let common: [(String, JSONValue)] = [
                ("apiId", .string(settings.apiID)), ("accountId", .string(settings.accountID)),
                ("requestId", .string(request.line.identifier)),
            ]
            return .object(
                JSONObject([
                    ("authorizationToken", .string(token)),
                    ("requestContext", .object(JSONObject(common + question.members))),
                    ("requestHeaders", .object(fields)),
                ]))
        }
        let isShort = request.body.count <= AccessLimits.authorizerVariablesBytesMax
        let operation = isShort ? try? JSONReader.value(of: request.body) : nil
        let context = JSONObject([
            ("apiId", .string(settings.apiID)), ("accountId", .string(settings.accountID)),
            ("requestId", .string(request.line.identifier)),
            ("queryString", operation?["query"] ?? .null),
            ("operationName", operation?["operationName"] ?? .null),
            ("variables", operation?["variables"] ?? .object(JSONObject())),
        ])
        return .object(
            JSONObject([
                ("authorizationToken", .string(token)), ("requestContext", .object(context)),
                ("requestHeaders", .object(fields)),
            ]))
    }
}

extension AuthorizerMemory.Verdict {
    /// What it means to who asked.
    fileprivate func identity(_ authorizer: LambdaAuthorizer, _ token: String) throws(Refusal) -> Identity {
        switch self {
        case .admitted(let known): return authorizer.remember(known, for: token)
        case .notShared(let result): return try result.get()
        case .refused, .abandoned: throw .notAuthorized
        }
    }
}
