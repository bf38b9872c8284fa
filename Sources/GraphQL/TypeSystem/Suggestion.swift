/// The sentence that names what a writer may have meant.
enum Suggestion {
    /// More alternatives than these only confuse.
    private static let alternativesMax = 5
    /// Names beyond this length are nobody's slip of the finger, and comparing costs the product of the lengths.
    private static let lengthMax = 64

    /// ` Did you mean "a" or "b"?`, or nothing. `kind` is named before the alternatives: `the enum value`.
    static func didYouMean(_ word: String, of candidates: [String], kind: String? = nil) -> String {
        let names = alternatives(to: word, of: candidates).map { "\"\($0)\"" }
        guard let last = names.last else { return "" }
        let list =
            switch names.count {
            case 1: last
            case 2: "\(names[0]) or \(last)"
            default: names.dropLast().joined(separator: ", ") + ", or \(last)"
            }
        return " Did you mean \(kind.map { "\($0) " } ?? "")\(list)?"
    }

    private static func alternatives(to word: String, of candidates: [String]) -> [String] {
        let wordBytes = Array(word.utf8)
        guard wordBytes.count <= lengthMax else { return [] }
        let threshold = wordBytes.count * 4 / 10 + 1
        let close = candidates.compactMap { candidate -> (name: String, distance: Int)? in
            let bytes = Array(candidate.utf8)
            guard bytes.count <= lengthMax, abs(bytes.count - wordBytes.count) <= threshold else { return nil }
            let distance =
                candidate.lowercased() == word.lowercased() ? 1 : distance(lowercase(wordBytes), lowercase(bytes))
            return distance <= threshold ? (candidate, distance) : nil
        }
        return close.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(alternativesMax).map(\.name)
    }

    private static func lowercase(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// How many letters must be added, taken away, changed, or swapped with their neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for row in 1..<(left.count + 1) {
            var current = [row]
            for column in 1..<(right.count + 1) {
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + cost)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
