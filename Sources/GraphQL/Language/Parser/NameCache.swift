/// Makes the texts of names. Those of long names are kept for a moment: a document repeats a few names very often.
///
/// Hot path: making a string costs more than all else that is done for a name, and the same long name needs only one
/// piece of memory. A name has one slot that it can be in and the last one wins it, so nobody can make looking up slow.
struct NameCache: ~Copyable {
    private struct Slot {
        /// The first eight bytes.
        var word: UInt64 = 0
        var start: UInt32 = 0
        var length: UInt32 = 0
        var text = ""
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Empty until the first long name comes.
    private var slots = UnsafeMutableBufferPointer<Slot>.none

    /// A cache for a document, which it must not outlive.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    deinit {
        slots.deinitialize()
        slots.release()
    }

    /// The text of a name, which starts and ends at those offsets of the document and is ASCII.
    @inline(__always)
    mutating func text(from start: Int, to end: Int) -> String {
        if let small = smallText(from: start, to: end) { return small.string }
        return longText(from: start, to: end)
    }

    /// The same as bits, or nil for a name that is long, or among the last bytes of the document.
    @inline(__always)
    func smallText(from start: Int, to end: Int) -> SmallText? {
        let length = end &- start
        guard let first = bytes.word(at: start), length <= SmallText.lengthMax else { return nil }
        if length <= 8 {
            let unused = UInt64(truncatingIfNeeded: 8 &- length) &* 8
            return SmallText((first &<< unused) &>> unused, 0, length: length)
        }
        let unused = UInt64(truncatingIfNeeded: 16 &- length) &* 8
        return SmallText(first, (bytes.word(at: end &- 8) ?? 0) &>> unused, length: length)
    }

    /// The same for a name that is long, or among the last bytes of the document.
    @inline(never)
    private mutating func longText(from start: Int, to end: Int) -> String {
        let length = end - start
        guard length > 8, let word = bytes.word(at: start), let last = bytes.word(at: end - 8) else {
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
        if slots.isEmpty { makeSlots() }
        let mixed = (word ^ UInt64(length) << 56 ^ last) &* 0x9E37_79B9_7F4A_7C15
        let place = Int(mixed >> 52) & (slots.count - 1)
        if slots[place].word == word, Int(slots[place].length) == length,
            areEqual(Int(slots[place].start), start, length)
        {
            return slots[place].text
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        slots[place] = Slot(
            word: word, start: UInt32(clamping: start), length: UInt32(clamping: end - start), text: text)
        return text
    }

    /// A document has about one long name in a hundred bytes or more.
    private mutating func makeSlots() {
        var count = 8
        while count < 2048, count * 256 < bytes.count { count *= 2 }
        slots = .plain(capacity: count)
        slots.initialize(repeating: Slot())
    }

    /// Returns whether two names of the same length, more than eight bytes, with the same first eight bytes, are the same.
    @inline(__always)
    private func areEqual(_ left: Int, _ right: Int, _ length: Int) -> Bool {
        var index = 8
        while index &+ 8 < length {
            if bytes.word(at: left &+ index) != bytes.word(at: right &+ index) { return false }
            index &+= 8
        }
        return bytes.word(at: left &+ length &- 8) == bytes.word(at: right &+ length &- 8)
    }
}
