import GraphQL
import JSON

/// What the schema allows in a column of integers.
enum IntegerForm: Sendable {
    /// `Int`: 32 bits.
    case int
    case timestamp
    /// Whatever the column holds.
    case any

    init(_ type: NamedType) {
        switch type.name {
        case "Int": self = .int
        case "AWSTimestamp": self = .timestamp
        default: self = .any
        }
    }

    @inline(__always)
    func allows(_ integer: Int64) -> Bool {
        switch self {
        case .int: Int32(exactly: integer) != nil
        case .timestamp: AWSTimestampScalar.range.contains(integer)
        case .any: true
        }
    }
}
