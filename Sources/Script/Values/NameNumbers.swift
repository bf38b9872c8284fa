/// Numbers for names, given in the order in which they are first met. Parsing fills it, and running goes on with it,
/// because programs make names too (`object[text]`). It belongs to one thread at a time.
package final class NameNumbers {
    private var spellings: [[UInt16]] = []
    private var hashes: [UInt64] = []
    /// Open addressing by hash: the number of a name, or -1. Its count is a power of two, at least twice the names.
    private var slots = [Int32](repeating: -1, count: 1024)
    /// Names come from outside: nobody shall know which of them meet in a slot.
    private let seed = UInt64.random(in: .min ... .max)
    /// What the lexer makes of the first names: all that are known to it are among them.
    private(set) var tokens: [TokenKind] = []

    /// All spellings, by the numbers of their names.
    var all: [[UInt16]] { spellings }
    var count: Int { spellings.count }

    package init() {
        for spelling in WellKnownName.allCases {
            _ = name(of: spelling.rawValue)
        }
        let words = TokenKind.words.map { (kind: $0.kind, name: name(of: $0.spelling)) }
        tokens = [TokenKind](repeating: .identifier, count: spellings.count)
        for word in words {
            tokens[Int(word.name.number)] = word.kind
        }
    }

    /// The name that is spelled like this; a new one where there was none.
    package func name(of units: [UInt16]) -> Name {
        units.withUnsafeBufferPointer { name(of: $0) }
    }

    package func name(of text: String) -> Name {
        name(of: Array(text.utf16))
    }

    /// As with a list, which is only made where the name is new.
    package func name(of units: UnsafeBufferPointer<UInt16>) -> Name {
        var hash = seed
        for unit in units {
            hash = (hash ^ UInt64(unit)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if hashes[number] == hash, spellings[number].elementsEqual(units) {
                return Name(number: Int32(truncatingIfNeeded: number))
            }
            slot = (slot + 1) & mask
        }
        let number = Int32(truncatingIfNeeded: spellings.count)
        slots[slot] = number
        spellings.append(Array(units))
        hashes.append(hash)
        if spellings.count * 2 > slots.count { grow() }
        return Name(number: number)
    }

    /// A name that has a number already and is ASCII. A text that begins with a digit is none: it may spell an index.
    func known(_ bytes: UnsafeBufferPointer<UInt8>) -> Name? {
        if let first = bytes.first, first >= 0x30, first <= 0x39 { return nil }
        var hash = seed
        for byte in bytes {
            if byte >= 0x80 { return nil }
            hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if hashes[number] == hash, spellings[number].count == bytes.count {
                var isEqual = true
                for index in 0..<bytes.count where spellings[number][index] != UInt16(bytes[index]) { isEqual = false }
                if isEqual { return Name(number: Int32(truncatingIfNeeded: number)) }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        let mask = slots.count - 1
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(truncatingIfNeeded: number)
        }
    }

    /// How a name is spelled. A name of another table spells nothing.
    package func units(of name: Name) -> [UInt16] {
        let index = Int(name.number)
        return spellings.indices.contains(index) ? spellings[index] : []
    }

    package func text(of name: Name) -> String {
        String(decoding: units(of: name), as: UTF16.self)
    }
}
