/// The bytes of a key that is made of several attributes: those of each value, one behind the other, in the order of the values.
///
///     value with 00 as 00 FF │ 00 01 │ next value …
///
/// An end stands before every byte that goes on, so a value stands before all that begin with it.
enum JoinedKey {
    private static let escape: UInt8 = 0xFF
    private static let end: [UInt8] = [0, 1]

    /// The bytes of a value, with their end.
    static func bytes(of value: [UInt8]) -> [UInt8] { beginning(of: value) + end }

    /// The bytes with which all values begin that begin with this one.
    static func beginning(of value: [UInt8]) -> [UInt8] {
        guard value.contains(0) else { return value }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count + 1)
        for byte in value {
            bytes.append(byte)
            if byte == 0 { bytes.append(escape) }
        }
        return bytes
    }

    /// The bounds of what begins with certain values and fulfils a test of the next one.
    ///
    /// - Parameters:
    ///   - prefix: the bytes of the values that are asked for exactly.
    ///   - test: nil: all that begins with them.
    static func bounds(behind prefix: [UInt8], _ test: KeyCondition.Test?) -> SortBounds {
        func value(_ value: ItemValue) -> [UInt8] { prefix + bytes(of: value.keyBytes ?? []) }
        let all = prefix.isEmpty ? SortBounds.all : .beginning(with: prefix)
        switch test {
        case nil: return all
        case .between(let low, let high)?: return SortBounds(lower: value(low), upper: value(high).behindPrefix)
        case .beginsWith(let start)?:
            return .beginning(with: prefix + beginning(of: start.keyBytes ?? []))
        case .comparison(let comparator, let operand)?:
            let bytes = value(operand)
            switch comparator {
            case .less: return SortBounds(lower: all.lower, upper: bytes)
            case .lessOrEqual: return SortBounds(lower: all.lower, upper: bytes.behindPrefix)
            case .greater: return SortBounds(lower: bytes.behindPrefix ?? bytes, upper: all.upper)
            case .greaterOrEqual: return SortBounds(lower: bytes, upper: all.upper)
            case .equal, .notEqual: return .beginning(with: bytes)
            }
        }
    }
}
