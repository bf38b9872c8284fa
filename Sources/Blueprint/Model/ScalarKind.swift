/// The scalars that AppSync knows, by the kind that filters and keys treat them as.
package enum ScalarKind: String, Sendable, CaseIterable {
    case string = "String"
    case int = "Int"
    case float = "Float"
    case boolean = "Boolean"
    case id = "ID"

    /// The kind of the scalar of that name; nil for a type that is no known scalar.
    package init?(scalar name: String) {
        switch name {
        case "String", "AWSDate", "AWSTime", "AWSDateTime", "AWSEmail", "AWSJSON", "AWSURL", "AWSPhone", "AWSIPAddress":
            self = .string
        case "ID": self = .id
        case "Int", "AWSTimestamp", "BigInt": self = .int
        case "Float", "Double": self = .float
        case "Boolean": self = .boolean
        default: return nil
        }
    }

    /// The filter of single values, as `ModelStringInput`.
    package var filterName: String {
        switch self {
        case .string: "ModelStringInput"
        case .int: "ModelIntInput"
        case .float: "ModelFloatInput"
        case .boolean: "ModelBooleanInput"
        case .id: "ModelIDInput"
        }
    }

    /// The same in a subscription.
    package var subscriptionFilterName: String {
        switch self {
        case .string: "ModelSubscriptionStringInput"
        case .int: "ModelSubscriptionIntInput"
        case .float: "ModelSubscriptionFloatInput"
        case .boolean: "ModelSubscriptionBooleanInput"
        case .id: "ModelSubscriptionIDInput"
        }
    }

    /// The scalars that a schema may use without declaring them, besides the five of the language.
    package static let appSyncScalars = [
        "AWSDate", "AWSTime", "AWSDateTime", "AWSTimestamp", "AWSEmail", "AWSJSON", "AWSURL", "AWSPhone",
        "AWSIPAddress", "BigInt", "Double",
    ]

    /// Returns whether the name is a known scalar's.
    package static func isScalar(_ name: String) -> Bool { ScalarKind(scalar: name) != nil }
}
