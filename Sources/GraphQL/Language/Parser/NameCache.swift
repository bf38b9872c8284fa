/// The texts of names that were seen a moment ago, by their bytes: a document repeats a few names very often.
///
/// Hot path: making a string costs more than all else that is done for a name, and the same long name needs only one
/// piece of memory. A name has one slot that it can be in and the last one wins it, so nobody can make looking up slow.
struct NameCache: ~Copyable {
    private struct Slot {
        var start: UnsafePointer<UInt8>?
        var length = 0
        var text = ""
    }

    private let slots: UnsafeMutableBufferPointer<Slot>

    /// A cache for a document of that length. It must not outlive the document's bytes.
    init(documentBytes: Int) {
        var count = 32
        while count < 2048, count * 32 < documentBytes { count *= 2 }
        slots = .allocate(capacity: count)
        slots.initialize(repeating: Slot())
    }

    deinit {
        slots.deinitialize()
        slots.deallocate()
    }

    /// The text of a name in the document.
    @inline(__always)
    func text(of name: UnsafeBufferPointer<UInt8>) -> String {
        guard let start = name.baseAddress else { return "" }
        let place = Self.hash(start, name.count) & (slots.count &- 1)
        if let cached = slots[place].start, slots[place].length == name.count,
            Self.areEqual(cached, start, name.count)
        {
            return slots[place].text
        }
        return store(name, at: place)
    }

    @inline(never)
    private func store(_ name: UnsafeBufferPointer<UInt8>, at place: Int) -> String {
        let text = String(decoding: name, as: UTF8.self)
        slots[place] = Slot(start: name.baseAddress, length: name.count, text: text)
        return text
    }

    /// The length, the first and last two bytes and one from the middle tell most names apart.
    @inline(__always)
    private static func hash(_ start: UnsafePointer<UInt8>, _ length: Int) -> Int {
        let first = UInt(start[0])
        let second = UInt(start[min(1, length &- 1)])
        let middle = UInt(start[length / 2])
        let last = UInt(start[length &- 1])
        let beforeLast = UInt(start[max(0, length &- 2)])
        let word = first | second << 8 | middle << 16 | beforeLast << 24 | last << 32 | UInt(length) << 40
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    @inline(__always)
    private static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        var index = 0
        while index < length {
            if left[index] != right[index] { return false }
            index &+= 1
        }
        return true
    }
}
