/// Which fragments spread which, how deep in their selection sets, and how much they select.
struct FragmentGraph {
    /// How deeply selection sets nest, and how many selections there are in them.
    struct Extent {
        var depth = 0
        var selections = 0

        /// No number is added up beyond this one.
        static let selectionsMax = 1 << 40
    }

    /// A spread in a fragment: where it stands, what it names, and how many selection sets are around it.
    struct Edge {
        let position: Position
        let target: String
        let depth: Int
    }

    private(set) var edges: [String: [Edge]] = [:]
    /// The extent of each fragment, without those of others.
    private(set) var ownExtents: [String: Extent] = [:]

    init(_ fragments: [FragmentDefinition]) {
        for fragment in fragments {
            let reach = Reach(of: fragment.selectionSet)
            edges[fragment.name.text] = reach.edges
            ownExtents[fragment.name.text] = reach.extent
        }
    }

    /// What a selection set spreads, and how far it goes by itself.
    struct Reach {
        private(set) var edges: [Edge] = []
        private(set) var extent = Extent()

        init(of selectionSet: SelectionSet) {
            visit(selectionSet, at: 1)
        }

        private mutating func visit(_ selectionSet: SelectionSet, at level: Int) {
            extent.depth = max(extent.depth, level)
            extent.selections += selectionSet.count
            for selection in selectionSet {
                switch selection {
                case .field(let field):
                    let selections = field.selectionSet
                    if !selections.isEmpty { visit(selections, at: level + 1) }
                case .inlineFragment(let fragment): visit(fragment.selectionSet, at: level + 1)
                case .fragmentSpread(let spread):
                    edges.append(Edge(position: spread.position, target: spread.name.text, depth: level))
                }
            }
        }
    }

    /// The extent of each fragment when every spread stands for its fragment. Those on or before a cycle are left out.
    ///
    /// Without recursion: a chain of fragments can be as long as a document.
    func expandedExtents() -> [String: Extent] {
        var extents: [String: Extent] = [:]
        var started: Set<String> = []
        for root in edges.keys where !started.contains(root) {
            var stack = [(name: root, next: 0)]
            started.insert(root)
            while let (name, next) = stack.popLast() {
                let spreads = edges[name] ?? []
                if next < spreads.count {
                    stack.append((name, next + 1))
                    let target = spreads[next].target
                    if edges[target] != nil, started.insert(target).inserted { stack.append((target, 0)) }
                } else if spreads.allSatisfy({ edges[$0.target] == nil || extents[$0.target] != nil }) {
                    extents[name] = expanded(ownExtents[name] ?? Extent(), spreads, extents)
                }
            }
        }
        return extents
    }

    /// What becomes of an extent when spreads stand for their fragments. A fragment counts for each of its spreads.
    func expanded(_ own: Extent, _ spreads: [Edge], _ extents: [String: Extent]) -> Extent {
        spreads.reduce(own) { sum, spread in
            let target = extents[spread.target] ?? Extent()
            return Extent(
                depth: max(sum.depth, spread.depth + target.depth),
                selections: min(sum.selections + target.selections, Extent.selectionsMax))
        }
    }

    /// The spreads that lead from a fragment back to itself, or nil when none do. `spend` is asked at every spread.
    func cycle(through name: String, spend: () -> Bool) -> [Edge]? {
        var seen: Set<String> = []
        var path: [(edge: Edge?, name: String, next: Int)] = [(nil, name, 0)]
        while let (edge, current, next) = path.popLast() {
            let spreads = edges[current] ?? []
            guard next < spreads.count else { continue }
            path.append((edge, current, next + 1))
            guard spend() else { return nil }
            let spread = spreads[next]
            if spread.target == name { return path.compactMap(\.edge) + [spread] }
            if edges[spread.target] != nil, seen.insert(spread.target).inserted {
                path.append((spread, spread.target, 0))
            }
        }
        return nil
    }
}
