/// The functions of conditions.
enum ConditionFunction: String {
    case exists = "attribute_exists"
    case isAbsent = "attribute_not_exists"
    case type = "attribute_type"
    case beginsWith = "begins_with"
    case contains
    case size

    init?(_ name: String) { self.init(rawValue: name) }

    var operandCount: Int {
        switch self {
        case .exists, .isAbsent, .size: 1
        case .type, .beginsWith, .contains: 2
        }
    }
}

/// The functions of updates.
enum UpdateFunction: String {
    case ifNotExists = "if_not_exists"
    case listAppend = "list_append"

    init?(_ name: String) { self.init(rawValue: name) }
}
