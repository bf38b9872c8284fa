/// No operation nests deeper than `ValidationLimits.depthMax`, or selects more than `ValidationLimits.selectionsMax`, when
/// every spread stands for its fragment, so that whoever walks it later needs no limit of their own: fragments that spread
/// others twice make 2ⁿ selections of n lines. Not a rule of the specification.
enum ExpandedExtent {
    static func check(_ document: Document, _ context: inout ValidationContext) {
        let extents = context.graph.expandedExtents()
        var depth = extents.values.reduce(0) { max($0, $1.depth) }
        var selections = 0
        for operation in document.operations {
            let reach = FragmentGraph.Reach(of: operation.selectionSet)
            let extent = context.graph.expanded(reach.extent, reach.edges, extents)
            depth = max(depth, extent.depth)
            selections = max(selections, extent.selections)
        }
        if depth > context.limits.depthMax { context.refuse("The fragments of the document nest too deeply") }
        guard selections <= context.limits.selectionsMax else {
            return context.refuse(
                "An operation selects more than \(context.limits.selectionsMax) fields when every fragment is written out"
            )
        }
    }
}
