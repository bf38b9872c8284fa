/// The Huffman code of RFC 7541, appendix B. The code is canonical: it follows from the lengths of its words. The tables are made when the
/// first text in the code comes.
final class HPACKHuffman: Sendable {
    static let shared = HPACKHuffman()

    /// The length of each byte's word and of the end's, as a letter: "A" is 5 bits.
    private static let lengths: StaticString =
        "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHFIBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIXPRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRSSVVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWVZ"
    private static let lengthMin = 5
    private static let lengthMax = 30
    private static let end = 256

    /// For the next eight bits, the word that they begin with: its byte and its length. 0 where the word is longer.
    private let short: [UInt16]
    /// All bytes and the end, in the order of their words.
    private let symbols: [UInt16]
    /// For each length: the first word behind those of that length, in the upper bits of 32.
    private let limits: [UInt64]
    /// For each length: its first word, and the place of that among the symbols.
    private let firstWords: [UInt32]
    private let firstPlaces: [Int]

    private init() {
        let lengths = Self.lengths.withUTF8Buffer { $0.map { Int($0) - 0x41 + Self.lengthMin } }
        var symbols: [UInt16] = []
        var limits = [UInt64](repeating: 0, count: Self.lengthMax + 1)
        var firstWords = [UInt32](repeating: 0, count: Self.lengthMax + 1)
        var firstPlaces = [Int](repeating: 0, count: Self.lengthMax + 1)
        var short = [UInt16](repeating: 0, count: 256)
        var word: UInt32 = 0
        for length in Self.lengthMin...Self.lengthMax {
            firstWords[length] = word
            firstPlaces[length] = symbols.count
            for (symbol, other) in lengths.enumerated() where other == length {
                symbols.append(UInt16(truncatingIfNeeded: symbol))
                if length <= 8 {
                    let first = Int(word) << (8 - length)
                    for place in first..<first + 1 << (8 - length) {
                        short[place] = UInt16(truncatingIfNeeded: symbol << 8 | length)
                    }
                }
                word += 1
            }
            limits[length] = UInt64(word) << (32 - length)
            word <<= 1
        }
        (self.short, self.symbols, self.limits) = (short, symbols, limits)
        (self.firstWords, self.firstPlaces) = (firstWords, firstPlaces)
    }

    /// Appends the bytes that a text in the code stands for.
    func decode(_ input: UnsafeRawBufferPointer, into output: inout [UInt8]) throws(HPACKError) {
        var bits: UInt64 = 0
        var count = 0
        var position = 0
        while true {
            while count <= 56, position < input.count {
                bits |= UInt64(input[position]) << UInt64(56 - count)
                count += 8
                position += 1
            }
            guard count > 0 else { return }
            let entry = short[Int(bits >> 56)]
            var length = Int(entry & 0xFF)
            var symbol = Int(entry >> 8)
            if length == 0 {
                let next = bits >> 32
                length = 9
                while length < Self.lengthMax, next >= limits[length] { length += 1 }
                let place = firstPlaces[length] + Int(next >> UInt64(32 - length)) - Int(firstWords[length])
                guard symbols.indices.contains(place) else { throw .badHuffmanCode }
                symbol = Int(symbols[place])
            }
            guard length <= count else { return try checkEnd(bits, count) }
            guard symbol != Self.end else { throw .badHuffmanCode }
            output.append(UInt8(truncatingIfNeeded: symbol))
            bits <<= UInt64(length)
            count -= length
        }
    }

    /// The last byte is filled with ones, of which a whole byte is too many.
    private func checkEnd(_ bits: UInt64, _ count: Int) throws(HPACKError) {
        guard count < 8, bits >> UInt64(64 - count) == 1 << UInt64(count) - 1 else { throw .badHuffmanCode }
    }
}
