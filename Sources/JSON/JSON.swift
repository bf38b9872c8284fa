// The JSON room: text in, values out, and back again, on bytes.
//
//     [UInt8] ──▶ JSONReader ──▶ JSONValue ──▶ JSONWriter ──▶ [UInt8]
//                     │
//                     └─▶ JSONError: offset, line, column, what was expected, what was found
//
// - `JSONValue` is what a text means: null, booleans, numbers, strings, arrays, and objects that keep their order.
// - `JSONReader` is strict (RFC 8259). It refuses what `JSONLimits` refuses, with an error that says where.
// - `JSONWriter` appends to a buffer that the caller owns, so a response is written without a tree of values: its
//   parts (`writeString`, `writeInteger`, ...) are used alone as often as the whole.
// - `XML/` reads XML as events (`XMLEventReader`), and as the JSON that AppSync makes of it (`XMLObject`).
// - `ARN` is the name of a resource of AWS, which values of all rooms have.
// - `JSONLocator` finds the line and column of a value in a text, for messages about configuration files.
//
// Everything in here is on the path of a request, except for the locator.

/// The limits of reading: the one table of this room.
package struct JSONLimits: Sendable, Equatable {
    /// The longest text, in bytes.
    package var bytesMax: Int
    /// How deeply arrays and objects may contain each other. Reading, comparing, writing and releasing a value go as
    /// deep as the value, so this also bounds the stack they need.
    package var nestingMax: Int
    /// The longest number, in bytes: converting decimal digits costs more than their count.
    package var numberBytesMax: Int
    /// True if half of a surrogate pair is refused, where texts are compared that different people have chosen: `"\ud800"` and
    /// `"\ud801"` would become the same.
    package var refusesLoneSurrogates: Bool

    package static let standard = JSONLimits(bytesMax: 16 << 20)

    /// The nesting that every thread's stack holds, with room to spare. No caller may go beyond.
    private static let stackNestingMax = 512

    package init(
        bytesMax: Int, nestingMax: Int = 512, numberBytesMax: Int = 1_000, refusesLoneSurrogates: Bool = false
    ) {
        self.bytesMax = bytesMax
        self.nestingMax = min(nestingMax, Self.stackNestingMax)
        self.numberBytesMax = numberBytesMax
        self.refusesLoneSurrogates = refusesLoneSurrogates
    }
}
