import JSON

/// Names that somebody who wrote another may have meant, as graphql-js finds them: the one search for them.
package enum Suggestions {
    /// Longer names than this are not compared: nobody meant them.
    private static let lengthMax = 256
    /// No more than so many are offered.
    private static let countMax = 5

    /// `Did you mean "ID" or "Int"?` with a space before it, or nothing. `kind` is what the names are names of.
    package static func didYouMean(_ input: String, among options: some Sequence<String>, kind: String = "") -> String {
        let names = list(for: input, among: options).prefix(countMax).map { "\"\($0)\"" }
        guard let last = names.last else { return "" }
        let start = kind.isEmpty ? " Did you mean " : " Did you mean \(kind) "
        switch names.count {
        case 1: return start + last + "?"
        case 2: return start + names[0] + " or " + last + "?"
        default: return start + names.dropLast().joined(separator: ", ") + ", or " + last + "?"
        }
    }

    /// The options near to the input, the nearest first. Without a threshold, it is the one of graphql-js: two fifths of the
    /// letters and one more, which is right for several alternatives in a message. Whoever names one only asks for less.
    package static func list(
        for input: String, among options: some Sequence<String>, threshold: Int? = nil
    ) -> [String] {
        guard !input.isEmpty, input.utf8.count <= lengthMax else { return [] }
        let threshold = threshold ?? input.utf16.count * 2 / 5 + 1
        var distances: [String: Int] = [:]
        for option in options {
            if let distance = distance(from: input, to: option, threshold: threshold) { distances[option] = distance }
        }
        let sorted = distances.sorted { one, other in
            one.value == other.value
                ? sortKey(one.key).lexicographicallyPrecedes(sortKey(other.key)) : one.value < other.value
        }
        return sorted.map(\.key)
    }

    /// The order of names with the same distance: without regard to case first, lower case before upper.
    private static func sortKey(_ name: String) -> [UInt8] {
        name.utf8.map(\.lowercased) + [0] + name.utf8.map { $0 >= 0x61 ? $0 - 0x40 : $0 + 0x40 }
    }

    /// The number of letters to add, remove, replace or swap, or nil beyond the threshold. Another case costs one.
    private static func distance(from input: String, to option: String, threshold: Int) -> Int? {
        if input == option { return 0 }
        let lowerInput = input.utf8.map(\.lowercased)
        let lowerOption = option.utf8.map(\.lowercased)
        if lowerInput == lowerOption { return 1 }
        let (long, short) = lowerOption.count < lowerInput.count ? (lowerInput, lowerOption) : (lowerOption, lowerInput)
        guard long.count - short.count <= threshold else { return nil }
        var rows = Array(repeating: Array(repeating: 0, count: short.count + 1), count: 3)
        rows[0] = Array(0...short.count)
        for i in stride(from: 1, through: long.count, by: 1) {
            let (above, current) = ((i - 1) % 3, i % 3)
            rows[current][0] = i
            var smallest = i
            for j in stride(from: 1, through: short.count, by: 1) {
                let cost = long[i - 1] == short[j - 1] ? 0 : 1
                var cell = min(rows[above][j] + 1, rows[current][j - 1] + 1, rows[above][j - 1] + cost)
                if i > 1, j > 1, long[i - 1] == short[j - 2], long[i - 2] == short[j - 1] {
                    cell = min(cell, rows[(i - 2) % 3][j - 2] + 1)
                }
                smallest = min(smallest, cell)
                rows[current][j] = cell
            }
            if smallest > threshold { return nil }
        }
        let distance = rows[long.count % 3][short.count]
        return distance <= threshold ? distance : nil
    }
}
