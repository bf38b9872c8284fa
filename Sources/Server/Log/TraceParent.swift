import JSON
import Network

/// The trace that a request belongs to, as its client says in the field `traceparent` (W3C Trace Context, level 1).
enum TraceParent {
    /// Version, trace, parent and flags: lengths in digits.
    private static let lengths = [2, 32, 16, 2]

    /// The number of the trace; nil where there is no field, or one that says nothing.
    static func trace(_ head: HTTPRequestHead) -> String? {
        head.fields["traceparent"].flatMap { trace($0) }
    }

    static func trace(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= lengths.count, zip(parts, lengths).allSatisfy({ $0.count == $1 }),
            parts[..<lengths.count].allSatisfy({ $0.allSatisfy(\.isLowercaseHexadecimal) }),
            // The first version has no more; `ff` is none, and neither is a trace of zeros.
            parts.count == lengths.count || !parts[0].elementsEqual("00".utf8), !parts[0].elementsEqual("ff".utf8),
            parts[1].contains(where: { $0 != UInt8(ascii: "0") }), parts[2].contains(where: { $0 != UInt8(ascii: "0") })
        else { return nil }
        return String(decoding: parts[1], as: UTF8.self)
    }
}
