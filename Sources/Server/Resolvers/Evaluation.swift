import Blueprint
import Engine
import JSON
import Resolvers

/// One handler evaluated by itself, as AppSync's `EvaluateCode` and `EvaluateMappingTemplate` do: for tests of resolvers.
struct Evaluation {
    /// What is evaluated.
    enum Subject: Sendable {
        case code(String, ResolverCode.Handler, isTypeScript: Bool = false)
        case template(String)
    }

    /// The answer: `evaluationResult`, `logs`, `stash`, `outErrors`, and `error` where it failed.
    let answer: JSONObject
    let hasFailed: Bool

    init(_ subject: Subject, _ context: JSONValue) {
        do throws(ResolverCodeError) {
            let context = ResolverContext(json: context)
            let outcome: ResolverOutcome
            switch subject {
            case .code(let text, let handler, let isTypeScript):
                outcome = try HandlerCode.javaScript(text, isTypeScript: isTypeScript).read().run(handler, context)
            case .template(let text):
                outcome = try HandlerCode.velocity(request: text, response: nil).read().run(.request, context)
            }
            self.init(outcome)
        } catch {
            self.init(refused: error)
        }
    }

    private init(_ outcome: ResolverOutcome) {
        var answer = JSONObject()
        switch outcome.end {
        case .value(let value): answer.set("evaluationResult", to: Self.text(value))
        case .early(let value, let skipsToEnd):
            answer.set("evaluationResult", to: Self.text(value))
            answer.set("earlyReturn", to: true)
            if skipsToEnd { answer.set("skipTo", to: "END") }
        case .failed(let error): answer.set("error", to: .object(Self.error(error)))
        }
        if case .failed = outcome.end { hasFailed = true } else { hasFailed = false }
        answer.set("logs", to: .array(outcome.logs.map(JSONValue.string)))
        answer.set("stash", to: Self.text(.object(outcome.stash)))
        answer.set("outErrors", to: Self.text(.array(outcome.outErrors.map { .object(Self.entry($0)) })))
        if let filter = outcome.subscriptionFilter { answer.set("subscriptionFilter", to: Self.text(filter)) }
        if let filter = outcome.invalidationFilter { answer.set("invalidationFilter", to: Self.text(filter)) }
        if !outcome.invalidations.isEmpty {
            answer.set("invalidations", to: Self.text(.array(outcome.invalidations)))
        }
        if !outcome.responseHeaders.isEmpty {
            let headers = JSONObject(outcome.responseHeaders.map { ($0.0, JSONValue.string($0.1)) })
            answer.set("responseHeaders", to: Self.text(.object(headers)))
        }
        self.answer = answer
    }

    /// What AppSync does not save.
    private init(refused error: ResolverCodeError) {
        let findings = error.findings.map { finding -> JSONValue in
            var entry = JSONObject([("errorType", JSONValue.string(finding.kind.rawValue))])
            entry.set("value", to: .string(finding.message))
            if let rule = finding.rule { entry.set("rule", to: .string(rule)) }
            entry.set(
                "location",
                to: [
                    "line": .integer(Int64(finding.place.line)), "column": .integer(Int64(finding.place.column)),
                    "span": .integer(0),
                ])
            return .object(entry)
        }
        hasFailed = true
        var refusal = JSONObject([("message", .string(error.message))])
        refusal.set("codeErrors", to: .array(findings))
        answer = JSONObject([("error", .object(refusal)), ("logs", .array([]))])
    }

    private static func text(_ value: JSONValue) -> JSONValue { .string(JSONWriter.text(of: value)) }

    private static func error(_ error: ResolverError) -> JSONObject {
        var object = entry(error)
        object.set("codeErrors", to: .array([]))
        return object
    }

    private static func entry(_ error: ResolverError) -> JSONObject {
        var object = JSONObject([("message", .string(error.message))])
        let type = error.type ?? (error.isUnauthorized ? "Unauthorized" : nil)
        object.set("errorType", to: type.map(JSONValue.string) ?? .null)
        if let data = error.data { object.set("data", to: data) }
        if let info = error.info { object.set("errorInfo", to: info) }
        if let place = error.place {
            object.set("location", to: ["line": .integer(Int64(place.line)), "column": .integer(Int64(place.column))])
        }
        return object
    }
}
