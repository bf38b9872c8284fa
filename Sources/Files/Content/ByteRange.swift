import Access
import JSON

/// What of an object a request asks for.
package enum ByteRange: Sendable, Equatable {
    case whole
    case part(Range<Int>)
    /// None of the bytes that are asked for exist.
    case unsatisfiable

    /// What a `Range` field asks for of an object of that size. What is no range of bytes is read over, and several ranges are
    /// answered with the whole, as S3 does.
    package init(_ text: String, size: Int) {
        self = .whole
        let unit = "bytes="
        guard text.inLowerCaseASCII.hasPrefix(unit) else { return }
        let ends = text.utf8.dropFirst(unit.utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(size - count, 0)..<size) : .unsatisfiable
        default: return
        }
    }

    /// What `x-amz-copy-source-range` names of an object of that size: both ends, which have to be there.
    package static func ofSource(_ text: String, size: Int) throws(FileError) -> Range<Int> {
        let unit = "bytes="
        let ends = text.utf8.dropFirst(unit.utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.starts(with: unit.utf8), ends.count == 2, let first = number(ends[0]),
            let last = number(ends[1]),
            first <= last
        else {
            throw .invalidArgument(
                "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy"
            )
        }
        guard last < size else {
            throw FileError.invalidRange.with("ActualObjectSize", "\(size)")
        }
        return first..<last + 1
    }

    /// A number as large as any object at the most; nil where there is none.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // No object has so many bytes, and one more is a number still.
        return Int(Substring(digits)).map { min($0, Int.max - 1) } ?? Int.max - 1
    }
}
