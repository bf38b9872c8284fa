import JSON

/// What a write answers of the item.
enum ReturnedValues: String {
    case none = "NONE"
    case allOld = "ALL_OLD"
    case allNew = "ALL_NEW"
    case updatedOld = "UPDATED_OLD"
    case updatedNew = "UPDATED_NEW"

    /// - Parameter isOfUpdate: others answer what was there, or nothing.
    static func wanted(_ fields: RequestFields, isOfUpdate: Bool) throws(ItemError) -> ReturnedValues {
        guard let text = try fields.text("ReturnValues") else { return .none }
        guard let values = ReturnedValues(rawValue: text), isOfUpdate || values == .none || values == .allOld else {
            throw .validation("Return values set to invalid value")
        }
        return values
    }

    /// Whether the item is to come with the refusal when its condition does not hold.
    static func comesWithFailure(_ fields: RequestFields) throws(ItemError) -> Bool {
        switch try fields.text("ReturnValuesOnConditionCheckFailure") {
        case nil, "NONE"?: return false
        case "ALL_OLD"?: return true
        case let other?:
            throw .validation(
                "1 validation error detected: Value '\(other)' at 'returnValuesOnConditionCheckFailure' failed to satisfy "
                    + "constraint: Member must satisfy enum value set: [ALL_OLD, NONE]")
        }
    }
}
