/// A set of code points as a pattern describes it.
indirect enum ScalarSet: Sendable {
    /// In order, not overlapping: see `ranges(_:)`.
    case sorted([ClosedRange<UInt32>])
    /// Everything that differs from a member only in case.
    case folding([ClosedRange<UInt32>])
    /// The code points whose folded form is this.
    case variants(ofFolded: UInt32)
    case property(ScalarProperty)
    case union([ScalarSet])
    case intersection(ScalarSet, ScalarSet)
    case complement(ScalarSet)

    static let everything = ScalarSet.sorted([0...JavaCodePoints.last])

    static func ranges(_ ranges: ClosedRange<UInt32>...) -> ScalarSet {
        .sorted(merged(ranges))
    }

    /// A code point, or a range of them, under the flags.
    static func range(_ range: ClosedRange<UInt32>, _ folding: CaseFolding) -> ScalarSet {
        switch folding {
        case .none:
            return .sorted([range])
        case .ascii:
            var all = [range]
            if range.overlaps(0x41...0x5A) {
                let part = range.clamped(to: 0x41...0x5A)
                all.append(part.lowerBound + 0x20...part.upperBound + 0x20)
            }
            if range.overlaps(0x61...0x7A) {
                let part = range.clamped(to: 0x61...0x7A)
                all.append(part.lowerBound - 0x20...part.upperBound - 0x20)
            }
            return .sorted(merged(all))
        case .unicode where range.lowerBound == range.upperBound:
            let upper = JavaCodePoints.upper(range.lowerBound)
            let folded = JavaCodePoints.lower(upper)
            // Java takes what has no cases literally, ß with it.
            return upper == folded ? .sorted([range]) : .variants(ofFolded: folded)
        case .unicode:
            return .folding([range])
        }
    }

    /// The union, with its ranges put together so that a long class is searched fast.
    static func joined(_ sets: [ScalarSet]) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        var others: [ScalarSet] = []
        for set in sets {
            if case .sorted(let more) = set { ranges += more } else { others.append(set) }
        }
        if !ranges.isEmpty { others.insert(.sorted(merged(ranges)), at: 0) }
        return others.count == 1 ? others[0] : .union(others)
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    func contains(_ value: UInt32) -> Bool {
        switch self {
        case .sorted(let ranges): Self.search(ranges, value)
        case .folding(let ranges):
            Self.search(ranges, value) || Self.search(ranges, JavaCodePoints.upper(value))
                || Self.search(ranges, JavaCodePoints.folded(value))
        case .variants(let folded): JavaCodePoints.folded(value) == folded
        case .property(let property): property.contains(value)
        case .union(let sets): sets.contains { $0.contains(value) }
        case .intersection(let one, let other): one.contains(value) && other.contains(value)
        case .complement(let set): !set.contains(value)
        }
    }

    /// About how many looks `contains` takes.
    var cost: Int {
        switch self {
        case .sorted: 1
        case .folding, .variants: 4
        case .property: 1
        case .union(let sets): sets.reduce(1) { $0 + $1.cost }
        case .intersection(let one, let other): one.cost + other.cost
        case .complement(let set): set.cost
        }
    }

    private static func search(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }
}
