#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A statement and the types of its parameters ($1, $2 ...).
///
/// A connection prepares it once and knows it by its identity: make one for each text, and keep it.
package final class PostgresStatement: Sendable {
    package let text: String
    package let parameters: [PostgresType]
    /// False for what is asked once: the connection does not keep it prepared.
    package let isKept: Bool
    /// The bytes of the text, and whether one of them is zero. Asked with each question.
    let byteCount: Int
    let hasZero: Bool

    package init(_ text: String, _ parameters: [PostgresType] = [], isKept: Bool = true) {
        self.text = text
        byteCount = text.utf8.count
        hasZero = text.hasZero
        self.parameters = parameters
        self.isKept = isKept
    }
}

/// The types of parameters. Values go over the wire in the server's binary form, JSON as text.
package enum PostgresType: UInt32, Sendable {
    /// The server finds it out: for a parameter that is null.
    case inferred = 0
    // The numbers of PostgreSQL's own catalogue, which never change.
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int4 = 23
    case text = 25
    case float8 = 701
    case timestamptz = 1184
    case jsonb = 3802
    case byteaArray = 1001
    case textArray = 1009
    case int8Array = 1016
    case float8Array = 1022

    package var isArray: Bool {
        switch self {
        case .byteaArray, .textArray, .int8Array, .float8Array: true
        default: false
        }
    }

    /// The type of arrays of this one; nil where no parameter has it.
    package var array: PostgresType? {
        switch self {
        case .bytea: .byteaArray
        case .text: .textArray
        case .int8: .int8Array
        case .float8: .float8Array
        default: nil
        }
    }
}

/// A value of a parameter.
package enum PostgresValue: Sendable {
    case null
    case bool(Bool)
    case int4(Int32)
    case int8(Int64)
    case float8(Double)
    case text(String)
    case bytea([UInt8])
    /// The text of a JSON value.
    case jsonb(String)
    /// Microseconds since the beginning of 2000 in UTC, as the server counts.
    case timestamptz(Int64)
    /// Values of one type that has arrays (`PostgresType.array`), and nulls.
    case array(of: PostgresType, [PostgresValue])

    /// From the beginning of 1970 to that of 2000.
    package static let epochMicroseconds: Int64 = 946_684_800_000_000

    var type: PostgresType? {
        switch self {
        case .null: nil
        case .bool: .bool
        case .int4: .int4
        case .int8: .int8
        case .float8: .float8
        case .text: .text
        case .bytea: .bytea
        case .jsonb: .jsonb
        case .timestamptz: .timestamptz
        case .array(let type, _): type.array
        }
    }

    /// Before the values of an array: its dimensions, whether it has nulls, their type, how many they are, and the number of the first.
    private static let arrayHeadBytes = 20

    /// The server's texts have no U+0000.
    var hasZero: Bool {
        switch self {
        case .text(let text), .jsonb(let text): text.hasZero
        case .array(_, let values): values.contains(where: \.hasZero)
        default: false
        }
    }

    /// At least so many bytes it takes.
    var byteCount: Int {
        switch self {
        case .text(let text), .jsonb(let text): text.utf8.count
        case .bytea(let bytes): bytes.count
        case .array(_, let values): values.reduce(Self.arrayHeadBytes) { $0 + 4 + $1.byteCount }
        default: 8
        }
    }
}

extension String {
    /// True if U+0000 is in it.
    package var hasZero: Bool { utf8.withContiguousStorageIfAvailable(\.hasZero) ?? utf8.contains(0) }
}

extension [UInt8] {
    /// True if a byte is zero.
    package var hasZero: Bool { withUnsafeBufferPointer(\.hasZero) }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var hasZero: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}
