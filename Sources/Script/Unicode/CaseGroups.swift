/// The code points that a regular expression with the flag `i` takes for one another (ECMAScript 2023, 22.2.2.7.3):
/// with `u` those with the same simple case folding, without it the units with the same uppercase unit.
struct CaseGroups: Sendable {
    static let folded = CaseGroups(UnicodeTable.foldedGroups)
    static let uppercase = CaseGroups(UnicodeTable.uppercaseGroups)

    private let groups: [[UInt32]]
    private let places: [UInt32: Int32]

    private init(_ table: StaticString) {
        var reader = UnicodeTable.Reader(table)
        var groups: [[UInt32]] = []
        var places: [UInt32: Int32] = [:]
        var first: UInt32 = 0
        while let gap = reader.next(), let others = reader.next() {
            first &+= gap
            var group = [first]
            for _ in 0..<others {
                guard let gap = reader.next(), let last = group.last else { break }
                group.append(last &+ gap)
            }
            for member in group { places[member] = Int32(truncatingIfNeeded: groups.count) }
            groups.append(group)
        }
        self.groups = groups
        self.places = places
    }

    /// All that are taken for the code point, itself among them.
    func members(like point: UInt32) -> [UInt32] {
        guard let place = places[point] else { return [point] }
        return groups[Int(place)]
    }

    /// One member that stands for all that are taken for the code point.
    func canonical(_ point: UInt32) -> UInt32 {
        guard let place = places[point] else { return point }
        return groups[Int(place)][0]
    }

    /// The set with all that are taken for one of its members.
    func closure(of set: CodePointSet) -> CodePointSet {
        var more: [Range<UInt32>] = []
        for group in groups where group.contains(where: set.contains) {
            for member in group { more.append(member..<(member &+ 1)) }
        }
        return more.isEmpty ? set : CodePointSet(set.ranges + more)
    }
}
