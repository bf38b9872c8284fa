import JSON

/// A condition on a record: what a filter, a mutation's condition or an access rule asks for.
///
/// A field is absent, holds an explicit null, or has a value, as in DynamoDB. A field without a column is absent.
package indirect enum Predicate: Sendable, Equatable {
    /// True when all are; for none, true.
    case all([Predicate])
    /// True when one is; for none, false.
    case any([Predicate])
    case not(Predicate)
    case field(String, Condition)

    package static let always = Predicate.all([])
    package static let never = Predicate.any([])

    /// What is asked of a field.
    package enum Condition: Sendable, Equatable {
        /// `null` asks for the explicit null.
        case equal(Operand)
        case notEqual(Operand)
        case compare(Comparison, StoredValue)
        /// Both ends included.
        case between(StoredValue, StoredValue)
        case beginsWith(String)
        /// A part of a text, or an element of a list.
        case contains(StoredValue)
        case notContains(StoredValue)
        case exists(Bool)
        case hasType(AttributeType)
        case size(SizeCondition)
        /// The value is one of these, or an element of the list is.
        case isOneOf([StoredValue])
        /// What a search asks for.
        case search(SearchCondition)
    }

    /// What a field is compared with as a whole.
    package enum Operand: Sendable, Equatable {
        case value(StoredValue)
        case list([StoredValue])

        package static let null = Operand.value(.null)
    }

    /// How two values are compared: numbers by size, texts by their bytes.
    package enum Comparison: String, Sendable, CaseIterable {
        case equal = "="
        case notEqual = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// A comparison of the bytes of a text, or of the count of a list's or an object's elements.
    package enum SizeCondition: Sendable, Equatable {
        case compare(Comparison, Int64)
        case between(Int64, Int64)
    }

    /// The types that DynamoDB tells apart, by the names of the API.
    package enum AttributeType: String, Sendable, CaseIterable {
        case binary, binarySet, bool, list, map, number, numberSet, string, stringSet
        case null = "_null"
    }
}
