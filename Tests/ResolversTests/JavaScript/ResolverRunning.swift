import JSON
import Testing

@testable import Resolvers

/// Short ways to run a body of `request`, for tests.
enum ResolverRunning {
    static func text(_ body: String, before: String = "") -> String {
        """
        import { util, extensions, runtime } from '@aws-appsync/utils';
        \(before)
        export function request(ctx) {
        \(body)
        }
        export function response(ctx) { return ctx.result; }
        """
    }

    static func code(_ body: String, before: String = "") throws -> ResolverCode {
        do throws(ResolverCodeError) {
            return try ResolverCode(javaScript: text(body, before: before))
        } catch {
            Issue.record("\(error.findings)")
            throw error
        }
    }

    static func outcome(
        _ body: String, before: String = "", _ context: JSONValue = [:], limits: ResolverLimits = ResolverLimits()
    ) throws -> ResolverOutcome {
        try code(body, before: before).run(.request, ResolverContext(json: context), limits: limits)
    }

    static func value(_ body: String, _ context: JSONValue = [:]) throws -> JSONValue {
        switch try outcome(body, context).end {
        case .value(let value): return value
        case .early(let value, _): return ["early": value]
        case .failed(let error): return ["failed": .string(error.message)]
        }
    }
}
