#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A text that is looked for within others, byte by byte (Knuth, Morris and Pratt).
///
/// SQLite's own `instr` compares the text anew at every place, which takes the product of both: half a minute for some
/// hundred kilobytes. Here a byte that was read is never read again, so that the time is the sum, whatever they are.
struct TextNeedle: Sendable {
    private let bytes: [UInt8]
    /// For each byte: how many bytes before and with it are the beginning of the text once more.
    private let restarts: [Int32]

    /// What SQLite keeps between rows.
    final class Kept: Sendable {
        let needle: TextNeedle
        init(_ needle: TextNeedle) { self.needle = needle }
    }

    /// Nil when `allows`, which is told how many bytes were read, ends it: a needle may be as long as a request.
    init?(_ bytes: UnsafeRawBufferPointer, allows: (Int) -> Bool) {
        self.bytes = Array(bytes)
        var restarts = [Int32](repeating: 0, count: bytes.count)
        var length = 0
        for place in bytes.indices.dropFirst() {
            if place % Self.pieceBytes == 0, !allows(Self.pieceBytes) { return nil }
            while length > 0, bytes[place] != bytes[length] { length = Int(restarts[length - 1]) }
            if bytes[place] == bytes[length] { length += 1 }
            restarts[place] = Int32(truncatingIfNeeded: length)
        }
        self.restarts = restarts
    }

    /// Bytes between two questions whether to go on.
    private static let pieceBytes = 64 << 10

    /// Returns whether it is a part of a text; nil when `allows`, which is told how many bytes were read, ends the search.
    func isPart(of text: UnsafeRawBufferPointer, allows: (Int) -> Bool) -> Bool? {
        guard !bytes.isEmpty else { return true }
        var length = 0
        var place = 0
        while text.count - place >= bytes.count - length {
            let end = min(place + Self.pieceBytes, text.count)
            if advance(&length, from: &place, to: end, in: text) { return true }
            guard allows(Self.pieceBytes) else { return nil }
        }
        return false
    }

    /// Hands the places in a text to the closure, one behind the other and the first ones first, until it says false; false when `allows`
    /// ends the search. A needle without bytes is at the beginning alone.
    func places(
        in text: UnsafeRawBufferPointer, allows: (Int) -> Bool, _ each: (Int) -> Bool
    ) -> Bool {
        guard !bytes.isEmpty else {
            _ = each(0)
            return true
        }
        var length = 0
        var place = 0
        var untilLook = Self.pieceBytes
        while text.count - place >= bytes.count - length {
            let begin = place
            let end = min(place + Self.pieceBytes, text.count)
            if advance(&length, from: &place, to: end, in: text) {
                guard each(place - bytes.count) else { return true }
                length = 0
            }
            untilLook -= place - begin
            guard untilLook <= 0 else { continue }
            guard allows(Self.pieceBytes) else { return false }
            untilLook = Self.pieceBytes
        }
        return true
    }

    /// Goes through a piece of the text; true when it ends with the whole needle. `length` bytes of it stand before `place`.
    private func advance(
        _ length: inout Int, from place: inout Int, to end: Int, in text: UnsafeRawBufferPointer
    ) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            restarts.withUnsafeBufferPointer { restarts in
                while place < end {
                    if length == 0 {
                        guard let start = text.baseAddress,
                            let found = memchr(start + place, Int32(bytes[0]), end - place)
                        else {
                            place = end
                            return false
                        }
                        place = UnsafeRawPointer(found) - start
                    }
                    let byte = text[place]
                    while length > 0, bytes[length] != byte { length = Int(restarts[length - 1]) }
                    if bytes[length] == byte { length += 1 }
                    place += 1
                    if length == bytes.count { return true }
                }
                return false
            }
        }
    }
}
