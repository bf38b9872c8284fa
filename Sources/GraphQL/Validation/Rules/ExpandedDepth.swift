/// No operation nests deeper than `ValidationLimits.depthMax` when every spread stands for its fragment, so that
/// whoever walks it later needs no limit of their own. Not a rule of the specification.
enum ExpandedDepth {
    static func check(_ document: Document, _ context: inout ValidationContext) {
        let depths = context.graph.expandedDepths()
        var deepest = depths.values.max() ?? 0
        for operation in document.operations {
            let reach = FragmentGraph.Reach(of: operation.selectionSet)
            deepest = max(deepest, context.graph.expanded(reach.depth, reach.edges, depths))
        }
        if deepest > context.limits.depthMax { context.refuse("The fragments of the document nest too deeply") }
    }
}
