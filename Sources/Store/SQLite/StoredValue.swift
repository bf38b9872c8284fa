import JSON

/// A value as SQLite keeps it.
package enum StoredValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text that is at hand as bytes of UTF-8, such as JSON.
    case utf8([UInt8])
    case blob([UInt8])

    package static func boolean(_ value: Bool) -> StoredValue { .integer(value ? 1 : 0) }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
