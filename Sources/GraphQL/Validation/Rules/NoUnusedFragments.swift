/// A fragment is spread by an operation, or by a fragment that is. Specification: section 5.5.1.4.
enum NoUnusedFragments {
    static func checkEnd(_ context: inout ValidationContext) {
        var used: Set<String> = []
        var open = Array(context.operationSpreads)
        while let name = open.popLast() {
            guard used.insert(name).inserted else { continue }
            for spread in context.graph.edges[name] ?? [] { open.append(spread.target) }
        }
        for fragment in context.fragmentsInOrder where !used.contains(fragment.name.text) {
            context.report(.unusedFragment, "Unused fragment \(fragment.name)", at: fragment.position)
        }
    }
}
