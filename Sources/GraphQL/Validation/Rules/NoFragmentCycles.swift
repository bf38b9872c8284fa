/// A fragment does not lead back to itself. Specification: section 5.5.2.2.
enum NoFragmentCycles {
    static func check(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        guard context.graph.edges[fragment.name.text]?.isEmpty == false else { return }
        var steps = 0
        let stepsMax = context.limits.workMax
        let cycle = context.graph.cycle(through: fragment.name.text) {
            steps += 1
            return steps <= stepsMax
        }
        guard context.spendWork(steps), let cycle else { return }
        context.report(.fragmentCycle, "Fragment cycles not allowed", at: cycle.map(\.position))
    }
}
