/// Texts that are looked for by their bytes, as a database hands them out. Made once; to ask allocates nothing.
///
/// Hot path: each value of an enum that a row holds is looked for.
package struct ByteTextSet: Sendable {
    /// All texts, one behind the other.
    private let bytes: [UInt8]
    private let places: [Range<Int>]
    /// The number of the text at each place of its hash, or of one before that was taken; -1 where there is none. There
    /// are at least twice as many as texts, a power of two.
    private let slots: [Int]

    package init(_ texts: some Sequence<String>) {
        var bytes: [UInt8] = []
        var places: [Range<Int>] = []
        for text in Set(texts.map { ByteText($0) as ByteText }).sorted() {
            let start = bytes.count
            bytes += Array(text.string.utf8)
            places.append(start..<bytes.count)
        }
        var count = 2
        while count < places.count * 2 { count *= 2 }
        var slots = Array(repeating: -1, count: count)
        bytes.withUnsafeBytes { bytes in
            for (number, place) in places.enumerated() {
                var slot = Self.hash(UnsafeRawBufferPointer(rebasing: bytes[place])) & (count - 1)
                while slots[slot] >= 0 { slot = (slot + 1) & (count - 1) }
                slots[slot] = number
            }
        }
        self.bytes = bytes
        self.places = places
        self.slots = slots
    }

    package func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var slot = Self.hash(text) & (slots.count - 1)
            while slots[slot] >= 0 {
                let known = UnsafeRawBufferPointer(rebasing: bytes[places[slots[slot]]])
                if known.count == text.count, known.elementsEqual(text) { return true }
                slot = (slot + 1) & (slots.count - 1)
            }
            return false
        }
    }

    package func contains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
    }

    /// FNV-1a: the texts that are known are few, and chosen by whoever writes the schema.
    private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
