import Glibc
import JSON

/// A value that a filter compares with, in a form in which equal values are found in a hash.
///
/// A number is an integer whenever it is whole, so that 5 and 5.0 are one value. Texts are equal when their bytes are:
/// a letter with an accent and the same letter with the accent as a character of its own are two texts to AppSync.
package enum FilterValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case text(ByteText)
    /// A list or an object, by its JSON.
    case structure([UInt8])

    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .double(let double): self = Self.number(double)
        case .largeInteger(let digits): self = Self.number(Double(digits) ?? 0)
        case .string(let text): self = .text(ByteText(text))
        case .array, .object: self = .structure(JSONWriter.bytes(of: value))
        }
    }

    private static func number(_ double: Double) -> FilterValue {
        Int64(exactly: double).map { .integer($0) } ?? .double(double)
    }
}

extension FilterValue {
    /// Whether this value comes before the other; nil for values that have no order between them.
    func precedes(_ other: FilterValue) -> Bool? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.integer(let left), .double(let right)): Double(left) < right
        case (.double(let left), .integer(let right)): left < Double(right)
        case (.double(let left), .double(let right)): left < right
        // By UTF-16 code units, as AppSync's engine orders texts.
        case (.text(let left), .text(let right)): left.string.utf16.lexicographicallyPrecedes(right.string.utf16)
        default: nil
        }
    }

    /// The text in which a part is looked for; nil for what has none.
    private var searched: String? {
        switch self {
        case .text(let text): text.string
        case .integer(let integer): String(integer)
        case .double(let double): String(double)
        default: nil
        }
    }

    /// Whether the text of the other value is a part of this one's.
    func holds(_ part: FilterValue) -> Bool {
        guard var text = searched, var part = part.searched else { return false }
        return text.withUTF8 { text in part.withUTF8 { Self.isFound($0, in: text) } }
    }

    private static func isFound(_ part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let wanted = part.baseAddress, let first = part.first else { return true }
        guard var place = text.baseAddress else { return false }
        var left = text.count
        while left >= part.count, let found = memchr(place, Int32(first), left - part.count + 1) {
            if memcmp(found, wanted, part.count) == 0 { return true }
            let next = found.assumingMemoryBound(to: UInt8.self) + 1
            left -= next - UnsafeMutablePointer(mutating: place)
            place = UnsafePointer(next)
        }
        return false
    }

    func begins(with part: FilterValue) -> Bool {
        guard case .text(let text) = self, case .text(let part) = part else { return false }
        return text.string.utf8.starts(with: part.string.utf8)
    }
}
