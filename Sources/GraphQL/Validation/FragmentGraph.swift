/// Which fragments spread which, and how deep in their selection sets.
struct FragmentGraph {
    /// A spread in a fragment: where it stands, what it names, and how many selection sets are around it.
    struct Edge {
        let position: Position
        let target: String
        let depth: Int
    }

    private(set) var edges: [String: [Edge]] = [:]
    /// How deeply the selection sets of each fragment nest, without those of others.
    private(set) var ownDepths: [String: Int] = [:]

    init(_ fragments: [FragmentDefinition]) {
        for fragment in fragments {
            let reach = Reach(of: fragment.selectionSet)
            edges[fragment.name.text] = reach.edges
            ownDepths[fragment.name.text] = reach.depth
        }
    }

    /// What a selection set spreads, and how deeply it nests by itself.
    struct Reach {
        private(set) var edges: [Edge] = []
        private(set) var depth = 0

        init(of selectionSet: SelectionSet) {
            visit(selectionSet, at: 1)
        }

        private mutating func visit(_ selectionSet: SelectionSet, at level: Int) {
            depth = max(depth, level)
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

    /// How deeply each fragment nests with the fragments that it spreads. Those on or before a cycle are left out.
    ///
    /// Without recursion: a chain of fragments can be as long as a document.
    func expandedDepths() -> [String: Int] {
        var depths: [String: Int] = [:]
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
                } else if spreads.allSatisfy({ edges[$0.target] == nil || depths[$0.target] != nil }) {
                    depths[name] = expanded(ownDepths[name] ?? 0, spreads, depths)
                }
            }
        }
        return depths
    }

    func expanded(_ own: Int, _ spreads: [Edge], _ depths: [String: Int]) -> Int {
        spreads.reduce(own) { max($0, $1.depth + (depths[$1.target] ?? 0)) }
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
