/// A set of code points (or, without the flag `u`, of units) as sorted ranges that neither touch nor overlap.
package struct CodePointSet: Sendable, Equatable {
    /// The first code point after the last one.
    package static let end: UInt32 = 0x110000
    package private(set) var ranges: [Range<UInt32>]

    package init() {
        ranges = []
    }

    /// Takes ranges in any order, which may overlap.
    package init(_ unsorted: [Range<UInt32>]) {
        ranges = []
        var isSorted = true
        for index in unsorted.indices.dropFirst() where unsorted[index].lowerBound < unsorted[index - 1].lowerBound {
            isSorted = false
            break
        }
        for range in isSorted ? unsorted : unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    package static let all = CodePointSet([0..<end])

    package var isEmpty: Bool { ranges.isEmpty }

    package var count: Int { ranges.reduce(0) { $0 &+ Int($1.upperBound &- $1.lowerBound) } }

    package func contains(_ point: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= point { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= point
    }

    package func union(_ other: CodePointSet) -> CodePointSet {
        CodePointSet(ranges + other.ranges)
    }

    /// All that is not in the set, below `limit`.
    package func inverted(below limit: UInt32 = CodePointSet.end) -> CodePointSet {
        var result: [Range<UInt32>] = []
        var position: UInt32 = 0
        for range in ranges where range.lowerBound < limit {
            if position < range.lowerBound { result.append(position..<range.lowerBound) }
            position = range.upperBound
        }
        if position < limit { result.append(position..<limit) }
        return CodePointSet(result)
    }

    /// Adds a range that begins no earlier than the last one does.
    private mutating func append(_ range: Range<UInt32>) {
        guard !range.isEmpty else { return }
        if let last = ranges.last, last.upperBound >= range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }
}
