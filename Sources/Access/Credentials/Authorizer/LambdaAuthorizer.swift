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
    func known(_ token: String, now: Int64) -> Result<Identity, Refusal>? {
        guard token.utf8.count <= AccessLimits.authorizerTokenBytesMax else { return .failure(.notAuthorized) }
        if let identity = admitted.value(of: token, now: now) { return .success(identity) }
        if let known = memory.admitted(token, now: now) { return .success(remember(known, for: token)) }
        if let pattern, pattern.outcome(of: token, stepsMax: AccessLimits.patternStepsMax) != .matches {
            return .failure(.notAuthorized)
        }
        return nil
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
        while true {
            switch await memory.turn(token, now: now()) {
            case .use(let known): return remember(known, for: token)
            case .refuse: throw .notAuthorized
            case .ask:
                let verdict = await askAlone(token, of: request, using: outside, now: now)
                memory.answered(token, verdict)
                return try verdict.identity(self, token)
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
        guard let answer = await answer(about: token, request, using: outside) else {
            return Task.isCancelled ? .abandoned : .refused
        }
        let life = answer["ttlOverride"].flatMap(Self.wholeSeconds) ?? settings.cacheSeconds
        let seconds = min(max(life, 0), AccessLimits.authorizerCacheSecondsMax)
        guard answer["isAuthorized"] == true else {
            return seconds > 0 ? .refused : .notShared(.failure(.notAuthorized))
        }
        let identity = Identity.lambda(
            resolverContext: Self.context(answer["resolverContext"]),
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

    private func answer(
        about token: String, _ request: CredentialRequest, using outside: any OutsideService
    ) async -> JSONValue? {
        do throws(OutsideError) {
            let response = try await outside.invoke(
                FunctionInvocation(
                    settings.url, JSONWriter.bytes(of: event(token, request)),
                    timeoutMilliseconds: AccessLimits.authorizerTimeoutMilliseconds,
                    answerBytesMax: AccessLimits.authorizerAnswerBytesMax))
            guard response.status == 200, response.field("x-amz-function-error") == nil else {
                report("the authorizer failed: \(settings.url) answers \(response.status)")
                return nil
            }
            guard let answer = try? JSONReader.value(of: response.body) else {
                report("the authorizer failed: the answer of \(settings.url) is no JSON")
                return nil
            }
            return answer
        } catch {
            report("the authorizer at \(settings.url) cannot be asked: \(error)")
            return nil
        }
    }

    /// What the function gets to know.
    private func event(_ token: String, _ request: CredentialRequest) -> JSONValue {
        let isShort = request.body.count <= AccessLimits.authorizerVariablesBytesMax
        let operation = isShort ? try? JSONReader.value(of: request.body) : nil
        let context = JSONObject([
            ("apiId", .string(settings.apiID)), ("accountId", .string(settings.accountID)),
            ("requestId", .string(request.line.identifier)),
            ("queryString", operation?["query"] ?? .null),
            ("operationName", operation?["operationName"] ?? .null),
            ("variables", operation?["variables"] ?? .object(JSONObject())),
        ])
        let fields = JSONObject(request.fields.all.map { ($0.name.inLowerCaseASCII, .string($0.value)) })
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
