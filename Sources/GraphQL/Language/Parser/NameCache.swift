/// The texts of names that were seen a moment ago, by their bytes: a document repeats a few names very often.
///
/// Hot path: making a string costs more than all else that is done for a name, and the same long name needs only one
/// piece of memory. A name has one slot that it can be in and the last one wins it, so nobody can make looking up slow.
struct NameCache: ~Copyable {
    private struct Slot {
        /// The first eight bytes, or all of them and zeros.
        var word: UInt64 = 0
        var start: UInt32 = 0
        var length: UInt32 = 0
        var text = ""
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let slots: UnsafeMutableBufferPointer<Slot>

    /// A cache for a document, which it must not outlive.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var count = 32
        while count < 2048, count * 64 < bytes.count { count *= 2 }
        slots = .allocate(capacity: count)
        slots.initialize(repeating: Slot())
    }

    deinit {
        slots.deinitialize()
        slots.deallocate()
    }

    /// The text of a name, which starts and ends at those offsets of the document.
    @inline(__always)
    func text(from start: Int, to end: Int) -> String {
        let length = end &- start
        let word = firstWord(start, length)
        let mixed = (word ^ UInt64(truncatingIfNeeded: length) << 56 ^ lastBytes(end, length)) &* 0x9E37_79B9_7F4A_7C15
        let place = Int(truncatingIfNeeded: mixed >> 52) & (slots.count &- 1)
        if slots[place].word == word, slots[place].length == UInt32(truncatingIfNeeded: length),
            length <= 8 || areEqual(Int(slots[place].start), start, length)
        {
            return slots[place].text
        }
        return store(start, end, word, at: place)
    }

    @inline(never)
    private func store(_ start: Int, _ end: Int, _ word: UInt64, at place: Int) -> String {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        slots[place] = Slot(
            word: word, start: UInt32(clamping: start), length: UInt32(clamping: end - start), text: text)
        return text
    }

    @inline(__always)
    private func firstWord(_ start: Int, _ length: Int) -> UInt64 {
        guard let word = bytes.word(at: start) else { return firstWordAtEnd(start, length) }
        return length < 8 ? word & ((1 << UInt64(length &* 8)) &- 1) : word
    }

    /// The same where the document ends less than eight bytes after the name's start.
    private func firstWordAtEnd(_ start: Int, _ length: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<min(length, 8) { word |= UInt64(bytes[start + index]) << UInt64(index * 8) }
        return word
    }

    /// The last eight bytes of a name that has more than eight, else nothing.
    @inline(__always)
    private func lastBytes(_ end: Int, _ length: Int) -> UInt64 {
        length > 8 ? bytes.word(at: end &- 8) ?? 0 : 0
    }

    /// Whether two names of the same length, more than eight bytes, with the same first eight bytes, are the same.
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
