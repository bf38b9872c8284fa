/// Sets as values hold them: each element once, in their order, so that two are equal when their lists are and an element is
/// found by halving.
package enum ItemSets {
    /// The set of these texts; nil when one is there twice.
    package static func strings(_ texts: [String]) -> [String]? {
        ordered(texts) { $0.compareBytes(to: $1) }
    }

    /// The set of these numbers; nil when one is there twice.
    package static func numbers(_ numbers: [ItemNumber]) -> [ItemNumber]? {
        ordered(numbers, by: difference)
    }

    /// The set of these bytes; nil when some are there twice.
    package static func binaries(_ all: [[UInt8]]) -> [[UInt8]]? {
        ordered(all) { $0.compareBytes(to: $1) }
    }

    static func difference(_ left: ItemNumber, _ right: ItemNumber) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }

    private static func ordered<Element>(_ elements: [Element], by compare: (Element, Element) -> Int) -> [Element]? {
        let sorted = elements.sorted { compare($0, $1) < 0 }
        return zip(sorted, sorted.dropFirst()).allSatisfy { compare($0, $1) != 0 } ? sorted : nil
    }

    /// What is in one of the two sets or in both.
    static func union<Element>(_ left: [Element], _ right: [Element], by compare: (Element, Element) -> Int)
        -> [Element]
    {
        var all: [Element] = []
        all.reserveCapacity(left.count + right.count)
        var (one, other) = (left[...], right[...])
        while let first = one.first, let second = other.first {
            let difference = compare(first, second)
            all.append(difference <= 0 ? first : second)
            if difference <= 0 { one = one.dropFirst() }
            if difference >= 0 { other = other.dropFirst() }
        }
        return all + one + other
    }

    /// What is in the first set and not in the second one.
    static func difference<Element>(
        _ left: [Element], _ right: [Element], by compare: (Element, Element) -> Int
    ) -> [Element] {
        var kept: [Element] = []
        var other = right[...]
        for element in left {
            while let first = other.first, compare(first, element) < 0 { other = other.dropFirst() }
            if let first = other.first, compare(first, element) == 0 { continue }
            kept.append(element)
        }
        return kept
    }

    /// Whether an element is in a set.
    static func contains<Element>(
        _ set: [Element], _ element: Element, by compare: (Element, Element) -> Int
    ) -> Bool {
        var low = 0
        var high = set.count
        while low < high {
            let middle = (low + high) / 2
            let difference = compare(set[middle], element)
            if difference == 0 { return true }
            if difference < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
