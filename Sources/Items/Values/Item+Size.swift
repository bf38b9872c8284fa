// What an item weighs: names and texts by their bytes of UTF-8, numbers by their digits, lists and maps by what they hold and
// three bytes, with one more for each element.

extension Item {
    /// How large DynamoDB says this item is. One above `ItemLimits.itemBytesMax` is refused.
    package var size: Int {
        attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.size }
    }
}

extension ItemValue {
    /// How large DynamoDB says this value is.
    package var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .number(let number): number.size
        case .binary(let bytes): bytes.count
        case .bool, .null: 1
        case .list(let elements): elements.reduce(3) { $0 + 1 + $1.size }
        case .map(let item): 3 + item.count + item.size
        case .strings(let texts): texts.reduce(0) { $0 + $1.utf8.count }
        case .numbers(let numbers): numbers.reduce(0) { $0 + $1.size }
        case .binaries(let all): all.reduce(0) { $0 + $1.count }
        }
    }
}

extension ItemNumber {
    /// A byte for each two digits, of which the pairs are counted from the point, one more, and another one for a minus.
    var size: Int {
        guard !isZero else { return 1 }
        let count = digitCount
        let isSplit = count.isMultiple(of: 2) && magnitude.isMultiple(of: 2)
        return 1 + (count + 1) / 2 + (isSplit ? 1 : 0) + (isNegative ? 1 : 0)
    }
}
