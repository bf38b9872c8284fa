import JSON
import Resolvers

/// A function that says what becomes of a change whose condition was not met: `conditionalCheckFailedHandler` of the strategy `Custom`.
///
///     condition not met ─▶ function ─▶ reject: the error │ discard: the stored item │ retry: another request
struct UnmetConditionFunction {
    enum Decision {
        case reject
        case discard
        case retry(JSONValue)
    }

    /// Requests that may come of one another.
    static let retriesMax = 5

    private let name: String

    /// - Parameter arn: `arn:aws:lambda:us-east-1:123456789012:function:own`, or a name alone.
    init(arn: String) {
        let parts = arn.parts(separatedBy: ":")
        name = parts.count > Self.namePlace ? parts[Self.namePlace] : arn
    }

    private static let namePlace = 6

    /// Throws why the function says nothing that could be done.
    func decision(
        on request: JSONValue, to table: String, stored: JSONValue, _ step: ResolverProgram.Step,
        _ program: ResolverProgram, _ call: FieldCall, _ place: CallPlace
    ) async throws(ResolverError) -> Decision {
        let resolver: JSONValue = [
            "tableName": .string(table), "awsRegion": "us-east-1", "parentType": .string(program.typeName),
            "field": .string(program.fieldName), "outputType": .string(call.plan?.typeName ?? ""),
        ]
        let payload: JSONValue = [
            "arguments": .object(call.arguments), "requestMapping": request, "currentValue": stored,
            "resolver": resolver, "identity": call.caller.identity,
        ]
        let told = try await FunctionSourceCall(name, step, program, call, place)
            .answer(to: ["operation": "Invoke", "payload": payload])
        if let error = told.error { throw error }
        switch told.result["action"]?.string {
        case "reject": return .reject
        case "discard": return .discard
        case "retry":
            guard let mapping = told.result["retryMapping"]?.object else { break }
            return .retry(Self.request(mapping, insteadOf: request))
        default: break
        }
        throw ResolverError(
            "The function '\(name)' must answer {action: \"reject\" or \"discard\"}, or {action: \"retry\", retryMapping}",
            type: "Lambda:IllegalArgument")
    }

    /// The item stays the one of the first request.
    private static func request(_ mapping: JSONObject, insteadOf first: JSONValue) -> JSONValue {
        var request = mapping
        request.set("key", to: first["key"] ?? .null)
        if request["operation"] == nil { request.set("operation", to: first["operation"] ?? .null) }
        return .object(request)
    }
}
