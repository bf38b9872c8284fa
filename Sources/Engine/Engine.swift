import Blueprint
import GraphQL
import JSON

// Engine: an operation becomes a plan, a plan becomes a response. It knows nothing of HTTP.
//
//     request body ─▶ EngineRequest ─▶ prepared document ─▶ operation ─▶ variables ─▶ Execution ─▶ response bytes
//                                      (PlanCache: parsed,
//                                       validated once)
//
// What is answered so far is what the schema alone answers: introspection and `__typename`. Every other field is null,
// with an error at its path that says so.

/// The API of one schema: answers operations. Shared by all loops; what a loop keeps for itself is an `EngineDesk`.
package final class Engine: Sendable {
    package let schema: Schema
    let earlyGetForm: EarlyGetForm

    /// Throws what is wrong with the schema where Amplify's transformer lets pass what AppSync refuses.
    package init(
        _ api: APISchema, of blueprint: Blueprint, allowsIntrospection: Bool = true
    ) throws(SchemaErrors) {
        earlyGetForm = EarlyGetForm(blueprint)
        schema = try Schema(api.documentWithRoots, allowsIntrospection: allowsIntrospection)
    }

    /// What becomes of a request.
    package enum Answer: Sendable {
        /// A response, perhaps with errors in it.
        case response([UInt8])
        /// The request cannot be tried at all.
        case refused(RequestError)
    }

    /// Answers the body of a request. `desk` belongs to the loop that it runs on.
    package func answer(_ body: [UInt8], on desk: EngineDesk) -> Answer {
        do throws(RequestError) {
            let request = try EngineRequest(parsing: body)
            switch desk.plans.document(for: request.query, in: self) {
            case .unparsable:
                throw .unparsable
            case .invalid(let response):
                return .response(response)
            case .ready(let document):
                let operation = try document.operation(named: request.operationName)
                guard operation.operation != .subscription else { throw .subscriptionOverHTTP }
                return .response(run(operation, of: document, request.variables, on: desk))
            }
        } catch {
            return .refused(error)
        }
    }

    private func run(
        _ operation: OperationDefinition, of document: ExecutableDocument, _ values: JSONObject, on desk: EngineDesk
    ) -> [UInt8] {
        do throws(GraphQLError) {
            let variables = try Phases.coerceVariables(values, of: operation, in: document)
            var execution = Execution(document, variables)
            try execution.run(operation, on: desk)
            return execution.response
        } catch {
            return GraphQLError.refusal([error])
        }
    }
}

/// What one loop keeps for the engine: prepared documents and answers of introspection. Used on its thread only.
package final class EngineDesk: @unchecked Sendable {
    // Safe to share: other threads just hold the reference.

    var plans = PlanCache()
    var introspection = IntrospectionCache()

    package init() {}
}

extension RequestError {
    static let emptyBody = RequestError(
        message: "Request body is empty.", errorType: "MalformedHttpRequestException")
    static let subscriptionOverHTTP = RequestError(
        message: "Subscriptions over MQTT is not supported.", errorType: "BadRequestException")
}
