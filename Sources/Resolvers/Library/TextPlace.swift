/// Where a text stands within another one.
enum TextPlace {
    /// The first place from one on, found in time that grows with both lengths together and not with their product.
    static func first<Unit: Equatable>(of part: [Unit], in text: [Unit], from start: Int) -> Int? {
        guard !part.isEmpty else { return min(start, text.count) }
        guard start < text.count, part.count <= text.count - start else { return nil }
        // How much of the part stands again where it breaks off.
        var again = Array(repeating: 0, count: part.count)
        var known = 0
        for index in part.indices.dropFirst() {
            while known > 0, part[index] != part[known] { known = again[known - 1] }
            if part[index] == part[known] { known += 1 }
            again[index] = known
        }
        known = 0
        for index in start..<text.count {
            while known > 0, text[index] != part[known] { known = again[known - 1] }
            if text[index] == part[known] { known += 1 }
            if known == part.count { return index + 1 - known }
        }
        return nil
    }
}
