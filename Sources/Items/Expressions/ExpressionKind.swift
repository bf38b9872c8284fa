/// What an expression is for. Refusals begin with the name of its parameter.
package enum ExpressionKind: Sendable {
    case condition
    case filter
    case keyCondition
    case projection
    case update

    package var parameter: String {
        switch self {
        case .condition: "ConditionExpression"
        case .filter: "FilterExpression"
        case .keyCondition: "KeyConditionExpression"
        case .projection: "ProjectionExpression"
        case .update: "UpdateExpression"
        }
    }

    func refusal(_ message: String) -> ItemError { .validation("Invalid \(parameter): \(message)") }
}
